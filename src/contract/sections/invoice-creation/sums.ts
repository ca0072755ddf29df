import { activeProbe, type Probe, passiveProbe, Unlisted } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { rowsPage } from '../paging/setups.js';
import { measureCreation, moved, standing } from '../statistics/setups.js';
import { createdInvoice, recordOf } from './setups.js';

/** What is owed on an invoice, or was. */
const unpaid = ['pending', 'sent', 'viewed', 'partial', 'overdue'];

function figure({ json }: Exchange, path: string): number {
  const value = decimalOf(valueAt(json, path));
  if (value === undefined) throw new Blocked(`there is no \`${path}\``);
  return value;
}

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.005;

/** The statistics, and what they sum up. */
export const sumProbes: readonly Probe[] = [
  activeProbe(
    'invoice.outstanding',
    async (context) => {
      const stats = succeeded(await context.get('/invoices/stats'));
      const { rows, isAll, page } = rowsPage(await context.get('/invoices?per_page=100'));
      const then = succeeded(await context.get('/invoices/stats'));
      if (moved({ before: stats, after: then }, 'total_outstanding') !== 0) {
        throw new Skip('an account at rest', 'the statistics change all the time');
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
      if (!change.isAtRest) throw new Skip('an account at rest', 'others change its invoices all the time');
      if (moved(change, 'overdue_invoices') !== 1) throw new Blocked('the invoice does not count as overdue');
      const more = moved(change, 'pending_invoices');
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
      const { overdue, stats } = await standing(context, true);
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
