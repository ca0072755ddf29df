import type { Check, Clause } from '../../engine/clause.js';
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
import { type ClauseContext, setup } from '../../engine/session.js';
import { Blocked, Skip, Violation } from '../../engine/verdict.js';
import { statisticsQuotes } from '../field-quotes.js';
import { allRecords, dataLocation, fieldClauses } from '../fields.js';
import { requireRecord } from '../invoice-creation/setups.js';
import { measureRecentlyDueCreation, overdueListAfterCreation, recentlyDueCreation } from '../invoice-detail/setups.js';
import { rowsPage } from '../paging/setups.js';
import {
  checkListsAndStatistics,
  fieldDifference,
  measureCreation,
  measureOverduePayment,
  measurePayment,
  paymentBeforeDueDate,
  type StatisticsChange,
  sharedCreation,
  sharedPayment,
  statistics,
} from './setups.js';

const common = { level: 'documented', operation: 'getInvoiceStats', spec: 'Invoice statistics' } as const;

const statisticsLocation = setup('the location of the statistics', async (context) =>
  dataLocation(await context.use(statistics)),
);

/** A change of the statistics, and the invoice that caused it. */
type MeasuredChange = StatisticsChange & { readonly record: JsonObject };

/** The first attempt uses the measurement that all clauses share; a retry makes its own. */
async function creationChange(context: ClauseContext, isFirstAttempt: boolean): Promise<MeasuredChange> {
  const change = isFirstAttempt ? await context.use(sharedCreation) : await measureCreation(context);
  return { ...change, record: requireRecord(change.exchange) };
}

async function paymentChange(context: ClauseContext, isFirstAttempt: boolean): Promise<MeasuredChange> {
  return isFirstAttempt ? context.use(sharedPayment) : measurePayment(context);
}

/** The change of a field of the statistics that is expected when one invoice is created or paid. */
type ExpectedChange = readonly [
  number: string,
  title: string,
  measure: (context: ClauseContext, isFirstAttempt: boolean) => Promise<MeasuredChange>,
  field: keyof typeof statisticsQuotes,
  expectedDifference: (record: JsonObject, statistics: Exchange) => number,
];

/** Half a cent, which allows for the rounding errors of floating-point numbers. */
const amountTolerance = 0.005;

/** Creates a clause about the change of a field, measured while no other client is active. */
function changeClause([number, title, measure, field, expectedDifference]: ExpectedChange): Clause {
  const check: Check = (context) =>
    retryClause(async (isFirstAttempt) => {
      const change = await measure(context, isFirstAttempt);
      if (!change.isUndisturbed)
        throw new Skip({ missing: 'an account that nobody else changes', reason: 'its invoices keep changing' });
      const expected = expectedDifference(change.record, change.after);
      const [before, after] = [change.before, change.after].map((page) => statisticIn(page, field));
      if (Math.abs(Number(after) - Number(before) - expected) > amountTolerance) {
        throw new Violation(`\`data.${field}\`, which was ${before}, to change by ${expected}`, after, change.after);
      }
    });
  return { ...common, id: `INV-STATS-${number}`, quote: statisticsQuotes[field], title, check };
}

/** Reads a number from the statistics. @throws Blocked if it is missing or malformed */
function statisticIn({ json }: Exchange, field: string): number {
  const value = decimalOf(valueAt(json, `data.${field}`));
  if (value === undefined) throw new Blocked(`the statistics have no \`data.${field}\``);
  return value;
}

/**
 * Amount that an invoice adds to the sums of the statistics.
 * @throws Skip if the currency of the invoice is not that of the sums: the specification does not say how the sums
 * include other currencies
 */
function amountOf(record: JsonObject, { json }: Exchange): number {
  if (record['currency'] !== valueAt(json, 'data.currency')) {
    throw new Skip({
      missing: 'an invoice in the currency of the statistics',
      reason: `this one is in ${record['currency']}`,
    });
  }
  const amount = decimalOf(record['amount']);
  if (amount === undefined) throw new Blocked('the invoice has no `amount`');
  return amount;
}

