import type { FaultId } from './faults/index.js';

/** Choices of the second implementation about details on which the specification is silent. Variants differ in them. */
export interface Choices {
  /** Decimals in responses: JSON numbers, or strings such as `"12.50"`. */
  readonly decimals: 'number' | 'text';
  /** Most fields without a value; `empty` means an empty string, but null for `paid_at`, `customer` and `metadata`. */
  readonly unsetFields: 'null' | 'absent' | 'empty';
  /** `pretty` indents the JSON of responses. */
  readonly json: 'compact' | 'pretty';
  /** Content type of every response. */
  readonly contentType: string;
  /** Names of response headers: spelled as in the specification, or in lower case. */
  readonly headerCase: 'documented' | 'lower';
  /** True if response bodies are sent in two chunks, without a `Content-Length`. */
  readonly chunked: boolean;
  /** True if response bodies are compressed. */
  readonly gzip: boolean;
  /** Delay of every response. */
  readonly slowMs: number;
  /** Minimum time until a change becomes visible in lists. */
  readonly lagMs: number;
  /** True if integer identifiers are larger than 2^53. */
  readonly bigIds: boolean;
  /** True if responses and webhooks have fields that the specification does not name. */
  readonly hasUndocumentedFields: boolean;
  /** Language of error messages. */
  readonly language: 'en' | 'de';
  /** UTC offset of every timestamp; days begin at midnight in this time zone. */
  readonly utcOffset: 'Z' | '+00:00' | '+02:00';

  /** HTTP status of the response to a request that creates a payment link or a deposit. */
  readonly createdStatus: 200 | 201;
  /** HTTP status of the response to a reminder, a capture or a release. */
  readonly actionStatus: 200 | 201 | 202;
  /** HTTP status for invalid fields or query parameters. */
  readonly invalidStatus: 400 | 422;
  /** HTTP status for a missing or unknown token. */
  readonly unauthenticatedStatus: 401 | 403;
  /** HTTP status for a token without the required scope. */
  readonly scopeStatus: 401 | 403;
  /** HTTP status of the invoice detail if the identifier in the path is not an integer. */
  readonly nonIntegerIdStatus: 400 | 404 | 422;
  /** Keys of nested fields in `errors`: `items.0.quantity` or `items[0].quantity`; `none` leaves `errors` out. */
  readonly fieldErrors: 'dots' | 'brackets' | 'none';
  /** Maximum lengths of text fields, and of the `Idempotency-Key`, by name. Texts without one may have any length. */
  readonly maxLengths: Readonly<Record<string, number>>;
  /** Reaction to body fields that the specification does not name. */
  readonly unknownFields: 'ignored' | 'refused';
  /** True if `"12.50"` is accepted in place of a number. */
  readonly acceptsNumericStrings: boolean;
  /** Reaction to a body whose content type is not JSON; `parsed` reads the body as JSON nevertheless. */
  readonly nonJsonBody: 'refused' | 'parsed';
  /** HTTP status for a known path with a method that it does not support. */
  readonly wrongMethodStatus: 404 | 405;

  /** Order of the records in paginated lists: newest first, oldest first, or shuffled. */
  readonly listOrder: 'newest' | 'oldest' | 'shuffled';
  /** True if all lists have the `last_page` field, false if only the invoice list has it. */
  readonly allListsHaveLastPage: boolean;
  /** True if all lists take the `page` query parameter, false if only the invoice list takes it. */
  readonly allListsAcceptPage: boolean;
  /** Reaction to a `per_page` above the maximum; `clamped` uses the maximum. */
  readonly pageSizeAboveMaximum: 'clamped' | 'refused';
  /** Reaction to an invalid query parameter. */
  readonly invalidQuery: 'refused' | 'ignored';
  /** Response for a `page` after the last one: an empty page, HTTP status 404, or the last page. */
  readonly pageAfterLast: 'empty' | 'missing' | 'last';

