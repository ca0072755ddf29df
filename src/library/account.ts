import type { AgendaKind } from '../domain/agenda-item.js';
import { instant } from '../domain/dates.js';
import type { Receipt } from '../domain/receipt.js';
import type { Customer, EventName, Scope, Subject } from '../domain/records.js';
import type { Scenario } from '../domain/scenario.js';
import type { NewFault } from '../faults/rule.js';
import type { components as controlComponents } from '../generated/control-validated-types.js';
import { coverageOf } from '../http/control/coverage-report.js';
import { mailView, requestView, runView, serviceRecord } from '../http/control/views.js';
import type { Views } from '../http/service/views.js';
import { calendarHint, parseDuration } from '../lib/durations.js';
import type { Account } from '../simulation/account.js';
import type { Accounts, AccountTokens } from '../simulation/accounts.js';
import { defaultAdvanceTimeoutMs } from '../simulation/agenda/schedule.js';
import type { CoverageReport } from '../simulation/coverage/coverage.js';
import { addFault, clearFault, clearFaults, faultsOf, type ListedFault, listed } from '../simulation/faults/faults.js';
import { createCustomer, type NewCustomer } from '../simulation/operations/customers.js';
import { authorizeDeposit, declineDeposit, expireDeposit } from '../simulation/operations/deposits.js';
import { changeInvoice } from '../simulation/operations/invoices.js';
import { endPayment, type PaymentInput, payInvoiceLink, payLink } from '../simulation/operations/payments.js';
import { cancelRun, startScenario } from '../simulation/scenarios/scenarios.js';
import { trigger } from '../simulation/scenarios/trigger.js';
import { removeSnapshot, restoreSnapshot, saveSnapshot } from '../simulation/seeding/snapshots.js';
import { type Webhooks, webhooksOf } from './webhooks.js';

// Returned objects are the JSON of the two APIs, with its names; only options are in camelCase.
type Mail = controlComponents['schemas']['Mail'];
type Run = controlComponents['schemas']['Run'];
/** A record as the service shows it: the account's profile decides on the fields and on how decimals are written. */
type ServiceRecord = controlComponents['schemas']['ServiceRecord'];
type LoggedRequest = controlComponents['schemas']['LoggedRequest'];

export interface AdvanceOptions {
  /**
   * Real milliseconds to wait for webhook receivers in total; 30,000 by default. Deliveries still in flight after that
   * continue in the background.
   */
  readonly timeout?: number;
}

/** The clock of an account. Times are ISO 8601. */
export interface Clock {
  show(): Promise<{ readonly now: string; readonly mode: 'real' | 'frozen' }>;
  /** Advances the clock by a duration such as `8d` or `P8D` and runs everything that falls due. @throws ServiceError, RangeError */
  advance(by: string, options?: AdvanceOptions): Promise<Receipt>;
  /** Advances the clock to a time and runs everything that falls due. @throws ServiceError clock-backwards, RangeError */
  set(time: string, options?: AdvanceOptions): Promise<Receipt>;
  freeze(): Promise<void>;
  /** Lets the clock run from the time it shows. */
  resume(): Promise<void>;
}

export interface AgendaItem {
  readonly at: string;
  readonly kind: AgendaKind;
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
  /** Clears a fault, or all of them. @returns number of cleared faults @throws ServiceError fault-unknown */
  clear(id?: number): Promise<number>;
}