/** Expected changes when an invoice that is not due yet is created, and when an invoice is paid. */
const creationAndPaymentChanges: readonly ExpectedChange[] = [
  ['11', 'A new invoice is counted in `pending_invoices`.', creationChange, 'pending_invoices', () => 1],
  ['12', 'A new invoice adds its amount to `total_outstanding`.', creationChange, 'total_outstanding', amountOf],
  [
    '13',
    'A new invoice that is not due is not counted in `overdue_invoices`.',
    creationChange,
    'overdue_invoices',
    () => 0,
  ],
  ['14', 'A new invoice that is not due adds nothing to `total_overdue`.', creationChange, 'total_overdue', () => 0],
  ['15', 'A paid invoice is counted in `paid_invoices`.', paymentChange, 'paid_invoices', () => 1],
  [
    '16',
    'A paid invoice is no longer included in `total_outstanding`.',
    paymentChange,
    'total_outstanding',
    (record, page) => -amountOf(record, page),
  ],
];

async function overdueCreationChange(context: ClauseContext, isFirstAttempt: boolean): Promise<MeasuredChange> {
  // The new invoice is only certain to be overdue if the overdue list contains it.
  const { isRecentListed } = await context.use(overdueListAfterCreation);
  if (!isRecentListed)
    throw new Skip({ missing: 'an overdue invoice', reason: 'the one that the suite created is not listed' });
  const change = isFirstAttempt ? await context.use(recentlyDueCreation) : await measureRecentlyDueCreation(context);
  return { ...change, record: requireRecord(change.exchange) };
}

async function pendingPaymentChange(context: ClauseContext, isFirstAttempt: boolean): Promise<MeasuredChange> {
  if (!isFirstAttempt) return measurePayment(context);
  const change = await context.use(paymentBeforeDueDate);
  const { status } = change.detailBefore;
  // The target may have sent the invoice automatically, after which its status is no longer `pending`.
  if (status !== 'pending')
    throw new Skip({
      missing: 'an invoice that is `pending`',
      reason: `the one that the suite created is \`${status}\``,
    });
  return change;
}

/** Expected changes when a pending or an overdue invoice is paid, and when an overdue invoice is created. */
const pendingAndOverdueChanges: readonly ExpectedChange[] = [
  [
    '22',
    'A `pending` invoice is no longer counted in `pending_invoices` after its payment.',
    pendingPaymentChange,
    'pending_invoices',
    () => -1,
  ],
  [
    '23',
    'An overdue invoice is no longer included in `total_overdue` after its payment.',
    measureOverduePayment,
    'total_overdue',
    (record, page) => -amountOf(record, page),
  ],
  [
    '24',
    'An overdue invoice is no longer counted in `overdue_invoices` after its payment.',
    measureOverduePayment,
    'overdue_invoices',
    () => -1,
  ],
  [
    '25',
    'A new invoice that is overdue is counted in `overdue_invoices`.',
    overdueCreationChange,
    'overdue_invoices',
    () => 1,
  ],
  [
    '26',
    'A new invoice that is overdue adds its amount to `total_overdue`.',
    overdueCreationChange,
    'total_overdue',
    amountOf,
  ],
  [
    '27',
    'A new invoice that is overdue adds its amount to `total_outstanding`.',
    overdueCreationChange,
    'total_outstanding',
    amountOf,
  ],
];

/** Statuses of finalized invoices of which nothing is paid. */
const fullyUnpaidStatuses: readonly string[] = ['pending', 'sent', 'viewed'];

/** Returns the records of a list that has only one page. @throws Skip if it has more */
function wholeList(list: Exchange): readonly JsonObject[] {
  const { rows, isWholeList } = rowsPage(list);
  if (!isWholeList)
    throw new Skip({ missing: 'a list of up to 100 invoices', reason: 'this one has more than one page' });
  return rows;
}

