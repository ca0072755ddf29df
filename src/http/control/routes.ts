import type { OperationId } from '../../generated/control-document.js';
import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/world.js';
import type { Views } from '../service/views.js';
import { accountRoutes } from './accounts.js';
import { clockRoutes } from './clock.js';
import { coverageRoutes } from './coverage.js';
import { customerRoutes } from './customers.js';
import { deliveryRoutes } from './deliveries.js';
import { faultRoutes } from './faults.js';
import type { Forms } from './forms.js';
import { mailFeed, mailRoutes } from './mails.js';
import type { BodyOf, QueryOf, ResultOf } from './operations.js';
import { recordRoutes } from './records.js';
import { requestFeed, requestRoutes } from './requests.js';
import { scenarioRoutes } from './scenarios.js';
import { settingsRoutes } from './settings.js';
import { snapshotRoutes } from './snapshots.js';
import type { Feed } from './stream.js';
import { tokenRoutes } from './tokens.js';
import { triggerRoutes } from './trigger.js';

/** A valid request to one operation. */
interface ControlRequest<Id extends OperationId> {
  /** The account of the path; the default one where the path has none. */
  readonly account: Account;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** What the path names within the account, as it stands there; empty where it names nothing. */
  readonly name: string;
  /** The same, as a number where it is written as one. */
  readonly id: number | string;
}

/** Operations that do not end with their answer. */
export type FeedId = 'streamMails' | 'streamRequests';

/** Those that are answered elsewhere, since they need no control token, are left out. */
export type RouteId = Exclude<OperationId, FeedId | 'getHealth' | 'getDocument'>;

/** What an operation answers. One that promises it has waited until it is stored. */
export type ControlRoutes = {
  readonly [Id in RouteId]: (request: ControlRequest<Id>) => ResultOf<Id> | Promise<ResultOf<Id>>;
};

/** The operations of the control API, by topic. */
export function createControlRoutes(world: World, views: Views, forms: Forms): ControlRoutes {
  return {
    ...accountRoutes(world, views, forms),
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
    ...scenarioRoutes(forms),
    ...faultRoutes(forms),
  };
}

export const feeds: Readonly<Record<FeedId, (account: Account) => Feed>> = {
  streamMails: mailFeed,
  streamRequests: requestFeed,
};
