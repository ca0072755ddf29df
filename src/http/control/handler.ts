import type { OperationId } from '../../generated/control-document.js';
import type { Account } from '../../simulation/account.js';
import type { BodyOf, QueryOf, ResultOf } from './operations.js';

/** A valid request to one operation. */
interface ControlRequest<Id extends OperationId> {
  /** The account of the path; the default account if the path has none. */
  readonly account: Account;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** The name or id of, for example, a snapshot or a record in the path, as text; empty if the path has none. */
  readonly name: string;
  /** The same as `name`, but as a number if it is written as one: record ids are numbers or texts. */
  readonly id: number | string;
}

/** Operations that respond with a stream. */
export type StreamId = 'streamMails' | 'streamRequests' | 'streamActivity';

/** Operations with a handler. `control-api.ts` itself serves the two that need no control token. */
export type HandledId = Exclude<OperationId, StreamId | 'getHealth' | 'getDocument'>;

/**
 * One handler for each operation. The response waits until the changes of the handler are stored. But if a handler
 * awaits something else after its changes, storing them can fail before the response begins to wait. Such a handler
 * must first await `account.whenStored()`.
 */
export type ControlRoutes = {
  readonly [Id in HandledId]: (request: ControlRequest<Id>) => ResultOf<Id> | Promise<ResultOf<Id>>;
};
