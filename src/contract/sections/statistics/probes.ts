import { activeProbe, NoMatchingChoice, type Probe, passiveProbe } from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { amountTolerance, isSameAmount, sumOfAmounts } from '../../predicates/amounts.js';
import { requireRecord } from '../created-records.js';
import { createdInvoice } from '../invoice-creation/setups.js';
import { toListPage } from '../paging/setups.js';
import { changedByOthersSkip, fieldDifference, listsAndStatistics, measureCreation } from './setups.js';

/** Statuses of invoices whose amounts, or a part of them, may count as outstanding. */
const unpaidStatuses = ['pending', 'sent', 'viewed', 'partial', 'overdue'];

/** True for a status of finalized invoices on which nothing was paid. */
const isFullyUnpaid = (status: unknown): boolean => ['pending', 'sent', 'viewed'].some((unpaid) => unpaid === status);

/** Sums up the amounts of those invoices that are unpaid. */
function sumOfUnpaid(records: readonly JsonObject[]): number {
  return sumOfAmounts(records.filter(({ status }) => unpaidStatuses.some((unpaid) => unpaid === status)));
}

function numberAt({ json }: Exchange, path: string): number {
  const value = decimalOf(valueAt(json, path));
  if (value === undefined) throw new Blocked(`the response has no \`${path}\``);
  return value;
}

/**
 * Probes for the gaps about statistics. Active probes send requests of their own; passive ones only use setups
 * that clauses use anyway.
 */
export const statisticsProbes: readonly Probe[] = [
  activeProbe({
    gap: 'invoice.outstanding',
    evidenceFields: ['total_outstanding'],
    findChoice: async (context) => {
      const statsBefore = requireSuccess(await context.get('/invoices/stats'));
      const { records, isWholeList, page: listExchange } = toListPage(await context.get('/invoices?per_page=100'));
      const statsAfter = requireSuccess(await context.get('/invoices/stats'));
      if (fieldDifference({ before: statsBefore, after: statsAfter }, 'total_outstanding') !== 0) {
        throw changedByOthersSkip('the statistics');
      }
      const isPartiallyPaid = ({ status }: JsonObject): boolean => status === 'partial';
      if (!records.some(isPartiallyPaid)) {
        throw new Skip({
          missing: 'an invoice paid in part',
          reason: 'none is on the first page, and no driver can pay a part of an invoice',
        });
      }
      if (!isWholeList)
        throw new Skip({
          missing: 'a list of up to 100 invoices',
          reason: 'the account has more invoices than one page shows, so their amounts cannot be summed',
        });
      const currency = valueAt(statsAfter.json, 'data.currency');
      const recordsInCurrency = records.filter(
        (record) => record['currency'] === undefined || record['currency'] === currency,
      );
      const shown = numberAt(statsAfter, 'data.total_outstanding');
      context.recordEvidence(listExchange, statsAfter);
      const sum = sumOfUnpaid(records);
      if (isSameAmount(shown, sum)) return 'whole-amount';
      // `total_outstanding` may leave out invoices in other currencies.
      if (isSameAmount(shown, sumOfUnpaid(recordsInCurrency))) {
        if (recordsInCurrency.some(isPartiallyPaid)) return 'whole-amount';
        throw new Skip({
          missing: 'an invoice paid in part',
          reason: `none in ${currency} is on the first page, and \`total_outstanding\` leaves out other currencies`,
        });
      }
      // A part of an overdue invoice may be paid, too.
      const sumWithoutPayment = sumOfAmounts(recordsInCurrency.filter(({ status }) => isFullyUnpaid(status)));
      return shown < sum && shown > sumWithoutPayment + amountTolerance
        ? 'remaining'
        : new NoMatchingChoice(
            `${shown}, but the amounts of all unpaid invoices add up to ${sum}, and those without any payment to ${sumWithoutPayment}`,
          );
    },
  }),
  activeProbe({
    gap: 'invoice.pending-count',
    evidenceFields: ['pending_invoices', 'overdue_invoices'],
    findChoice: async (context) => {
      const change = await measureCreation(context, () => ({
        reference: context.withRunPrefix('due long ago, and counted'),
        date: '2020-01-01',
        due_date: '2020-01-31',
      }));
      requireRecord(change.exchange);
      if (!change.isUndisturbed) throw changedByOthersSkip('the invoices');
      if (fieldDifference(change, 'overdue_invoices') !== 1) throw new Blocked('the invoice does not count as overdue');
      const difference = fieldDifference(change, 'pending_invoices');
      if (difference === 0) return 'without-overdue';
      return difference === 1 ? 'with-overdue' : new NoMatchingChoice(`changed by ${difference}`);
    },
  }),
  passiveProbe({
    gap: 'overdue.total-outstanding',
    evidenceFields: ['total_outstanding', 'total_overdue'],
    findChoice: async (context) => {
      await ifPossible(context.use(createdInvoice));
      const { overdue, stats } = await context.use(listsAndStatistics);
      const shown = numberAt(overdue, 'total_outstanding');
      const [overdueSum, unpaidSum] = [
        numberAt(stats, 'data.total_overdue'),
        numberAt(stats, 'data.total_outstanding'),
      ];
      if (isSameAmount(overdueSum, unpaidSum))
        throw new Skip({ missing: 'an unpaid invoice that is not overdue', reason: 'the sums are the same' });
      if (isSameAmount(shown, overdueSum)) return 'listed';
      return isSameAmount(shown, unpaidSum) ? 'all-unpaid' : new NoMatchingChoice(shown);
    },
  }),
];
