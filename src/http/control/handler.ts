import type { OperationId } from '../../generated/control-document.js';
import type { Account } from '../../simulation/account.js';
import type { BodyOf, QueryOf, ResultOf } from './operations.js';

/** A valid request to one operation. */
interface ControlRequest<Id extends OperationId> {
  /** The account of the path; the default account if the path has none. */
  readonly account: Account;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** The name or id in the path as text; empty if the path has none. */
  readonly name: string;
  /** The name or id in the path, as a number if it is written as one. */
  readonly id: number | string;
}

/** Operations that respond with a stream. */
export type FeedId = 'streamMails' | 'streamRequests' | 'streamActivity';

/** Operations with a handler. `control-api.ts` serves the two that need no control token. */
export type RouteId = Exclude<OperationId, FeedId | 'getHealth' | 'getDocument'>;

/**
 * One handler for each operation. Its changes need not be stored when it returns, since the response waits for that. But a
 * handler that awaits something after its changes must await their storage first, so that a failure is not missed.
 */
export type ControlRoutes = {
  readonly [Id in RouteId]: (request: ControlRequest<Id>) => ResultOf<Id> | Promise<ResultOf<Id>>;
};
