import type { RejectionReason } from './predictor.js';
import { type ApiRequest, clampedPerPage } from './requests.js';

/**
 * An intended disagreement: requests that violate a rule are accepted by the service or by prism-http, but not by both.
 */
export interface Difference {
  readonly explanation: string;
  /** The verdict of the service on such requests. prism-http has the opposite verdict. */
  readonly serviceVerdict: 'accepts' | 'rejects';
  /**
   * A request that violates only this rule, for the demo account, where deposit 1 is pending and deposit 2 authorized.
   */
  readonly example: ApiRequest;
}

/** Key that must have been used with another body before the example is sent. */
export const usedIdempotencyKey = 'used';

const readHeaders = { authorization: 'Bearer demo_read' };
const writeHeaders = { authorization: 'Bearer demo_write', 'content-type': 'application/json' };
const item = { description: 'Night', quantity: 1, unit_price: 10 };
const invoice = { customer_id: 1, date: '2026-04-01', due_date: '2026-04-30', items: [item] };
const deposit = { booking_reference: 'BK-1', amount: 100 };

const listInvoices = (...query: [string, string][]): ApiRequest => ({
  operation: 'listInvoices',
  id: undefined,
  query,
  headers: readHeaders,
  body: undefined,
});

const post = (
  operation: 'createInvoice' | 'createDeposit' | 'createPaymentLink' | 'captureDeposit',
  body: unknown,
  changes: Partial<ApiRequest> = {},
): ApiRequest => ({
  operation,
  id: undefined,
  query: [],
  headers: writeHeaders,
  body: JSON.stringify(body),
  ...changes,
});

const getInvoice = (id: string): ApiRequest => ({ ...listInvoices(), operation: 'getInvoice', id });

/** All differences, keyed by the rule that a request violates, or by the reason why the service rejects a valid one. */
export const prismDifferences: Readonly<Record<string, Difference>> = {
  'unknown token': {
    explanation: 'Prism checks only that there is a bearer token, not whether it is valid.',
    serviceVerdict: 'rejects',
    example: { ...listInvoices(), headers: { authorization: 'Bearer nobody' } },
  },
  'scope missing': {
    explanation: 'Prism ignores the scopes of a security requirement.',
    serviceVerdict: 'rejects',
    example: { ...listInvoices(), headers: { authorization: 'Bearer demo_write' } },
  },
  'x-decimal-places': {
    explanation: 'Prism ignores this keyword, which is specific to our document.',
    serviceVerdict: 'rejects',
    example: post('createPaymentLink', { description: 'Night', amount: 1.005 }),
  },
  'x-not-before': {
    explanation: 'Prism ignores this keyword, which is specific to our document.',
    serviceVerdict: 'rejects',
    example: post('createInvoice', { ...invoice, due_date: '2026-03-31' }),
  },
  [clampedPerPage]: {
    explanation:
      'Gap page.over-maximum: by default the service uses the maximum instead, while the document forbids larger values.',
    serviceVerdict: 'accepts',
    example: listInvoices(['per_page', '101']),
  },
  'path: other notation of an integer': {
    explanation: 'Prism converts strings as JavaScript does, so `1e0` and `0x1` are 1.',
    serviceVerdict: 'rejects',
    example: getInvoice('0x1'),
  },
  'query: other notation of an integer': {
    explanation: 'Prism converts strings as JavaScript does, so `1e0` and `0x1` are 1.',
    serviceVerdict: 'rejects',
    example: listInvoices(['page', '1e0']),
  },
  'header: empty': {
    explanation: 'Prism treats an empty header as absent.',
    serviceVerdict: 'rejects',
    example: post('createDeposit', deposit, { headers: { ...writeHeaders, 'Idempotency-Key': '' } }),
  },
  'body: null': {
    explanation: 'Prism treats `null` like an absent body, which is valid for a capture.',
    serviceVerdict: 'rejects',
    example: post('captureDeposit', null, { id: '2' }),
  },
  'body: number too large for a double': {
    explanation: 'JSON.parse reads 1e999 as Infinity, which Prism accepts, although JSON cannot represent it.',
    serviceVerdict: 'rejects',
    example: post('createDeposit', {}, { body: '{"booking_reference":"BK-1","amount":1,"metadata":{"n":1e999}}' }),
  },
  'unknown record': {
    explanation: 'Prism does not know the records.',
    serviceVerdict: 'rejects',
    example: getInvoice('1000000'),
  },
  'state of the record': {
    explanation: 'Prism does not know the records.',
    serviceVerdict: 'rejects',
    example: post('captureDeposit', { amount: 1 }, { id: '1' }),
  },
  'unknown customer': {
    explanation: 'Prism does not know the records.',
    serviceVerdict: 'rejects',
    example: post('createInvoice', { ...invoice, customer_id: 1000 }),
  },
  'invoice number taken': {
    explanation: 'Prism does not know the records.',
    serviceVerdict: 'rejects',
    example: post('createInvoice', { ...invoice, invoice_number: 'DEMO-0001' }),
  },
  'amount above the maximum': {
    explanation: 'No schema limits the sum of the items, each of which is within its own limits.',
    serviceVerdict: 'rejects',
    example: post('createInvoice', { ...invoice, items: [{ ...item, quantity: 2, unit_price: 999_999.99 }] }),
  },
  'idempotency key reused with another body': {
    explanation: 'Prism does not know earlier requests.',
    serviceVerdict: 'rejects',
    example: post('createDeposit', deposit, { headers: { ...writeHeaders, 'Idempotency-Key': usedIdempotencyKey } }),
  },
  'body too large': {
    explanation: 'The limit of 100 kB is not in any schema.',
    serviceVerdict: 'rejects',
    example: post('createDeposit', { ...deposit, more: 'x'.repeat(100_000) }),
  },
} satisfies Readonly<Record<string, Difference> & Record<RejectionReason, Difference>>;
