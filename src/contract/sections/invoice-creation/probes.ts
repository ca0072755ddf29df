import { activeProbe, NoMatchingChoice, type Probe, passiveProbe } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { findLargestAccepted, isAccepted, tryCreateInvoice, tryCreateInvoiceWithItem } from '../attempts.js';
import { requireRecord } from '../created-records.js';
import { rowsPage } from '../paging/setups.js';
import { activeClientsSkip, fieldDifference, listsAndStatistics, measureCreation } from '../statistics/setups.js';
import { createdInvoice, validItems } from './setups.js';

/** Statuses of invoices whose amounts, or a part of them, may count as outstanding. */
const unpaidStatuses = ['pending', 'sent', 'viewed', 'partial', 'overdue'];

/** Sums up the amounts of those invoices that are unpaid. */
function sumOfUnpaid(rows: readonly JsonObject[]): number {
  return rows
    .filter(({ status }) => unpaidStatuses.some((unpaid) => unpaid === status))
    .reduce((total, { amount }) => total + (decimalOf(amount) ?? Number.NaN), 0);
}

function numberAt({ json }: Exchange, path: string): number {
  const value = decimalOf(valueAt(json, path));
  if (value === undefined) throw new Blocked(`the response has no \`${path}\``);
  return value;
}

/** True if two amounts are equal apart from floating-point rounding: they differ by less than half a cent. */
const isSameAmount = (amount: number, other: number): boolean => Math.abs(amount - other) < 0.005;

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
      const { rows, isWholeList, page: listExchange } = rowsPage(await context.get('/invoices?per_page=100'));
      const statsAfter = requireSuccess(await context.get('/invoices/stats'));
      if (fieldDifference({ before: statsBefore, after: statsAfter }, 'total_outstanding') !== 0) {
        throw activeClientsSkip('the statistics');
      }
      const isPartiallyPaid = ({ status }: JsonObject): boolean => status === 'partial';
      if (!rows.some(isPartiallyPaid)) {
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
      const rowsInCurrency = rows.filter((row) => row['currency'] === undefined || row['currency'] === currency);
      const shown = numberAt(statsAfter, 'data.total_outstanding');
      context.recordEvidence(listExchange, statsAfter);
      const sum = sumOfUnpaid(rows);
      if (isSameAmount(shown, sum)) return 'whole-amount';
      // `total_outstanding` may leave out invoices in other currencies.
      if (isSameAmount(shown, sumOfUnpaid(rowsInCurrency))) {
        if (rowsInCurrency.some(isPartiallyPaid)) return 'whole-amount';
        throw new Skip({
          missing: 'an invoice paid in part',
          reason: `none in ${currency} is on the first page, and \`total_outstanding\` leaves out other currencies`,
        });
      }
      return shown < sum
        ? 'remaining'
        : new NoMatchingChoice(`${shown}, but the amounts of all unpaid invoices add up to ${sum}`);
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
      if (!change.isUndisturbed) throw activeClientsSkip('its invoices');
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

/** Maximum number of decimal places that a profile can express. */
const maxDecimals = 8;
/** Maximum tax rate in percent that a profile can express. */
const maxRate = 10_000;

/** Returns the smallest number with this many decimal places that is greater than an integer: 10.001 for 10 and 3. */
const nextAbove = (whole: number, decimals: number): number => Number((whole + 10 ** -decimals).toFixed(decimals));

async function acceptsDecimals(context: ClauseContext, decimals: number): Promise<boolean> {
  return isAccepted(
    await tryCreateInvoiceWithItem(context, {
      quantity: nextAbove(1, decimals),
      unit_price: nextAbove(10, decimals),
      tax_rate: nextAbove(5, decimals),
    }),
  );
}

async function acceptsRate(context: ClauseContext, tax_rate: number): Promise<boolean> {
  return isAccepted(await tryCreateInvoiceWithItem(context, { tax_rate }));
}

/** Probes for the gaps about the quantity, price and tax rate of an item. */
export const invoiceRuleProbes: readonly Probe[] = [
  activeProbe({
    gap: 'invoice.item-places',
    evidenceFields: ['quantity', 'unit_price', 'tax_rate'],
    findChoice: async (context) => {
      const threeDecimals = { quantity: nextAbove(1, 3), unit_price: nextAbove(10, 3), tax_rate: nextAbove(5, 3) };
      const accepted: string[] = [];
      for (const [field, value] of Object.entries(threeDecimals)) {
        if (isAccepted(await tryCreateInvoiceWithItem(context, { [field]: value }))) accepted.push(field);
      }
      if (accepted.length === 0) return '2';
      if (accepted.length < Object.keys(threeDecimals).length)
        return new NoMatchingChoice(`three decimal places for ${accepted.join(', ')} only`);
      if (await acceptsDecimals(context, maxDecimals + 1)) return 'any';
      return {
        places: await findLargestAccepted(3, maxDecimals + 1, (decimals) => acceptsDecimals(context, decimals)),
      };
    },
  }),
  activeProbe({
    gap: 'invoice.unit-price',
    evidenceFields: ['unit_price'],
    findChoice: async (context) => {
      const { untaxed } = validItems(context);
      // The amount of the invoice stays positive: a target might refuse a negative amount, but not a negative price.
      const items = [
        { ...untaxed, quantity: 1, unit_price: 2 },
        { ...untaxed, quantity: 1, unit_price: -1 },
      ];
      return isAccepted(await tryCreateInvoice(context, { items })) ? 'negative' : 'zero-or-more';
    },
  }),
  activeProbe({
    gap: 'invoice.tax-rate',
    evidenceFields: ['tax_rate'],
    findChoice: async (context) => {
      if (await acceptsRate(context, -1)) return new NoMatchingChoice('a negative tax rate is accepted');
      const [accepts100, accepts101] = [await acceptsRate(context, 100), await acceptsRate(context, 101)];
      if (accepts100 && !accepts101) return '0-to-100';
      if (accepts100 && accepts101 && (await acceptsRate(context, maxRate + 1))) return 'unbounded';
      // A tax rate of 5 is accepted, because other invoices of the suite have it. The bisection needs integers, so it
      // searches in hundredths of a percent.
      const [low, high] = accepts101 ? [101, maxRate + 1] : [5, 100];
      const found = await findLargestAccepted(low * 100, high * 100, (rate) => acceptsRate(context, rate / 100));
      return { maximum: found / 100 };
    },
  }),
];
