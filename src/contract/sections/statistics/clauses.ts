import type { Check, Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import {
  aCount,
  aCurrency,
  aDecimal,
  decimalOf,
  expectSuccess,
  recordsAt,
  succeeded,
  valueAt,
} from '../../engine/expect.js';
import { retryClause } from '../../engine/retry-clause.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Blocked, Skip, Violation } from '../../engine/verdict.js';
import { statisticsRows } from '../field-rows.js';
import { fieldClauses } from '../fields.js';
import type { Row } from '../invoice-creation/setups.js';
import { recordOf } from '../invoice-creation/setups.js';
import { measureRecent, overdueGrowth, recentCreation } from '../invoice-detail/setups.js';
import {
  aroundCreation,
  aroundPayment,
  type Change,
  changeOf,
  measureCreation,
  measureOverduePayment,
  measurePayment,
  plainPayment,
  stableTotals,
  statistics,
} from './setups.js';

const common = { level: 'documented', operation: 'getInvoiceStats', spec: 'Invoice statistics' } as const;

const shownStatistics = setup('the statistics, as shown', async (context) => ({
  page: succeeded(await context.use(statistics)),
  at: 'data',
}));

type Measured = Change & { readonly record: Row };

async function creation(context: ClauseContext, isFirst: boolean): Promise<Measured> {
  const change = isFirst ? await context.use(aroundCreation) : await measureCreation(context);
  return { ...change, record: recordOf(change.exchange) };
}

async function payment(context: ClauseContext, isFirst: boolean): Promise<Measured> {
  return isFirst ? context.use(aroundPayment) : measurePayment(context);
}

/** How much a number of the statistics changes when something happens to one invoice. */
type Movement = readonly [
  number: string,
  title: string,
  measure: (context: ClauseContext, isFirst: boolean) => Promise<Measured>,
  figure: keyof typeof statisticsRows,
  by: (record: Row, statistics: Exchange) => number,
];

/** Clause about how a number changed while no other client was active. */
function movementClause([number, title, measure, figure, by]: Movement): Clause {
  const check: Check = (context) =>
    retryClause(async (isFirst) => {
      const change = await measure(context, isFirst);
      if (!change.isAtRest) throw new Skip('an account that nobody else changes', 'its invoices keep changing');
      const wanted = by(change.record, change.after);
      const [was, is] = [change.before, change.after].map((page) => figureOf(page, figure));
      if (Math.abs(Number(is) - Number(was) - wanted) > 0.005) {
        throw new Violation(`\`data.${figure}\`, which was ${was}, to move by ${wanted}`, is, change.after);
      }
    });
  return { ...common, id: `INV-STATS-${number}`, quote: statisticsRows[figure], title, check };
}

function figureOf({ json }: Exchange, figure: string): number {
  const value = decimalOf(valueAt(json, `data.${figure}`));
  if (value === undefined) throw new Blocked(`the statistics have no \`data.${figure}\``);
  return value;
}

/**
 * Amount that an invoice adds to the sums.
 * @throws Skip if it is in another currency than the sums, whose currency is open
 */
function amountOf(record: Row, { json }: Exchange): number {
  if (record['currency'] !== valueAt(json, 'data.currency')) {
    throw new Skip('an invoice in the currency of the statistics', `this one is in ${record['currency']}`);
  }
  const amount = decimalOf(record['amount']);
  if (amount === undefined) throw new Blocked('the invoice has no `amount`');
  return amount;
}

/** Changes when something happens to one invoice. */
const movements: readonly Movement[] = [
  ['11', 'A new invoice counts among `pending_invoices`.', creation, 'pending_invoices', () => 1],
  ['12', 'A new invoice adds its amount to `total_outstanding`.', creation, 'total_outstanding', amountOf],
  ['13', 'A new invoice that is not due is not counted in `overdue_invoices`.', creation, 'overdue_invoices', () => 0],
  ['14', 'A new invoice that is not due adds nothing to `total_overdue`.', creation, 'total_overdue', () => 0],
  ['15', 'A paid invoice is counted in `paid_invoices`.', payment, 'paid_invoices', () => 1],
  [
    '16',
    'A paid invoice is no longer included in `total_outstanding`.',
    payment,
    'total_outstanding',
    (record, page) => -amountOf(record, page),
  ],
];

async function recent(context: ClauseContext, isFirst: boolean): Promise<Measured> {
  // Whether it counts as overdue is open unless the list contains it.
  const { hasRecent } = await context.use(overdueGrowth);
  if (!hasRecent) throw new Skip('an overdue invoice', 'that of the suite is not listed');
  const change = isFirst ? await context.use(recentCreation) : await measureRecent(context);
  return { ...change, record: recordOf(change.exchange) };
}

async function pendingPayment(context: ClauseContext, isFirst: boolean): Promise<Measured> {
  if (!isFirst) return measurePayment(context);
  const change = await context.use(plainPayment);
  const { status } = change.detailBefore;
  // It may have been sent automatically, and only `pending` ones count.
  if (status !== 'pending') throw new Skip('an invoice that is `pending`', `that of the suite is \`${status}\``);
  return change;
}

/** Changes when something happens to an overdue invoice, or one that is not due yet. */
const laterMovements: readonly Movement[] = [
  [
    '22',
    'A `pending` invoice is no longer counted in `pending_invoices` after its payment.',
    pendingPayment,
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
  ['25', 'A new invoice that is overdue counts among `overdue_invoices`.', recent, 'overdue_invoices', () => 1],
  ['26', 'A new invoice that is overdue adds its amount to `total_overdue`.', recent, 'total_overdue', amountOf],
  [
    '27',
    'A new invoice that is overdue adds its amount to `total_outstanding`.',
    recent,
    'total_outstanding',
    amountOf,
  ],
];

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
    rows: statisticsRows,
    of: 'the statistics',
    place: shownStatistics,
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
    quote: statisticsRows.total_invoices,
    title: 'A new invoice is counted in `total_invoices`.',
    check: async (context) => {
      const { before, after, exchange } = await context.use(aroundCreation);
      recordOf(exchange);
      const [was, is] = [before, after].map((page) => figureOf(page, 'total_invoices'));
      if (!(Number(is) > Number(was))) throw new Violation(`\`data.total_invoices\` to be more than ${was}`, is, after);
    },
  },
  {
    ...common,
    id: 'INV-STATS-10',
    quote: statisticsRows.total_invoices,
    title: 'A paid invoice is still counted in `total_invoices`.',
    check: (context) =>
      retryClause(async (isFirst) => {
        const change = await payment(context, isFirst);
        const was = figureOf(change.before, 'total_invoices');
        if (changeOf(change, 'total_invoices') < 0) {
          throw new Violation(
            `\`data.total_invoices\` to be ${was} still`,
            figureOf(change.after, 'total_invoices'),
            change.after,
          );
        }
      }),
  },
  ...[...movements, ...laterMovements].map(movementClause),
  {
    ...common,
    level: 'inferred',
    id: 'INV-STATS-17',
    quote: statisticsRows.total_invoices,
    title: '`total_invoices` is the `total` of the invoice list.',
    check: (context) =>
      retryClause(async (isFirst) => {
        const { list, stats } = await stableTotals(context, isFirst);
        const total = valueAt(list.json, 'data.total');
        const figure = figureOf(stats, 'total_invoices');
        if (figure !== total)
          throw new Violation(`\`data.total_invoices\` to be ${total}, as in the list`, figure, stats);
      }),
  },
  {
    ...common,
    id: 'INV-STATS-18',
    quote: statisticsRows.overdue_invoices,
    title: '`overdue_invoices` is not 0 while overdue invoices are listed.',
    check: (context) =>
      retryClause(async (isFirst) => {
        const { overdue, stats } = await stableTotals(context, isFirst);
        if (recordsAt(overdue.json, 'data').length === 0) throw new Skip('an overdue invoice', 'none is listed');
        if (figureOf(stats, 'overdue_invoices') === 0) {
          throw new Violation('`data.overdue_invoices` to be more than 0', 0, stats);
        }
      }),
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-STATS-19',
    quote: statisticsRows.overdue_invoices,
    title: '`overdue_invoices` is the number of overdue invoices that are listed.',
    check: (context) =>
      retryClause(async (isFirst) => {
        const { overdue, stats } = await stableTotals(context, isFirst);
        const listed = recordsAt(overdue.json, 'data').length;
        const figure = figureOf(stats, 'overdue_invoices');
        if (figure !== listed) throw new Violation(`\`data.overdue_invoices\` to be ${listed}`, figure, stats);
      }),
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-STATS-20',
    quote: statisticsRows.paid_invoices,
    title: '`paid_invoices` and `pending_invoices` together are at most `total_invoices`.',
    check: async (context) => {
      const page = succeeded(await context.use(statistics));
      const [all, paid, pending] = ['total_invoices', 'paid_invoices', 'pending_invoices'].map((figure) =>
        figureOf(page, figure),
      );
      if (Number(paid) + Number(pending) > Number(all)) {
        throw new Violation(`${paid} paid and ${pending} pending of ${all} invoices at most`, all, page);
      }
    },
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-STATS-21',
    quote: statisticsRows.total_overdue,
    title: '`total_overdue` is at most `total_outstanding`.',
    check: async (context) => {
      const page = succeeded(await context.use(statistics));
      const [unpaid, late] = ['total_outstanding', 'total_overdue'].map((figure) => figureOf(page, figure));
      if (Number(late) > Number(unpaid)) throw new Violation(`\`data.total_overdue\` of ${unpaid} at most`, late, page);
    },
  },
];
