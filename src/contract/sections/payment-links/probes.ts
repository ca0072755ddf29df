import { ask, look, type Probe, Unlisted, unseen } from '../../calibrate/probe.js';
import { decimalOf, isRefusal, recordsAt, valueAt } from '../../engine/expect.js';
import type { Scene } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { recordOf } from '../invoice-creation/setups.js';
import { listedPaidLink } from '../link-list/setups.js';
import { dateFilter } from '../payment-filters/probes.js';
import { foundPayment, listedPayments } from '../payments/setups.js';
import { isAccepted, tryLink } from '../webhooks/attempts.js';

const commonMethods = ['card', 'sepa_debit', 'bank_transfer', 'ideal', 'paypal'];

/** The amount that a link gets; undefined where it is refused. */
async function amountFor(scene: Scene, amount: number): Promise<number | undefined> {
  const exchange = await tryLink(scene, { amount });
  return isAccepted(exchange) ? (decimalOf(recordOf(exchange)['amount']) ?? Number.NaN) : undefined;
}

/** The amount that a link in a currency gets; undefined where it is refused. */
async function amountIn(scene: Scene, currency: string, amount: number): Promise<number | undefined> {
  const exchange = await tryLink(scene, { currency, amount });
  return isAccepted(exchange) ? (decimalOf(recordOf(exchange)['amount']) ?? Number.NaN) : undefined;
}

/** Payment links, and their payments. */
export const linkProbes: readonly Probe[] = [
  ask(
    'link.slug',
    async (scene) => {
      const { mark } = scene.session;
      const exchange = await tryLink(scene, { description: `${mark} Été à Paris!` });
      const slug = String(recordOf(exchange)['url']).replace(/^.*\//, '');
      if (slug === `${mark}-ete-a-paris`) return 'dashes';
      const wanted = encodeURIComponent(`${mark} été à paris!`);
      return slug.toUpperCase() === wanted.toUpperCase() ? 'percent-encoded' : new Unlisted(slug);
    },
    'description',
    'url',
  ),
  unseen('link.slug-scope'),
  ask(
    'link.currency-others',
    async (scene) => {
      const exchange = await tryLink(scene, { currency: 'USD' });
      if (isRefusal(exchange)) return 'refused';
      const { currency } = recordOf(exchange);
      return currency === 'USD' ? 'iso-4217' : new Unlisted(`it becomes ${currency}`);
    },
    'currency',
  ),
  ask(
    'link.amount-range',
    async (scene) => {
      const amounts = [await amountFor(scene, 0), await amountFor(scene, -1), await amountFor(scene, 1.005)];
      if (amounts.every((amount) => amount === undefined)) return 'refused';
      return amounts.join() === '0,-1,1.01' ? 'rounded' : new Unlisted(amounts.map((amount) => amount ?? 'refused'));
    },
    'amount',
  ),
  ask(
    'amount.minor-units',
    async (scene) => {
      const [yen, dinars] = [await amountIn(scene, 'JPY', 1.5), await amountIn(scene, 'KWD', 1.234)];
      // What has too many places is refused, or rounded (gap link.amount-range).
      if (yen !== 1.5 && dinars === 1.234) return 'by-currency';
      if (yen === 1.5 && dinars !== 1.234) return 'two';
      const whole = await amountIn(scene, 'JPY', 2);
      if (whole === undefined) throw new Skip('links in JPY', 'they are refused');
      return new Unlisted([yen ?? 'refused', dinars ?? 'refused']);
    },
    'amount',
    'currency',
  ),
  look(
    'link.deactivation',
    async (scene) => {
      const { page, at } = await scene.at(listedPaidLink);
      if (!(Number(valueAt(page.json, `${at}.payments_count`)) > 0)) {
        throw new Blocked('the list does not show that the link was paid', page);
      }
      const isActive = valueAt(page.json, `${at}.is_active`);
      if (isActive === true) return 'never';
      return isActive === false ? 'after-payment' : new Unlisted(isActive);
    },
    'is_active',
    'payments_count',
  ),
  look(
    'payment.methods',
    async (scene) => {
      const payments = await scene.at(listedPayments);
      const shown = payments.map(({ page, at }) => valueAt(page.json, `${at}.payment_method`));
      const methods = [...new Set(shown.filter((method) => typeof method === 'string' && method !== ''))];
      if (methods.some((method) => !commonMethods.includes(String(method))))
        return { only: methods.map(String).sort() };
      if (methods.length === commonMethods.length) return 'common';
      throw new Skip('payments by other methods', `only ${methods.join(', ')} is seen, which may be one of many`);
    },
    'payment_method',
  ),
  look(
    'payment.transitions',
    async (scene) => {
      const place = await scene.at(foundPayment);
      if (typeof place !== 'object') throw new Blocked('the payment of the link is not in the list');
      const status = valueAt(place.page.json, `${place.at}.status`);
      return status === 'paid' ? 'table' : new Unlisted(`${status} after it was paid`);
    },
    'status',
  ),
  ask('payment.date-filter', dateFilter),
  ask('payment.range-reversed', async (scene) => {
    const exchange = await scene.get('/payments?from=2026-01-02&to=2026-01-01');
    if (!isAccepted(exchange)) return 'refused';
    const { length } = recordsAt(exchange.json, 'data.data');
    return length === 0 ? 'empty' : new Unlisted(`${length} payments`);
  }),
];
