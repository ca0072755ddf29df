import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import {
  decimalOf,
  expectField,
  expectStatus,
  expectSuccess,
  expectValue,
  nonEmptyString,
  recordsAt,
  requireSuccess,
  valueAt,
} from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { isSameAmount } from '../../predicates/amounts.js';
import { isPresent } from '../../predicates/matchers.js';
import { invoiceCreatedMessage, newInvoiceStatus } from '../../predicates/statements.js';
import { clockSkewMs } from '../clock.js';
import { createdInvoices } from '../created-invoices.js';
import { requireRecord } from '../created-records.js';
import { expectAccepted } from '../expect-accepted.js';
import { detailQuotes, invoiceQuotes, lineQuotes, newInvoiceQuotes, newItemQuotes } from '../field-quotes.js';
import { dataLocation, recordOf } from '../fields.js';
import { fractionalItem, olderCustomerInvoice, recentPastDueInvoice, repeatedItem } from '../invoice-detail/setups.js';
import {
  expectFieldsAsSent,
  expectLinesAsSent,
  expectLinesInOrder,
  expectNoCustomerFields,
  expectSameCustomer,
  invoiceFieldClauses,
} from '../invoice-fields.js';
import { detailedInvoice, returnedInvoice } from '../invoice-list/setups.js';
import { successesSoFar } from '../responses.js';
import { expectFieldEquals, isSameValue } from '../same-values.js';
import { customInvoiceNumber, customNumberCreation } from '../statistics/setups.js';
import { isWithin, lineTotalRange, sumOfRanges } from './line-totals.js';
import {
  concurrentInvoices,
  creationAfterTakenNumber,
  customerId,
  dateInDays,
  fullCreation,
  minimalCreation,
  minimalInvoice,
  minimumQuantityInvoice,
  pastDueCreation,
} from './setups.js';
import { validBodies } from './valid-bodies.js';

/** Common to clauses about the creation of invoices. */
export const creationSource = {
  level: 'documented',
  operation: 'createInvoice',
  spec: 'POST /invoices',
  quote:
    'Response: HTTP 201; body has `success` true, `message` `Invoice created successfully`, and `data` holding the new invoice (list-view fields including `customer` and `invoice_items`), with `status` `pending`.',
} as const;

/** All successful creations so far. @throws Blocked unless the creation with all fields succeeded */
async function allCreations(context: ClauseContext): Promise<readonly Exchange[]> {
  requireSuccess((await context.use(fullCreation)).exchange);
  return successesSoFar(context, creationSource.operation);
}

