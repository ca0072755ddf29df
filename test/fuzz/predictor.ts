import type { Seed } from '../../src/domain/seed.js';
import type { OperationId } from '../../src/generated/billing-document.js';
import { isRecord } from '../../src/lib/json.js';
import { exactGross, type Line, roundToCents } from '../domain/exact.js';
import type { Client, ServiceResponse } from './client.js';
import { memberOf } from './document.js';
import type { ApiRequest } from './requests.js';
import { decimalPlacesOf } from './valid-values.js';

/** Expected response to a request that is valid under the schemas of the document. */
type Expectation =
  /** Success, with these values in the payload. */
  | { readonly status: number; readonly data: Readonly<Record<string, unknown>>; readonly rejection?: undefined }
  /** Error that the schemas cannot predict, and the field that it names, if any. */
  | { readonly status: number; readonly rejection: RejectionReason; readonly field?: string };

/** Reason why the service rejects a request that is valid under the schemas. */
export type RejectionReason =
  | 'unknown record'
  | 'state of the record'
  | 'unknown customer'
  | 'invoice number taken'
  | 'amount above the maximum'
  | 'idempotency key reused with another body'
  | 'body too large';

/** Predicts the responses to valid requests from earlier responses. */
export interface Predictor {
  predict(request: ApiRequest): Promise<Expectation>;
  /** Remembers a response, since later ones may depend on it. */
  observe(request: ApiRequest, response: ServiceResponse): void;
}

// Limits of the simulator with its default profile.
const maxBodyBytes = 100_000;
const maxInvoiceAmountCents = 99_999_999n;

/**
 * @param client reads the record that a request changes
 * @param seed the records that the account began with
 */
