import type { OperationId } from '../../generated/control-document.js';
import type { Account } from '../../simulation/account.js';
import type { BodyOf, QueryOf, ResultOf } from './operations.js';

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
