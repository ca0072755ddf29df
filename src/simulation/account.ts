import { hash } from 'node:crypto';
import { instant } from '../domain/dates.js';
import type { Fault } from '../domain/faults.js';
import type { Profile } from '../domain/gaps.js';
import { isUnderWay } from '../domain/payment-lifecycle.js';
import type { RateVerdict } from '../domain/rate-window.js';
import type {
  Attempt,
  Customer,
  Delivery,
  Deposit,
  Invoice,
  Mail,
  Payment,
  PaymentLink,
  Replay,
  Token,
} from '../domain/records.js';
import type { Run, Scenario } from '../domain/scenario.js';
import { ServiceError } from '../domain/service-error.js';
import type { AgendaKind } from './agenda/agenda.js';
import { agendaHandlers as due } from './agenda/handlers.js';
import { type Step, stepsOf } from './agenda/receipt.js';
import { Schedule } from './agenda/schedule.js';
import { Coverage } from './coverage/coverage.js';
import { RequestLog } from './coverage/request-log.js';
import { attemptDelivery, chainOf } from './delivery/deliveries.js';
import { Dispatcher } from './delivery/dispatcher.js';
import { HeldMessages } from './delivery/held-messages.js';
import { attemptMail } from './delivery/mails.js';
import { ActiveFaultIndex, faultsOf } from './faults/faults.js';
import { AccountClock } from './state/clock.js';
import type { PendingCommits } from './state/pending-commits.js';
import type { AccountRecord, Commit, Origin, Ports, RowChanges, Snapshot } from './state/ports.js';
import { RateCounter } from './state/rate-counter.js';
import { StoredDataError } from './state/stored-data-error.js';
import { Lookup, Table } from './state/table.js';
import { InvoiceTotals } from './state/totals.js';

/** How many webhook messages of one account are on their way at the most; what else there is waits for its turn. */
const deliveriesAtOnce = 16;

/** Given, for each step, what takes it back; undefined where nothing will be. */
type OnUndo = ((step: () => void) => void) | undefined;

/** One billing account with everything that is its own. Accounts share nothing. */
export class Account {
  readonly profile: Profile;
  readonly clock: AccountClock;
  readonly schedule: Schedule;
  readonly ports: Ports;
  readonly tokens = new Table<Token>();
  readonly customersByEmail = new Lookup<Customer>((customer) => customer.email);
  readonly customers = new Table<Customer>(this.customersByEmail);
  readonly totals: InvoiceTotals;
  readonly invoiceNumbers = new Lookup<Invoice>((invoice) => invoice.invoice_number);
  readonly invoices: Table<Invoice>;
  /** Where the search for the next free number of a series begins; only a shortcut, so it is not stored. */
  readonly lastNumbers = new Map<string, number>();
  readonly slugs = new Lookup<PaymentLink>((link) => link.slug);
  readonly paymentLinks = new Table<PaymentLink>(this.slugs);
  /** As `lastNumbers`, for the suffixes of slugs. */
  readonly lastSuffixes = new Map<string, number>();
  readonly paymentsOfInvoice = new Lookup<Payment>((payment) => payment.invoice_id);
  readonly paymentsOfForm = new Lookup<Payment>((payment) => payment.form ?? null);
  readonly payments = new Table<Payment>(this.paymentsOfInvoice, this.paymentsOfForm);
  readonly depositsOfBooking = new Lookup<Deposit>((deposit) => deposit.booking_reference);
  readonly deposits = new Table<Deposit>(this.depositsOfBooking);
  readonly replays = new Map<string, Replay>();
  /** The Idempotency-Keys of requests that are not answered yet, where a second one is refused. */
  readonly keysInUse = new Set<string>();
  readonly heldMessages = new HeldMessages();
  readonly deliveries = new Table<Delivery>(this.heldMessages);
  readonly attemptsOfDelivery = new Lookup<Attempt>((attempt) => attempt.delivery_id);
  readonly attempts = new Table<Attempt>(this.attemptsOfDelivery);
  readonly mails = new Table<Mail>();
  readonly activeFaults = new ActiveFaultIndex();
  readonly faults = new Table<Fault>(this.activeFaults);
  /** The scenarios that are the account's own, by name. */
  readonly scenarios = new Map<string, Scenario>();
  readonly runs = new Table<Run>();
  readonly snapshots = new Map<string, Snapshot>();
  readonly requests: RequestLog;
  /** The run whose step is being played. */
  playing: Run | undefined;
  readonly rates: RateCounter;
  readonly #webhooks: Dispatcher;
  readonly #mailing: Dispatcher;
  readonly #watchers = new Set<(step: Step) => void>();
  readonly #onClose = new Set<() => void>();
  readonly #commits: PendingCommits;
  #record: AccountRecord;
  #origin: Origin | undefined;
  #coverage: Coverage;
  #isClosed = false;

