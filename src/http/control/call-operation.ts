import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/world.js';
import type { HandlerDependencies } from './control-options.js';
import type { HandledOperationId } from './handler.js';
import { invokeOperation } from './invoke-operation.js';
import { type ControlOperation, operationsInMatchingOrder, type ResultOf } from './operations.js';
import { createControlRoutes } from './routes.js';

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
