import { hash } from 'node:crypto';
import { expire, expiresAt } from '../domain/deposit-lifecycle.js';
import type { Profile } from '../domain/gaps.js';
import { fallDue, fallsDueAt, isUnpaid } from '../domain/invoice-lifecycle.js';
import { isUnderWay } from '../domain/payment-lifecycle.js';
import { countRequest, type RateState, type RateVerdict } from '../domain/rate-window.js';
import type { Customer, Deposit, Invoice, Payment, PaymentLink, Replay, Token } from '../domain/records.js';
import { Agenda, type Due } from './agenda.js';
import type { Ledger } from './ledger.js';
import { RequestLog } from './request-log.js';
import { Lookup, Table } from './table.js';
import { InvoiceTotals } from './totals.js';
import type { AccountRecord, Commit, MachineClock, Put } from './world.js';

/** How many keys a rate window is kept for; the one longest unused goes first. */
const rateKeys = 10_000;

/** Given, for each step, what takes it back; undefined where nothing will be. */
type OnUndo = ((step: () => void) => void) | undefined;

/** One billing account with everything that is its own. Accounts share nothing. */
export class Account {
  readonly profile: Profile;
  readonly tokens = new Table<Token>();
  readonly customers = new Table<Customer>();
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
  readonly payments = new Table<Payment>(this.paymentsOfInvoice);
  readonly depositsOfBooking = new Lookup<Deposit>((deposit) => deposit.booking_reference);
  readonly deposits = new Table<Deposit>(this.depositsOfBooking);
  readonly replays = new Map<string, Replay>();
  /** The replays that are not stored yet. */
  readonly replaysUnderWay = new Set<string>();
  readonly requests = new RequestLog();
  readonly #agenda = new Agenda();
  readonly #rates = new Map<string, RateState>();
  readonly #ledger: Ledger;
  readonly #machine: MachineClock;
  #record: AccountRecord;
  #frozenAt: number | undefined;

  constructor(record: AccountRecord, profile: Profile, machine: MachineClock, ledger: Ledger) {
    this.#record = record;
    this.#frozenAt = frozenAt(record);
    this.#machine = machine;
    this.#ledger = ledger;
    this.profile = profile;
    this.totals = new InvoiceTotals(profile, record.currency);
    this.invoices = new Table<Invoice>(this.totals, this.invoiceNumbers);
  }

  get record(): AccountRecord {
    return this.#record;
  }

  get id(): string {
    return this.#record.id;
  }

