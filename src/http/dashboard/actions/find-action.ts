import type { Account } from '../../../simulation/account.js';
import { getSnapshot, saveForUndo } from '../../../simulation/seeding/snapshots.js';
import type { World } from '../../../simulation/world.js';
import type { ControlOptions } from '../../control/control-options.js';
import { ControlOperations } from '../../control/invoke-operation.js';
import type { HandledOperationId } from '../../control/operations.js';
import type { ActionOutcome, ActionRequest } from './action.js';
import { resultUrlOf, successNotice } from './action-results.js';
import { choiceBody } from './choice-body.js';
import { contractActions } from './contract-actions.js';
import { ownerOperations } from './owner-operations.js';
import { resendDeliveries } from './resend-deliveries.js';
import { saveScenarioText } from './scenario-text.js';

/** Performs the action of a form. @throws ServiceError */
type PerformAction = (request: ActionRequest) => ActionOutcome | Promise<ActionOutcome>;

/**
 * Creates a function that finds an action by its id: an action that only the dashboard has, an operation of the control
 * API, or an operation of the service that changes data. The created function returns undefined for an unknown id.
 */
export function createActionFinder(
  world: World,
  options: ControlOptions,
): (id: string, account: Account) => PerformAction | undefined {
  const controlOperations = new ControlOperations(world, options);
  const serviceActions = ownerOperations(world, options.views);
  /** Actions that the control API does not offer, or offers with different input. */
  const pageActions: ReadonlyMap<string, PerformAction> = new Map<string, PerformAction>(
    Object.entries({
      // The control API takes scenarios as JSON, but the form submits YAML.
      saveScenarioText,
      // The control API resends one delivery at a time.
      resendDeliveries,
      ...contractActions(options.contractRuns),
    }),
  );
  return (id, account) => {
    const pageAction = pageActions.get(id);
    if (pageAction) return pageAction;
    if (!controlOperations.has(id)) return serviceActions.find(id, account);
    return async ({ account, body: form, idOrName, returnTo, logDetails }) => {
      const body = id === 'chooseForGap' ? choiceBody(idOrName, form) : form;
      const invoke = () => controlOperations.call(id, { account, body, name: idOrName, logDetails });
      const saving = saveUndoSnapshot(id, account, idOrName);
      // Calls the operation immediately if no snapshot is saved: only commits before the first `await` are shown as
      // consequences of the action.
      const result = await (saving ? saving.then(invoke) : invoke());
      const undoSnapshot = await saving;
      const redirectTo = resultUrlOf(id, result, account.id);
      return {
        notice: successNotice(id, result, { account: account.id, returnTo, undoSnapshot }),
        ...(redirectTo === undefined ? {} : { redirectTo }),
      };
    };
  };
}

/**
 * Saves a snapshot of the account before a reset or a restore; returns undefined for other operations.
 * @returns the name of the snapshot that undoes the operation @throws ServiceError snapshot-not-found
 */
function saveUndoSnapshot(id: HandledOperationId, account: Account, name: string): Promise<string> | undefined {
  if (id === 'resetAccount') return saveForUndo(account, 'reset');
  if (id !== 'restoreSnapshot') return undefined;
  // Throws if the snapshot does not exist, so that nothing is saved for a restore that fails.
  getSnapshot(account, name);
  return saveForUndo(account, 'restore', name);
}
