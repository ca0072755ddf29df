import { hash } from 'node:crypto';
import type { Fault } from '../../domain/faults.js';
import { isInProgress } from '../../domain/payment-lifecycle.js';
import type {
  Attempt,
  Customer,
  Delivery,
  Deposit,
  Invoice,
  KeyedResponse,
  Mail,
  Payment,
  PaymentLink,
  Token,
} from '../../domain/records.js';
import type { Run, Scenario } from '../../domain/scenario.js';
import type { Profile } from '../../openapi/profile.js';
import type { AccountRecord, Origin, RowsByTable, Snapshot } from './changes.js';
import { AccountClock } from './clock.js';
import { DeliveryTotals, ReorderedDeliveries } from './delivery-indexes.js';
import { FaultIndex } from './fault-index.js';
import { InvoiceTotals } from './invoice-totals.js';
import type { FaultResult, MachineClock, MessageWithFaults, SendMail, SendWebhook } from './ports.js';
import { RateCounter } from './rate-counter.js';
import { Lookup, Table } from './table.js';

/** Renders records for clients and customers. */
export interface Presentation {
  /** A deposit as the API returns it, as JSON text. */
  deposit(account: AccountState, deposit: Deposit): string;
  /** A payment as the API returns it, as JSON text. */
  payment(account: AccountState, payment: Payment): string;
  /** The reminder email of an invoice. */
  reminder(account: AccountState, invoice: Invoice): Pick<Mail, 'to' | 'subject' | 'text' | 'html'>;
}

/** Ports of an account, and the built-in scenarios. */
export interface Ports {
  readonly clock: MachineClock;
  /** Explains why webhooks cannot be sent to a URL; undefined if they can. */
  readonly webhookUrlProblem: (url: string) => string | undefined;
  readonly sendWebhook: SendWebhook;
  readonly applyMessageFaults: (message: MessageWithFaults) => Promise<FaultResult>;
  /** Undefined without an SMTP server; then emails are only stored. */
  readonly sendMail: SendMail | undefined;
  readonly presentation: Presentation;
  /** Built-in scenarios. */
  readonly scenarios: readonly Scenario[];
  /** Receives internal errors of the simulator that cannot be reported to a caller. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Data of a billing account: tables, indexes, totals, clock and profile. Only `applyChanges` changes rows, except that
 * the agenda deletes expired `keyedResponses`. Accounts share no data.
 */
export class AccountState {
  readonly profile: Profile;
  readonly clock: AccountClock;
  readonly ports: Ports;
  readonly tokens = new Table<Token>();
  readonly customersByEmail = new Lookup<Customer>(
    (customer) => customer.email,
    () => this.customers.rows,
  );
  readonly customers: Table<Customer> = new Table<Customer>(this.customersByEmail);
  readonly invoiceTotals: InvoiceTotals;
  readonly invoicesByNumber = new Lookup<Invoice>(
    (invoice) => invoice.invoice_number,
    () => this.invoices.rows,
  );
  readonly invoices: Table<Invoice>;
  /** Last generated number of each series of invoice numbers, where the search for a free one starts. Not stored. */
  readonly lastNumbers = new Map<string, number>();
  readonly paymentLinksBySlug = new Lookup<PaymentLink>(
    (link) => link.slug,
    () => this.paymentLinks.rows,
  );
  readonly paymentLinks: Table<PaymentLink> = new Table<PaymentLink>(this.paymentLinksBySlug);
  /** Last suffix of each slug, where the search for a free one starts. Not stored. */
  readonly lastSuffixes = new Map<string, number>();
  readonly paymentsOfInvoice = new Lookup<Payment>(
    (payment) => payment.invoice_id,
    () => this.payments.rows,
  );
  /** Payments by the id of the checkout form that created them. */
  readonly paymentsOfForm = new Lookup<Payment>(
    (payment) => payment.form ?? null,
    () => this.payments.rows,
  );
  readonly payments: Table<Payment> = new Table<Payment>(this.paymentsOfInvoice, this.paymentsOfForm);
  readonly depositsOfBooking = new Lookup<Deposit>(
    (deposit) => deposit.booking_reference,
    () => this.deposits.rows,
  );
  readonly deposits: Table<Deposit> = new Table<Deposit>(this.depositsOfBooking);
  /** Responses stored for Idempotency-Keys, keyed by `KeyedResponse.id`. */
  readonly keyedResponses = new Map<string, KeyedResponse>();
  /** Idempotency-Keys of requests in progress, if the profile refuses concurrent requests with the same key. */
  readonly keysInUse = new Set<string>();
  readonly reorderedDeliveries = new ReorderedDeliveries();
  readonly attemptsOfDelivery = new Lookup<Attempt>(
    (attempt) => attempt.delivery_id,
    () => this.attempts.rows,
  );
  readonly deliveryTotals = new DeliveryTotals(this.attemptsOfDelivery, (id) => this.deliveries.get(id));
  readonly deliveries: Table<Delivery> = new Table(this.reorderedDeliveries, this.deliveryTotals.deliveryIndex);
  // The totals need the attempts of a delivery as they were before a change, and as they are after it. They read the
  // lookup when a delivery is added, so its attempts never come before the first read.
  readonly attempts: Table<Attempt> = new Table<Attempt>(
    this.deliveryTotals.indexBeforeLookup,
    this.attemptsOfDelivery,
    this.deliveryTotals.indexAfterLookup,
  );
  readonly mails = new Table<Mail>();
  readonly faultIndex = new FaultIndex();
  readonly faults = new Table<Fault>(this.faultIndex);
  /** Scenarios that were added to the account, keyed by name. */
  readonly scenarios = new Map<string, Scenario>();
  readonly runs = new Table<Run>();
  readonly snapshots = new Map<string, Snapshot>();
  /** The scenario run whose step is being executed. */
  currentRun: Run | undefined;
  readonly rates: RateCounter;
  #record: AccountRecord;
  #origin: Origin | undefined;

