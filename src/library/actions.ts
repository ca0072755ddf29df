import { ignoreDetails, type LogDetails } from '../domain/activity.js';
import type { OperationId } from '../generated/control-document.js';
import type { ControlOperations } from '../http/control/invoke-operation.js';
import type { BodyOf, HandledOperationId, ResultOf } from '../http/control/operations.js';
import { copyJson } from '../lib/json.js';
import { requireKnownOptions } from '../lib/known-options.js';
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

/**
 * Access to an account. All promises, even those of reads, resolve only once all changes so far are stored. The results
 * of control operations are copies: callers can change them.
 */
export interface Actions {
  /** Reads from the account. */
  read<Result>(select: (account: Account) => Result | Promise<Result>, names?: OptionNames): Promise<Result>;
  /** Changes the account. The activity log shows the change as an action with the name of this operation. */
  act<Result>(
    operation: OperationId,
    change: (account: Account, logDetails: LogDetails) => Result | Promise<Result>,
    names?: OptionNames,
  ): Promise<Result>;
  /**
   * Calls an operation of the control API on the account.
   * @returns its response
   * @throws UserError if the name or id is missing
   */
  call<Id extends HandledOperationId>(operation: Id, input?: OperationInput<Id>): Promise<ResultOf<Id>>;
  /**
   * Calls an operation of the control API that reads one record.
   * @param id empty for an operation without an id in its path
   * @throws UserError if the id is missing
   */
  get<Id extends HandledOperationId>(operation: Id, id: number | string): Promise<ResultOf<Id>>;
  /**
   * Calls an operation of the control API that lists records.
   * @param filterNames an object with the names of the filters that the operation has
   * @returns a page with all records
   * @throws UserError for an unknown filter
   */
  list<Id extends HandledOperationId>(operation: Id, filters: object, filterNames: object): Promise<ResultOf<Id>>;
}

/**
 * Creates the functions that act on an account.
 * @param currentAccount returns the account, which is a new object after each reset
 * @param loadOperations loads the operations of the control API on first use, so that a simulator starts fast
 */
export function actionsOf(
  currentAccount: () => Account,
  loadOperations: () => Promise<ControlOperations>,
  isSimulatorClosed: () => boolean,
): Actions {
  const run: Actions['read'] = async (use, names) => {
    const account = currentAccount();
    try {
      const result = await use(account);
      await account.whenStored();
      return result;
    } catch (error) {
      throw libraryError(isSimulatorClosed() ? toClosedError(error) : error, account.profile, names);
    }
  };
  const act: Actions['act'] = (operation, change, names) =>
    run(
      (account) =>
        account.activity.duringAction({ by: 'library', operation }, account.now(), (logDetails) =>
          change(account, logDetails),
        ),
      names,
    );
  return {
    read: run,
    act,
    async call(operation, { body = {}, names, ...rest } = {}) {
      // An undefined name is a mistake of the caller. Operations without a name in their path get an empty string.
      const name = 'name' in rest ? String(requireId(rest.name)) : '';
      const operations = await loadOperations();
      const request = { name, body: toJson(body) };
      const result = await act(
        operation,
        (account, logDetails) => operations.call(operation, { account, logDetails, ...request }),
        names,
      );
      return copyJson(result);
    },
    async get(operation, id) {
      const name = String(requireId(id));
      const operations = await loadOperations();
      const result = await run((account) =>
        operations.call(operation, { account, name, body: {}, logDetails: ignoreDetails }),
      );
      return copyJson(result);
    },
    async list(operation, filters, filterNames) {
      requireKnownOptions(filters, filterNames);
      const operations = await loadOperations();
      return copyJson(await run((account) => operations.list(operation, account, toJson(filters))));
    },
  };
}