/** An account, with the actions that clients of the service cannot do. Promises resolve once everything is stored. */
export interface SimulatorAccount<Tokens = AccountTokens> {
  readonly id: string;
  readonly tokens: Tokens;
  /** Secret that signs webhooks. */
  readonly webhookSecret: string;
  readonly clock: Clock;
  /** Agenda items, soonest first. */
  agenda(): Promise<AgendaItem[]>;
  readonly deposits: {
    authorize(id: number | string): Promise<ServiceRecord>;
    decline(id: number | string): Promise<ServiceRecord>;
    expire(id: number | string): Promise<ServiceRecord>;
  };
  readonly paymentLinks: { pay(id: number | string, input?: PaymentInput): Promise<ServiceRecord> };
  readonly payments: {
    succeed(id: number | string): Promise<ServiceRecord>;
    fail(id: number | string): Promise<ServiceRecord>;
  };
  readonly invoices: {
    send(id: number | string): Promise<ServiceRecord>;
    view(id: number | string): Promise<ServiceRecord>;
    cancel(id: number | string): Promise<ServiceRecord>;
    pay(id: number | string, input?: PaymentInput & { readonly amount?: number }): Promise<ServiceRecord>;
  };
  readonly customers: { create(input: NewCustomer): Promise<Customer> };
  readonly apiTokens: {
    create(input: { readonly name: string; readonly scopes: readonly Scope[] }): Promise<{ id: number; token: string }>;
    revoke(id: number): Promise<void>;
  };
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  /** Triggers an event by moving a record to the matching status: the given record, or a new one. */
  trigger(
    event: EventName,
    on?: { readonly deposit?: number | string; readonly paymentLink?: number },
  ): Promise<Subject>;
  readonly mails: { all(): Promise<Mail[]> };
  readonly scenarios: {
    /** Starts a scenario by name on a record of its kind. */
    run(name: string, id: number | string): Promise<Run>;
    /** Adds a scenario to the account. @throws ScenarioError for a step with an invalid fault */
    add(scenario: Scenario): Promise<void>;
    runs(): Promise<Run[]>;
    cancel(run: number): Promise<Run>;
  };
  readonly snapshots: {
    save(name: string): Promise<void>;
    restore(name: string): Promise<void>;
    remove(name: string): Promise<void>;
    names(): Promise<string[]>;
  };
  /** Last 1,000 requests, newest first. */
  requests(): Promise<LoggedRequest[]>;
  /** Coverage by the clients so far; resets and restores do not change it. */
  coverage(): Promise<CoverageReport>;
  /** Resets the coverage. */
  forgetCoverage(): Promise<void>;
  /** Resets the account to its seed; tokens, settings and snapshots stay. */
  reset(): Promise<void>;
  remove(): Promise<void>;
}

