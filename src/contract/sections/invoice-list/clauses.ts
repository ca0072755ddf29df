import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { ifPossible } from '../../engine/if-possible.js';
import { setup } from '../../engine/session.js';
import { checkShownInvoices } from '../created-invoices.js';
import { detailQuotes, invoiceQuotes, invoiceStatusQuotes, lineQuotes, pageQuotes } from '../field-quotes.js';
import { allRecords, fieldOf, recordOf } from '../fields.js';
import { fullCreation, minimalCreation, minimumQuantityCreation, sameDayCreation } from '../invoice-creation/setups.js';
import {
  invoiceListGrowth,
  paidInvoiceLocation,
  recentPastDueInvoice,
  recentPastDueLocation,
} from '../invoice-detail/setups.js';
import {
  expectFieldsAsReturned,
  expectFieldsAsSent,
  expectLinesAsSent,
  expectLinesInOrder,
  expectLineTotalsAsReturned,
  expectNoCustomerFields,
  expectSameCustomer,
  invoiceFieldClauses,
} from '../invoice-fields.js';
import { impossibleStatusClause } from '../invoice-status-clauses.js';
import { listClauses } from '../paging/clauses.js';
import { expectAllListed, expectNoUnknownRecords } from '../paging/expect-listed.js';
import { expectTotalGrew } from '../paging/list-growth.js';
import { expectFound, requireFound } from '../paging/setups.js';
import { expectFieldValue, expectSameText } from '../same-values.js';
import { paymentBeforeDueDate } from '../statistics/setups.js';
import {
  detailedInvoice,
  invoicesPage,
  invoicesResponse,
  listedInvoices,
  newInvoiceLocation,
  newInvoiceSearch,
} from './setups.js';

const common = {
  level: 'documented',
  operation: 'listInvoices',
  spec: 'Invoice',
  quote: 'Fields in the invoice list and in creation responses:',
} as const;

const listSentence =
  'Response: common envelope; `data` is the pagination envelope whose `data` array holds invoices (list view).';

/** Three invoices. Other clauses need them as well, so they cost no extra requests. */
const threeInvoices = setup('three invoices', async (context) => {
  for (const creation of [fullCreation, sameDayCreation, minimumQuantityCreation]) await context.use(creation);
});

/** All invoices on the pages of the list that the suite has read. */
const allListedInvoices = allRecords(common.operation, listedInvoices);

const view = { prefix: 'INV-LIST', operation: common.operation, name: 'the list' } as const;