  constructor(record: AccountRecord, profile: Profile, ports: Ports) {
    this.#record = record;
    this.ports = ports;
    this.profile = profile;
    this.clock = new AccountClock(ports.clock, record.clock);
    this.rates = new RateCounter(this.clock, ports.clock);
    this.invoiceTotals = new InvoiceTotals(profile, record.currency);
    this.invoices = new Table<Invoice>(this.invoiceTotals, this.invoicesByNumber);
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): AccountRecord {
    return this.#record;
  }

  /** Called only by `applyChanges`. */
  set record(record: AccountRecord) {
    if (record.clock !== this.#record.clock) this.clock.state = record.clock;
    this.#record = record;
  }

  /** Initial clock and seed of the account. A repaired data folder may lack them; a reset then empties the account. */
  get origin(): Origin {
    if (this.#origin) return this.#origin;
    const { clock, currency, time_zone } = this.#record;
    const noRecords = { customers: [], invoices: [], payment_links: [], payments: [], deposits: [] };
    return { clock, seed: { currency, time_zone, ...noRecords } };
  }

  /** Called only by `applyChanges`. */
  set origin(origin: Origin) {
    this.#origin = origin;
  }

  /** Time on the clock of the account, in milliseconds since 1970. */
  now(): number {
    return this.clock.now();
  }

  /** 64 hex digits derived from the account's random seed and a label. */
  seededHex(label: string): string {
    return hash('sha256', `${this.#record.random_seed} ${label}`);
  }

  /** Number from 0 to 1, excluding 1, derived from the account's random seed and a label. */
  seededNumber(label: string): number {
    // 12 hex digits are 48 bits.
    return Number.parseInt(this.seededHex(label).slice(0, 12), 16) / 2 ** 48;
  }

  /**
   * True if a payment of the invoice has been initiated and has not ended. Meanwhile, overdue invoices may show no
   * payment link (gap overdue.link-null).
   */
  hasPaymentInProgress(invoice: Invoice): boolean {
    return this.paymentsOfInvoice.all(invoice.id).some((payment) => isInProgress(payment.status));
  }

  /** All rows. Committing them recreates the account. */
  contents(): RowsByTable {
    return { ...this.snapshotRows(), tokens: [...this.tokens.rows], snapshots: [...this.snapshots.values()] };
  }

  /**
   * Rows of a snapshot: all except tokens and snapshots. Includes cleared faults, so that their ids are not given to
   * other faults: requests and deliveries still refer to them.
   */
  snapshotRows(): RowsByTable {
    return {
      account: [this.#record],
      origin: this.#origin ? [this.#origin] : [],
      customers: [...this.customers.rows],
      invoices: [...this.invoices.rows],
      payment_links: [...this.paymentLinks.rows],
      payments: [...this.payments.rows],
      deposits: [...this.deposits.rows],
      keyed_responses: [...this.keyedResponses.values()],
      deliveries: [...this.deliveries.rows],
      attempts: [...this.attempts.rows],
      mails: [...this.mails.rows],
      faults: [...this.faults.rows],
      scenarios: [...this.scenarios.values()],
      runs: [...this.runs.rows],
    };
  }
}