  /** Currency of the account and its invoices. */
  readonly currency: string;
  /** The `total` of a line item, with tax (gross) or without (net). */
  readonly lineTotal: 'gross' | 'net';
  /** The `amount` of an invoice, with tax (gross) or without (net). */
  readonly invoiceAmount: 'gross' | 'net';
  /** Prefix of invoice numbers, before the counter. */
  readonly numberPrefix: string;
  /** Reaction to a new invoice with the number of another invoice. */
  readonly duplicateInvoiceNumber: 'refused' | 'accepted';
  /** Reaction to a reminder for an invoice that is a draft or cancelled. */
  readonly reminderForDraftOrCancelled: 'refused' | 'sent';
  /** If shown, the `status` of an unpaid invoice is `overdue` once the due date has passed. */
  readonly overdueStatus: 'shown' | 'never';
  /** The part of an unpaid invoice that outstanding sums include: its remaining amount or its full amount. */
  readonly outstandingSums: 'remaining' | 'full';
  /** The invoices that `pending_invoices` counts: all unpaid ones, or those with the status `pending`. */
  readonly countedAsPending: 'unpaid' | 'pending';
  /** The invoices whose outstanding amounts add up to `total_outstanding` of the overdue list. */
  readonly overdueTotalIncludes: 'overdue' | 'unpaid';

  /** Replacement for most characters other than ASCII letters and digits in a slug; `percent` percent-encodes them. */
  readonly slug: 'dashes' | 'underscores' | 'percent';
  /** Reaction to a payment link in a currency other than EUR. */
  readonly otherCurrency: 'accepted' | 'refused';
  /** Reaction to a payment link whose amount is not positive or has fractions of a cent. */
  readonly invalidAmount: 'refused' | 'accepted';
  /** Minimum and maximum amount of a payment link. */
  readonly linkAmounts: readonly [minimum: number, maximum: number];
  /** State of a payment link after it has been paid. */
  readonly paidLink: 'active' | 'inactive';

  /** Values of `payment_method`. */
  readonly methods: readonly string[];
  /** The field that the `from` and `to` filters compare; for unpaid payments, it is always `created_at`. */
  readonly filterDate: 'created_at' | 'paid_at';
  /** True if paying an invoice also adds a payment without a link to the list, and sends a webhook. */
  readonly invoicePayments: boolean;

  /** Identifiers of deposits: integers, UUIDs, or strings such as `dep_4f1c…`. */
  readonly depositIds: 'integer' | 'uuid' | 'prefixed';
  /** Fields of a deposit; `few` are the identifier, the booking reference, the status and, at creation, the URL. */
  readonly depositFields: 'all' | 'few';
  /** Fields without which a deposit cannot be created. */
  readonly depositRequired: readonly string[];
  /** Default page size of the deposit list. */
  readonly depositPageSize: number;
  /** True if a deposit cannot be created without an `Idempotency-Key`. */
  readonly keyRequired: boolean;
  /** Response to a known `Idempotency-Key` with another body: an error, or the original deposit. */
  readonly reusedKey: 'refused' | 'original';
  /** HTTP status of the response to a known `Idempotency-Key`: as in the first response, or 200. */
  readonly replayStatus: 'first' | 'ok';
  /** Body of the response to a known `Idempotency-Key`: as in the first response, or the current deposit. */
  readonly replayBody: 'first' | 'current';
  /** HTTP status for a capture or release that the status of the deposit does not allow. */
  readonly wrongStateStatus: 400 | 409 | 422;
  /** Reaction to a capture of more than the remaining amount; `capped` captures the remaining amount. */
  readonly overCapture: 'refused' | 'capped';
  /** True if a deposit can be captured only once: its status is `captured` even if only a part was captured. */
  readonly isCaptureFinal: boolean;
  /** Minimum amounts of a deposit and of a capture. */
  readonly minDepositAmount: number;
  readonly minCaptureAmount: number;
  /** Reaction to the release of a partially captured deposit. */
  readonly releaseAfterCapture: 'accepted' | 'refused';
  /** Reaction to the release of a released deposit. */
  readonly repeatedRelease: 'refused' | 'accepted';
  /** Status of a partially captured deposit after its release. */
  readonly statusAfterPartialRelease: 'released' | 'captured';
  /** Status of a deposit after the guest's card was declined. */
  readonly statusAfterDecline: 'failed' | 'pending';
  /** Reaction to a check-out date before the check-in date. */
  readonly reversedDates: 'refused' | 'accepted';

  /** `token`: each token has its own rate limit. `account`: all tokens share one. */
  readonly rateKey: 'token' | 'account';
  /** Kind of rate limit: fixed windows, or a token bucket that refills evenly. */
  readonly rateWindow: 'fixed' | 'bucket';
  /**
   * The windows that allow a burst; `afterQuietWindow` means the first one, and those whose previous window did not
   * exceed the limit. A burst is five thirds of the limit, as in the specification, whose limit is 60 and burst 100.
   */
  readonly burstsAllowed: 'never' | 'afterQuietWindow' | 'always';
  /** Format of `X-RateLimit-Reset`: seconds since 1970, seconds left, or an ISO 8601 timestamp. */
  readonly resetUnit: 'epoch' | 'seconds-left' | 'iso';