export function createPredictor(client: Client, seed: Seed): Predictor {
  const customerIds = seed.customers.map(({ id }) => id);
  const invoiceIds = new Set<unknown>(seed.invoices.map(({ id }) => id));
  const depositIds = new Set<unknown>(seed.deposits.map(({ id }) => id));
  const invoiceNumbers = new Set<unknown>();
  /** The first successful request with each idempotency key: its body, as canonical text, and the response. */
  const firstUses = new Map<string, { body: string; response: ServiceResponse }>();

  const read = (operation: 'getInvoice' | 'getDeposit', request: ApiRequest): Promise<ServiceResponse> =>
    client.send({
      operation,
      id: request.id,
      query: [],
      headers: { authorization: 'Bearer demo_read' },
      body: undefined,
    });

  const predictDetail = (ids: ReadonlySet<unknown>, id: number): Expectation =>
    ids.has(id) ? { status: 200, data: { id } } : unknownRecord;

  const predictByOperation: Record<
    OperationId,
    (request: ApiRequest, body: unknown) => Promise<Expectation> | Expectation
  > = {
    listInvoices: expectPage,
    listPaymentLinks: expectPage,
    listPayments: expectPage,
    listDeposits: expectPage,

    // The fields of these responses are checked against the document.
    getInvoiceStats: () => ({ status: 200, data: {} }),
    listOverdueInvoices: () => ({ status: 200, data: {} }),

    getInvoice: ({ id }) => predictDetail(invoiceIds, Number(id)),
    getDeposit: ({ id }) => predictDetail(depositIds, Number(id)),

    async sendInvoiceReminder(request) {
      const { status, body } = await read('getInvoice', request);
      if (status === 404) return unknownRecord;
      const isRejected = ['paid', 'draft', 'cancelled'].includes(String(memberOf(body, 'data', 'status')));
      return isRejected ? { status: 400, rejection: 'state of the record' } : { status: 200, data: {} };
    },

    createInvoice(_request, body) {
      const { customer_id, invoice_number, items, reference = null, date, due_date } = toRecord(body);
      // A blank number counts as absent (gap invoice.number-blank).
      const chosenNumber = String(invoice_number ?? '').trim() === '' ? undefined : invoice_number;
      if (!customerIds.includes(Number(customer_id))) {
        return { status: 422, rejection: 'unknown customer', field: 'customer_id' };
      }
      if (chosenNumber !== undefined && invoiceNumbers.has(chosenNumber)) {
        return { status: 422, rejection: 'invoice number taken', field: 'invoice_number' };
      }
      const lines = linesOf(items);
      const totals = lines.map((line) => roundToCents(exactGross(line)));
      const amount = totals.reduce((sum, total) => sum + total, 0n);
      if (amount > maxInvoiceAmountCents) return { status: 422, rejection: 'amount above the maximum', field: 'items' };
      return {
        status: 201,
        data: {
          status: 'pending',
          amount: Number(amount) / 100,
          ...(chosenNumber === undefined ? {} : { invoice_number: chosenNumber }),
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
      const { description, amount, currency = 'EUR' } = toRecord(body);
      return { status: 201, data: { description, amount, currency } };
    },

    createDeposit(request, body) {
      const key = request.headers['Idempotency-Key'];
      const firstUse = key === undefined ? undefined : firstUses.get(key);
      if (firstUse && firstUse.body !== toCanonicalText(body)) {
        return { status: 422, rejection: 'idempotency key reused with another body' };
      }
      if (firstUse)
        return { status: firstUse.response.status, data: toRecord(memberOf(firstUse.response.body, 'data')) };
      const { booking_reference, amount, currency = 'EUR', check_in_date, check_out_date, metadata } = toRecord(body);
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
      const response = await read('getDeposit', request);
      if (response.status === 404) return unknownRecord;
      const deposit = toRecord(memberOf(response.body, 'data'));
      if (!canCaptureOrRelease(deposit)) return { status: 409, rejection: 'state of the record' };
      const remaining = Number(deposit['remaining_amount']);
      const amount = Number(toRecord(body)['amount'] ?? remaining);
      if (decimalPlacesOf(deposit['currency']) === 0 && !Number.isInteger(amount)) {
        return { status: 422, rejection: 'state of the record' };
      }
      if (amount > remaining) return { status: 422, rejection: 'state of the record' };
      return {
        status: 200,
        data: {
          status: amount === remaining ? 'captured' : 'partially_captured',
          captured_amount: addAmounts(Number(deposit['captured_amount']), amount),
          remaining_amount: addAmounts(remaining, -amount),
        },
      };
    },

    async releaseDeposit(request) {
      const { status, body } = await read('getDeposit', request);
      if (status === 404) return unknownRecord;
      const deposit = toRecord(memberOf(body, 'data'));
      if (!canCaptureOrRelease(deposit)) return { status: 409, rejection: 'state of the record' };
      const { captured_amount } = deposit;
      return { status: 200, data: { status: 'released', captured_amount, remaining_amount: 0 } };
    },
  };

  return {
    async predict(request) {
      const { body } = request;
      if (body !== undefined && Buffer.byteLength(body) > maxBodyBytes) {
        return { status: 413, rejection: 'body too large' };
      }
      return predictByOperation[request.operation](request, parseBody(body));
    },
    observe(request, response) {
      if (response.status >= 300) return;
      if (request.operation === 'createInvoice') invoiceIds.add(memberOf(response.body, 'data', 'id'));
      if (request.operation === 'createDeposit') depositIds.add(memberOf(response.body, 'data', 'id'));
      invoiceNumbers.add(memberOf(response.body, 'data', 'invoice_number'));
      const key = request.headers['Idempotency-Key'];
      if (key === undefined || firstUses.has(key)) return;
      firstUses.set(key, { body: toCanonicalText(parseBody(request.body)), response });
    },
  };
}

const unknownRecord: Expectation = { status: 404, rejection: 'unknown record' };

function expectPage(request: ApiRequest): Expectation {
  const query = Object.fromEntries(request.query.filter(([, value]) => value !== ''));
  return {
    status: 200,
    data: { current_page: Number(query['page'] ?? 1), per_page: Number(query['per_page'] ?? 25) },
  };
}

/** Returns true if the status of a deposit allows a capture or a release. */
function canCaptureOrRelease(deposit: Record<string, unknown>): boolean {
  return deposit['status'] === 'authorized' || deposit['status'] === 'partially_captured';
}

/** Adds amounts with two decimal places. */
function addAmounts(a: number, b: number): number {
  return (Math.round(a * 100) + Math.round(b * 100)) / 100;
}

function linesOf(items: unknown): (Line & { description: string })[] {
  return (Array.isArray(items) ? items : []).map((item) => {
    const { description, quantity, unit_price, tax_rate } = toRecord(item);
    return {
      description: String(description),
      quantity: Number(quantity),
      unit_price: Number(unit_price),
      tax_rate: tax_rate === undefined ? undefined : Number(tax_rate),
    };
  });
}

function parseBody(body: string | undefined): unknown {
  return withoutNulls(JSON.parse(body ?? '{}'));
}

/** Removes fields that are null, which count as absent (gap validation.null-optional); in metadata null is a value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === 'metadata' ? member : withoutNulls(member)]),
  );
}

/** Converts a body to text that is equal for equivalent requests: with the default currency and sorted fields. */
function toCanonicalText(body: unknown): string {
  return JSON.stringify({ currency: 'EUR', ...toRecord(body) }, (_name, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

function toRecord(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`${JSON.stringify(value)} is not an object`);
  return value;
}
