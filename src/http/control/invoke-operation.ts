import type { DescribeAction } from '../../domain/activity.js';
import { invalid } from '../../domain/service-error.js';
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
  readonly describe: DescribeAction;
}

/** Validates a request and calls the handler of an operation of the control API. @throws ServiceError */
export function invokeOperation<Id extends HandledOperationId>(
  routes: ControlRoutes,
  operation: ControlOperation<Id>,
  { account, query, body, name, describe }: OperationRequest,
): ResultOf<Id> | Promise<ResultOf<Id>> {
  const { validateQuery, validateBody } = operation.validators();
  return routes[operation.id]({
    account,
    query: validated(validateQuery, query),
    body: validated(validateBody, requireLimitedDepth(body)),
    name,
    id: integerOrText(name),
    describe,
  });
}

/** Returns true for an operation that has a handler. Streams, for example, have none. */
export function hasHandler(
  routes: ControlRoutes,
  operation: ControlOperation,
): operation is ControlOperation<HandledOperationId> {
  return Object.hasOwn(routes, operation.id);
}

/**
 * Maximum nesting depth of a body. A seed or snapshot may contain metadata of 100 levels (`maxMetadataLevels`), inside a
 * few levels of its own. Recursion over a deeper body could overflow the stack.
 */
const maxLevels = 120;

/** Returns the body. @throws ServiceError invalid if it is nested too deeply */
function requireLimitedDepth(body: unknown): unknown {
  if (!isDeeperThan(maxLevels, body)) return body;
  throw invalid('body', 'custom', { message: `the body must not be nested more than ${maxLevels} levels deep` });
}

/**
 * Calls an operation of the control API without HTTP. Does not log the action in the activity log; the caller must.
 * @throws ServiceError
 */
export type CallOperation = <Id extends HandledOperationId>(
  id: Id,
  request: {
    readonly account: Account;
    /** The name or id that follows the account in the path; empty if the path has none. */
    readonly name: string;
    readonly body: unknown;
    readonly describe: DescribeAction;
  },
) => ResultOf<Id> | Promise<ResultOf<Id>>;

export function createCallOperation(world: World, dependencies: HandlerDependencies): CallOperation {
  const routes = createControlRoutes(world, dependencies);
  const operations = operationsInMatchingOrder();
  return (id, request) => {
    const operation = operations.find(hasId(id));
    if (!operation) throw new Error(`the control API has no operation ${id}`);
    return invokeOperation(routes, operation, { ...request, query: {} });
  };
}

function hasId<Id extends HandledOperationId>(id: Id) {
  return (operation: ControlOperation): operation is ControlOperation<Id> => operation.id === id;
}
