import { randomInt } from 'node:crypto';
import { isRecord } from '../../../lib/json.js';
import {
  activeProbe,
  choiceWithOtherFields,
  NoMatchingChoice,
  type Probe,
  passiveProbe,
  unobservableProbe,
} from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { decimalOf, recordsAt, requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { formatExactJson, type JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { isAccepted, tryCreateInvoice } from '../attempts.js';
import { requireRecord } from '../created-records.js';
import {
  createdInvoice,
  minimalInvoice,
  pastDueInvoice,
  someInvoiceDetail,
  validItems,
} from '../invoice-creation/setups.js';
import { observeOverdueMoment } from '../overdue/observe-overdue-moment.js';
import { findInList, isFound, toListPage } from '../paging/setups.js';
import { newLink } from '../payment-links/setups.js';
import { customInvoiceNumber, customNumberCreation, paidInvoice } from '../statistics/setups.js';
import { observedNumberPattern } from './observed-number-pattern.js';

/** The fields of a transaction that a profile can select. */
const transactionFields = ['id', 'amount', 'currency', 'payment_method', 'status', 'reference', 'created_at'] as const;
/** The fields of a subscription that a profile can select. */
const subscriptionFields = ['id', 'name', 'interval', 'status'] as const;

/** Returns the choice that matches the fields of a record, and the fields that no profile can select. */
function fieldsChoice<Field extends string>(record: JsonObject, knownFields: readonly Field[]) {
  const fields = knownFields.filter((field) => field in record);
  const otherFields = Object.keys(record).filter((name) => !knownFields.some((field) => field === name));
  return choiceWithOtherFields(fields.length === knownFields.length ? 'all' : { fields }, otherFields);
}

/** Maximum number of invoices to search for a subscription. */
const maxSearchedInvoices = 10;

/** Finds a subscription in the detail view of an invoice that this run did not create. @throws Skip if none is found */
async function findSubscription(context: ClauseContext): Promise<JsonObject> {
  const { records } = toListPage(await context.get('/invoices?per_page=100'));
  const isCreatedByThisRun = (record: JsonObject): boolean =>
    (formatExactJson(record) ?? '').includes(context.session.runId);
  const searched = records.filter((record) => !isCreatedByThisRun(record)).slice(0, maxSearchedInvoices);
  for (const { id } of searched) {
    const detail = await context.get(`/invoices/${id}`);
    const subscription = valueAt(detail.json, 'data.subscription');
    if (isRecord(subscription)) return subscription;
  }
  throw new Skip({
    missing: 'an invoice with a subscription',
    reason: `the API cannot create subscriptions, and none was found in ${searched.length} invoices from before this run`,
  });
}

/**
 * Lengths of the invoice numbers to try, which consist of spaces. A target that stores such numbers may refuse one that an earlier run has
 * used, so the lengths are random; and it may refuse long numbers, so short ones follow.
 */
function blankLengths(): readonly number[] {
  return [randomInt(21, 200), randomInt(11, 21), randomInt(1, 11)];
}

/** True if a value equals an amount, apart from the rounding errors of floating-point numbers. */
function equalsAmount(value: unknown, expected: number): boolean {
  return Math.abs((decimalOf(value) ?? Number.NaN) - expected) < 0.001;
}

/** Probes for the gaps about invoices: how they are numbered, calculated, shown and paid. */
export const invoiceProbes: readonly Probe[] = [
  passiveProbe({
    gap: 'invoice.number-format',
    evidenceFields: ['date', 'invoice_number'],
    findChoice: async (context) => {
      const invoices = [await context.use(createdInvoice), await context.use(minimalInvoice)];
      const pastDue = await ifPossible(context.use(pastDueInvoice));
      // The year according to the target's clock, which may differ from the suite's. It is taken from a new link, since
      // invoices do not show when they were created.
      const creationYear = String((await ifPossible(context.use(newLink)))?.record['created_at'] ?? '').slice(0, 4);
      const { exchanges } = context.session.target;
      // Clauses that have run before may have created these invoices in another order.
      const inOrderOfCreation = [...invoices, ...(pastDue ? [pastDue] : [])].sort(
        (a, b) => exchanges.indexOf(a.exchange) - exchanges.indexOf(b.exchange),
      );
      const numberedInvoices = inOrderOfCreation.map(({ record, body }) => ({
        number: String(record['invoice_number']),
        year: String(body['date']).slice(0, 4),
        creationYear,
      }));
      // Numbers of more than five digits are not padded.
      const isYearly = ({ number, year }: (typeof numberedInvoices)[number]): boolean =>
        new RegExp(`^INV-${year}-(\\d{5}|[1-9]\\d{5,})$`).test(number);
      const pattern = observedNumberPattern(numberedInvoices);
      if (pattern === undefined) return new NoMatchingChoice(numberedInvoices.map(({ number }) => number));
      return numberedInvoices.every(isYearly) ? 'yearly' : { pattern };
    },
  }),
  activeProbe({
    gap: 'invoice.number-duplicate',
    evidenceFields: ['invoice_number'],
    findChoice: async (context) => {
      // Makes sure that an invoice with this number exists.
      requireRecord((await context.use(customNumberCreation)).exchange);
      return isAccepted(await tryCreateInvoice(context, { invoice_number: customInvoiceNumber(context) }))
        ? 'accepted'
        : 'refused';
    },
  }),
  activeProbe({
    gap: 'invoice.number-blank',
    evidenceFields: ['invoice_number'],
    findChoice: async (context) => {
      for (const length of blankLengths()) {
        const blank = ' '.repeat(length);
        const exchange = await tryCreateInvoice(context, { invoice_number: blank });
        if (!isAccepted(exchange)) continue;
        const { invoice_number: number } = requireRecord(exchange);
        if (number === blank) return 'kept';
        return String(number ?? '').trim() === '' ? new NoMatchingChoice(number) : 'generated';
      }
      // A target whose database ignores trailing spaces takes them all for the number that an earlier run has used.
      const found = await findInList(context, '/invoices', ({ invoice_number: number }) => /^ +$/.test(String(number)));
      return isFound(found) ? 'kept' : 'refused';
    },
  }),
  activeProbe({
    gap: 'invoice.amount',
    evidenceFields: ['amount'],
    findChoice: async (context) => {
      const item = {
        description: context.withRunPrefix('a third of 100'),
        quantity: 1,
        unit_price: 33.33,
        tax_rate: 19.6,
      };
      // A line with tax is 39.86268, so the sum of three rounded lines (119.58) differs from the rounded sum (119.59).
      const { amount } = requireRecord(await tryCreateInvoice(context, { items: [item, item, item] }));
      if (equalsAmount(amount, 119.58)) return 'taxed-lines';
      if (equalsAmount(amount, 99.99)) return 'net';
      return equalsAmount(amount, 119.59) ? 'rounded-once' : new NoMatchingChoice(amount);
    },
  }),
  unobservableProbe('invoice.currency'),
  passiveProbe({
    gap: 'invoice.line-total',
    evidenceFields: ['tax_rate', 'total'],
    findChoice: async (context) => {
      // Makes sure that the target has an invoice with the line to find.
      await context.use(createdInvoice);
      const { description, quantity, unit_price } = validItems(context).taxed;
      const lines = recordsAt(requireSuccess(await context.use(someInvoiceDetail)).json, 'data.invoice_items');
      const line = lines.find((candidate) => candidate['description'] === description);
      if (!line) throw new Blocked('the invoice does not show the line that was sent');
      const { total } = line;
      if (equalsAmount(total, quantity * unit_price)) return 'excluded';
      // 2 × 9.95 with 5 % tax is 20.895, which may be rounded up or down.
      return equalsAmount(total, 20.9) || equalsAmount(total, 20.89) ? 'included' : new NoMatchingChoice(total);
    },
  }),
  passiveProbe({
    gap: 'invoice.transactions',
    evidenceFields: ['transactions'],
    findChoice: async (context) => {
      const { detail } = await context.use(paidInvoice);
      const [transaction] = recordsAt(detail, 'transactions');
      if (!transaction) throw new Blocked('the paid invoice has no transaction');
      return fieldsChoice(transaction, transactionFields);
    },
  }),
  activeProbe({
    gap: 'invoice.subscription',
    evidenceFields: ['subscription'],
    findChoice: async (context) => fieldsChoice(await findSubscription(context), subscriptionFields),
  }),
  passiveProbe({
    gap: 'invoice.transitions',
    evidenceFields: ['status'],
    findChoice: async (context) => {
      const { detail } = await context.use(paidInvoice);
      if (detail['status'] !== 'paid') return new NoMatchingChoice(`${detail['status']} after its payment`);
      // The gap has one choice, `table` (`domain/invoice-lifecycle.ts`), which one transition cannot confirm.
      throw new Skip({
        missing: 'the other transitions',
        reason: 'an invoice became `paid`, as expected; no other transition was observed',
      });
    },
  }),
  activeProbe({
    gap: 'invoice.overdue-moment',
    evidenceFields: ['due_date', 'status'],
    findChoice: observeOverdueMoment,
  }),
  unobservableProbe('invoice.other-currencies'),
  unobservableProbe('invoice.reminder-cancelled'),
  unobservableProbe(
    'overdue.link-null',
    'observing this needs an unfinished payment, but the API cannot start payments, and drivers complete each payment',
  ),
];
