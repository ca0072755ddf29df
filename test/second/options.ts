import type { FaultId } from './faults/index.js';

/** One choice for each detail that the specification leaves open. */
export interface Choices {
  readonly decimals: 'number' | 'text';
  /** Value of a string that was never set. */
  readonly optional: 'null' | 'absent' | 'empty';
  readonly json: 'compact' | 'pretty';
  readonly contentType: string;
  readonly headerCase: 'documented' | 'lower';
  readonly chunked: boolean;
  readonly gzip: boolean;
  /** Delay of every response. */
  readonly slowMs: number;
  /** Time after which a change becomes visible in lists. */
  readonly lagMs: number;
  /** True if integer identifiers are larger than 2^53. */
  readonly wideIds: boolean;
  /** True if responses have fields and messages that the specification does not name. */
  readonly extra: boolean;
  readonly language: 'en' | 'de';
  /** UTC offset of every timestamp, and the zone in which a day begins. */
  readonly offset: 'Z' | '+00:00' | '+02:00';

  readonly createdStatus: 200 | 201;
  readonly actedStatus: 200 | 201 | 202;
  readonly invalidStatus: 400 | 422;
  readonly unauthenticatedStatus: 401 | 403;
  readonly scopeStatus: 401 | 403;
  /** Status for an invoice identifier that is not an integer. */
  readonly textIdStatus: 400 | 404 | 422;
  /** Keys of nested fields in `errors`; `none` leaves `errors` out. */
  readonly fieldErrors: 'dots' | 'brackets' | 'none';
  readonly unknownFields: 'ignored' | 'refused';
  /** True if `"12.50"` is accepted in place of a number. */
  readonly textNumbers: boolean;
  readonly otherContentType: 'refused' | 'parsed';
  readonly otherMethodStatus: 404 | 405;

  readonly order: 'newest' | 'oldest' | 'shuffled';
  readonly lastPageEverywhere: boolean;
  readonly pageEverywhere: boolean;
  readonly overMaximum: 'clamped' | 'refused';
  readonly badQuery: 'refused' | 'ignored';
  readonly beyondEnd: 'empty' | 'missing' | 'last';

  /** Currency of the account and its invoices. */
  readonly currency: string;
  readonly lineTotal: 'gross' | 'net';
  readonly invoiceAmount: 'gross' | 'net';
  /** Prefix of invoice numbers, before the counter. */
  readonly numberPrefix: string;
  readonly duplicateNumber: 'refused' | 'accepted';
  readonly draftReminder: 'refused' | 'sent';
  /** If shown, `status` is `overdue` once the due date has passed. */
  readonly overdueStatus: 'shown' | 'never';
  readonly outstanding: 'remaining' | 'whole';
  readonly pendingCount: 'unpaid' | 'pending';
  /** The invoices whose open amounts add up to `total_outstanding` of the overdue list. */
  readonly overdueTotal: 'overdue' | 'unpaid';

  readonly slug: 'dashes' | 'underscores' | 'percent';
  readonly otherCurrency: 'accepted' | 'refused';
  readonly unusualAmount: 'refused' | 'accepted';
  readonly paidLink: 'active' | 'inactive';

  readonly methods: readonly string[];
  readonly filterDate: 'created_at' | 'paid_at';
  /** True if the payment of an invoice is also listed as a payment without a link, and sends a webhook. */
  readonly invoicePayments: boolean;

  readonly depositIds: 'integer' | 'uuid' | 'prefixed';
  readonly depositFields: 'all' | 'few';
  readonly depositRequired: readonly string[];
  readonly depositPageSize: number;
  readonly keyRequired: boolean;
  readonly keyMismatch: 'refused' | 'original';
  readonly replayStatus: 'first' | 'ok';
  readonly replayShows: 'first' | 'current';
  readonly stateStatus: 400 | 409 | 422;
  readonly overCapture: 'refused' | 'capped';
  readonly releaseAgain: 'refused' | 'accepted';
  readonly releasedPart: 'released' | 'captured';
  readonly declined: 'failed' | 'pending';
  readonly datesBackwards: 'refused' | 'accepted';

  readonly rateKey: 'token' | 'account';
  readonly rateWindow: 'fixed' | 'bucket';
  /** When bursts are allowed: five thirds of the limit, as in the specification, whose limit is 60 and burst 100. */
  readonly burst: 'never' | 'afterQuiet' | 'always';
  readonly resetUnit: 'epoch' | 'left' | 'iso';

  readonly digest: 'hex' | 'HEX' | 'base64';
  readonly paymentSignatureHeader: string;
  readonly payload: 'nested' | 'flat';
  /** Delays before each retry of a delivery whose response was not 2xx. */
  readonly retriesMs: readonly number[];
  /** How often each webhook is sent. */
  readonly copies: number;
  /** Delays of successive deliveries. If empty, deliveries are sent one after the other without delay. */
  readonly delaysMs: readonly number[];

  /** True if the account has records at the start. */
  readonly seeded: boolean;
  /** Simulates other clients of the account, which create and change records between requests. */
  readonly othersAtWork: boolean;
}

export interface Options extends Partial<Choices> {
  readonly fault?: FaultId | undefined;
  /** Requests that each window allows, 100,000 by default; the specification's limit is 60. */
  readonly limit?: number;
  /** Length of a window, by default 60 as in the specification. */
  readonly windowSeconds?: number;
}

export const defaults: Choices = {
  decimals: 'number',
  optional: 'null',
  json: 'compact',
  contentType: 'application/json',
  headerCase: 'documented',
  chunked: false,
  gzip: false,
  slowMs: 0,
  lagMs: 0,
  wideIds: false,
  extra: false,
  language: 'en',
  offset: '+00:00',
  createdStatus: 201,
  actedStatus: 200,
  invalidStatus: 422,
  unauthenticatedStatus: 401,
  scopeStatus: 403,
  textIdStatus: 404,
  fieldErrors: 'dots',
  unknownFields: 'ignored',
  textNumbers: true,
  otherContentType: 'refused',
  otherMethodStatus: 405,
  order: 'newest',
  lastPageEverywhere: true,
  pageEverywhere: true,
  overMaximum: 'clamped',
  badQuery: 'refused',
  beyondEnd: 'empty',
  currency: 'EUR',
  lineTotal: 'gross',
  invoiceAmount: 'gross',
  numberPrefix: 'INV-',
  duplicateNumber: 'refused',
  draftReminder: 'refused',
  overdueStatus: 'shown',
  outstanding: 'remaining',
  pendingCount: 'unpaid',
  overdueTotal: 'overdue',
  slug: 'dashes',
  otherCurrency: 'accepted',
  unusualAmount: 'refused',
  paidLink: 'active',
  methods: ['card', 'ideal', 'sepa_debit'],
  filterDate: 'created_at',
  invoicePayments: true,
  depositIds: 'integer',
  depositFields: 'all',
  depositRequired: ['booking_reference', 'amount'],
  depositPageSize: 25,
  keyRequired: false,
  keyMismatch: 'refused',
  replayStatus: 'first',
  replayShows: 'first',
  stateStatus: 409,
  overCapture: 'refused',
  releaseAgain: 'refused',
  releasedPart: 'released',
  declined: 'failed',
  datesBackwards: 'refused',
  rateKey: 'token',
  rateWindow: 'fixed',
  burst: 'afterQuiet',
  resetUnit: 'epoch',
  digest: 'hex',
  paymentSignatureHeader: 'X-Service-Signature',
  payload: 'nested',
  retriesMs: [100, 400],
  copies: 1,
  delaysMs: [],
  seeded: true,
  othersAtWork: false,
};
