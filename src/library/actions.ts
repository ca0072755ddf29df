import type { OperationId } from '../generated/control-document.js';
import type { CallOperation } from '../http/control/call-operation.js';
import type { HandledOperationId } from '../http/control/handler.js';
import type { BodyOf, ResultOf } from '../http/control/operations.js';
import type { Account } from '../simulation/account.js';
import { requireId } from './check-options.js';
import { libraryError, type OptionNames, toClosedError } from './library-error.js';
import { toJson } from './valid-input.js';

/** Input of an operation of the control API. */
interface OperationInput<Id extends HandledOperationId> {
  /** The name or id in the path. */
  readonly name?: number | string;
  readonly body?: { readonly [Field in keyof BodyOf<Id>]?: unknown };
  /** Replaces the default names of options in error messages. */
  readonly names?: OptionNames;
}

/** Access to an account. All promises, even those of reads, resolve only once all changes so far are stored. */
export interface Actions {
  /** Reads from the account. */
  read<Result>(show: (account: Account) => Result | Promise<Result>, names?: OptionNames): Promise<Result>;
  /** Changes the account. The activity log shows the change as an action with the name of this operation. */
  act<Result>(
    operation: OperationId,
    change: (account: Account) => Result | Promise<Result>,
    names?: OptionNames,
  ): Promise<Result>;
  /** Calls an operation of the control API on the account. @returns its response @throws UserError for no name or id */
  call<Id extends HandledOperationId>(operation: Id, input?: OperationInput<Id>): Promise<ResultOf<Id>>;
}

/**
 * Creates the functions that act on an account.
 * @param currentAccount returns the account, which is another object after each reset
 * @param loadCallOperation loads the operations of the control API on first use, so that a simulator starts fast
 */
export function actionsOf(
  currentAccount: () => Account,
  loadCallOperation: () => Promise<CallOperation>,
  isSimulatorClosed: () => boolean,
): Actions {
  const read: Actions['read'] = async (show, names) => {
    const account = currentAccount();
    try {
      const result = await show(account);
      await account.whenStored();
      return result;
    } catch (error) {
      throw libraryError(isSimulatorClosed() ? toClosedError(error) : error, account.profile, names);
    }
  };
  const act: Actions['act'] = (operation, change, names) =>
    read(
      (account) => account.activity.duringAction({ by: 'library', operation }, account.now(), () => change(account)),
      names,
    );
  return {
    read,
    act,
    async call(operation, { body = {}, names, ...path } = {}) {
      const name = 'name' in path ? String(requireId(path.name)) : '';
      const callOperation = await loadCallOperation();
      const request = { name, body: toJson(body) };
      return act(operation, (account) => callOperation(operation, { account, ...request }), names);
    },
  };
}
