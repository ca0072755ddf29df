import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { timeoutText } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import {
  aCount,
  aCurrency,
  aDecimal,
  decimalOf,
  expectSuccess,
  recordsAt,
  requireSuccess,
  valueAt,
} from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import { retryClause } from '../../engine/retry-clause.js';
import { setup } from '../../engine/session.js';
import { amountTolerance, sumOfAmounts } from '../../predicates/amounts.js';
import { requireRecord } from '../created-records.js';
import { statisticsQuotes } from '../field-quotes.js';
import { allRecords, dataLocation, fieldClauses } from '../fields.js';
import { toListPage } from '../paging/setups.js';
import { expectEachResponse, successesSoFar } from '../responses.js';
import { changeClauses, paymentChange } from './change-clauses.js';
import {
  checkListsAndStatistics,
  fieldDifference,
  listsAndStatistics,
  sharedCreation,
  statisticIn,
  statistics,
  statisticsSource,
} from './setups.js';

const statisticsLocation = setup('the location of the statistics', async (context) =>
  dataLocation(await context.use(statistics)),
);

/** Statuses of finalized invoices without any payment. */
const fullyUnpaidStatuses: readonly string[] = ['pending', 'sent', 'viewed'];

/** Returns the records of a list that has only one page. @throws Skip if it has more */
function wholeList(list: Exchange): readonly JsonObject[] {
  const { records, isWholeList } = toListPage(list);
  if (!isWholeList)
    throw new Skip({ missing: 'a list of up to 100 invoices', reason: 'this one has more than one page' });
  return records;
}

/** Adds up the amounts of listed invoices. @throws Blocked if one of them has no decimal `amount` */
function requireSum(records: readonly JsonObject[], list: Exchange): number {
  const sum = sumOfAmounts(records);
  if (Number.isNaN(sum)) throw new Blocked('a listed invoice has no `amount`', list);
  return sum;
}