  /** @param before the one whose place it takes: what its clients have done stays known */
  constructor(record: AccountRecord, profile: Profile, ports: Ports, commits: PendingCommits, before?: Account) {
    this.#record = record;
    this.#commits = commits;
    this.requests = before?.requests ?? new RequestLog();
    this.#coverage = before?.coverage ?? new Coverage();
    this.ports = ports;
    this.profile = profile;
    this.clock = new AccountClock(ports.clock, record.clock);
    this.schedule = new Schedule(this, ports.clock);
    this.rates = new RateCounter(this.clock, ports.clock);
    this.totals = new InvoiceTotals(profile, record.currency);
    this.invoices = new Table<Invoice>(this.totals, this.invoiceNumbers);
    this.#webhooks = new Dispatcher(deliveriesAtOnce, (id, stop) => attemptDelivery(this, id, stop));
    this.#mailing = new Dispatcher(1, (id) => attemptMail(this, id));
  }

  get record(): AccountRecord {
    return this.#record;
  }

  get id(): string {
    return this.#record.id;
  }

  /** What it began with. */
  get origin(): Origin {
    if (!this.#origin) throw new Error(`account ${this.id} has no origin`);
    return this.#origin;
  }

  /** What its clients have met. */
  get coverage(): Coverage {
    return this.#coverage;
  }

  forgetCoverage(): void {
    this.#coverage = new Coverage();
  }

  /** The account's time, in milliseconds since 1970. */
  now(): number {
    return this.clock.now();
  }

  /** 64 hex digits that the account's random seed and the label determine. */
  seededHex(label: string): string {
    return hash('sha256', `${this.#record.random_seed} ${label}`);
  }

  /**
   * Puts rows into memory and on their way to the store.
   * @returns when they are there; nobody needs to wait, since no answer leaves before (`PendingCommits.settled`)
   * @throws ServiceError account-replaced
   */
  commit(changes: RowChanges): Promise<void> {
    if (this.#isClosed) throw new ServiceError('account-replaced');
    const steps = this.#watchers.size > 0 ? stepsOf(changes, this, instant(this.now())) : [];
    const commit: Commit = { account: this.id, changes, mode: 'merge' };
    const undo: (() => void)[] = [];
    const uncount = this.#coverage.counters.observe(changes, this);
    if (uncount) undo.push(uncount);
    this.#apply(changes, (step) => undo.push(step));
    const stored = this.#commits.record(commit, () => {
      this.schedule.storeFailed();
      for (const step of undo.reverse()) step();
    });
    // After `record`, so that a watcher may wait until the commit is stored.
    for (const step of steps) for (const watcher of this.#watchers) watcher(step);
    return stored;
  }

  /** Whether it was removed, or another has taken its place. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Puts rows into memory that are stored already. */
  load(changes: RowChanges): void {
    this.#apply(changes, undefined);
  }

  /** Keeps rows of this account for a snapshot. @returns what `readContents` knows them by @throws ServiceError not-stored */
  saveContents(rows: RowChanges): Promise<string> {
    return this.#commits.saveContents(this.id, rows);
  }

  readContents(reference: string): Promise<RowChanges> {
    return this.#commits.readContents(reference);
  }

  /** Settles once everything in memory is stored. @throws ServiceError not-stored */
  async stored(): Promise<void> {
    await this.#commits.settled();
  }

  /** Settles once everything in memory is stored, or what could not be has been taken back. */
  async whenSettled(): Promise<void> {
    for (let isStored = false; !isStored; ) {
      isStored = await this.stored().then(
        () => true,
        () => false,
      );
    }
  }

  /** Tells of everything that happens from now on, until the returned function is called. */
  watch(watcher: (step: Step) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Calls back once, when the account is closed, unless the returned function is called before. */
  onClose(callback: () => void): () => void {
    this.#onClose.add(callback);
    return () => this.#onClose.delete(callback);
  }

  /** Everything that this account has, as one commit would bring it about. */
  contents(): RowChanges {
    return { ...this.state(), tokens: [...this.tokens.rows], snapshots: [...this.snapshots.values()] };
  }

  /** What a snapshot has of it: everything but who may come in, and the snapshots. */
  state(): RowChanges {
    return {
      account: [this.#record],
      origin: this.#origin ? [this.#origin] : [],
      customers: [...this.customers.rows],
      invoices: [...this.invoices.rows],
      payment_links: [...this.paymentLinks.rows],
      payments: [...this.payments.rows],
      deposits: [...this.deposits.rows],
      replays: [...this.replays.values()],
      deliveries: [...this.deliveries.rows],
      attempts: [...this.attempts.rows],
      mails: [...this.mails.rows],
      faults: faultsOf(this),
      scenarios: [...this.scenarios.values()],
      runs: [...this.runs.rows],
    };
  }

  /** Has a message sent as soon as its turn comes. */
  post(delivery: Delivery): void {
    this.#webhooks.take({ id: delivery.id, after: chainOf(this, delivery) });
  }

  /** Has a mail handed over to the SMTP server. */
  handOver(mail: Mail): void {
    this.#mailing.take({ id: String(mail.id), after: undefined });
  }

  /** Nothing waits to be sent, or is on its way. */
  get isIdle(): boolean {
    return this.#webhooks.isIdle && this.#mailing.isIdle;
  }

  /** Settles once nothing waits to be sent and nothing is on its way. */
  async whenIdle(): Promise<void> {
    await Promise.all([this.#webhooks.whenIdle(), this.#mailing.whenIdle()]);
  }

  /** Ids of what waits to be sent, or is on its way. */
  get unsettled(): string[] {
    return [...this.#webhooks.unsettled, ...this.#mailing.unsettled.map((id) => `mail ${id}`)];
  }

  /** Nothing happens to this account any more: it was removed, or another has taken its place. */
  close(): void {
    this.#isClosed = true;
    this.schedule.stop();
    this.#webhooks.stop();
    this.#mailing.stop();
    for (const callback of this.#onClose) callback();
    this.#onClose.clear();
  }

  /** Counts a request against the window of a key. */
  countRequest(key: string): RateVerdict {
    return this.rates.count(key, this.profile, this.#record.rate_limit);
  }

  /** Whether a payment of the invoice has been initiated and is not over (gap overdue.link-null). */
  hasPaymentUnderWay(invoice: Invoice): boolean {
    return this.paymentsOfInvoice.all(invoice.id).some((payment) => isUnderWay(payment.status));
  }

  #apply(changes: RowChanges, onUndo: OnUndo): void {
    for (const record of changes.account ?? []) {
      const previous = this.#record;
      this.#replaceRecord(record);
      onUndo?.(() => this.#replaceRecord(previous));
    }
    for (const origin of changes.origin ?? []) this.#origin = origin;
    putRows(this.customers, changes.customers, onUndo);
    putRows(this.tokens, changes.tokens, onUndo);
    this.#planAll(this.invoices, changes.invoices, 'invoice-falls-due', due['invoice-falls-due'].dueAt, onUndo);
    putRows(this.invoices, changes.invoices, onUndo);
    putRows(this.paymentLinks, changes.payment_links, onUndo);
    this.#planAll(this.payments, changes.payments, 'payment-ends', due['payment-ends'].dueAt, onUndo);
    putRows(this.payments, changes.payments, onUndo);
    this.#planAll(this.deposits, changes.deposits, 'deposit-expires', due['deposit-expires'].dueAt, onUndo);
    putRows(this.deposits, changes.deposits, onUndo);
    this.#planAll(this.replays, changes.replays, 'key-forgotten', due['key-forgotten'].dueAt, onUndo);
    putAll(this.replays, changes.replays, (replay) => replay.id, onUndo);
    this.#planAll(this.deliveries, changes.deliveries, 'delivery-attempt', due['delivery-attempt'].dueAt, onUndo);
    putRows(this.deliveries, changes.deliveries, onUndo);
    for (const { releases } of changes.deliveries ?? []) if (releases) this.#planReleased(releases);
    this.#putAttempts(changes.attempts, onUndo);
    this.#planAll(this.mails, changes.mails, 'mail-attempt', due['mail-attempt'].dueAt, onUndo);
    putRows(this.mails, changes.mails, onUndo);
    putRows(this.faults, changes.faults, onUndo);
    putAll(this.scenarios, changes.scenarios, (scenario) => scenario.name, onUndo);
    for (const { name, steps } of changes.scenarios ?? []) if (steps.length === 0) this.scenarios.delete(name);
    this.#planAll(this.runs, changes.runs, 'scenario-step', due['scenario-step'].dueAt, onUndo);
    putRows(this.runs, changes.runs, onUndo);
    putAll(this.snapshots, changes.snapshots, (snapshot) => snapshot.name, onUndo);
    for (const { name, contents } of changes.snapshots ?? []) if (contents === null) this.snapshots.delete(name);
  }

  /** Plans what falls due of rows that are about to be put, unless the row in their place had it planned already. */
  #planAll<Row extends { readonly id: number | string }>(
    known: { get(id: Row['id']): Row | undefined },
    rows: readonly Row[] | undefined,
    kind: AgendaKind,
    dueOf: (account: Account, row: Row) => number | undefined,
    onUndo: OnUndo,
  ): void {
    for (const row of rows ?? []) {
      const at = dueOf(this, row);
      const previous = known.get(row.id);
      const before = previous && dueOf(this, previous);
      if (at !== undefined && at !== before) this.schedule.plan({ at, kind, id: row.id });
      // What was due has been taken off the agenda; if it cannot be stored, it is due again.
      if (before !== undefined && at !== before) onUndo?.(() => this.schedule.plan({ at: before, kind, id: row.id }));
    }
  }

  /** Messages that have waited for one are due with it, behind it on the agenda. */
  #planReleased(ids: readonly string[]): void {
    for (const id of ids) {
      const message = this.deliveries.get(id);
      if (!message) throw new StoredDataError(`the delivery ${id} that was held does not exist`);
      const at = due['delivery-attempt'].dueAt(this, message);
      if (at !== undefined) this.schedule.plan({ at, kind: 'delivery-attempt', id });
    }
  }

  /** An attempt settles when its delivery is due next. */
  #putAttempts(attempts: readonly Attempt[] | undefined, onUndo: OnUndo): void {
    for (const attempt of attempts ?? []) {
      const id = attempt.delivery_id;
      const delivery = this.deliveries.get(id);
      if (!delivery) throw new StoredDataError(`attempt ${attempt.id} names a delivery that does not exist`);
      const before = due['delivery-attempt'].dueAt(this, delivery);
      putRows(this.attempts, [attempt], onUndo);
      const at = due['delivery-attempt'].dueAt(this, delivery);
      if (at !== undefined && at !== before) this.schedule.plan({ at, kind: 'delivery-attempt', id });
      if (before !== undefined) onUndo?.(() => this.schedule.plan({ at: before, kind: 'delivery-attempt', id }));
    }
  }

  #replaceRecord(record: AccountRecord): void {
    const isClockSet = record.clock !== this.#record.clock;
    this.#record = record;
    if (!isClockSet) return;
    this.clock.state = record.clock;
    this.schedule.clockChanged();
  }
}

function putRows<Row extends { readonly id: number | string }>(
  table: Table<Row>,
  rows: readonly Row[] | undefined,
  onUndo: OnUndo,
): void {
  for (const row of rows ?? []) {
    const previous = table.put(row);
    onUndo?.(() => table.takeBack(row, previous));
  }
}

function putAll<Row>(
  map: Map<string, Row>,
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
  onUndo: OnUndo,
): void {
  for (const row of rows ?? []) {
    const key = keyOf(row);
    const previous = map.get(key);
    map.set(key, row);
    onUndo?.(() => (previous === undefined ? map.delete(key) : map.set(key, previous)));
  }
}