  /** Encoding of webhook signatures: hexadecimal in lower case or in upper case, or base64. */
  readonly digest: 'hex' | 'HEX' | 'base64';
  /** Name of the header with the signature in webhooks about payments. */
  readonly paymentSignatureHeader: string;
  /** Place of the record in a webhook: in the `data` field, or at the top level. */
  readonly payload: 'nested' | 'flat';
  /** Delays before the retries of a delivery that got no 2xx response. */
  readonly retriesMs: readonly number[];
  /** Number of times that each webhook is sent. */
  readonly webhookCopies: number;
  /** Delays of deliveries, which use them in turn. If empty, deliveries are sent one after the other without delay. */
  readonly webhookDelaysMs: readonly number[];

  /** True if the account has records from the start. */
  readonly seeded: boolean;
  /** True if simulated clients of the same account create and change records between requests. */
  readonly hasOtherClients: boolean;
}

export interface Options extends Partial<Choices> {
  /** The fault that the service has. */
  readonly fault?: FaultId | undefined;
  /** Requests that each window allows without a burst, 100,000 by default; the specification's limit is 60. */
  readonly limit?: number;
  /** Length of a rate-limit window, by default 60 as in the specification. */
  readonly windowSeconds?: number;
}

/** Choices of a service without options. */
export const defaults: Choices = {
  decimals: 'number',
  unsetFields: 'null',
  json: 'compact',
  contentType: 'application/json',
  headerCase: 'documented',
  chunked: false,
  gzip: false,
  slowMs: 0,
  lagMs: 0,
  bigIds: false,
  hasUndocumentedFields: false,
  language: 'en',
  utcOffset: '+00:00',
  createdStatus: 201,
  actionStatus: 200,
  invalidStatus: 422,
  unauthenticatedStatus: 401,
  scopeStatus: 403,
  nonIntegerIdStatus: 404,
  fieldErrors: 'dots',
  maxLengths: {},
  unknownFields: 'ignored',
  acceptsNumericStrings: true,
  nonJsonBody: 'refused',
  wrongMethodStatus: 405,
  listOrder: 'newest',
  allListsHaveLastPage: true,
  allListsAcceptPage: true,
  pageSizeAboveMaximum: 'clamped',
  invalidQuery: 'refused',
  pageAfterLast: 'empty',
  currency: 'EUR',
  lineTotal: 'gross',
  invoiceAmount: 'gross',
  numberPrefix: 'INV-',
  duplicateInvoiceNumber: 'refused',
  reminderForDraftOrCancelled: 'refused',
  overdueStatus: 'shown',
  outstandingSums: 'remaining',
  countedAsPending: 'unpaid',
  overdueTotalIncludes: 'overdue',
  slug: 'dashes',
  otherCurrency: 'accepted',
  invalidAmount: 'refused',
  linkAmounts: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  paidLink: 'active',
  methods: ['card', 'ideal', 'sepa_debit'],
  filterDate: 'created_at',
  invoicePayments: true,
  depositIds: 'integer',
  depositFields: 'all',
  depositRequired: ['booking_reference', 'amount'],
  depositPageSize: 25,
  keyRequired: false,
  reusedKey: 'refused',
  replayStatus: 'first',
  replayBody: 'first',
  wrongStateStatus: 409,
  overCapture: 'refused',
  isCaptureFinal: false,
  minDepositAmount: 0,
  minCaptureAmount: 0,
  releaseAfterCapture: 'accepted',
  repeatedRelease: 'refused',
  statusAfterPartialRelease: 'released',
  statusAfterDecline: 'failed',
  reversedDates: 'refused',
  rateKey: 'token',
  rateWindow: 'fixed',
  burstsAllowed: 'afterQuietWindow',
  resetUnit: 'epoch',
  digest: 'hex',
  paymentSignatureHeader: 'X-Service-Signature',
  payload: 'nested',
  retriesMs: [100, 400],
  webhookCopies: 1,
  webhookDelaysMs: [],
  seeded: true,
  hasOtherClients: false,
};
