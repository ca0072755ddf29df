import type { Account } from '../../../simulation/account.js';
import { getSnapshot, saveForUndo } from '../../../simulation/seeding/snapshots.js';
import type { World } from '../../../simulation/world.js';
import type { ControlRoutes, RouteId } from '../../control/handler.js';
import { invokeOperation, isRoute } from '../../control/invoke-operation.js';
import { readOperations } from '../../control/operations.js';
import type { Views } from '../../service/views.js';
import { noticeOf } from './actions.js';
import type { ActionOutcome, ActionRequest } from './form-action.js';
import { ownerOperations } from './owner-operations.js';

/** Calls the operation of a form. @throws ServiceError */
type Perform = (request: ActionRequest) => ActionOutcome | Promise<ActionOutcome>;

/** Creates a function that finds the operation of a form, either in the control API or among the writing operations of the service. */
export function createPerformer(
  world: World,
  views: Views,
  routes: ControlRoutes,
): (id: string, account: Account) => Perform | undefined {
  const operations = readOperations();
  const owners = ownerOperations(world, views);
  return (id, account) => {
    const operation = operations.find((one) => one.id === id);
    if (!operation) return owners.find(id, account);
    if (!isRoute(routes, operation)) return undefined;
    return async ({ account, body: form, name, next }) => {
      const body = operation.id === 'chooseForGap' ? choiceOf(form) : form;
      const undoSnapshot = await undoOf(operation.id, account, name);
      const result = await invokeOperation(routes, operation, { account, query: {}, body, name });
      return { notice: noticeOf(operation.id, result, { account: account.id, next, undoSnapshot }) };
    };
  };
}

/** Combines the name and the value of a choice into one member, the form of profile files. */
function choiceOf(form: { readonly choice?: unknown; readonly value?: unknown }): object {
  const { choice, value, ...others } = form;
  return value === undefined ? form : { ...others, choice: { [String(choice)]: value } };
}

/** Saves the account before a reset or a restore. @returns the snapshot that undoes it @throws ServiceError snapshot-unknown */
async function undoOf(id: RouteId, account: Account, name: string): Promise<string | undefined> {
  if (id === 'resetAccount') return saveForUndo(account, 'reset');
  if (id !== 'restoreSnapshot') return undefined;
  getSnapshot(account, name);
  return saveForUndo(account, 'restore', name);
}
