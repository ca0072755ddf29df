import type { LogDetails } from '../../domain/activity.js';
import type { OperationId } from '../../generated/control-document.js';
import { controlOperations } from '../../generated/control-operations.js';
import type { operations } from '../../generated/control-validated-types.js';
import { lazy } from '../../lib/lazy.js';
import { compareTemplates } from '../../lib/path-template.js';
import { type RequestValidators, requestValidators } from '../../openapi/schemas.js';
import type { Account } from '../../simulation/account.js';

type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;
type DefaultedParameter = 'page' | 'per_page';
/** The query after validation, which fills in the defaults of `page` and `per_page`, so they are required here. */
export type QueryOf<Id extends OperationId> = Id extends OperationId
  ? [Query<Id>] extends [never]
    ? object
    : Omit<Query<Id>, DefaultedParameter> & Required<Pick<Query<Id>, DefaultedParameter & keyof Query<Id>>>
  : never;
/** The body after validation, which fills in defaults. */
export type BodyOf<Id extends OperationId> = Id extends OperationId
  ? NonNullable<operations[Id]['requestBody']> extends { readonly content: { readonly 'application/json': infer Body } }
    ? Body
    : object
  : never;
type Responses<Id extends OperationId> = operations[Id]['responses'];
/** The response body of a successful operation. */
export type ResultOf<Id extends OperationId> = Responses<Id>[keyof Responses<Id> & (200 | 201)] extends {
  readonly content: { readonly 'application/json': infer Result };
}
  ? Result
  : never;

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
    /** Adds details to the entry of this action in the activity log, where its consequences do not say enough. */
    readonly logDetails: LogDetails;
  }) => ResultOf<Id> | Promise<ResultOf<Id>>;
};

/** One operation of the control document. */
export interface ControlOperation<Id extends OperationId = OperationId> {
  readonly id: Id;
  readonly method: 'get' | 'put' | 'patch' | 'post' | 'delete';
  /** The path template: `/accounts/{account}/clock`. */
  readonly path: string;
  /** The success status. */
  readonly status: number;
  validators(): RequestValidators<QueryOf<Id>, BodyOf<Id>>;
}

/** Returns the validators of one operation. */
export function validatorsOf<Id extends OperationId>(id: Id): RequestValidators<QueryOf<Id>, BodyOf<Id>> {
  const operation = controlOperations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`the control API has no operation ${id}`);
  return requestValidators<QueryOf<Id>, BodyOf<Id>>(operation);
}

/** The operations, in the order in which their paths must be matched. */
export function operationsInMatchingOrder(): ControlOperation[] {
  const all = controlOperations.map(({ id, method, path, status, ...schemas }): ControlOperation => {
    const validators = lazy(() => requestValidators<QueryOf<OperationId>, BodyOf<OperationId>>(schemas));
    return { id, method, path, status, validators };
  });
  return all.sort((a, b) => compareTemplates(a.path, b.path));
}