/** Statistics of the invoices of an account. */
export const statisticsClauses: readonly Clause[] = [
  {
    ...statisticsSource,
    id: 'INV-STATS-01',
    spec: 'GET /invoices/stats',
    quote: 'No parameters. Response: `data` is the statistics object.',
    title: '`stats` under `/invoices` is not an invoice id: it returns the statistics.',
    check: async (context) => expectSuccess(await context.use(statistics)),
  },
  ...fieldClauses({
    prefix: 'INV-STATS',
    ...statisticsSource,
    quotes: statisticsQuotes,
    recordName: 'the statistics',
    records: allRecords(statisticsSource.operation, statisticsLocation),
    fields: {
      '02': ['total_invoices', aCount],
      '03': ['pending_invoices', aCount],
      '04': ['paid_invoices', aCount],
      '05': ['overdue_invoices', aCount],
      '06': ['total_outstanding', aDecimal],
      '07': ['total_overdue', aDecimal],
      '08': ['currency', aCurrency],
    },
  }),
  {
    ...statisticsSource,
    id: 'INV-STATS-09',
    quote: statisticsQuotes.total_invoices,
    title: 'A new invoice is counted in `total_invoices`.',
    check: async (context) => {
      const { before, after, exchange } = await context.use(sharedCreation);
      // Blocks the clause if the invoice was not created.
      requireRecord(exchange);
      const totalBefore = statisticIn(before, 'total_invoices');
      const totalAfter = statisticIn(after, 'total_invoices');
      if (totalAfter <= totalBefore) {
        throw new Violation(
          `\`data.total_invoices\` to be more than ${totalBefore} within ${timeoutText(context)}`,
          totalAfter,
          after,
        );
      }
    },
  },
  {
    ...statisticsSource,
    id: 'INV-STATS-10',
    quote: statisticsQuotes.total_invoices,
    title: 'A paid invoice is still counted in `total_invoices`.',
    check: (context) =>
      retryClause(async (isFirstAttempt) => {
        const change = await paymentChange(context, isFirstAttempt);
        const totalBefore = statisticIn(change.before, 'total_invoices');
        if (fieldDifference(change, 'total_invoices') < 0) {
          throw new Violation(
            `\`data.total_invoices\` to still be ${totalBefore}`,
            statisticIn(change.after, 'total_invoices'),
            change.after,
          );
        }
      }),
  },
  ...changeClauses,
  {
    ...statisticsSource,
    level: 'inferred',
    id: 'INV-STATS-17',
    quote: statisticsQuotes.total_invoices,
    title: '`total_invoices` is the `total` of the invoice list.',
    check: (context) =>
      checkListsAndStatistics(context, ({ list, stats }) => {
        const total = decimalOf(valueAt(list.json, 'data.total'));
        if (total === undefined) throw new Blocked('the invoice list has no `data.total`', list);
        const count = statisticIn(stats, 'total_invoices');
        if (count !== total)
          throw new Violation(`\`data.total_invoices\` to be ${total}, as in the list`, count, stats);
      }),
  },
  {
    ...statisticsSource,
    id: 'INV-STATS-18',
    quote: statisticsQuotes.overdue_invoices,
    title: '`overdue_invoices` is not 0 while overdue invoices are listed.',
    check: (context) =>
      checkListsAndStatistics(context, ({ overdue, stats }) => {
        if (recordsAt(overdue.json, 'data').length === 0)
          throw new Skip({ missing: 'an overdue invoice', reason: 'none is listed' });
        if (statisticIn(stats, 'overdue_invoices') === 0) {
          throw new Violation('`data.overdue_invoices` to be more than 0', 0, stats);
        }
      }),
  },
  {
    ...statisticsSource,
    level: 'inferred',
    id: 'INV-STATS-19',
    quote: statisticsQuotes.overdue_invoices,
    title: '`overdue_invoices` is the number of overdue invoices that are listed.',
    check: (context) =>
      checkListsAndStatistics(context, ({ overdue, stats }) => {
        const listed = recordsAt(overdue.json, 'data').length;
        const count = statisticIn(stats, 'overdue_invoices');
        if (count !== listed) throw new Violation(`\`data.overdue_invoices\` to be ${listed}`, count, stats);
      }),
  },
  {
    ...statisticsSource,
    // The list need not show every invoice that the statistics count.
    level: 'inferred',
    id: 'INV-STATS-28',
    quote: statisticsQuotes.paid_invoices,
    title: '`paid_invoices` is the number of paid invoices that are listed.',
    check: (context) =>
      checkListsAndStatistics(context, ({ list, stats }) => {
        const listed = wholeList(list).filter(({ status }) => status === 'paid').length;
        const count = statisticIn(stats, 'paid_invoices');
        if (count !== listed) throw new Violation(`\`data.paid_invoices\` to be ${listed}`, count, stats);
      }),
  },
  {
    ...statisticsSource,
    level: 'inferred',
    id: 'INV-STATS-36',
    quote: statisticsQuotes.pending_invoices,
    title: '`pending_invoices` counts the listed invoices that are pending and not overdue, and no paid ones.',
    check: (context) =>
      checkListsAndStatistics(context, ({ list, overdue, stats }) => {
        const records = wholeList(list);
        const overdueIds = new Set(recordsAt(overdue.json, 'data').map(({ id }) => id));
        // The specification does not say whether invoices that are overdue, sent or paid in part await payment.
        const minimum = records.filter(({ id, status }) => status === 'pending' && !overdueIds.has(id)).length;
        const maximum = records.filter(({ status }) => status !== 'paid' && status !== 'cancelled').length;
        const count = statisticIn(stats, 'pending_invoices');
        if (count < minimum || count > maximum)
          throw new Violation(`\`data.pending_invoices\` to be from ${minimum} to ${maximum}`, count, stats);
      }),
  },
  {
    ...statisticsSource,
    level: 'inferred',
    id: 'INV-STATS-29',
    quote: statisticsQuotes.total_outstanding,
    title: '`total_outstanding` includes the unpaid invoices that are listed, and no others.',
    check: (context) =>
      checkListsAndStatistics(context, ({ list, stats }) => {
        const unpaid = wholeList(list).filter(({ status }) => status !== 'paid' && status !== 'cancelled');
        const currency = valueAt(stats.json, 'data.currency');
        if (unpaid.some((record) => record['currency'] !== currency))
          throw new Skip({ missing: 'invoices in a single currency', reason: 'the list has several currencies' });
        const maximum = requireSum(unpaid, list);
        // Other unpaid invoices may be paid in part, or not finalized.
        const minimum = sumOfAmounts(unpaid.filter(({ status }) => fullyUnpaidStatuses.includes(String(status))));
        const total = statisticIn(stats, 'total_outstanding');
        if (total < minimum - amountTolerance || total > maximum + amountTolerance)
          throw new Violation(`\`data.total_outstanding\` to be from ${minimum} to ${maximum}`, total, stats);
      }),
  },
  {
    ...statisticsSource,
    level: 'inferred',
    id: 'INV-STATS-35',
    quote: statisticsQuotes.total_overdue,
    title: '`total_overdue` is at most the sum of the overdue invoices that are listed.',
    check: (context) =>
      checkListsAndStatistics(context, ({ overdue, stats }) => {
        const records = recordsAt(overdue.json, 'data');
        const currency = valueAt(stats.json, 'data.currency');
        if (records.some((record) => record['currency'] !== currency))
          throw new Skip({
            missing: 'overdue invoices in a single currency',
            reason: 'the list has several currencies',
          });
        const maximum = requireSum(records, overdue);
        const total = statisticIn(stats, 'total_overdue');
        // It may be less, because a part of an overdue invoice may be paid.
        if (total > maximum + amountTolerance)
          throw new Violation(`\`data.total_overdue\` to be at most ${maximum}`, total, stats);
      }),
  },
  {
    ...statisticsSource,
    level: 'inferred',
    id: 'INV-STATS-20',
    quote: statisticsQuotes.paid_invoices,
    title: '`paid_invoices` and `pending_invoices` together are at most `total_invoices`.',
    readsEarlierResponses: true,
    check: async (context) => {
      requireSuccess(await context.use(statistics));
      // These statistics also count a paid and an overdue invoice.
      await context.runIfPossible(listsAndStatistics);
      expectEachResponse(context, successesSoFar(context, statisticsSource.operation), (page) => {
        const all = statisticIn(page, 'total_invoices');
        const paid = statisticIn(page, 'paid_invoices');
        const pending = statisticIn(page, 'pending_invoices');
        if (paid + pending > all) {
          throw new Violation(
            `\`data.total_invoices\` to be at least the sum of ${paid} paid and ${pending} pending invoices`,
            all,
            page,
          );
        }
      });
    },
  },
  {
    ...statisticsSource,
    level: 'inferred',
    id: 'INV-STATS-21',
    quote: statisticsQuotes.total_overdue,
    title: '`total_overdue` is at most `total_outstanding`.',
    readsEarlierResponses: true,
    check: async (context) => {
      requireSuccess(await context.use(statistics));
      // These statistics also count a paid and an overdue invoice.
      await context.runIfPossible(listsAndStatistics);
      expectEachResponse(context, successesSoFar(context, statisticsSource.operation), (page) => {
        const outstanding = statisticIn(page, 'total_outstanding');
        const overdue = statisticIn(page, 'total_overdue');
        // Sums in floating point depend on the order of the amounts.
        if (overdue > outstanding + amountTolerance)
          throw new Violation(`\`data.total_overdue\` to be at most ${outstanding}`, overdue, page);
      });
    },
  },
];