/** Statistics of the invoices of an account. */
export const statisticsClauses: readonly Clause[] = [
  {
    ...common,
    id: 'INV-STATS-01',
    spec: 'GET /invoices/stats',
    quote: 'No parameters. Response: `data` is the statistics object.',
    title: '`stats` under `/invoices` is not an invoice id: it returns the statistics.',
    check: async (context) => expectSuccess(await context.use(statistics)),
  },
  ...fieldClauses({
    prefix: 'INV-STATS',
    ...common,
    rows: statisticsQuotes,
    recordName: 'the statistics',
    records: allRecords(common.operation, statisticsLocation),
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
    ...common,
    id: 'INV-STATS-09',
    quote: statisticsQuotes.total_invoices,
    title: 'A new invoice is counted in `total_invoices`.',
    check: async (context) => {
      const { before, after, exchange } = await context.use(sharedCreation);
      // Blocks the clause if the invoice was not created.
      requireRecord(exchange);
      const [totalBefore, totalAfter] = [before, after].map((page) => statisticIn(page, 'total_invoices'));
      if (!(Number(totalAfter) > Number(totalBefore))) {
        throw new Violation(`\`data.total_invoices\` to be more than ${totalBefore}`, totalAfter, after);
      }
    },
  },
  {
    ...common,
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
  ...[...creationAndPaymentChanges, ...pendingAndOverdueChanges].map(changeClause),
  {
    ...common,
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
    ...common,
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
    ...common,
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
    ...common,
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
    ...common,
    level: 'inferred',
    id: 'INV-STATS-29',
    quote: statisticsQuotes.total_outstanding,
    title: '`total_outstanding` includes the unpaid invoices that are listed, and no others.',
    check: (context) =>
      checkListsAndStatistics(context, ({ list, stats }) => {
        const unpaid = wholeList(list).filter(({ status }) => status !== 'paid' && status !== 'cancelled');
        const currency = valueAt(stats.json, 'data.currency');
        if (unpaid.some((row) => row['currency'] !== currency))
          throw new Skip({ missing: 'invoices in a single currency', reason: 'the list has several currencies' });
        const sumOf = (rows: readonly JsonObject[]): number =>
          rows.reduce((sum, row) => sum + (decimalOf(row['amount']) ?? Number.NaN), 0);
        const maximum = sumOf(unpaid);
        // Of other unpaid invoices, a part may be paid, or they may not be finalized.
        const minimum = sumOf(unpaid.filter(({ status }) => fullyUnpaidStatuses.includes(String(status))));
        const total = statisticIn(stats, 'total_outstanding');
        if (total < minimum - amountTolerance || total > maximum + amountTolerance)
          throw new Violation(`\`data.total_outstanding\` to be from ${minimum} to ${maximum}`, total, stats);
      }),
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-STATS-20',
    quote: statisticsQuotes.paid_invoices,
    title: '`paid_invoices` and `pending_invoices` together are at most `total_invoices`.',
    check: async (context) => {
      const page = requireSuccess(await context.use(statistics));
      const [all, paid, pending] = ['total_invoices', 'paid_invoices', 'pending_invoices'].map((field) =>
        statisticIn(page, field),
      );
      if (Number(paid) + Number(pending) > Number(all)) {
        throw new Violation(
          `\`data.total_invoices\` to be at least the sum of ${paid} paid and ${pending} pending invoices`,
          all,
          page,
        );
      }
    },
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-STATS-21',
    quote: statisticsQuotes.total_overdue,
    title: '`total_overdue` is at most `total_outstanding`.',
    check: async (context) => {
      const page = requireSuccess(await context.use(statistics));
      const [outstanding, overdue] = ['total_outstanding', 'total_overdue'].map((field) => statisticIn(page, field));
      if (Number(overdue) > Number(outstanding))
        throw new Violation(`\`data.total_overdue\` to be at most ${outstanding}`, overdue, page);
    },
  },
];
