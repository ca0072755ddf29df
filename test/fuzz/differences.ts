import type { Reason } from './expectations.js';
import { type ApiRequest, clampedPerPage } from './requests.js';

/** An intended difference between the service and prism-http. */
export interface Difference {
  readonly why: string;
  /** Verdict of the service; prism-http has the opposite verdict. */
  readonly service: 'accepts' | 'refuses';
  readonly example: ApiRequest;
}

const read = { authorization: 'Bearer demo_read' };
const write = { authorization: 'Bearer demo_write', 'content-type': 'application/json' };
const item = { description: 'Night', quantity: 1, unit_price: 10 };
const invoice = { customer_id: 1, date: '2026-04-01', due_date: '2026-04-30', items: [item] };
const deposit = { booking_reference: 'BK-1', amount: 100 };

const get = (id: 'listInvoices' | 'listPayments', ...query: [string, string][]): ApiRequest => ({
  operation: id,
  id: undefined,
  query,
  headers: read,
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
  headers: write,
  body: JSON.stringify(body),
  ...changes,
});

const getInvoice = (id: string): ApiRequest => ({ ...get('listInvoices'), operation: 'getInvoice', id });

/** All differences, by the rule that a request violates or the reason for refusing a valid one. */
export const differences: Readonly<Record<string, Difference>> = {
  'unknown token': {
    why: 'Prism checks only that there is a bearer token, not whether it is valid.',
    service: 'refuses',
    example: { ...get('listInvoices'), headers: { authorization: 'Bearer nobody' } },
  },
  'scope missing': {
    why: 'Prism ignores the scopes of a security requirement.',
    service: 'refuses',
    example: { ...get('listInvoices'), headers: { authorization: 'Bearer demo_write' } },
  },
  'x-decimal-places': {
    why: 'The keyword is ours; Prism ignores keywords that it does not know.',
    service: 'refuses',
    example: post('createPaymentLink', { description: 'Night', amount: 1.005 }),
  },
  'x-not-before': {
    why: 'The keyword is ours; Prism ignores keywords that it does not know.',
    service: 'refuses',
    example: post('createInvoice', { ...invoice, due_date: '2026-03-31' }),
  },
  [clampedPerPage]: {
    why: 'Gap page.over-maximum: by default the service uses the maximum instead, while the document forbids larger values.',
    service: 'accepts',
    example: get('listInvoices', ['per_page', '101']),
  },
  'path: other notation of an integer': {
    why: 'Prism coerces as JavaScript does, so that `1e0` and `0x1` are 1 to it.',
    service: 'refuses',
    example: getInvoice('0x1'),
  },
  'query: other notation of an integer': {
    why: 'Prism coerces as JavaScript does, so that `1e0` and `0x1` are 1 to it.',
    service: 'refuses',
    example: get('listInvoices', ['page', '1e0']),
  },
  'header: empty': {
    why: 'Prism takes an empty header for one that was not sent.',
    service: 'refuses',
    example: post('createDeposit', deposit, { headers: { ...write, 'Idempotency-Key': '' } }),
  },
  'query: integer that no double holds': {
    why: 'Beyond 2^53 the number would not be the one that was sent; Prism rounds it.',
    service: 'refuses',
    example: get('listInvoices', ['page', '9007199254740993']),
  },
  'body: null': {
    why: 'Prism treats `null` like an absent body, which a capture allows.',
    service: 'refuses',
    example: post('captureDeposit', null, { id: '2' }),
  },
  'body: number too large for a double': {
    why: 'JSON.parse reads 1e999 as Infinity, which JSON cannot represent; Prism accepts it as a number.',
    service: 'refuses',
    example: post('createDeposit', {}, { body: '{"booking_reference":"BK-1","amount":1,"metadata":{"n":1e999}}' }),
  },
  'unknown record': {
    why: 'Prism does not know the records.',
    service: 'refuses',
    example: getInvoice('1000000'),
  },
  'state of the record': {
    why: 'Prism does not know the records, and so not their states.',
    service: 'refuses',
    example: post('captureDeposit', { amount: 1 }, { id: '1' }),
  },
  'unknown customer': {
    why: 'Prism does not know the records.',
    service: 'refuses',
    example: post('createInvoice', { ...invoice, customer_id: 1000 }),
  },
  'number taken': {
    why: 'Prism does not know the records.',
    service: 'refuses',
    example: post('createInvoice', { ...invoice, invoice_number: 'DEMO-0001' }),
  },
  'amount beyond the maximum': {
    why: 'No schema bounds the sum of the items, whose fields are within their own bounds.',
    service: 'refuses',
    example: post('createInvoice', { ...invoice, items: [{ ...item, quantity: 2, unit_price: 999_999.99 }] }),
  },
  'key used for another body': {
    why: 'Prism does not know earlier requests. The key of this one has been used by the test.',
    service: 'refuses',
    example: post('createDeposit', deposit, { headers: { ...write, 'Idempotency-Key': 'used' } }),
  },
  'body too large': {
    why: 'The limit of 100 kB is not in any schema.',
    service: 'refuses',
    example: post('createDeposit', { ...deposit, more: 'x'.repeat(100_000) }),
  },
} satisfies Readonly<Record<string, Difference> & Record<Reason, Difference>>;
