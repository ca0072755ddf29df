import type { Account } from '../../../simulation/account.js';
import { getSnapshot, saveForUndo } from '../../../simulation/seeding/snapshots.js';
import type { World } from '../../../simulation/world.js';
import type { ControlOptions } from '../../control/control-options.js';
import type { ControlRoutes, RouteId } from '../../control/handler.js';
import { invokeOperation, isRoute } from '../../control/invoke-operation.js';
import { readOperations } from '../../control/operations.js';
import { contractActions } from '../contract/actions.js';
import { saveScenarioText } from '../scenarios/save-scenario-text.js';
import { resendDeliveries } from '../webhooks/resend-deliveries.js';
import { noticeOf, targetOf } from './actions.js';
import type { ActionOutcome, ActionRequest } from './form-action.js';
import { ownerOperations } from './owner-operations.js';

/** Calls the operation of a form. @throws ServiceError */
type Perform = (request: ActionRequest) => ActionOutcome | Promise<ActionOutcome>;

/** Creates a function that finds the operation of a form, either in the control API or among the writing operations of the service. */
export function createPerformer(
  world: World,
  { views, payloadParsers, contractRuns }: Pick<ControlOptions, 'views' | 'payloadParsers' | 'contractRuns'>,
  routes: ControlRoutes,
): (id: string, account: Account) => Perform | undefined {
  const operations = readOperations();
  const owners = ownerOperations(world, views);
  /** Actions that the control API does not have in this form. */
  const pageActions: ReadonlyMap<string, Perform> = new Map<string, Perform>(
    Object.entries({
      // The control API takes scenarios as JSON, and this form as YAML.
      saveScenarioText: saveScenarioText(payloadParsers),
      // The control API resends one delivery at a time.
      resendDeliveries,
      ...contractActions(contractRuns),
    }),
  );
  return (id, account) => {
    const pageAction = pageActions.get(id);
    if (pageAction) return pageAction;
    const operation = operations.find((one) => one.id === id);
    if (!operation) return owners.find(id, account);
    if (!isRoute(routes, operation)) return undefined;
    return async ({ account, body: form, name, next }) => {
      const body = operation.id === 'chooseForGap' ? choiceOf(form) : form;
      const invoke = () => invokeOperation(routes, operation, { account, query: {}, body, name });
      const saved = undoOf(operation.id, account, name);
      // Without a snapshot to wait for it is called at once: commits before the first `await` are correlated with the action.
      const result = await (saved ? saved.then(invoke) : invoke());
      const undoSnapshot = await saved;
      const leadsTo = targetOf(operation.id, result, account.id);
      return {
        notice: noticeOf(operation.id, result, { account: account.id, next, undoSnapshot }),
        ...(leadsTo === undefined ? {} : { leadsTo }),
      };
    };
  };
}

/** Combines the name and the value of a choice into one member, the form of profile files. */
function choiceOf(form: { readonly choice?: unknown; readonly value?: unknown }): object {
  const { choice, value, ...others } = form;
  return value === undefined ? form : { ...others, choice: { [String(choice)]: value } };
}

/** Saves the account before a reset or a restore. @returns the snapshot that undoes it @throws ServiceError snapshot-unknown */
function undoOf(id: RouteId, account: Account, name: string): Promise<string> | undefined {
  if (id === 'resetAccount') return saveForUndo(account, 'reset');
  if (id !== 'restoreSnapshot') return undefined;
  getSnapshot(account, name);
  return saveForUndo(account, 'restore', name);
}
