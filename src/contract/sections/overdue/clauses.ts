import { dayMs } from '../../../lib/durations.js';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import {
  aCount,
  aCurrency,
  aDecimal,
  anArray,
  anObject,
  aString,
  aUrl,
  decimalOf,
  expectField,
  expectSuccess,
  expectValue,
  type Matcher,
  orAbsent,
  orNull,
  recordsAt,
  requireSuccess,
  valueAt,
} from '../../engine/expect.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { amountTolerance, isSameAmount } from '../../predicates/amounts.js';
import { aDate, isSameId } from '../../predicates/matchers.js';
import { knownClockSkewMs, possibleClockSkewsMs, possibleDates, responsesWithSkew } from '../clock.js';
import { overdueCapabilityQuote, overdueQuotes } from '../field-quotes.js';
import { allRecords, fieldClauses, fieldOf } from '../fields.js';
import { createdInvoice, idOfInvoice } from '../invoice-creation/setups.js';
import { overdueListWithNewInvoices, recentPastDueDetail } from '../invoice-detail/setups.js';
import { invoiceFieldClauses } from '../invoice-fields.js';
import { indexInOverdueList, isListedAsOverdue, overdueInvoices, overdueResponse } from '../invoice-list/setups.js';
import { newLink } from '../payment-links/setups.js';
import { expectEachResponse, successesSoFar } from '../responses.js';
import { changedByOthersSkip, overdueListAfterPayment, statistics, unlistedInvoiceSkip } from '../statistics/setups.js';
import { overdueRecordClauses } from './record-clauses.js';

const common = { level: 'documented', operation: 'listOverdueInvoices', spec: 'Invoice' } as const;
const endpoint = {
  ...common,
  spec: 'GET /invoices/overdue',
  quote:
    'No parameters. Response: `success`, `count` (integer), `total_outstanding` (decimal), `currency` (string), `data` (array of overdue-invoice records).',
} as const;

/** Fields of the response body. */
const topLevelFields: readonly (readonly [number: string, field: string, matcher: Matcher])[] = [
  ['02', 'data', anArray],
  ['03', 'count', aCount],
  ['04', 'total_outstanding', aDecimal],
  ['05', 'currency', aCurrency],
];

/** The suite's recent past-due invoice: its location in the overdue list, and the response with its detail view. */
const listAndDetailViews = setup('an overdue invoice in both views', async (context) => {
  const { page, recentInvoice } = await context.use(overdueListWithNewInvoices);
  const index = indexInOverdueList(page, recentInvoice.record);
  if (index === -1) throw unlistedInvoiceSkip();
  return {
    location: { exchange: page, path: `data.${index}` },
    detail: (await context.use(recentPastDueDetail)).exchange,
  };
});

/** Returns the number of days from one date to another, both `YYYY-MM-DD`. */
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;

/**
 * Checks that the overdue list does not contain an invoice.
 * @param reason why it must not: `which is paid`
 * @throws Violation
 */
function expectUnlisted(page: Exchange, id: unknown, reason: string): void {
  const listed = recordsAt(page.json, 'data').find((record) => isSameId(record['id'], id));
  if (listed) throw new Violation(`invoice ${id}, ${reason}, to be absent from the overdue list`, listed, page);
}

/** @throws Violation unless `count` is the number of invoices in an overdue list; Blocked if the list is not an array */
function expectCount(page: Exchange): void {
  const [count, data] = ['count', 'data'].map((field) => valueAt(page.json, field));
  if (!Array.isArray(data)) throw new Blocked('`data` is not an array', page);
  if (count !== data.length) throw new Violation(`\`count\` to be ${data.length}`, count, page);
}

const requireOverdueList = async (context: ClauseContext): Promise<Exchange> =>
  requireSuccess(await context.use(overdueResponse));

/** The lists since the payment of an invoice. @throws Skip unless an earlier list contains the invoice */
async function requireListsAfterPayment(context: ClauseContext) {
  const { page, record } = await context.use(overdueListAfterPayment);
  const pages = successesSoFar(context, common.operation);
  const position = pages.indexOf(page);
  if (!pages.slice(0, position).some((earlier) => isListedAsOverdue(earlier, record))) throw unlistedInvoiceSkip();
  return { page, record, laterPages: pages.slice(position) };
}