/** Handle of an account, valid across resets. */
export function handleOf<Tokens>(
  id: string,
  tokens: Tokens,
  accounts: Accounts,
  views: Views,
): SimulatorAccount<Tokens> {
  const current = (): Account => {
    const account = accounts.get(id);
    if (!account) throw new Error(`the account ${id} has been removed`);
    account.schedule.settleDue();
    return account;
  };
  /** Changes the account, and waits until the change is stored. */
  const act = async <Result>(change: (account: Account) => Result | Promise<Result>): Promise<Result> => {
    const account = current();
    const result = await change(account);
    await account.stored();
    return result;
  };
  const deposit = (change: (account: Account, id: number | string) => Parameters<Views['deposit']>[1]) => {
    return (which: number | string): Promise<ServiceRecord> =>
      act((account) => serviceRecord(views.deposit(account, change(account, which))));
  };
  const payment = (change: (account: Account) => Parameters<Views['paymentRow']>[1]): Promise<ServiceRecord> =>
    act((account) => serviceRecord(views.paymentRow(account, change(account))));
  const invoice = (cause: 'send' | 'view' | 'cancel') => {
    return (which: number | string): Promise<ServiceRecord> =>
      act((account) => serviceRecord(views.invoiceRow(account, changeInvoice(account, which, cause))));
  };

  return {
    id,
    tokens,
    get webhookSecret() {
      return current().record.webhook_secret;
    },
    clock: {
      async show() {
        const { clock } = current();
        return { now: instant(clock.now()), mode: clock.state.mode };
      },
      async advance(by, { timeout = defaultAdvanceTimeoutMs } = {}) {
        const span = parseDuration(by);
        if (span === undefined)
          throw new RangeError(
            `${JSON.stringify(by)} is not a duration (for example 8d, 2h 30m or P8D)${calendarHint(by)}`,
          );
        return current().schedule.advance({ by: span, timeoutMs: timeout });
      },
      async set(time, { timeout = defaultAdvanceTimeoutMs } = {}) {
        const to = Date.parse(time);
        if (Number.isNaN(to))
          throw new RangeError(`${JSON.stringify(time)} is not a time (for example 2026-03-01T09:00:00Z)`);
        return current().schedule.advance({ to, timeoutMs: timeout });
      },
      freeze: () => current().schedule.setMode('frozen'),
      resume: () => current().schedule.setMode('real'),
    },
    agenda: () =>
      act(({ schedule }) => schedule.upcoming().map(({ at, kind, id: of }) => ({ at: instant(at), kind, id: of }))),
    deposits: {
      authorize: deposit(authorizeDeposit),
      decline: deposit(declineDeposit),
      expire: deposit(expireDeposit),
    },
    paymentLinks: { pay: (link, input = {}) => payment((account) => payLink(account, link, input)) },
    payments: {
      succeed: (which) => payment((account) => endPayment(account, which, 'succeed')),
      fail: (which) => payment((account) => endPayment(account, which, 'fail')),
    },
    invoices: {
      send: invoice('send'),
      view: invoice('view'),
      cancel: invoice('cancel'),
      pay: (which, input = {}) => payment((account) => payInvoiceLink(account, which, input)),
    },
    customers: { create: (input) => act((account) => createCustomer(account, input)) },
    apiTokens: {
      create: ({ name, scopes }) =>
        act((account) => {
          const { token, text } = accounts.createToken(account, name, scopes);
          return { id: token.id, token: text };
        }),
      revoke: (which) => act((account) => accounts.revokeToken(account, which)),
    },
    webhooks: webhooksOf(current, ({ url, secret }) =>
      act((account) => {
        accounts.configure(account, { webhookUrl: url, webhookSecret: secret });
      }),
    ),
    faults: {
      async add(fault) {
        // Loaded on first use: most simulators never get a fault.
        const { readFault } = await import('../faults/rule.js');
        const rule = readFault(fault);
        return act((account) => listed(account, addFault(account, rule)));
      },
      list: () => act((account) => faultsOf(account).map((fault) => listed(account, fault))),
      clear: (which) =>
        act((account) => {
          if (which === undefined) return clearFaults(account);
          clearFault(account, which);
          return 1;
        }),
    },
    trigger: (event, { deposit: which, paymentLink } = {}) =>
      act((account) => trigger(account, accounts, { event, deposit: which, payment_link: paymentLink })),
    mails: { all: () => act((account) => account.mails.rows.map(mailView)) },
    scenarios: {
      run: (name, which) => act((account) => runView(startScenario(account, name, which))),
      async add(scenario) {
        const { withFaults } = await import('../files/scenario-files.js');
        const read = withFaults(scenario);
        await act((account) => account.transaction((tx) => tx.put({ scenarios: [read] })));
      },
      runs: () => act((account) => account.runs.rows.map(runView)),
      cancel: (run) => act((account) => runView(cancelRun(account, run))),
    },
    snapshots: {
      save: (name) => act(async (account) => void (await saveSnapshot(account, name))),
      restore: (name) => act(async (account) => void (await restoreSnapshot(accounts, account, name))),
      remove: (name) => act((account) => removeSnapshot(account, name)),
      names: () => act((account) => [...account.snapshots.keys()]),
    },
    requests: () => act((account) => account.requests.latest().map(requestView)),
    coverage: () => act(coverageOf),
    forgetCoverage: () => act((account) => account.forgetCoverage()),
    reset: () => act((account) => void accounts.reset(account)),
    remove: () => act((account) => accounts.remove(account)),
  };
}
