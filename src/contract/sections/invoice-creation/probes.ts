import { activeProbe, type Probe, passiveProbe, Unlisted } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { isAccepted, largest, tryInvoice, tryItem } from '../attempts.js';
import { rowsPage } from '../paging/setups.js';
import { changeOf, measureCreation, stableTotals } from '../statistics/setups.js';
import { createdInvoice, itemsFor, recordOf } from './setups.js';

/** Statuses of invoices that may count as outstanding. */
const unpaid = ['pending', 'sent', 'viewed', 'partial', 'overdue'];

function figure({ json }: Exchange, path: string): number {
  const value = decimalOf(valueAt(json, path));
  if (value === undefined) throw new Blocked(`the response has no \`${path}\``);
  return value;
}

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.005;

/** Probes of the statistics. */
export const sumProbes: readonly Probe[] = [
  activeProbe(
    'invoice.outstanding',
    async (context) => {
      const stats = succeeded(await context.get('/invoices/stats'));
      const { rows, isAll, page } = rowsPage(await context.get('/invoices?per_page=100'));
      const then = succeeded(await context.get('/invoices/stats'));
      if (changeOf({ before: stats, after: then }, 'total_outstanding') !== 0) {
        throw new Skip('an account that nobody else changes', 'the statistics keep changing');
      }
      if (!rows.some(({ status }) => status === 'partial')) {
        throw new Skip('an invoice paid in part', 'none is on the first page, and no driver pays a part');
      }
      if (!isAll) throw new Skip('a list of up to 100 invoices', 'it is too long to be added up');
      const open = rows.filter(({ status }) => unpaid.some((one) => one === status));
      const whole = open.reduce((sum, { amount }) => sum + (decimalOf(amount) ?? Number.NaN), 0);
      const shown = figure(then, 'data.total_outstanding');
      context.recordEvidence(page, then);
      if (isSame(shown, whole)) return 'whole-amount';
      return shown < whole ? 'remaining' : new Unlisted(`${shown} of ${whole}`);
    },
    'total_outstanding',
  ),
  activeProbe(
    'invoice.pending-count',
    async (context) => {
      const change = await measureCreation(context, () => ({
        reference: context.text('due long ago, and counted'),
        date: '2020-01-01',
        due_date: '2020-01-31',
      }));
      recordOf(change.exchange);
      if (!change.isAtRest) throw new Skip('an account that nobody else changes', 'its invoices keep changing');
      if (changeOf(change, 'overdue_invoices') !== 1) throw new Blocked('the invoice does not count as overdue');
      const more = changeOf(change, 'pending_invoices');
      if (more === 0) return 'without-overdue';
      return more === 1 ? 'with-overdue' : new Unlisted(`moved by ${more}`);
    },
    'pending_invoices',
    'overdue_invoices',
  ),
  passiveProbe(
    'overdue.total-outstanding',
    async (context) => {
      await ifPossible(context.use(createdInvoice));
      const { overdue, stats } = await stableTotals(context, true);
      const shown = figure(overdue, 'total_outstanding');
      const [late, all] = [figure(stats, 'data.total_overdue'), figure(stats, 'data.total_outstanding')];
      if (isSame(late, all)) throw new Skip('an unpaid invoice that is not overdue', 'the sums are the same');
      if (isSame(shown, late)) return 'listed';
      return isSame(shown, all) ? 'all-unpaid' : new Unlisted(shown);
    },
    'total_outstanding',
    'total_overdue',
  ),
];

/** Maximum number of decimal places, and maximum tax rate, that a profile can name. */
const maxPlaces = 8;
const maxRate = 10_000;

/** A number slightly above an integer, with some decimal places. */
const above = (whole: number, places: number): number => Number((whole + 10 ** -places).toFixed(places));

async function acceptsPlaces(context: ClauseContext, places: number): Promise<boolean> {
  return isAccepted(
    await tryItem(context, { quantity: above(1, places), unit_price: above(10, places), tax_rate: above(5, places) }),
  );
}

async function acceptsRate(context: ClauseContext, tax_rate: number): Promise<boolean> {
  return isAccepted(await tryItem(context, { tax_rate }));
}

/** Probes of refused invoices. */
export const invoiceRuleProbes: readonly Probe[] = [
  activeProbe(
    'invoice.item-places',
    async (context) => {
      const three = { quantity: above(1, 3), unit_price: above(10, 3), tax_rate: above(5, 3) };
      const accepted: string[] = [];
      for (const [field, value] of Object.entries(three)) {
        if (isAccepted(await tryItem(context, { [field]: value }))) accepted.push(field);
      }
      if (accepted.length === 0) return '2';
      if (accepted.length < Object.keys(three).length) return new Unlisted(`three for ${accepted.join(', ')} alone`);
      if (await acceptsPlaces(context, maxPlaces + 1)) return 'any';
      return { places: await largest(3, maxPlaces + 1, (places) => acceptsPlaces(context, places)) };
    },
    'quantity',
    'unit_price',
    'tax_rate',
  ),
  activeProbe(
    'invoice.unit-price',
    async (context) => {
      const { untaxed } = itemsFor(context);
      const items = [
        { ...untaxed, quantity: 1, unit_price: 2 },
        { ...untaxed, quantity: 1, unit_price: -1 },
      ];
      return isAccepted(await tryInvoice(context, { items })) ? 'negative' : 'zero-or-more';
    },
    'unit_price',
  ),
  activeProbe(
    'invoice.tax-rate',
    async (context) => {
      if (await acceptsRate(context, -1)) return new Unlisted('a negative one is accepted');
      const [hundred, more] = [await acceptsRate(context, 100), await acceptsRate(context, 101)];
      if (hundred && !more) return '0-to-100';
      if (hundred && more && (await acceptsRate(context, maxRate + 1))) return 'unbounded';
      // The suite's invoices have a tax rate of 5. In hundredths, since every target accepts two decimal places.
      const [low, high] = more ? [101, maxRate + 1] : [5, 100];
      const found = await largest(low * 100, high * 100, (rate) => acceptsRate(context, rate / 100));
      return { maximum: found / 100 };
    },
    'tax_rate',
  ),
];
