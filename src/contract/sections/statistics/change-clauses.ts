import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Check, Clause } from '../../engine/clause.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, valueAt } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import { retryClause } from '../../engine/retry-clause.js';
import type { ClauseContext } from '../../engine/session.js';
import { amountTolerance } from '../../predicates/amounts.js';
import { withRecord } from '../created-records.js';
import { statisticsQuotes } from '../field-quotes.js';
import {
  measureRecentPastDueCreation,
  overdueListWithNewInvoices,
  recentPastDueCreation,
} from '../invoice-detail/setups.js';
import {
  changedByOthersSkip,
  createSettledInvoice,
  fieldDifference,
  measureCreation,
  measureOverduePayment,
  measurePayment,
  paymentBeforeDueDate,
  readStatistics,
  type StatisticsChange,
  sessionsWithWrongChange,
  sharedCreation,
  sharedPayment,
  statisticIn,
  statisticsSource,
} from './setups.js';

/** A change of the statistics, and the invoice that caused it. */
type MeasuredChange = StatisticsChange & { readonly record: JsonObject };

/** Measures a change. If `isFirstAttempt` is false, it measures a change of its own, and not one that clauses share. */
type Measure = (context: ClauseContext, isFirstAttempt: boolean) => Promise<MeasuredChange>;

const creationChange: Measure = async (context, isFirstAttempt) =>
  withRecord(isFirstAttempt ? await context.use(sharedCreation) : await measureCreation(context));

/** Measures the payment of another invoice, once the statistics should include that invoice. */
const measureNewPayment = (context: ClauseContext): Promise<MeasuredChange> =>
  measurePayment(context, () => createSettledInvoice(context));

export const paymentChange: Measure = (context, isFirstAttempt) =>
  isFirstAttempt ? context.use(sharedPayment) : measureNewPayment(context);

const earlyPaymentChange: Measure = (context, isFirstAttempt) =>
  isFirstAttempt ? context.use(paymentBeforeDueDate) : measureNewPayment(context);

const overdueCreationChange: Measure = async (context, isFirstAttempt) => {
  // The new invoice is only certain to be overdue if the overdue list contains it.
  const { isRecentInvoiceListed } = await context.use(overdueListWithNewInvoices);
  if (!isRecentInvoiceListed)
    throw new Skip({ missing: 'an overdue invoice', reason: 'the one that the suite created is not listed' });
  return withRecord(
    isFirstAttempt ? await context.use(recentPastDueCreation) : await measureRecentPastDueCreation(context),
  );
};

const pendingPaymentChange: Measure = async (context, isFirstAttempt) => {
  if (!isFirstAttempt) return measureNewPayment(context);
  const change = await context.use(paymentBeforeDueDate);
  const { status } = change.detailBefore;
  // The target may have sent the invoice automatically, so its status may not be `pending` any more.
  if (status !== 'pending')
    throw new Skip({
      missing: 'an invoice that is `pending`',
      reason: `the one that the suite created is \`${status}\``,
    });
  return change;
};

/** The change of a field of the statistics that is expected when one invoice is created or paid. */
type ExpectedChange = readonly [
  number: string,
  title: string,
  measure: Measure,
  field: keyof typeof statisticsQuotes,
  /** `+amount` and `-amount`: the amount of the invoice is added or subtracted. */
  difference: number | '+amount' | '-amount',
];

/**
 * Reads the statistics again until they match, since a target may update some fields later than others. Stops as soon as
 * invoices are created or paid. After a violation by the target, returns the statistics that were read before.
 */
async function readUntilUpdated(
  context: ClauseContext,
  read: Exchange,
  isUpdated: (statistics: Exchange) => boolean,
): Promise<Exchange> {
  if (isUpdated(read) || sessionsWithWrongChange.has(context.session)) return read;
  const isOfSameInvoices = (later: Exchange): boolean =>
    ['total_invoices', 'paid_invoices'].every((name) => fieldDifference({ before: read, after: later }, name) === 0);
  const latest = await eventually(
    context,
    () => readStatistics(context),
    (later) => isUpdated(later) || !isOfSameInvoices(later),
  );
  return isOfSameInvoices(latest) ? latest : read;
}

