import { type Probe, passiveProbe, Unlisted } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { steps } from '../deposit-lifecycle/setups.js';
import { depositAnswer } from '../deposits/setups.js';
import { createdInvoice, plainInvoice } from '../invoice-creation/setups.js';
import { linkAnswer, newLink } from '../payment-links/setups.js';
import { listedPayments } from '../payments/setups.js';
import { reminder } from '../reminders/clauses.js';

/** The one success status that all of some answers have. @throws Blocked where none is a success */
function successOf(exchanges: readonly (Exchange | undefined)[]): number | Unlisted {
  const statuses = new Set(exchanges.flatMap((exchange) => (exchange && isSuccess(exchange) ? [exchange.status] : [])));
  const [status, ...others] = statuses;
  if (status === undefined) throw new Blocked('none of the requests succeeds');
  return others.length === 0 ? status : new Unlisted([...statuses]);
}

/** One of the names that a status has; none has what is no choice. */
function named<Name extends string>(status: number | Unlisted, ...names: readonly Name[]): Name | Unlisted {
  if (status instanceof Unlisted) return status;
  return names.find((name) => name === String(status)) ?? new Unlisted(status);
}

/** What answers look like, whatever they answer. */
export const bodyProbes: readonly Probe[] = [
  passiveProbe(
    'decimal.encoding',
    async (context) => {
      const { record } = await context.use(newLink);
      const amount = record['amount'];
      if (typeof amount === 'number') return 'number';
      return /^-?\d+\.\d{2}$/.test(String(amount)) ? 'string' : new Unlisted(amount);
    },
    'amount',
  ),
  passiveProbe(
    'null.optional',
    async (context) => {
      const [given, plain] = [await context.use(createdInvoice), await context.use(plainInvoice)];
      if (!('reference' in given.record)) throw new Blocked('no creation shows a `reference`', given.exchange);
      const { reference } = plain.record;
      if (reference === null) return 'null';
      if (reference === '') return 'empty';
      return reference === undefined ? 'absent' : new Unlisted(reference);
    },
    'reference',
  ),
  passiveProbe(
    'payment.paid-at-unpaid',
    async (context) => {
      const payments = await context.use(listedPayments);
      const unpaid = payments.map(({ page, at }) => valueAt(page.json, at)).filter((row) => isUnpaid(row));
      if (unpaid.length === 0) throw new Skip('a payment that is not paid', 'none is listed');
      const shown = new Set(unpaid.map((row) => valueAt(row, 'paid_at')));
      const [value, ...others] = shown;
      if (others.length > 0) return new Unlisted([...shown]);
      if (value === null) return 'null';
      return value === undefined ? 'absent' : new Unlisted(value);
    },
    'paid_at',
  ),
  passiveProbe('status.created', async (context) => {
    const [link, deposit] = [await context.use(linkAnswer), await context.use(depositAnswer)];
    return named(successOf([link.exchange, deposit.exchange]), '201', '200');
  }),
  passiveProbe('status.acted', async (context) => {
    const acts = [steps.capturedWhole, steps.released];
    const exchanges = [await context.use(reminder)];
    for (const act of acts) exchanges.push(...[(await ifPossible(context.use(act)))?.exchange].filter((one) => !!one));
    return named(successOf(exchanges), '200', '201', '202');
  }),
];

function isUnpaid(row: unknown): boolean {
  return ['open', 'pending', 'failed'].some((status) => status === valueAt(row, 'status'));
}
