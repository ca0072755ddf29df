import { activeProbe, NoMatchingChoice, type Probe, passiveProbe, unobservableProbe } from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { decimalOf, isClientError, recordsAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext } from '../../engine/session.js';
import { isAccepted, tryCreateLink } from '../attempts.js';
import { requireRecord } from '../created-records.js';
import { fieldOf } from '../fields.js';
import { paidLinkLocation } from '../link-list/setups.js';
import { isFound } from '../paging/setups.js';
import { observeDateFilter } from '../payment-filters/observe-date-filter.js';
import { linkPaymentSearch, listedPayments, samplePayment } from '../payments/setups.js';

/** The payment methods of the choice `common`. */
const commonMethods = ['card', 'sepa_debit', 'bank_transfer', 'ideal', 'paypal'];

/**
 * Tries to create a link, and returns the amount in the response: undefined if the link is refused, NaN if the response
 * has no amount.
 */
async function createLinkAndReadAmount(
  context: ClauseContext,
  amount: number,
  currency = 'EUR',
): Promise<number | undefined> {
  const exchange = await tryCreateLink(context, { amount, currency });
  return isAccepted(exchange) ? (decimalOf(requireRecord(exchange)['amount']) ?? Number.NaN) : undefined;
}

/** Probes for the gaps about payment links and their payments. */
export const linkProbes: readonly Probe[] = [
  activeProbe({
    gap: 'link.slug',
    evidenceFields: ['description', 'url'],
    findChoice: async (context) => {
      const { runId } = context.session;
      const exchange = await tryCreateLink(context, { description: `${runId} Été à Paris!` });
      const { url } = requireRecord(exchange);
      if (typeof url !== 'string') throw new Blocked('the new link shows no `url`', exchange);
      // The last segment of the path, without a trailing slash and the query.
      const slug = url.replace(/\/?([?#].*)?$/, '').replace(/^.*\//, '');
      if (slug === `${runId}-ete-a-paris`) return 'dashes';
      const percentEncoded = encodeURIComponent(`${runId} été à paris!`);
      return slug.toUpperCase() === percentEncoded.toUpperCase() ? 'percent-encoded' : new NoMatchingChoice(slug);
    },
  }),
  unobservableProbe('link.slug-scope'),
  activeProbe({
    gap: 'link.currency-others',
    evidenceFields: ['currency'],
    findChoice: async (context) => {
      const exchange = await tryCreateLink(context, { currency: 'USD' });
      if (isClientError(exchange)) return 'refused';
      const { currency } = requireRecord(exchange);
      return currency === 'USD' ? 'iso-4217' : new NoMatchingChoice(`a link in USD is created in ${currency}`);
    },
  }),
  activeProbe({
    gap: 'link.amount-range',
    evidenceFields: ['amount'],
    findChoice: async (context) => {
      const amounts = [
        await createLinkAndReadAmount(context, 0),
        await createLinkAndReadAmount(context, -1),
        await createLinkAndReadAmount(context, 1.005),
      ];
      if (amounts.every((amount) => amount === undefined)) return 'refused';
      // The choice `rounded` accepts any amount, and rounds it to the decimal places of the currency.
      return amounts.join() === '0,-1,1.01'
        ? 'rounded'
        : new NoMatchingChoice(amounts.map((amount) => amount ?? 'refused'));
    },
  }),
  activeProbe({
    gap: 'amount.minor-units',
    evidenceFields: ['amount', 'currency'],
    findChoice: async (context) => {
      const [yen, dinars] = [
        await createLinkAndReadAmount(context, 1.5, 'JPY'),
        await createLinkAndReadAmount(context, 1.234, 'KWD'),
      ];
      // JPY has no decimal places, KWD three. The gap `link.amount-range` decides whether an amount with more decimal
      // places is refused or rounded.
      if (yen !== 1.5 && dinars === 1.234) return 'by-currency';
      // A refused amount shows nothing if the target refuses the currency as well.
      for (const [currency, amount] of [
        ['JPY', yen],
        ['KWD', dinars],
      ] as const) {
        if (amount === undefined && (await createLinkAndReadAmount(context, 2, currency)) === undefined)
          throw new Skip({ missing: `links in ${currency}`, reason: 'they are refused' });
      }
      return yen === 1.5 && dinars !== 1.234 ? 'two' : new NoMatchingChoice([yen ?? 'refused', dinars ?? 'refused']);
    },
  }),
  passiveProbe({
    gap: 'link.deactivation',
    evidenceFields: ['is_active', 'payments_count'],
    findChoice: async (context) => {
      const location = await context.use(paidLinkLocation);
      if (!(Number(fieldOf(location, 'payments_count')) > 0)) {
        throw new Blocked('the list does not show that the link was paid', location.exchange);
      }
      const isActive = fieldOf(location, 'is_active');
      if (isActive === true) return 'never';
      return isActive === false ? 'after-payment' : new NoMatchingChoice(isActive);
    },
  }),
  passiveProbe({
    gap: 'payment.methods',
    evidenceFields: ['payment_method'],
    findChoice: async (context) => {
      const payments = await context.use(listedPayments);
      const shown = payments.map((location) => fieldOf(location, 'payment_method'));
      const methods = [...new Set(shown.filter((method) => typeof method === 'string' && method !== ''))];
      if (methods.some((method) => !commonMethods.includes(String(method))))
        return { only: methods.map(String).sort() };
      if (methods.length === commonMethods.length) return 'common';
      if (methods.length === 0) throw new Skip({ missing: '`payment_method`', reason: 'no payment shows one' });
      throw new Skip({
        missing: 'payments by other methods',
        reason: `payments show only ${methods.join(', ')}, and there may be more methods`,
      });
    },
  }),
  passiveProbe({
    gap: 'payment.transitions',
    evidenceFields: ['status'],
    findChoice: async (context) => {
      const location = await context.use(linkPaymentSearch);
      if (!isFound(location)) throw new Blocked('the payment of the link is not in the list');
      const status = fieldOf(location, 'status');
      if (status !== 'paid') return new NoMatchingChoice(`status ${status} after payment`);
      // The gap has one choice, `table` (`domain/payment-lifecycle.ts`), which one transition cannot confirm.
      throw new Skip({
        missing: 'the other transitions',
        reason: 'a payment became `paid`, as expected; no other transition was observed',
      });
    },
  }),
  activeProbe({
    gap: 'payment.date-filter',
    findChoice: observeDateFilter,
  }),
  activeProbe({
    gap: 'payment.range-reversed',
    findChoice: async (context) => {
      // A target that swaps the dates finds the payment between them.
      const sample = await ifPossible(context.use(samplePayment));
      const { laterDay: from, earlierDay: to } = sample ?? { laterDay: '2026-01-02', earlierDay: '2026-01-01' };
      const exchange = await context.get(`/payments?from=${from}&to=${to}`);
      if (!isAccepted(exchange)) return 'refused';
      const { length } = recordsAt(exchange.json, 'data.data');
      if (length > 0) return new NoMatchingChoice(`${length} payments`);
      if (!sample)
        throw new Skip({ missing: 'a payment', reason: 'without one between the dates, nothing can be found' });
      return 'empty';
    },
  }),
];