  /** The account's time, in milliseconds since 1970. */
  now(): number {
    if (this.#frozenAt !== undefined) return this.#frozenAt;
    const { clock } = this.#record;
    return this.#machine.now() + (clock.mode === 'real' ? clock.offset : 0);
  }

  /** 64 hex digits that the account's random seed and the label determine. */
  chance(label: string): string {
    return hash('sha256', `${this.#record.random_seed} ${label}`);
  }

  /**
   * Puts rows into memory and on their way to the store.
   * @returns when they are there; nobody needs to wait, since no answer leaves before (`Ledger.settled`)
   */
  commit(put: Put): Promise<void> {
    const commit: Commit = { account: this.id, put };
    const undo: (() => void)[] = [];
    this.#apply(put, (step) => undo.push(step));
    return this.#ledger.record(commit, () => {
      for (const step of undo.reverse()) step();
    });
  }

  /** Puts rows into memory that are stored already. */
  load(put: Put): void {
    this.#apply(put, undefined);
  }

  #apply(put: Put, onUndo: OnUndo): void {
    for (const record of put.account ?? []) {
      const previous = this.#record;
      this.#replaceRecord(record);
      onUndo?.(() => this.#replaceRecord(previous));
    }
    putRows(this.customers, put.customers, onUndo);
    putRows(this.tokens, put.tokens, onUndo);
    this.#planAll(this.invoices, put.invoices, 'invoice-falls-due', this.#invoiceDue, onUndo);
    putRows(this.invoices, put.invoices, onUndo);
    putRows(this.paymentLinks, put.payment_links, onUndo);
    putRows(this.payments, put.payments, onUndo);
    this.#planAll(this.deposits, put.deposits, 'deposit-expires', this.#depositDue, onUndo);
    putRows(this.deposits, put.deposits, onUndo);
    this.#planAll(this.replays, put.replays, 'key-forgotten', this.#replayDue, onUndo);
    for (const replay of put.replays ?? []) {
      const previous = this.replays.get(replay.id);
      this.replays.set(replay.id, replay);
      onUndo?.(() => (previous ? this.replays.set(replay.id, previous) : this.replays.delete(replay.id)));
    }
  }

  /** Everything that this account has, as one commit would bring it about. */
  contents(): Put {
    return {
      account: [this.#record],
      tokens: [...this.tokens.rows],
      customers: [...this.customers.rows],
      invoices: [...this.invoices.rows],
      payment_links: [...this.paymentLinks.rows],
      payments: [...this.payments.rows],
      deposits: [...this.deposits.rows],
      replays: [...this.replays.values()],
    };
  }

  /** Brings about what has fallen due by now, in order. */
  settleDue(): void {
    const now = this.now();
    for (let due = this.#agenda.takeDue(now); due; due = this.#agenda.takeDue(now)) this.#bringAbout(due);
  }

  /** Counts a request against the window of a key. */
  countRequest(key: string): RateVerdict {
    const { state, verdict } = countRequest(this.#rates.get(key), this.profile, this.now());
    this.#rates.delete(key);
    this.#rates.set(key, state);
    if (this.#rates.size > rateKeys) {
      for (const longestUnused of this.#rates.keys()) {
        this.#rates.delete(longestUnused);
        break;
      }
    }
    return verdict;
  }

  /** Whether a payment of the invoice has been initiated and is not over (gap overdue.link-null). */
  hasPaymentUnderWay(invoice: Invoice): boolean {
    return this.paymentsOfInvoice.all(invoice.id).some((payment) => isUnderWay(payment.status));
  }

  readonly #invoiceDue = (invoice: Invoice): number | undefined =>
    isUnpaid(invoice) && !invoice.past_due ? fallsDueAt(invoice, this.profile, this.#record.time_zone) : undefined;

  readonly #depositDue = (deposit: Deposit): number | undefined => expiresAt(deposit, this.profile);

  readonly #replayDue = (replay: Replay): number | undefined => {
    const retention = this.profile['deposit.key-retention'];
    if (retention === 'forever') return undefined;
    return Date.parse(replay.created_at) + (retention === 'day' ? 86_400_000 : retention.after);
  };

  /** Plans what falls due of rows that are about to be put, unless the row in their place had it planned already. */
  #planAll<Row extends { readonly id: number | string }>(
    known: { get(id: Row['id']): Row | undefined },
    rows: readonly Row[] | undefined,
    kind: Due['kind'],
    dueOf: (row: Row) => number | undefined,
    onUndo: OnUndo,
  ): void {
    for (const row of rows ?? []) {
      const at = dueOf(row);
      const previous = known.get(row.id);
      const before = previous && dueOf(previous);
      if (at !== undefined && at !== before) this.#agenda.plan({ at, kind, id: row.id });
      // What was due has been taken off the agenda; if it cannot be stored, it is due again.
      if (before !== undefined && at !== before) onUndo?.(() => this.#agenda.plan({ at: before, kind, id: row.id }));
    }
  }

  #bringAbout(due: Due): void {
    if (due.kind === 'invoice-falls-due') {
      const invoice = this.invoices.get(Number(due.id));
      if (invoice && this.#invoiceDue(invoice) === due.at) this.commit({ invoices: [fallDue(invoice, this.profile)] });
    } else if (due.kind === 'deposit-expires') {
      const deposit = this.deposits.get(due.id);
      if (deposit && this.#depositDue(deposit) === due.at) this.commit({ deposits: [expire(deposit, this.profile)] });
    } else {
      // No commit: that a key is forgotten follows from its time, and the next snapshot leaves it out.
      const replay = this.replays.get(String(due.id));
      if (replay && this.#replayDue(replay) === due.at) this.replays.delete(replay.id);
    }
  }

  #replaceRecord(record: AccountRecord): void {
    this.#record = record;
    this.#frozenAt = frozenAt(record);
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

function frozenAt(record: AccountRecord): number | undefined {
  return record.clock.mode === 'frozen' ? Date.parse(record.clock.at) : undefined;
}
