import { exactGross, type Line, toCents } from '../domain/exact.js';
import type { Answer, Client } from './client.js';
import { isRecord, memberOf } from './document.js';
import type { ApiRequest } from './requests.js';
import { minorUnitsOf } from './valid.js';

/** Expected response to a valid request. */
type Expectation =
  /** Success, with these values in the payload. */
  | { readonly status: number; readonly data: Readonly<Record<string, unknown>>; readonly refusal?: undefined }
  /** Error that does not follow from the schema: an unknown record, or one in the wrong state. */
  | { readonly status: number; readonly refusal: Reason; readonly field?: string };

export type Reason =
  | 'unknown record'
  | 'state of the record'
  | 'unknown customer'
  | 'number taken'
  | 'amount beyond the maximum'
  | 'key used for another body'
  | 'body too large';

/** Predicts the responses to valid requests from earlier responses. */
export interface Prediction {
  expect(request: ApiRequest): Promise<Expectation>;
  /** Records a response. */
  observe(request: ApiRequest, answer: Answer): void;
}

const largestBody = 100_000;
const largestAmount = 99_999_999n;

/** @param customers the ids that the seed has */
export function createPrediction(client: Client, customers: readonly number[]): Prediction {
  const numbers = new Set<unknown>();
  const answersByKey = new Map<string, { body: string; answer: Answer }>();

  const read = (id: 'getInvoice' | 'getDeposit', request: ApiRequest): Promise<Answer> =>
    client.send({
      operation: id,
      id: request.id,
      query: [],
      headers: { authorization: 'Bearer demo_read' },
      body: undefined,
    });

  const expectations: Partial<
    Record<string, (request: ApiRequest, body: unknown) => Promise<Expectation> | Expectation>
  > = {
    listInvoices: page,
    listPaymentLinks: page,
    listPayments: page,
    listDeposits: page,

    async getInvoice(request) {
      const { status } = await read('getInvoice', request);
      return status === 404 ? unknown : { status: 200, data: { id: Number(request.id) } };
    },

    async getDeposit(request) {
      const { status } = await read('getDeposit', request);
      return status === 404 ? unknown : { status: 200, data: { id: Number(request.id) } };
    },

    async sendInvoiceReminder(request) {
      const { status, body } = await read('getInvoice', request);
      if (status === 404) return unknown;
      const refused = ['paid', 'draft', 'cancelled'].includes(String(memberOf(body, 'data', 'status')));
      return refused ? { status: 400, refusal: 'state of the record' } : { status: 200, data: {} };
    },

    createInvoice(_request, body) {
      const { customer_id: customer, invoice_number: given, items, reference = null, date, due_date } = record(body);
      // A blank number counts as none (gap invoice.number-blank).
      const number = String(given ?? '').trim() === '' ? undefined : given;
      if (!customers.includes(Number(customer))) {
        return { status: 422, refusal: 'unknown customer', field: 'customer_id' };
      }
      if (number !== undefined && numbers.has(number)) {
        return { status: 422, refusal: 'number taken', field: 'invoice_number' };
      }
      const lines = linesOf(items);
      const totals = lines.map((line) => toCents(exactGross(line)));
      const amount = totals.reduce((sum, total) => sum + total, 0n);
      if (amount > largestAmount) return { status: 422, refusal: 'amount beyond the maximum', field: 'items' };
      return {
        status: 201,
        data: {
          status: 'pending',
          amount: Number(amount) / 100,
          ...(number === undefined ? {} : { invoice_number: number }),
          reference,
          date,
          due_date,
          invoice_items: lines.map(({ description, quantity, unit_price, tax_rate = 0 }, index) => ({
            description,
            quantity,
            unit_price,
            tax_rate,
            total: Number(totals[index]) / 100,
          })),
        },
      };
    },

    createPaymentLink(_request, body) {
      const { description, amount, currency = 'EUR' } = record(body);
      return { status: 201, data: { description, amount, currency } };
    },

    createDeposit(request, body) {
      const key = request.headers['Idempotency-Key'];
      const first = key === undefined ? undefined : answersByKey.get(key);
      if (first && first.body !== canonical(body)) return { status: 422, refusal: 'key used for another body' };
      if (first) return { status: first.answer.status, data: record(memberOf(first.answer.body, 'data')) };
      const { booking_reference, amount, currency = 'EUR', check_in_date, check_out_date, metadata } = record(body);
      return {
        status: 201,
        data: {
          booking_reference,
          amount,
          currency,
          check_in_date: check_in_date ?? null,
          check_out_date: check_out_date ?? null,
          metadata: metadata ?? {},
          status: 'pending',
          captured_amount: 0,
        },
      };
    },

    async captureDeposit(request, body) {
      const { status, body: answer } = await read('getDeposit', request);
      if (status === 404) return unknown;
      const deposit = record(memberOf(answer, 'data'));
      if (!holds(deposit)) return { status: 409, refusal: 'state of the record' };
      const rest = Number(deposit['remaining_amount']);
      const amount = Number(record(body)['amount'] ?? rest);
      if (minorUnitsOf(deposit['currency']) === 0 && !Number.isInteger(amount)) {
        return { status: 422, refusal: 'state of the record' };
      }
      if (amount > rest) return { status: 422, refusal: 'state of the record' };
      return {
        status: 200,
        data: {
          status: amount === rest ? 'captured' : 'partially_captured',
          captured_amount: sum(Number(deposit['captured_amount']), amount),
          remaining_amount: sum(rest, -amount),
        },
      };
    },

    async releaseDeposit(request) {
      const { status, body } = await read('getDeposit', request);
      if (status === 404) return unknown;
      const deposit = record(memberOf(body, 'data'));
      if (!holds(deposit)) return { status: 409, refusal: 'state of the record' };
      const { captured_amount } = deposit;
      return { status: 200, data: { status: 'released', captured_amount, remaining_amount: 0 } };
    },
  };

  return {
    async expect(request) {
      const { body } = request;
      if (body !== undefined && Buffer.byteLength(body) > largestBody) {
        return { status: 413, refusal: 'body too large' };
      }
      const expectation = expectations[request.operation];
      return expectation ? expectation(request, parsed(body)) : { status: 200, data: {} };
    },
    observe(request, answer) {
      if (answer.status >= 300) return;
      numbers.add(memberOf(answer.body, 'data', 'invoice_number'));
      const key = request.headers['Idempotency-Key'];
      if (key === undefined || answersByKey.has(key)) return;
      answersByKey.set(key, { body: canonical(parsed(request.body)), answer });
    },
  };
}

