import { activeProbe, type Probe, passiveProbe, Unlisted, unobservable } from '../../calibrate/probe.js';
import { decimalOf, isClientError, recordsAt, valueAt } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { isAccepted, tryCreateLink } from '../attempts.js';
import { requireRecord } from '../invoice-creation/setups.js';
import { listedPaidLink } from '../link-list/setups.js';
import { observeDateFilter } from '../payment-filters/probes.js';
import { linkPaymentLocation, listedPayments } from '../payments/setups.js';

/** The payment methods that the choice `common` comprises. */
const commonMethods = ['card', 'sepa_debit', 'bank_transfer', 'ideal', 'paypal'];

/** Tries to create a link and returns the amount it shows; undefined if the link is refused, NaN if it shows none. */
async function createdAmountFor(context: ClauseContext, amount: number): Promise<number | undefined> {
  const exchange = await tryCreateLink(context, { amount });
  return isAccepted(exchange) ? (decimalOf(requireRecord(exchange)['amount']) ?? Number.NaN) : undefined;
}

/** Tries to create a link in a currency, with the result of `createdAmountFor`. */
async function createdAmountIn(context: ClauseContext, currency: string, amount: number): Promise<number | undefined> {
  const exchange = await tryCreateLink(context, { currency, amount });
  return isAccepted(exchange) ? (decimalOf(requireRecord(exchange)['amount']) ?? Number.NaN) : undefined;
}

/** Probes of payment links and their payments. */
export const linkProbes: readonly Probe[] = [
  activeProbe(
    'link.slug',
    async (context) => {
      const { runId } = context.session;
      const exchange = await tryCreateLink(context, { description: `${runId} Été à Paris!` });
      const slug = String(requireRecord(exchange)['url']).replace(/^.*\//, '');
      if (slug === `${runId}-ete-a-paris`) return 'dashes';
      const percentEncoded = encodeURIComponent(`${runId} été à paris!`);
      return slug.toUpperCase() === percentEncoded.toUpperCase() ? 'percent-encoded' : new Unlisted(slug);
    },
    'description',
    'url',
  ),
  unobservable('link.slug-scope'),
  activeProbe(
    'link.currency-others',
    async (context) => {
      const exchange = await tryCreateLink(context, { currency: 'USD' });
      if (isClientError(exchange)) return 'refused';
      const { currency } = requireRecord(exchange);
      return currency === 'USD' ? 'iso-4217' : new Unlisted(`it becomes ${currency}`);
    },
    'currency',
  ),
  activeProbe(
    'link.amount-range',
    async (context) => {
      const amounts = [
        await createdAmountFor(context, 0),
        await createdAmountFor(context, -1),
        await createdAmountFor(context, 1.005),
      ];
      if (amounts.every((amount) => amount === undefined)) return 'refused';
      return amounts.join() === '0,-1,1.01' ? 'rounded' : new Unlisted(amounts.map((amount) => amount ?? 'refused'));
    },
    'amount',
  ),
  activeProbe(
    'amount.minor-units',
    async (context) => {
      const [yen, dinars] = [await createdAmountIn(context, 'JPY', 1.5), await createdAmountIn(context, 'KWD', 1.234)];
      // JPY has no decimal places, KWD three. Further places are refused or rounded (gap link.amount-range).
      if (yen !== 1.5 && dinars === 1.234) return 'by-currency';
      if (yen === 1.5 && dinars !== 1.234) return 'two';
      const wholeYen = await createdAmountIn(context, 'JPY', 2);
      if (wholeYen === undefined) throw new Skip('links in JPY', 'they are refused');
      return new Unlisted([yen ?? 'refused', dinars ?? 'refused']);
    },
    'amount',
    'currency',
  ),
  passiveProbe(
    'link.deactivation',
    async (context) => {
      const { page, path } = await context.use(listedPaidLink);
      if (!(Number(valueAt(page.json, `${path}.payments_count`)) > 0)) {
        throw new Blocked('the list does not show that the link was paid', page);
      }
      const isActive = valueAt(page.json, `${path}.is_active`);
      if (isActive === true) return 'never';
      return isActive === false ? 'after-payment' : new Unlisted(isActive);
    },
    'is_active',
    'payments_count',
  ),
  passiveProbe(
    'payment.methods',
    async (context) => {
      const payments = await context.use(listedPayments);
      const shown = payments.map(({ page, path }) => valueAt(page.json, `${path}.payment_method`));
      const methods = [...new Set(shown.filter((method) => typeof method === 'string' && method !== ''))];
      if (methods.some((method) => !commonMethods.includes(String(method))))
        return { only: methods.map(String).sort() };
      if (methods.length === commonMethods.length) return 'common';
      throw new Skip('payments by other methods', `only ${methods.join(', ')} was seen, and there may be more`);
    },
    'payment_method',
  ),
  passiveProbe(
    'payment.transitions',
    async (context) => {
      const location = await context.use(linkPaymentLocation);
      if (typeof location !== 'object') throw new Blocked('the payment of the link is not in the list');
      const status = valueAt(location.page.json, `${location.path}.status`);
      return status === 'paid' ? 'table' : new Unlisted(`${status} after it was paid`);
    },
    'status',
  ),
  activeProbe('payment.date-filter', observeDateFilter),
  activeProbe('payment.range-reversed', async (context) => {
    const exchange = await context.get('/payments?from=2026-01-02&to=2026-01-01');
    if (!isAccepted(exchange)) return 'refused';
    const { length } = recordsAt(exchange.json, 'data.data');
    return length === 0 ? 'empty' : new Unlisted(`${length} payments`);
  }),
];