/** The invoice list. */
export const invoiceListClauses: readonly Clause[] = [
  ...listClauses({
    prefix: 'INV-LIST',
    operation: common.operation,
    spec: 'GET /invoices',
    quotes: { list: listSentence, perPage: '| per_page | integer | 25 | maximum 100 |' },
    path: '/invoices',
    plural: 'invoices',
    level: 'documented',
    hasPageParameter: true,
    largestPage: invoicesResponse,
    threeRecords: threeInvoices,
  }),
  ...invoiceFieldClauses({
    prefix: 'INV-LIST',
    firstNumber: 21,
    companyClauseNumber: 50,
    ...common,
    recordName: 'an invoice in the list',
    location: listedInvoices,
  }),
  {
    ...common,
    id: 'INV-LIST-39',
    spec: 'GET /invoices',
    quote: listSentence,
    title: 'A new invoice is in the list.',
    check: async (context) =>
      expectFound(await context.use(newInvoiceSearch), 'the new invoice', (await context.use(invoicesPage)).page),
  },
  {
    ...common,
    id: 'INV-LIST-43',
    quote: invoiceQuotes.due_date,
    title: 'No listed invoice has a due date before its date.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const location of await allListedInvoices(context)) {
        const [date, due] = ['date', 'due_date'].map((field) => fieldOf(location, field));
        if (typeof date === 'string' && typeof due === 'string' && due < date) {
          throw new Violation(`\`${location.path}.due_date\` to be on or after ${date}`, due, location.exchange);
        }
      }
    },
  },
  {
    ...common,
    id: 'INV-LIST-44',
    quote: detailQuotes.customer,
    title: 'The list omits the phone and the address of the customer.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const location of await allListedInvoices(context)) expectNoCustomerFields(location);
    },
  },
  {
    ...common,
    id: 'INV-LIST-45',
    quote: invoiceQuotes.customer,
    title: 'The customer in the list equals the customer in the detail view.',
    check: async (context) => {
      const detailed = await context.use(detailedInvoice);
      const id = fieldOf(detailed, 'id');
      // The detail view shows the invoice that the suite created, which may be on the last page of the list. If the
      // suite cannot create one, the detail view shows the first invoice in the list.
      const locations = [await ifPossible(context.use(newInvoiceLocation)), ...(await context.use(listedInvoices))];
      const listed = locations.find((record) => record && fieldOf(record, 'id') === id);
      if (!listed)
        throw new Blocked('the invoice of the detail view is not on the pages of the list that were searched');
      expectSameCustomer(listed, recordOf(detailed), ['name', 'email', 'company']);
    },
  },
  {
    ...common,
    id: 'INV-LIST-46',
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.total,
    title: 'The `total` of the list of invoices includes new ones.',
    check: async (context) => expectTotalGrew(await context.use(invoiceListGrowth)),
  },
  {
    ...common,
    id: 'INV-LIST-47',
    spec: 'States and transitions',
    quote: invoiceStatusQuotes.paid,
    title: 'An invoice that was listed before its payment is `paid` in the list afterwards.',
    check: async (context) => {
      const { listedBefore = 'unknown' } = await context.use(paymentBeforeDueDate);
      // A list that did not show the invoice before its payment cannot be outdated afterwards.
      requireFound(listedBefore, 'the invoice');
      expectFieldValue(await context.use(paidInvoiceLocation), 'status', 'paid');
    },
  },
  {
    ...common,
    id: 'INV-LIST-48',
    quote: invoiceQuotes.reference,
    title: 'The list shows the reference of an invoice as it was sent, in any script.',
    check: async (context) => {
      // The reference of this invoice contains characters of several scripts.
      const { body } = await context.use(recentPastDueInvoice);
      expectSameText(await context.use(recentPastDueLocation), 'reference', body['reference']);
    },
  },
  {
    ...common,
    id: 'INV-LIST-40',
    title: 'The list shows the customer, reference and dates of an invoice as they were sent.',
    readsEarlierResponses: true,
    check: (context) => checkShownInvoices(context, 'listInvoices', expectFieldsAsSent),
  },
  {
    ...common,
    id: 'INV-LIST-41',
    quote: 'Line item as returned (`invoice_items`):',
    title: 'The list shows the lines of an invoice as they were sent.',
    readsEarlierResponses: true,
    check: (context) => checkShownInvoices(context, 'listInvoices', expectLinesAsSent),
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-LIST-58',
    quote: invoiceQuotes.invoice_items,
    title: 'The list and the overdue list show the lines of an invoice in the order in which its items were sent.',
    readsEarlierResponses: true,
    check: async (context) => {
      await checkShownInvoices(context, 'listInvoices', expectLinesInOrder);
      await ifPossible(checkShownInvoices(context, 'listOverdueInvoices', expectLinesInOrder));
    },
  },
  {
    ...common,
    id: 'INV-LIST-42',
    title:
      'Number, amount, currency and customer of an invoice in the list equal those in the response to its creation.',
    readsEarlierResponses: true,
    check: (context) =>
      checkShownInvoices(context, 'listInvoices', (location, created) => {
        expectFieldsAsReturned(location, created);
        expectSameCustomer(location, created.record, ['name', 'email', 'company']);
      }),
  },
  {
    ...common,
    id: 'INV-LIST-51',
    quote: lineQuotes.total,
    title: 'The line totals of an invoice in the list equal those in the response to its creation.',
    readsEarlierResponses: true,
    check: (context) => checkShownInvoices(context, 'listInvoices', expectLineTotalsAsReturned),
  },
  {
    ...common,
    id: 'INV-LIST-53',
    spec: 'GET /invoices',
    quote: listSentence,
    title: 'Every invoice that was created is in the list.',
    readsEarlierResponses: true,
    check: async (context) => {
      // An invoice without a reference and without notes, which a faulty query may leave out.
      await context.runIfPossible(minimalCreation);
      const { after } = await context.use(invoiceListGrowth);
      await expectAllListed(context, after, { path: '/invoices', creation: 'createInvoice', list: common.operation });
    },
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-LIST-54',
    spec: 'GET /invoices',
    quote: listSentence,
    title: 'Each invoice that was created is in the list once.',
    readsEarlierResponses: true,
    check: async (context) => {
      await context.use(invoiceListGrowth);
      // Reads the last page if the new invoices are not on the first one.
      await context.runIfPossible(recentPastDueLocation);
      expectNoUnknownRecords(context, {
        creation: 'createInvoice',
        list: common.operation,
        belongsToRun: ({ reference }) => String(reference).startsWith(`${context.session.prefix} `),
      });
    },
  },
  impossibleStatusClause(view, 'paidOrPartial', '55'),
  impossibleStatusClause(view, 'overdue', '56'),
  impossibleStatusClause(view, 'draftViewedOrCancelled', '57'),
];
