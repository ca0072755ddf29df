import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgendaKind } from '../domain/agenda-item.js';
import { formatInstant } from '../domain/dates.js';
import { scopes as allScopes, type EventName, type Scope, type Subject } from '../domain/records.js';
import type { NewFault } from '../faults/rule.js';
import type { components as controlComponents } from '../generated/control-validated-types.js';
import { coverageReportOf } from '../http/control/coverage.js';
import type { ControlOperations } from '../http/control/invoke-operation.js';
import { requestDetails } from '../http/control/request-details.js';
import { traceOf } from '../http/control/trace.js';
import { chainView, mailView, requestView, runView } from '../http/control/views.js';
import { integerOrText } from '../lib/integer-or-text.js';
import { requireKnownOptions } from '../lib/known-options.js';
import { makeFolder } from '../lib/make-folder.js';
import type { Account } from '../simulation/account.js';
import type { Accounts } from '../simulation/accounts.js';
import { chainsOf } from '../simulation/activity/chains.js';
import type { CoverageReport } from '../simulation/coverage.js';
import { faultContextOf, type ListedFault, toListedFault, unclearedFaultsOf } from '../simulation/faults/faults.js';
import { getScenario } from '../simulation/scenarios/scenarios.js';
import { exportSnapshot, importSnapshot } from '../simulation/seeding/snapshots.js';
import type { SnapshotFile } from '../simulation/state/snapshot-file.js';
import type { AccountTokens } from '../simulation/tokens.js';
import { actionsOf } from './actions.js';
import { addNewFault } from './add-new-fault.js';
import { requireId, requireTracePath } from './check-options.js';
import { type Clock, clockOf } from './clock.js';
import { simulatorClosedError } from './library-error.js';
import {
  type Customers,
  type Deposits,
  type Invoices,
  type PaymentLinks,
  type Payments,
  recordsOf,
} from './records.js';
import { compileScenario, type Scenario } from './scenario.js';
import { type Settings, settingsOf } from './settings.js';
import { validInput } from './valid-input.js';
import { type Webhooks, webhooksOf } from './webhooks.js';

// Returned objects have the field names of the service's and the control API's JSON; only options are in camelCase.

/** An email that the service has created. */
export type Mail = controlComponents['schemas']['Mail'];
/** A run of a scenario. */
export type ScenarioRun = controlComponents['schemas']['Run'];
/** A request to the service. */
export type LoggedRequest = controlComponents['schemas']['LoggedRequest'];
/** A request to the service with its headers and bodies, why it was refused, and what it caused. */
export type RequestDetails = controlComponents['schemas']['RequestDetails'];
/** A record of what happened in an account. */
export type Trace = controlComponents['schemas']['Trace'];
/** A request, an action, or an agenda item that fell due, with what it caused. */
export type ActivityChain = controlComponents['schemas']['ActivityChain'];

/** Something that will fall due. */
export interface AgendaItem {
  /** ISO 8601 time on the account's clock. */
  readonly at: string;
  readonly kind: AgendaKind;
  /** Id of what falls due, such as a deposit. */
  readonly id: number | string;
}

/** Faults of an account. */
export interface Faults {
  /**
   * Adds a fault: `{ effect: 'lose-response', match: { operation: 'createDeposit' }, times: 1 }`.
   * @throws FaultError that says where the fault is invalid, and suggests the nearest valid name
   */
  add(fault: NewFault): Promise<ListedFault>;
  /** Lists the faults that have not been cleared, oldest first, with how often each has matched and fired. */
  list(): Promise<ListedFault[]>;
  /** Clears a fault, or all of them. @returns number of cleared faults @throws ServiceError fault-not-found */
  clear(id?: number): Promise<number>;
}

