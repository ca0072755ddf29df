import { ignoreDetails, type LogDetails } from '../../domain/activity.js';
import { invalidField } from '../../domain/service-error.js';
import { integerOrText } from '../../lib/integer-or-text.js';
import { isDeeperThan } from '../../lib/json.js';
import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/world.js';
import { validated } from '../service/validation.js';
import type { HandlerDependencies } from './control-options.js';
import {
  type ControlOperation,
  type ControlRoutes,
  type HandledOperationId,
  operationsInMatchingOrder,
  type ResultOf,
} from './operations.js';
import { createControlRoutes } from './routes.js';

/** A request to an operation, before validation. */
interface OperationRequest {
  readonly account: Account;
  readonly query: unknown;
  readonly body: unknown;
  /**
   * The name or id that follows the account in the path, as text; empty if the path has none. Handlers get it as `name`
   * and as `id`.
   */
  readonly name: string;
  readonly logDetails: LogDetails;
}

/** Validates a request and calls the handler of an operation of the control API. @throws ServiceError */
export function invokeOperation<Id extends HandledOperationId>(
  routes: ControlRoutes,
  operation: ControlOperation<Id>,
  { account, query, body, name, logDetails }: OperationRequest,
): ResultOf<Id> | Promise<ResultOf<Id>> {
  const { validateQuery, validateBody } = operation.validators();
  return routes[operation.id]({
    account,
    query: validated(validateQuery, query),
    body: validated(validateBody, requireLimitedDepth(body)),
    name,
    id: integerOrText(name),
    logDetails,
  });
}

/**
 * Maximum nesting depth of a body. A seed or snapshot may contain metadata of 100 levels (`maxMetadataLevels`), inside a
 * few levels of its own. Recursion over a deeper body could overflow the stack.
 */
const maxLevels = 120;

/** Returns the body. @throws ServiceError invalid if it is nested too deeply */
function requireLimitedDepth(body: unknown): unknown {
  if (!isDeeperThan(maxLevels, body)) return body;
  throw invalidField('body', 'custom', { message: `the body must not be nested more than ${maxLevels} levels deep` });
}

/**
 * The operations of the control API, for callers in this process. Calls are not logged as actions in the activity log;
 * the caller must do that.
 */
export class ControlOperations {
  readonly #routes: ControlRoutes;
  readonly #operations = operationsInMatchingOrder();

  constructor(world: World, dependencies: HandlerDependencies) {
    this.#routes = createControlRoutes(world, dependencies);
  }

  /** Returns true for the id of an operation with a handler. */
  has(id: string): id is HandledOperationId {
    return Object.hasOwn(this.#routes, id);
  }

  /** Calls an operation without HTTP. @throws ServiceError */
  call<Id extends HandledOperationId>(
    id: Id,
    request: Omit<OperationRequest, 'query'>,
  ): ResultOf<Id> | Promise<ResultOf<Id>> {
    return invokeOperation(this.#routes, this.#find(id), { ...request, query: {} });
  }

  /** Calls an operation that lists records, with filters. @returns one page with all matching records @throws ServiceError */
  list<Id extends HandledOperationId>(
    id: Id,
    account: Account,
    filters: unknown,
  ): ResultOf<Id> | Promise<ResultOf<Id>> {
    const { validateQuery, validateBody } = this.#find(id).validators();
    // Set after validation, since the control API limits the size of a page.
    const query = Object.assign(validated(validateQuery, filters), { per_page: Number.MAX_SAFE_INTEGER });
    return this.#routes[id]({
      account,
      query,
      body: validated(validateBody, {}),
      name: '',
      id: '',
      logDetails: ignoreDetails,
    });
  }

  #find<Id extends HandledOperationId>(id: Id): ControlOperation<Id> {
    const operation = this.#operations.find(hasId(id));
    if (!operation) throw new Error(`the control API has no operation ${id}`);
    return operation;
  }
}

function hasId<Id extends HandledOperationId>(id: Id) {
  return (operation: ControlOperation): operation is ControlOperation<Id> => operation.id === id;
}
