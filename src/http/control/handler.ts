import type { OperationId } from '../../generated/control-document.js';
import type { Account } from '../../simulation/account.js';
import type { BodyOf, QueryOf, ResultOf } from './operations.js';

/** Operations that respond with a stream. */
export type StreamOperationId = 'streamMails' | 'streamRequests' | 'streamActivity';

/** Operations with a handler. `control-api.ts` itself serves the two that need no control token. */
export type HandledOperationId = Exclude<OperationId, StreamOperationId | 'getHealth' | 'getDocument'>;

/**
 * One handler for each operation. It gets a valid request, and the response waits until its changes are stored. But if
 * a handler awaits something else after its changes, storing them can fail before the response begins to wait, which
 * would go unnoticed. Such a handler must await `account.whenStored()` right after its changes.
 */
export type ControlRoutes = {
  readonly [Id in HandledOperationId]: (request: {
    /** The account that the path names; the default account if it names none. */
    readonly account: Account;
    readonly query: QueryOf<Id>;
    readonly body: BodyOf<Id>;
    /** The name or id in the path (of a snapshot, a record, …), as a string; empty if the path has none. */
    readonly name: string;
    /** The same as `name`, but as a number if it is written as one: record ids are numbers or strings. */
    readonly id: number | string;
  }) => ResultOf<Id> | Promise<ResultOf<Id>>;
};
