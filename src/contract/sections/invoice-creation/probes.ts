import { activeProbe, type Probe, Unlisted } from '../../calibrate/probe.js';
import type { ClauseContext } from '../../engine/session.js';
import { isAccepted, largest, tryInvoice, tryItem } from '../webhooks/attempts.js';
import { itemsFor } from './setups.js';

/** The most decimal places, and the highest tax rate, that a profile can name. */
const mostPlaces = 8;
const highestRate = 10_000;

/** A number just above a whole one, with so many decimal places. */
const above = (whole: number, places: number): number => Number((whole + 10 ** -places).toFixed(places));

async function takesPlaces(context: ClauseContext, places: number): Promise<boolean> {
  return isAccepted(
    await tryItem(context, { quantity: above(1, places), unit_price: above(10, places), tax_rate: above(5, places) }),
  );
}

async function takesRate(context: ClauseContext, tax_rate: number): Promise<boolean> {
  return isAccepted(await tryItem(context, { tax_rate }));
}

/** Invoices: what is refused of them. */
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
      if (await takesPlaces(context, mostPlaces + 1)) return 'any';
      return { places: await largest(3, mostPlaces + 1, (places) => takesPlaces(context, places)) };
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
      if (await takesRate(context, -1)) return new Unlisted('a negative one is accepted');
      const [hundred, more] = [await takesRate(context, 100), await takesRate(context, 101)];
      if (hundred && !more) return '0-to-100';
      if (hundred && more && (await takesRate(context, highestRate + 1))) return 'unbounded';
      // The invoices of the suite have a rate of 5. In hundredths, as two decimal places are what every target takes.
      const [low, high] = more ? [101, highestRate + 1] : [5, 100];
      const found = await largest(low * 100, high * 100, (rate) => takesRate(context, rate / 100));
      return { maximum: found / 100 };
    },
    'tax_rate',
  ),
];
