import { isRecord } from '../../../lib/json.js';
import { Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import {
  anArray,
  anObject,
  aString,
  expectField,
  expectSuccess,
  expectValue,
  orAbsent,
  orNull,
  recordsAt,
  valueAt,
} from '../../engine/expect.js';
import { formatExactJson } from '../../engine/json.js';
import { setup } from '../../engine/session.js';
import { checkShownInvoices } from '../created-invoices.js';
import { detailQuotes, invoiceQuotes, invoiceStatusQuotes, lineQuotes } from '../field-quotes.js';
import { allRecords, fieldClauses } from '../fields.js';
import {
  createdCustomer,
  createdInvoice,
  invoicePath,
  someInvoice,
  someInvoiceDetail,
} from '../invoice-creation/setups.js';
import {
  detailOnlyCustomerFields,
  expectFieldsAsReturned,
  expectFieldsAsSent,
  expectLinesAsSent,
  expectLinesInOrder,
  expectLineTotalsAsReturned,
  expectSameCustomer,
  fieldsByClauseNumber,
  invoiceFieldClauses,
} from '../invoice-fields.js';
import { detailedInvoice } from '../invoice-list/setups.js';
import { impossibleStatusClause } from '../invoice-status-clauses.js';
import { nonexistentInteger } from '../nonexistent-id.js';
import { expectRefused } from '../refusals.js';
import { successesSoFar } from '../responses.js';
import { expectFieldEquals, expectSameText, isSameText } from '../same-values.js';
import { overdueListAfterPayment, paidInvoice, paymentBeforeDueDate } from '../statistics/setups.js';
import { fractionalItem, futureDetail, recentPastDueDetail, recentPastDueInvoice, unusualDetail } from './setups.js';

/** Common to clauses about the fields of the detail view. */
const common = {
  level: 'documented',
  operation: 'getInvoice',
  spec: 'Invoice',
  quote: 'The invoice detail response adds:',
} as const;
/** Common to clauses about the endpoint. */
const endpoint = {
  ...common,
  spec: 'GET /invoices/{invoice}',
  quote: 'Path parameter `invoice`: integer invoice ID.',
} as const;

const view = { prefix: 'INV-DETAIL', operation: common.operation, name: 'the detail view' } as const;

const customerFields = ['name', 'email', 'company', ...detailOnlyCustomerFields] as const;

const nonexistentInvoiceResponse = setup('the response for an invoice that does not exist', (context) =>
  context.get(`/invoices/${nonexistentInteger}`),
);

/** Invoice detail. */
export const invoiceDetailClauses: readonly Clause[] = [
  {
    ...endpoint,
    id: 'INV-DETAIL-01',
    quote: 'Response: `data` is the invoice in detail view.',
    title: 'An invoice can be read by its id.',
    check: async (context) => {
      expectSuccess(await context.use(someInvoiceDetail));
      // Reads these invoices now, because later clauses check all reads so far.
      for (const detail of [futureDetail, unusualDetail]) await context.runIfPossible(detail);
    },
  },
  {
    ...endpoint,
    id: 'INV-DETAIL-02',
    title: 'The returned invoice is the requested one.',
    check: async (context) =>
      expectFieldEquals(await context.use(detailedInvoice), 'id', (await context.use(someInvoice))['id']),
  },
  {
    ...endpoint,
    id: 'INV-DETAIL-53',
    title: 'Every read of an invoice returns the requested one, whichever token is used.',
    readsEarlierResponses: true,
    check: async (context) => {
      await context.use(detailedInvoice);
      for (const exchange of successesSoFar(context, common.operation)) {
        const id = valueAt(exchange.json, 'data.id');
        const [, , requestedId] = exchange.call.path.split('/');
        if (id !== undefined && String(id) !== requestedId)
          throw new Violation(`\`data.id\` to be ${requestedId}`, id, exchange);
      }
    },
  },
  {
    ...endpoint,
    id: 'INV-DETAIL-03',
    title: 'An invoice that does not exist cannot be read.',
    check: async (context) => expectRefused(context, await context.use(nonexistentInvoiceResponse), detailedInvoice),
  },
  ...invoiceFieldClauses({
    prefix: 'INV-DETAIL',
    firstNumber: 11,
    companyClauseNumber: 50,
    ...common,
    recordName: 'an invoice in the detail view',
    location: detailedInvoice,
  }),
  ...fieldClauses({
    prefix: 'INV-DETAIL',
    ...common,
    quotes: detailQuotes,
    recordName: 'an invoice in the detail view',
    records: allRecords(common.operation, detailedInvoice),
    fields: {
      ...fieldsByClauseNumber(29, [['notes', orAbsent(aString)]]),
      ...fieldsByClauseNumber(
        30,
        detailOnlyCustomerFields.map((field) => [`customer.${field}`, orAbsent(aString)]),
      ),
      ...fieldsByClauseNumber(35, [
        ['transactions', anArray],
        ['subscription', orNull(anObject)],
      ]),
    },
  }),
  {
    ...common,
    id: 'INV-DETAIL-39',
    quote: detailQuotes.notes,
    title: 'The detail view shows the notes as they were sent.',
    readsEarlierResponses: true,
    check: (context) =>
      checkShownInvoices(context, 'getInvoice', (location, { body }) => {
        if (body['notes'] !== undefined) expectFieldEquals(location, 'notes', body['notes']);
      }),
  },
  {
    ...common,
    id: 'INV-DETAIL-41',
    quote: invoiceQuotes.customer,
    title: 'In the detail view, the customer equals the one in the create response.',
    readsEarlierResponses: true,
    check: (context) =>
      checkShownInvoices(context, 'getInvoice', (location, { record }) =>
        expectSameCustomer(location, record, ['name', 'email', 'company']),
      ),
  },
  {
    ...common,
    // The specification says "`null` when the invoice has no subscription". This suggests, but does not state, that an
    // invoice that was created through the API has none.
    level: 'inferred',
    id: 'INV-DETAIL-42',
    quote: detailQuotes.subscription,
    title: '`subscription` is null for an invoice without a subscription, such as one created through the API.',
    check: async (context) => {
      await context.use(createdInvoice);
      expectValue((await context.use(detailedInvoice)).exchange, 'data.subscription', null);
    },
  },
  {
    ...common,
    id: 'INV-DETAIL-43',
    spec: 'States and transitions',
    quote: invoiceStatusQuotes.paid,
    title: 'An invoice that was fully paid is `paid`.',
    check: async (context) => expectValue((await context.use(paidInvoice)).page, 'data.status', 'paid'),
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-DETAIL-44',
    quote: detailQuotes.transactions,
    title: 'An invoice that was paid has a transaction.',
    check: async (context) => {
      const { page } = await context.use(paidInvoice);
      expectField(page, 'data.transactions', anArray);
      const transactions = valueAt(page.json, 'data.transactions');
      if (!Array.isArray(transactions) || transactions.length === 0 || !transactions.every(isRecord)) {
        throw new Violation(
          '`data.transactions` to be an array with an object for each transaction',
          transactions,
          page,
        );
      }
      const texts = transactions.map(formatExactJson);
      const repeated = transactions.find((_transaction, index) => texts.indexOf(texts[index]) !== index);
      if (repeated) throw new Violation('`data.transactions` to have each transaction once', repeated, page);
    },
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-DETAIL-51',
    quote: detailQuotes.transactions,
    title: 'An invoice that was not paid has no transaction, even if another invoice of its customer has one.',
    check: async (context) => {
      // An invoice of the same customer is paid before the detail view of this one is read.
      await context.use(overdueListAfterPayment);
      const { exchange, path } = await context.use(recentPastDueDetail);
      const transactions = valueAt(exchange.json, `${path}.transactions`);
      if (recordsAt(exchange.json, `${path}.transactions`).length > 0)
        throw new Violation(`\`${path}.transactions\` to be empty`, transactions, exchange);
    },
  },
  {
    ...common,
    id: 'INV-DETAIL-46',
    quote: invoiceQuotes.reference,
    title: 'The detail view shows reference, notes and descriptions as they were sent, in any script.',
    check: async (context) => {
      // The texts of this invoice contain characters of several scripts.
      const { body } = await context.use(recentPastDueInvoice);
      const location = await context.use(recentPastDueDetail);
      const { exchange, path } = location;
      const invoice = valueAt(exchange.json, path);
      expectSameText(location, 'reference', body['reference']);
      // INV-DETAIL-49 checks the line break between the two lines of the notes.
      const [notes, shownNotes] = [body['notes'], valueAt(invoice, 'notes')].map((text) => String(text).normalize());
      if (!notes?.split('\n').every((line) => shownNotes?.includes(line))) {
        throw new Violation(`\`${path}.notes\` to be ${notes}`, valueAt(invoice, 'notes'), exchange);
      }
      const { description } = fractionalItem(context);
      if (!recordsAt(invoice, 'invoice_items').some((line) => isSameText(line['description'], description))) {
        throw new Violation(`a line with the description ${description}`, valueAt(invoice, 'invoice_items'), exchange);
      }
    },
  },
  {
    ...common,
    id: 'INV-DETAIL-47',
    spec: 'States and transitions',
    quote: invoiceStatusQuotes.paid,
    title: 'An invoice that was read before its payment is `paid` when it is read again, whichever token is used.',
    readsEarlierResponses: true,
    check: async (context) => {
      const { page } = await context.use(paymentBeforeDueDate);
      expectValue(page, 'data.status', 'paid');
      const isPaid = ({ json }: Exchange): boolean => valueAt(json, 'data.status') === 'paid';
      const reads = successesSoFar(context, 'getInvoice').filter(({ call }) => call.path === page.call.path);
      for (const read of reads.slice(reads.indexOf(page)).filter((later) => !isPaid(later)))
        expectValue(await eventually(context, () => context.send(read.call), isPaid), 'data.status', 'paid');
    },
  },
  {
    ...endpoint,
    level: 'inferred',
    id: 'INV-DETAIL-48',
    title: 'An invoice id followed by letters is refused.',
    check: async (context) =>
      expectRefused(context, await context.get(`${invoicePath(await context.use(someInvoice))}x`), detailedInvoice),
  },
  {
    ...common,
    id: 'INV-DETAIL-49',
    quote: detailQuotes.notes,
    title: 'The detail view keeps line breaks in the notes.',
    check: async (context) => {
      const { body } = await context.use(recentPastDueInvoice);
      expectSameText(await context.use(recentPastDueDetail), 'notes', body['notes']);
    },
  },
  {
    ...common,
    id: 'INV-DETAIL-45',
    quote: detailQuotes.notes,
    title: 'The notes are printed on the invoice.',
    check: { untestable: 'the API does not return the printed invoice' },
  },
  {
    ...common,
    id: 'INV-DETAIL-37',
    title: 'The detail view shows the customer, reference and dates of an invoice as they were sent.',
    readsEarlierResponses: true,
    check: (context) => checkShownInvoices(context, 'getInvoice', expectFieldsAsSent),
  },
  {
    ...common,
    id: 'INV-DETAIL-38',
    quote: 'Line item as returned (`invoice_items`):',
    title: 'The detail view shows the lines of an invoice as they were sent.',
    readsEarlierResponses: true,
    check: (context) => checkShownInvoices(context, 'getInvoice', expectLinesAsSent),
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-DETAIL-58',
    quote: invoiceQuotes.invoice_items,
    title: 'The detail view shows the lines of an invoice in the order in which its items were sent.',
    readsEarlierResponses: true,
    check: (context) => checkShownInvoices(context, 'getInvoice', expectLinesInOrder),
  },
  {
    ...common,
    id: 'INV-DETAIL-40',
    quote: 'Fields in the invoice list and in creation responses:',
    title: 'In the detail view, number, amount and currency equal those in the create response.',
    readsEarlierResponses: true,
    check: (context) => checkShownInvoices(context, 'getInvoice', expectFieldsAsReturned),
  },
  {
    ...common,
    id: 'INV-DETAIL-52',
    quote: lineQuotes.total,
    title: 'In the detail view, the line totals equal those in the create response.',
    readsEarlierResponses: true,
    check: (context) => checkShownInvoices(context, 'getInvoice', expectLineTotalsAsReturned),
  },
  {
    ...common,
    id: 'INV-DETAIL-57',
    level: 'inferred',
    quote: detailQuotes.customer,
    title: 'The detail view shows the customer as the driver created it.',
    check: async (context) => {
      const customer = await context.use(createdCustomer);
      const location = await context.use(recentPastDueDetail);
      const fields = customerFields.filter((field) => typeof valueAt(customer, field) === 'string');
      if (fields.length === 0) {
        throw new Skip({ missing: 'the fields of the customer', reason: 'the driver returns only the id' });
      }
      for (const field of fields) {
        expectSameText(location, `customer.${field}`, valueAt(customer, field));
      }
    },
  },
  impossibleStatusClause(view, 'paidOrPartial', '54'),
  impossibleStatusClause(view, 'overdue', '55'),
  impossibleStatusClause(view, 'draftViewedOrCancelled', '56'),
];