/** Clauses about the list of overdue invoices (INV-OVERDUE). */
export const overdueClauses: readonly Clause[] = [
  {
    ...endpoint,
    id: 'INV-OVERDUE-01',
    spec: 'Endpoints',
    quote: 'Literal segments `stats` and `overdue` under `/invoices` are not invoice identifiers.',
    title: '`overdue` under `/invoices` is not an invoice id: it lists the overdue invoices.',
    check: async (context) => expectSuccess(await context.use(overdueResponse)),
  },
  ...topLevelFields.map(
    ([number, field, matcher]): Clause => ({
      ...endpoint,
      id: `INV-OVERDUE-${number}`,
      title: `\`${field}\` of the overdue list is ${matcher.description}.`,
      readsEarlierResponses: true,
      check: async (context) => {
        await requireOverdueList(context);
        // The list after a payment may have another form.
        await context.runIfPossible(overdueListAfterPayment);
        expectEachResponse(context, successesSoFar(context, endpoint.operation), (page) =>
          expectField(page, field, matcher),
        );
      },
    }),
  ),
  {
    ...endpoint,
    level: 'inferred',
    id: 'INV-OVERDUE-06',
    title: '`count` is the number of overdue invoices in `data`.',
    readsEarlierResponses: true,
    check: async (context) => {
      await requireOverdueList(context);
      expectEachResponse(context, successesSoFar(context, common.operation), expectCount);
    },
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-07',
    spec: 'What the service does',
    quote: overdueCapabilityQuote,
    title: 'An invoice that is not due yet is not listed as overdue.',
    check: async (context) => {
      const id = idOfInvoice((await context.use(createdInvoice)).record);
      // Skips the clause if no overdue invoice is listed.
      await context.use(overdueInvoices);
      expectUnlisted(await requireOverdueList(context), id, 'which is not due for years');
    },
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-08',
    spec: 'What the service does',
    quote: overdueCapabilityQuote,
    title: 'Paid and cancelled invoices are not listed as overdue.',
    readsEarlierResponses: true,
    check: async (context) => {
      // Skips the clause if no overdue invoice is listed.
      await context.use(overdueInvoices);
      expectEachResponse(context, successesSoFar(context, common.operation), (page) => {
        const paidOrCancelled = recordsAt(page.json, 'data').find(
          ({ status }) => status === 'paid' || status === 'cancelled',
        );
        if (paidOrCancelled)
          throw new Violation('no paid or cancelled invoice in the overdue list', paidOrCancelled, page);
      });
    },
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-09',
    spec: 'What the service does',
    quote: overdueCapabilityQuote,
    title: 'An invoice that was paid is no longer listed as overdue.',
    readsEarlierResponses: true,
    check: async (context) => {
      const { record, laterPages } = await requireListsAfterPayment(context);
      for (const page of laterPages) expectUnlisted(page, record['id'], 'which is paid');
    },
  },
  ...invoiceFieldClauses({
    prefix: 'INV-OVERDUE',
    firstNumber: 11,
    ...common,
    recordName: 'an overdue invoice',
    location: overdueInvoices,
  }),
  ...fieldClauses({
    prefix: 'INV-OVERDUE',
    ...common,
    quotes: overdueQuotes,
    recordName: 'an overdue invoice',
    records: allRecords(common.operation, overdueInvoices),
    fields: {
      29: ['days_overdue', aCount],
      30: ['payment_link', orNull(aUrl)],
      31: ['customer.phone', orAbsent(aString)],
    },
  }),
  {
    ...common,
    level: 'inferred',
    id: 'INV-OVERDUE-33',
    quote: overdueQuotes.payment_link,
    title: '`payment_link` is a URL that no other invoice has, as long as no payment has been initiated.',
    check: async (context) => {
      const { location } = await context.use(listAndDetailViews);
      const { exchange, path } = location;
      expectField(exchange, `${path}.payment_link`, aUrl);
      const link = fieldOf(location, 'payment_link');
      if (recordsAt(exchange.json, 'data').filter((record) => record['payment_link'] === link).length > 1) {
        throw new Violation(`\`${path}.payment_link\` to belong to this invoice only`, link, exchange);
      }
    },
  },
  {
    ...common,
    id: 'INV-OVERDUE-34',
    quote: overdueQuotes.payment_link,
    title: '`payment_link` is null once a payment has been initiated.',
    check: {
      untestable:
        'observing this needs an unfinished payment, but the API cannot start payments, and drivers complete each payment',
    },
  },
  {
    ...common,
    id: 'INV-OVERDUE-35',
    quote: overdueQuotes.customer,
    title: 'The overdue list and the detail view show the same phone number of the customer.',
    check: async (context) => {
      const { location, detail } = await context.use(listAndDetailViews);
      expectField(detail, 'data.customer', anObject);
      const inList = fieldOf(location, 'customer.phone');
      const inDetail = valueAt(detail.json, 'data.customer.phone');
      // A phone number that was never given may be null in one view and omitted in the other.
      if ((inList || undefined) === (inDetail || undefined)) return;
      // The view without a phone number is the wrong one.
      if (!inDetail)
        throw new Violation(`\`data.customer.phone\` to be ${inList}, as in the overdue list`, inDetail, detail);
      const { path, exchange } = location;
      throw new Violation(`\`${path}.customer.phone\` to be ${inDetail}, as in the detail view`, inList, exchange);
    },
  },
  {
    ...endpoint,
    level: 'inferred',
    id: 'INV-OVERDUE-36',
    title: '`total_outstanding` no longer includes an overdue invoice after its payment.',
    check: async (context) => {
      const before = await requireOverdueList(context);
      const { page: after, record, isUndisturbed } = await context.use(overdueListAfterPayment);
      const records = recordsAt(before.json, 'data');
      if (!isListedAsOverdue(before, record)) throw unlistedInvoiceSkip();
      if (!isUndisturbed || records.length - recordsAt(after.json, 'data').length !== 1) {
        throw changedByOthersSkip('the invoices');
      }
      if (record['currency'] !== valueAt(after.json, 'currency')) {
        throw new Skip({
          missing: 'an invoice in the currency of the list',
          reason: `this one is in ${record['currency']}`,
        });
      }
      const [sumBefore, sumAfter] = [before, after].map(({ json }) => decimalOf(valueAt(json, 'total_outstanding')));
      const amount = decimalOf(record['amount']);
      if (sumBefore === undefined || sumAfter === undefined || amount === undefined) {
        throw new Blocked('an amount is missing');
      }
      // The sum may cover only the overdue invoices, or all unpaid ones: both include this invoice.
      if (!isSameAmount(sumBefore - sumAfter, amount)) {
        throw new Violation(`\`total_outstanding\`, which was ${sumBefore}, to be lower by ${amount}`, sumAfter, after);
      }
    },
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-37',
    spec: 'What the service does',
    quote: overdueCapabilityQuote,
    title: 'An invoice that was due years ago is listed as overdue, if one that was due a few days ago is listed.',
    check: async (context) => {
      const { page, longOverdueInvoice, isLongOverdueInvoiceListed } = await context.use(overdueListWithNewInvoices);
      const { id } = longOverdueInvoice.record;
      if (!isLongOverdueInvoiceListed)
        throw new Violation(`invoice ${id} in the overdue list`, 'a list without it', page);
    },
  },
  {
    ...common,
    id: 'INV-OVERDUE-38',
    quote: overdueQuotes.days_overdue,
    title: '`days_overdue` is the number of days past the due date.',
    readsEarlierResponses: true,
    check: async (context) => {
      // The expected values depend on the target's clock: throws Blocked if it is unknown.
      await context.use(knownClockSkewMs);
      const { recentInvoice, longOverdueInvoice } = await context.use(overdueListWithNewInvoices);
      const skewsMs = await context.use(possibleClockSkewsMs);
      const ownIds = [recentInvoice, longOverdueInvoice].map(({ record }) => record['id']);
      const pages = await responsesWithSkew(context, successesSoFar(context, common.operation));
      let checkedCount = 0;
      expectEachResponse(context, pages, (page) => {
        const { earliest, latest } = possibleDates(page, skewsMs);
        for (const record of recordsAt(page.json, 'data')) {
          if (!ownIds.some((id) => isSameId(record['id'], id))) continue;
          checkedCount += 1;
          const dueDate = String(record['due_date']);
          if (!aDate.matches(dueDate)) throw new Blocked('an overdue invoice shows no `due_date`', page);
          // The specification leaves open whether days are counted from the beginning or the end of the due date.
          const minimum = daysBetween(dueDate, earliest) - 1;
          const maximum = daysBetween(dueDate, latest);
          const days = Number(record['days_overdue']);
          // NaN is a violation, too.
          if (!(days >= minimum && days <= maximum)) {
            throw new Violation(
              `\`days_overdue\` of invoice ${record['id']}, which was due on ${dueDate}, to be from ${minimum} to ${maximum}`,
              record['days_overdue'],
              page,
            );
          }
        }
      });
      // To expire a deposit, the driver may have advanced the clock before the invoices were listed.
      if (checkedCount === 0)
        throw new Skip({
          missing: 'an overdue invoice',
          reason: "no list that was read at a known time of the target's clock shows an invoice that the suite created",
        });
    },
  },
  {
    ...endpoint,
    level: 'inferred',
    id: 'INV-OVERDUE-39',
    title: '`count` is still the number of overdue invoices in `data` after one of them was paid.',
    check: async (context) => expectCount((await requireListsAfterPayment(context)).page),
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-40',
    spec: 'What the service does',
    quote: overdueCapabilityQuote,
    title: 'An invoice that was due a few days ago is listed as overdue, if one that was due years ago is listed.',
    check: async (context) => {
      // `recentInvoice` was due a few days ago by the target's clock, which is read from the `created_at` of a new link.
      // Without a link, that clock is unknown, and the invoice might not be due yet: then this throws.
      await context.use(newLink);
      const { page, recentInvoice, isRecentInvoiceListed } = await context.use(overdueListWithNewInvoices);
      const { id } = recentInvoice.record;
      if (!isRecentInvoiceListed) throw new Violation(`invoice ${id} in the overdue list`, 'a list without it', page);
    },
  },
  {
    ...endpoint,
    // The specification does not say that the list and the statistics both have the currency of the account.
    level: 'inferred',
    id: 'INV-OVERDUE-48',
    title: 'The overdue list and the statistics have the same `currency` in all responses.',
    readsEarlierResponses: true,
    check: async (context) => {
      await requireOverdueList(context);
      const expected = valueAt(requireSuccess(await context.use(statistics)).json, 'data.currency');
      if (typeof expected !== 'string') throw new Blocked('the statistics have no `data.currency`');
      for (const page of successesSoFar(context, 'getInvoiceStats')) expectValue(page, 'data.currency', expected);
      for (const page of successesSoFar(context, common.operation)) expectValue(page, 'currency', expected);
    },
  },
  {
    ...endpoint,
    level: 'inferred',
    id: 'INV-OVERDUE-49',
    title: '`total_outstanding` includes the amounts of overdue invoices that have no payments.',
    check: async (context) => {
      const { page, recentInvoice, longOverdueInvoice, isRecentInvoiceListed, isLongOverdueInvoiceListed } =
        await context.use(overdueListWithNewInvoices);
      const listed = [
        ...(isRecentInvoiceListed ? [recentInvoice] : []),
        ...(isLongOverdueInvoiceListed ? [longOverdueInvoice] : []),
      ];
      const currency = valueAt(page.json, 'currency');
      if (listed.some(({ record }) => record['currency'] !== currency))
        throw new Skip({
          missing: 'overdue invoices in the currency of the list',
          reason: 'they are in other currencies',
        });
      const [total, ...amounts] = [
        valueAt(page.json, 'total_outstanding'),
        ...listed.map(({ record }) => record['amount']),
      ].map(decimalOf);
      if (total === undefined || amounts.includes(undefined)) throw new Blocked('an amount is missing', page);
      const minimum = amounts.reduce((sum: number, amount) => sum + Number(amount), 0);
      if (total < minimum - amountTolerance)
        throw new Violation(
          `\`total_outstanding\` to be at least ${minimum}, the sum of the new invoices`,
          total,
          page,
        );
    },
  },
  ...overdueRecordClauses,
];