const unknown: Expectation = { status: 404, refusal: 'unknown record' };

function page(request: ApiRequest): Expectation {
  const requested = Object.fromEntries(request.query.filter(([, value]) => value !== ''));
  return {
    status: 200,
    data: { current_page: Number(requested['page'] ?? 1), per_page: Number(requested['per_page'] ?? 25) },
  };
}

function holds(deposit: Record<string, unknown>): boolean {
  return deposit['status'] === 'authorized' || deposit['status'] === 'partially_captured';
}

/** Sums amounts with two decimal places. */
function sum(a: number, b: number): number {
  return (Math.round(a * 100) + Math.round(b * 100)) / 100;
}

function linesOf(items: unknown): (Line & { description: string })[] {
  return (Array.isArray(items) ? items : []).map((item) => {
    const { description, quantity, unit_price, tax_rate } = record(item);
    return {
      description: String(description),
      quantity: Number(quantity),
      unit_price: Number(unit_price),
      tax_rate: tax_rate === undefined ? undefined : Number(tax_rate),
    };
  });
}

function parsed(body: string | undefined): unknown {
  return withoutNulls(JSON.parse(body ?? '{}'));
}

/** A body without the nulls that stand for fields left out (gap validation.null-optional); in metadata null is a value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const given = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(given.map(([name, member]) => [name, name === 'metadata' ? member : withoutNulls(member)]));
}

/** Canonical text of a body: equal for equivalent requests. */
function canonical(body: unknown): string {
  return JSON.stringify({ currency: 'EUR', ...record(body) }, (_name, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

function record(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`${JSON.stringify(value)} is not an object`);
  return value;
}