/** An account with actions that clients of the service cannot perform. Promises resolve once everything is stored. */
export interface SimulatorAccount<Tokens = AccountTokens> {
  /** Name of the account, as in the option `--account` of commands. */
  readonly id: string;
  /** URL of the simulator; the same for all its accounts. */
  readonly url: string;
  /** Base URL of the service, the same for all accounts: the token of a request decides which account it uses. */
  readonly baseUrl: string;
  /** Tokens of the service: `full` has all scopes, `read` and `write` have one each. */
  readonly tokens: Tokens;
  /** Secret with which webhooks are signed. */
  readonly webhookSecret: string;
  readonly clock: Clock;
  /** Agenda items, soonest first. */
  agenda(): Promise<AgendaItem[]>;
  readonly deposits: Deposits;
  readonly paymentLinks: PaymentLinks;
  readonly payments: Payments;
  readonly invoices: Invoices;
  readonly customers: Customers;
  readonly settings: Settings;
  readonly apiTokens: {
    /**
     * Creates a token. It is returned only here, since the simulator stores only its hash.
     * @throws ServiceError invalid
     */
    create(input: { readonly name: string; readonly scopes: readonly Scope[] }): Promise<{ id: number; token: string }>;
    /** Revokes a token: from now on the service refuses it. @throws ServiceError token-not-found */
    revoke(id: number): Promise<void>;
  };
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  /**
   * Triggers an event by moving a record to the matching status: the given record, or a new one.
   * @returns the kind and the id of the record
   * @throws ServiceError
   */
  trigger(
    event: EventName,
    record?: { readonly deposit?: number | string; readonly paymentLink?: number | string },
  ): Promise<Subject>;
  readonly mails: {
    /** Emails that the service has created, oldest first. They are sent only if an SMTP server is configured. */
    all(): Promise<Mail[]>;
  };
  readonly scenarios: {
    /** Starts a scenario on a record of the kind that it applies to. @throws ServiceError */
    run(name: string, id: number | string): Promise<ScenarioRun>;
    /** Adds a scenario, or replaces one of that name. @throws ScenarioError that says where it is invalid */
    add(scenario: Scenario): Promise<void>;
    /** Runs of scenarios so far, oldest first. */
    runs(): Promise<ScenarioRun[]>;
    /** Cancels a run: its remaining steps do not run. @throws ServiceError */
    cancel(run: number): Promise<ScenarioRun>;
  };
  readonly snapshots: {
    /**
     * Saves the state of the account under a name: 1 to 63 lowercase letters, digits, hyphens and underscores, the
     * first a letter or digit. Replaces an existing snapshot of that name.
     * @throws ServiceError invalid, not-stored
     */
    save(name: string): Promise<void>;
    /**
     * Restores the account, including the time of its clock, to a snapshot.
     * @throws ServiceError snapshot-not-found, snapshot-unreadable
     */
    restore(name: string): Promise<void>;
    /** Removes a snapshot. @throws ServiceError snapshot-not-found */
    remove(name: string): Promise<void>;
    /** Names of the saved snapshots. */
    names(): Promise<string[]>;
    /**
     * Returns a snapshot for another simulator, as an object to be saved as JSON. It contains no tokens, no secrets and no
     * random seed.
     * @throws ServiceError snapshot-not-found, snapshot-unreadable
     */
    export(name: string): Promise<SnapshotFile>;
    /**
     * Adds an exported snapshot, under its own name or another one. The account changes only when you `restore` it.
     * @returns the name
     * @throws SnapshotFileError that says where the file is invalid; ServiceError invalid, for a name that `save` does
     * not accept
     */
    import(file: unknown, name?: string): Promise<string>;
  };
  /** Last 1,000 requests, newest first. */
  requests(): Promise<LoggedRequest[]>;
  /** Returns one of the last 1,000 requests, with its bodies and consequences. @throws ServiceError request-not-found */
  request(id: string): Promise<RequestDetails>;
  /** Requests, actions, and agenda items that fell due, each with its consequences, newest first. */
  activity(): Promise<ActivityChain[]>;
  /** A record of what happened in the account, to be saved or sent to somebody. Masks tokens and webhook secrets. */
  readonly trace: {
    /**
     * Writes the trace as an HTML page that needs no simulator, or as JSON if the path ends with `.json`. The page has at
     * most 500 kB. Creates folders that do not exist.
     */
    save(path: string): Promise<void>;
    /** Returns the trace as an HTML page. */
    html(): Promise<string>;
    /** Returns the trace as an object. */
    json(): Promise<Trace>;
  };
  /** Returns what clients have exercised so far, and what not. Resets and restores do not change it. */
  coverage(): Promise<CoverageReport>;
  /** Resets the coverage. */
  resetCoverage(): Promise<void>;
  /** Resets the account to its seed; tokens, settings and snapshots stay. */
  reset(): Promise<void>;
  /** Removes the account; does nothing if it is gone, or its simulator is closed. */
  remove(): Promise<void>;
  /** Removes the account at the end of a block with `await using account = await simulator.createAccount()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

type TriggerOptions = NonNullable<Parameters<SimulatorAccount['trigger']>[1]>;

const triggerOptionNames: Readonly<Record<keyof TriggerOptions, true>> = { deposit: true, paymentLink: true };

type NewToken = Parameters<SimulatorAccount['apiTokens']['create']>[0];

const newTokenFields: Readonly<Record<keyof NewToken, true>> = { name: true, scopes: true };

/** Returns the base URL of the service that a simulator serves. @param url URL of the simulator */
export function baseUrlOf(url: string): string {
  return `${url}/api/v1`;
}

/**
 * Creates the object through which tests act on an account. It stays valid when the account is reset.
 * @param loadOperations loads the operations of the control API on first use, so that the start stays fast
 */
export function handleOf<Tokens>(
  { id, tokens, url }: { readonly id: string; readonly tokens: Tokens; readonly url: string },
  accounts: Accounts,
  loadOperations: () => Promise<ControlOperations>,
  isSimulatorClosed: () => boolean,
): SimulatorAccount<Tokens> {
  const findAccount = (): Account => {
    const account = accounts.get(id);
    if (!account) throw new Error(`the account ${id} has been removed`);
    return account;
  };
  const currentAccount = (): Account => {
    if (isSimulatorClosed()) throw simulatorClosedError();
    const account = findAccount();
    account.schedule.runDueItems();
    return account;
  };
  const actions = actionsOf(currentAccount, loadOperations, isSimulatorClosed);
  const { read, act, call } = actions;
  const remove = async (): Promise<void> => {
    // No `await` between the check and the removal: of two concurrent calls, the second does nothing.
    if (!isSimulatorClosed() && accounts.get(id)) await act('deleteAccount', (account) => accounts.remove(account));
  };

  return {
    id,
    url,
    baseUrl: baseUrlOf(url),
    tokens,
    get webhookSecret() {
      // Like the tokens, it can be read even after the simulator has been closed.
      return findAccount().record.webhook_secret;
    },
    clock: clockOf(currentAccount, call),
    agenda: () =>
      read(({ schedule }) =>
        schedule.upcoming().map(({ at, kind, id: itemId }) => ({ at: formatInstant(at), kind, id: itemId })),
      ),
    ...recordsOf(actions),
    settings: settingsOf(actions),
    apiTokens: {
      async create(input) {
        requireKnownOptions(input, newTokenFields);
        const { name, scopes } = input;
        const hasEmptyScopes = Array.isArray(scopes) && scopes.length === 0;
        if (!hasEmptyScopes) return call('createToken', { body: { name, scopes } });
        // The control API creates only tokens with scopes. A token without scopes is for tests of refused requests.
        // Only the name needs validation; `allScopes` merely makes the input complete.
        const body = await validInput('createToken', { name, scopes: allScopes });
        return act('createToken', (account, logDetails) => {
          logDetails(body.name);
          const { token, bearer } = accounts.createToken(account, body.name, []);
          return { id: token.id, token: bearer };
        });
      },
      revoke: async (token) => void (await call('revokeToken', { name: token })),
    },
    webhooks: webhooksOf(currentAccount, actions),
    faults: {
      add: (fault) => addNewFault(fault, { read, act }),
      list: () => read((account) => unclearedFaultsOf(account).map((fault) => toListedFault(account, fault))),
      async clear(fault) {
        if (fault === undefined) return (await call('clearFaults')).cleared;
        await call('clearFault', { name: fault });
        return 1;
      },
    },
    async trigger(event, record = {}) {
      requireKnownOptions(record, triggerOptionNames);
      const { deposit, paymentLink } = record;
      // The control API takes an id of a payment link only as a number.
      const link = typeof paymentLink === 'string' ? integerOrText(paymentLink) : paymentLink;
      return (await call('triggerEvent', { body: { event, deposit, payment_link: link } })).subject;
    },
    mails: { all: () => read((account) => account.mails.rows.map((mail) => mailView(account, mail))) },
    scenarios: {
      async run(name, recordId) {
        const { for: resource } = await read((account) => getScenario(account, name));
        return call('runScenario', { name, body: { [resource]: integerOrText(String(requireId(recordId))) } });
      },
      async add(scenario) {
        const compiled = await compileScenario(scenario, await read(faultContextOf));
        await act('putScenario', (account, logDetails) => {
          logDetails(compiled.name);
          account.transaction((tx) => tx.put({ scenarios: [compiled] }));
        });
      },
      runs: () => read((account) => account.runs.rows.map(runView)),
      cancel: (run) => call('cancelRun', { name: run }),
    },
    snapshots: {
      save: async (name) => void (await call('saveSnapshot', { body: { name } })),
      restore: async (name) => void (await call('restoreSnapshot', { name })),
      remove: async (name) => void (await call('removeSnapshot', { name })),
      names: () => read((account) => [...account.snapshots.keys()]),
      export: (name) => read((account) => exportSnapshot(account, requireId(name))),
      async import(file, name) {
        // Parsed here, since an invalid file must throw a SnapshotFileError. Loaded on first use, so that the start stays fast.
        const { readSnapshotFile } = await import('../store/snapshot-file.js');
        const snapshot = await readSnapshotFile(file);
        // Validates only the name: `readSnapshotFile` has validated the file.
        await validInput('importSnapshot', { file: {}, name });
        return act('importSnapshot', async (account, logDetails) => {
          logDetails(name ?? snapshot.name);
          return (await importSnapshot(accounts, account, snapshot, name)).name;
        });
      },
    },
    request: (requestId) => read((account) => requestDetails(account, account.requests.get(requireId(requestId)))),
    activity: () => read(({ logs }) => chainsOf(logs).map(chainView)),
    trace: {
      // Loaded on first use: most tests succeed and need no trace.
      async save(path) {
        requireTracePath(path);
        const { formatTrace } = await import('../text/trace-html.js');
        const trace = await read(traceOf);
        await makeFolder(dirname(path));
        await writeFile(path, formatTrace(path, trace));
      },
      async html() {
        const { traceHtml } = await import('../text/trace-html.js');
        return traceHtml(await read(traceOf));
      },
      json: () => read(traceOf),
    },
    requests: () => read((account) => account.requests.newestFirst().map(requestView)),
    coverage: () => read(coverageReportOf),
    resetCoverage: async () => void (await call('resetCoverage')),
    reset: async () => void (await call('resetAccount')),
    remove,
    [Symbol.asyncDispose]: remove,
  };
}
