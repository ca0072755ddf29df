import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/world.js';
import type { Views } from '../service/views.js';
import { accountRoutes } from './accounts.js';
import { clockRoutes } from './clock.js';
import { coverageRoutes } from './coverage.js';
import { customerRoutes } from './customers.js';
import { deliveryRoutes } from './deliveries.js';
import { faultRoutes } from './faults.js';
import type { ControlRoutes, FeedId } from './handler.js';
import { mailFeed, mailRoutes } from './mails.js';
import type { PayloadParsers } from './payload-parsers.js';
import { recordRoutes } from './records.js';
import { requestFeed, requestRoutes } from './requests.js';
import { scenarioRoutes } from './scenarios.js';
import { settingsRoutes } from './settings.js';
import { snapshotRoutes } from './snapshots.js';
import type { Feed } from './stream.js';
import { tokenRoutes } from './tokens.js';
import { triggerRoutes } from './trigger.js';

/** The operations of the control API, by topic. */
export function createControlRoutes(world: World, views: Views, payloadParsers: PayloadParsers): ControlRoutes {
  return {
    ...accountRoutes(world, views, payloadParsers),
    ...settingsRoutes(world),
    ...clockRoutes,
    ...tokenRoutes(world),
    ...customerRoutes,
    ...recordRoutes(views),
    ...deliveryRoutes,
    ...triggerRoutes(world),
    ...mailRoutes,
    ...requestRoutes,
    ...coverageRoutes,
    ...snapshotRoutes(world),
    ...scenarioRoutes(payloadParsers),
    ...faultRoutes(payloadParsers),
  };
}

export const feeds: Readonly<Record<FeedId, (account: Account) => Feed>> = {
  streamMails: mailFeed,
  streamRequests: requestFeed,
};