/** Creates a clause about the change of a field, measured while no other client is active. */
function changeClause([number, title, measure, field, difference]: ExpectedChange): Clause {
  const expectChange = async (context: ClauseContext, isFirstAttempt: boolean): Promise<void> => {
    const change = await measure(context, isFirstAttempt);
    if (!change.isUndisturbed) throw changedByOthersSkip('the invoices');
    const expected =
      typeof difference === 'number'
        ? difference
        : amountOf(change.record, change.after) * (difference === '+amount' ? 1 : -1);
    const before = statisticIn(change.before, field);
    const hasChanged = (after: Exchange): boolean =>
      Math.abs(statisticIn(after, field) - before - expected) <= amountTolerance;
    const after = await readUntilUpdated(context, change.after, hasChanged);
    if (!hasChanged(after))
      throw new Violation(
        `\`data.${field}\`, which was ${before}, to change by ${expected}`,
        statisticIn(after, field),
        after,
      );
  };
  const check: Check = async (context) => {
    try {
      await retryClause((isFirstAttempt) => expectChange(context, isFirstAttempt));
    } catch (error) {
      if (error instanceof Violation) sessionsWithWrongChange.add(context.session);
      throw error;
    }
  };
  return { ...statisticsSource, id: `INV-STATS-${number}`, quote: statisticsQuotes[field], title, check };
}

/**
 * Amount that an invoice adds to the sums of the statistics.
 * @throws Skip if the invoice and the sums are in different currencies: the specification does not say how the sums
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

const expectedChanges: readonly ExpectedChange[] = [
  ['11', 'A new invoice is counted in `pending_invoices`.', creationChange, 'pending_invoices', 1],
  ['12', 'A new invoice adds its amount to `total_outstanding`.', creationChange, 'total_outstanding', '+amount'],
  [
    '13',
    'A new invoice that is not due yet is not counted in `overdue_invoices`.',
    creationChange,
    'overdue_invoices',
    0,
  ],
  ['14', 'A new invoice that is not due yet adds nothing to `total_overdue`.', creationChange, 'total_overdue', 0],
  ['15', 'A paid invoice is counted in `paid_invoices`.', paymentChange, 'paid_invoices', 1],
  ['16', 'A paid invoice is no longer included in `total_outstanding`.', paymentChange, 'total_outstanding', '-amount'],
  ['30', 'A new invoice is not counted in `paid_invoices`.', creationChange, 'paid_invoices', 0],
  [
    '22',
    'A `pending` invoice is no longer counted in `pending_invoices` after its payment.',
    pendingPaymentChange,
    'pending_invoices',
    -1,
  ],
  [
    '23',
    'An overdue invoice is no longer included in `total_overdue` after its payment.',
    measureOverduePayment,
    'total_overdue',
    '-amount',
  ],
  [
    '24',
    'An overdue invoice is no longer counted in `overdue_invoices` after its payment.',
    measureOverduePayment,
    'overdue_invoices',
    -1,
  ],
  [
    '25',
    'A new invoice that is overdue is counted in `overdue_invoices`.',
    overdueCreationChange,
    'overdue_invoices',
    1,
  ],
  [
    '26',
    'A new invoice that is overdue adds its amount to `total_overdue`.',
    overdueCreationChange,
    'total_overdue',
    '+amount',
  ],
  [
    '27',
    'A new invoice that is overdue adds its amount to `total_outstanding`.',
    overdueCreationChange,
    'total_outstanding',
    '+amount',
  ],
  [
    '31',
    'An invoice that is paid before its due date is counted in `paid_invoices`.',
    earlyPaymentChange,
    'paid_invoices',
    1,
  ],
  [
    '32',
    'An invoice that is paid before its due date is no longer included in `total_outstanding`.',
    earlyPaymentChange,
    'total_outstanding',
    '-amount',
  ],
  [
    '33',
    'The payment of an invoice that is not due yet does not change `overdue_invoices`.',
    earlyPaymentChange,
    'overdue_invoices',
    0,
  ],
  [
    '34',
    'The payment of an invoice that is not due yet does not change `total_overdue`.',
    earlyPaymentChange,
    'total_overdue',
    0,
  ],
];

/** Clauses about how the statistics change when an invoice is created or paid. */
export const changeClauses: readonly Clause[] = expectedChanges.map(changeClause);
