import { ask, type Probe, Unlisted } from '../../calibrate/probe.js';
import type { Scene } from '../../engine/session.js';
import { isAccepted, largest, tryInvoice, tryItem } from '../webhooks/attempts.js';
import { itemsFor } from './setups.js';

/** The most decimal places, and the highest tax rate, that a profile can name. */
const mostPlaces = 8;
const highestRate = 10_000;

/** A number just above a whole one, with so many decimal places. */
const above = (whole: number, places: number): number => Number((whole + 10 ** -places).toFixed(places));

async function takesPlaces(scene: Scene, places: number): Promise<boolean> {
  return isAccepted(
    await tryItem(scene, { quantity: above(1, places), unit_price: above(10, places), tax_rate: above(5, places) }),
  );
}

async function takesRate(scene: Scene, tax_rate: number): Promise<boolean> {
  return isAccepted(await tryItem(scene, { tax_rate }));
}

/** Invoices: what is refused of them. */
export const invoiceRuleProbes: readonly Probe[] = [
  ask(
    'invoice.item-places',
    async (scene) => {
      const three = { quantity: above(1, 3), unit_price: above(10, 3), tax_rate: above(5, 3) };
      const accepted: string[] = [];
      for (const [field, value] of Object.entries(three)) {
        if (isAccepted(await tryItem(scene, { [field]: value }))) accepted.push(field);
      }
      if (accepted.length === 0) return '2';
      if (accepted.length < Object.keys(three).length) return new Unlisted(`three for ${accepted.join(', ')} alone`);
      if (await takesPlaces(scene, mostPlaces + 1)) return 'any';
      return { places: await largest(3, mostPlaces + 1, (places) => takesPlaces(scene, places)) };
    },
    'quantity',
    'unit_price',
    'tax_rate',
  ),
  ask(
    'invoice.unit-price',
    async (scene) => {
      const { untaxed } = itemsFor(scene);
      const items = [
        { ...untaxed, quantity: 1, unit_price: 2 },
        { ...untaxed, quantity: 1, unit_price: -1 },
      ];
      return isAccepted(await tryInvoice(scene, { items })) ? 'negative' : 'zero-or-more';
    },
    'unit_price',
  ),
  ask(
    'invoice.tax-rate',
    async (scene) => {
      if (await takesRate(scene, -1)) return new Unlisted('a negative one is accepted');
      const [hundred, more] = [await takesRate(scene, 100), await takesRate(scene, 101)];
      if (hundred && !more) return '0-to-100';
      if (hundred && more && (await takesRate(scene, highestRate + 1))) return 'unbounded';
      // The invoices of the suite have a rate of 5. In hundredths, as two decimal places are what every target takes.
      const [low, high] = more ? [101, highestRate + 1] : [5, 100];
      const found = await largest(low * 100, high * 100, (rate) => takesRate(scene, rate / 100));
      return { maximum: found / 100 };
    },
    'tax_rate',
  ),
];