/** Invoice creation: accepted bodies and their results. */
export const invoiceCreateClauses: readonly Clause[] = [
  ...validBodies.map(
    ([number, quote, title, creation]): Clause => ({
      ...creationSource,
      id: `INV-CREATE-${number}`,
      quote,
      title,
      check: async (context) => expectAccepted(context, (await context.use(creation)).exchange),
    }),
  ),
  {
    ...creationSource,
    id: 'INV-CREATE-06',
    title: 'Creating an invoice returns 201.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const exchange of await allCreations(context)) expectStatus(exchange, 201);
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-07',
    title: 'Creating an invoice returns the message `Invoice created successfully`.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const exchange of await allCreations(context)) expectField(exchange, 'message', invoiceCreatedMessage);
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-08',
    title: 'A new invoice is `pending`.',
    readsEarlierResponses: true,
    check: async (context) => {
      expectField((await context.use(returnedInvoice)).exchange, 'data.status', newInvoiceStatus);
      // INV-CREATE-35 is about invoices that are overdue. In the target's time zone it may already be tomorrow, so only
      // later due dates are certainly not past.
      const tomorrow = dateInDays(1, await context.use(clockSkewMs));
      for (const { exchange, body } of await createdInvoices(context)) {
        if (String(body['due_date']) > tomorrow) expectField(exchange, 'data.status', newInvoiceStatus);
      }
    },
  },
  ...invoiceFieldClauses({
    prefix: 'INV-CREATE',
    firstNumber: 11,
    companyClauseNumber: 40,
    ...creationSource,
    spec: 'Invoice',
    recordName: 'a new invoice',
    location: returnedInvoice,
  }),
  {
    ...creationSource,
    id: 'INV-CREATE-29',
    spec: 'States and transitions',
    quote: '| (none) | POST /invoices | valid request | pending | invoice number is generated when not supplied |',
    title: 'An invoice number is generated if none is given.',
    check: async (context) => {
      for (const creation of [fullCreation, minimalCreation]) {
        const { exchange } = await context.use(creation);
        expectField(requireSuccess(exchange), 'data.invoice_number', nonEmptyString);
      }
    },
  },
  {
    ...creationSource,
    level: 'inferred',
    id: 'INV-CREATE-30',
    quote: newInvoiceQuotes.invoice_number,
    title: 'A generated number is not that of an earlier invoice.',
    readsEarlierResponses: true,
    check: async (context) => {
      await context.use(minimalInvoice);
      const numbers = new Set<unknown>();
      for (const { exchange, body, record } of await createdInvoices(context)) {
        const { invoice_number: number } = record;
        if (!isPresent(number)) throw new Blocked('a response shows no `invoice_number`', exchange);
        if (body['invoice_number'] === undefined && numbers.has(number))
          throw new Violation(`a number other than ${number}, which another invoice has`, number, exchange);
        numbers.add(number);
      }
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-31',
    quote: newInvoiceQuotes.invoice_number,
    title: 'An invoice keeps the given number.',
    check: async (context) => {
      const { exchange } = await context.use(customNumberCreation);
      requireRecord(exchange);
      expectValue(exchange, 'data.invoice_number', customInvoiceNumber(context));
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-32',
    quote: newItemQuotes.tax_rate,
    title: 'The tax rate of an item without `tax_rate` is 0.',
    check: async (context) => {
      const { exchange } = await context.use(minimalInvoice);
      expectValue(exchange, 'data.invoice_items.0.tax_rate', 0);
    },
  },
  {
    ...creationSource,
    level: 'inferred',
    id: 'INV-CREATE-33',
    spec: 'Invoice',
    quote: lineQuotes.total,
    title: 'The total of a line without tax is its quantity times its price.',
    check: async (context) => {
      for (const [invoice, expected] of [
        // Quantity times price of the line: 0.5 × 10.50, and 0.01 × 29.
        [minimalInvoice, 5.25],
        [minimumQuantityInvoice, 0.29],
      ] as const) {
        const { exchange } = await context.use(invoice);
        const total = decimalOf(valueAt(exchange.json, 'data.invoice_items.0.total'));
        if (total === undefined) throw new Blocked('the line of the new invoice has no decimal `total`', exchange);
        if (!isSameAmount(total, expected))
          throw new Violation(`\`data.invoice_items.0.total\` to be ${expected}`, total, exchange);
      }
    },
  },
  {
    ...creationSource,
    level: 'inferred',
    id: 'INV-CREATE-44',
    spec: 'Invoice',
    quote: lineQuotes.total,
    title: 'The total of each line is its quantity times its price, with or without its tax.',
    readsEarlierResponses: true,
    check: async (context) => {
      let hasLines = false;
      for (const { exchange } of await createdInvoices(context)) {
        for (const line of recordsAt(exchange.json, 'data.invoice_items')) {
          hasLines = true;
          const range = lineTotalRange(line);
          const total = decimalOf(line['total']);
          if (total === undefined || !range)
            throw new Blocked('a line lacks a decimal quantity, price, tax rate or total', exchange);
          if (!isWithin(total, range))
            throw new Violation(`a line \`total\` from ${range.net} to ${range.gross}`, total, exchange);
        }
      }
      if (!hasLines) throw new Blocked('no new invoice has lines');
    },
  },
  {
    ...creationSource,
    // The specification does not say how the amount is computed from the items.
    level: 'inferred',
    id: 'INV-CREATE-45',
    spec: 'Invoice',
    quote: invoiceQuotes.amount,
    title: 'The amount of an invoice is the sum of its lines, with or without tax.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { exchange, record } of await createdInvoices(context)) {
        const lines = recordsAt(exchange.json, 'data.invoice_items');
        const ranges = lines.flatMap((line) => lineTotalRange(line) ?? []);
        const amount = decimalOf(record['amount']);
        if (amount === undefined || ranges.length < lines.length)
          throw new Blocked('the invoice has no `amount`, or a line lacks a number', exchange);
        const sum = sumOfRanges(ranges);
        if (!isWithin(amount, sum))
          throw new Violation(`\`data.amount\` from ${sum.net} to ${sum.gross}`, amount, exchange);
      }
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-34',
    quote: newInvoiceQuotes.due_date,
    title: 'An invoice that was due long ago is created: its due date only has to be on or after its date.',
    check: async (context) => expectAccepted(context, (await context.use(pastDueCreation)).exchange),
  },
  {
    ...creationSource,
    // The specification says "with `status` `pending`", but not whether that holds for an invoice that is already
    // overdue.
    level: 'inferred',
    id: 'INV-CREATE-35',
    title: 'An invoice that was due long ago is `pending` in the response to its creation.',
    check: async (context) => {
      const { exchange } = await context.use(pastDueCreation);
      requireRecord(exchange);
      expectValue(exchange, 'data.status', 'pending');
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-36',
    quote: newInvoiceQuotes.items,
    title: 'If an invoice has two identical items, both become lines.',
    check: async (context) => {
      const { exchange } = await context.use(recentPastDueInvoice);
      const { description } = repeatedItem(context);
      const lines = recordsAt(exchange.json, 'data.invoice_items').filter(
        (line) => line['description'] === description,
      );
      if (lines.length !== 2) throw new Violation(`two lines with the description ${description}`, lines, exchange);
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-37',
    quote: newInvoiceQuotes.customer_id,
    title: 'An invoice is for the given customer, even if there are newer customers.',
    check: async (context) =>
      expectFieldEquals(await context.use(olderCustomerInvoice), 'customer.id', await context.use(customerId)),
  },
  {
    ...creationSource,
    id: 'INV-CREATE-38',
    quote: newItemQuotes.quantity,
    title: 'The quantity, price and tax rate of an item may have decimal places, and are returned with them.',
    check: async (context) => {
      const { exchange } = await context.use(recentPastDueInvoice);
      const item = fractionalItem(context);
      // Either number identifies the line, in case the target has changed the other.
      const lines = recordsAt(exchange.json, 'data.invoice_items');
      const index = lines.findIndex(
        ({ quantity, unit_price: price }) =>
          isSameValue(quantity, item['quantity']) || isSameValue(price, item['unit_price']),
      );
      if (index === -1)
        throw new Violation(
          `a line with the quantity ${item['quantity']} or the price ${item['unit_price']}`,
          lines,
          exchange,
        );
      for (const field of ['quantity', 'unit_price', 'tax_rate']) {
        expectFieldEquals({ exchange, path: `data.invoice_items.${index}` }, field, item[field]);
      }
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-09',
    title: 'Creating an invoice returns its customer, reference and dates as they were sent.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const created of await createdInvoices(context)) expectFieldsAsSent(dataLocation(created.exchange), created);
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-10',
    title: 'Creating an invoice returns its lines as they were sent.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const created of await createdInvoices(context)) expectLinesAsSent(dataLocation(created.exchange), created);
    },
  },
  {
    ...creationSource,
    level: 'inferred',
    id: 'INV-CREATE-47',
    spec: 'Invoice',
    quote: invoiceQuotes.invoice_items,
    title: 'Creating an invoice returns its lines in the order in which its items were sent.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const created of await createdInvoices(context)) expectLinesInOrder(dataLocation(created.exchange), created);
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-48',
    spec: 'Invoice',
    quote: invoiceQuotes.customer,
    title: 'The customer in the response to the creation of an invoice equals the one in the detail view.',
    check: async (context) => {
      const detailed = await context.use(detailedInvoice);
      expectSameCustomer(await context.use(returnedInvoice), recordOf(detailed), ['name', 'email', 'company']);
    },
  },
  {
    ...creationSource,
    id: 'INV-CREATE-42',
    spec: 'Invoice',
    quote: detailQuotes.customer,
    title: 'Creating an invoice returns neither the phone nor the address of the customer.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const exchange of await allCreations(context)) expectNoCustomerFields(dataLocation(exchange));
    },
  },
  {
    ...creationSource,
    level: 'inferred',
    id: 'INV-CREATE-43',
    quote: newInvoiceQuotes.invoice_number,
    title: 'Two invoices that are created concurrently get different numbers.',
    check: async (context) => {
      const [first, second] = await context.use(concurrentInvoices);
      const number = second.record['invoice_number'];
      if (!isPresent(number)) throw new Blocked('the response shows no `invoice_number`', second.exchange);
      if (number === first.record['invoice_number'])
        throw new Violation(`an \`invoice_number\` other than ${number}`, number, second.exchange);
    },
  },
  {
    ...creationSource,
    level: 'inferred',
    id: 'INV-CREATE-46',
    quote: newInvoiceQuotes.invoice_number,
    title: 'A generated number is not taken, even if a client has given an invoice the number that would come next.',
    check: async (context) => {
      const { takenNumber, next } = await context.use(creationAfterTakenNumber);
      expectSuccess(next.exchange);
      const number = valueAt(next.exchange.json, 'data.invoice_number');
      if (!isPresent(number)) throw new Blocked('the response shows no `invoice_number`', next.exchange);
      if (number === takenNumber)
        throw new Violation(`a number other than ${number}, which another invoice has`, number, next.exchange);
    },
  },
];
