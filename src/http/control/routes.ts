import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/world.js';
import { accountRoutes } from './accounts.js';
import { activityFeed, activityRoutes } from './activity.js';
import { clockRoutes } from './clock.js';
import type { HandlerDependencies } from './control-options.js';
import { coverageRoutes } from './coverage.js';
import { customerRoutes } from './customers.js';
import { deliveryRoutes } from './deliveries.js';
import { faultRoutes } from './faults.js';
import { mailFeed, mailRoutes } from './mails.js';
import type { ControlRoutes, StreamOperationId } from './operations.js';
import { recordRoutes } from './records.js';
import { requestFeed, requestRoutes } from './requests.js';
import { scenarioRoutes } from './scenarios.js';
import { settingsRoutes } from './settings.js';
import { snapshotRoutes } from './snapshots.js';
import type { Feed } from './stream.js';
import { tokenRoutes } from './tokens.js';
import { traceRoutes } from './trace.js';
import { triggerRoutes } from './trigger.js';

/** Creates the handlers of the control API. Each topic, such as the clock, has a file. */
export function createControlRoutes(
  world: World,
  { views, resolveListenerUrl, readSnapshotFile, sendToSelf }: HandlerDependencies,
): ControlRoutes {
  return {
    ...accountRoutes(world, views),
    ...settingsRoutes(world, resolveListenerUrl),
    ...clockRoutes,
    ...tokenRoutes(world),
    ...customerRoutes,
    ...recordRoutes(views),
    ...deliveryRoutes,
    ...triggerRoutes(world),
    ...mailRoutes,
    ...requestRoutes(sendToSelf),
    ...activityRoutes,
    ...traceRoutes,
    ...coverageRoutes,
    ...snapshotRoutes(world, readSnapshotFile),
    ...scenarioRoutes,
    ...faultRoutes,
  };
}

/** The streams of server-sent events. */
export const feeds: Readonly<Record<StreamOperationId, (account: Account) => Feed>> = {
  streamMails: mailFeed,
  streamRequests: requestFeed,
  streamActivity: activityFeed,
};
