import { activeProbe, NoMatchingChoice, type Probe } from '../../calibrate/probe.js';
import { formatValue, Skip } from '../../engine/check-errors.js';
import { decimalOf, recordsAt } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { findLargestAccepted, isAccepted, tryCreateInvoice, tryCreateInvoiceWithItem } from '../attempts.js';
import { validItems } from './setups.js';

/** Maximum number of decimal places that a profile can express. */
const maxDecimals = 8;
/** Maximum tax rate in percent that a profile can express. */
const maxRate = 10_000;

/** Returns the smallest number with this many decimal places that is greater than an integer: 10.001 for 10 and 3. */
const nextAbove = (whole: number, decimals: number): number => Number((whole + 10 ** -decimals).toFixed(decimals));

/**
 * True if the target accepts an item with these numbers.
 * @throws Skip if it accepts them, but changes one
 */
async function acceptsNumbers(context: ClauseContext, numbers: Readonly<Record<string, number>>): Promise<boolean> {
  const exchange = await tryCreateInvoiceWithItem(context, numbers);
  if (!isAccepted(exchange)) return false;
  const [line] = recordsAt(exchange.json, 'data.invoice_items');
  for (const [field, number] of Object.entries(numbers)) {
    if (decimalOf(line?.[field]) !== number)
      throw new Skip({
        missing: 'a number that is stored unchanged',
        reason: `a \`${field}\` of ${number} is accepted, but becomes ${formatValue(line?.[field])}`,
      });
  }
  return true;
}

function acceptsDecimals(context: ClauseContext, decimals: number): Promise<boolean> {
  return acceptsNumbers(context, {
    quantity: nextAbove(1, decimals),
    unit_price: nextAbove(10, decimals),
    tax_rate: nextAbove(5, decimals),
  });
}

const acceptsRate = (context: ClauseContext, tax_rate: number): Promise<boolean> =>
  acceptsNumbers(context, { tax_rate });

/** Probes for the gaps about the quantity, price and tax rate of an item. */
export const itemProbes: readonly Probe[] = [
  activeProbe({
    gap: 'invoice.item-places',
    evidenceFields: ['quantity', 'unit_price', 'tax_rate'],
    findChoice: async (context) => {
      const threeDecimals = { quantity: nextAbove(1, 3), unit_price: nextAbove(10, 3), tax_rate: nextAbove(5, 3) };
      const accepted: string[] = [];
      for (const [field, value] of Object.entries(threeDecimals)) {
        if (await acceptsNumbers(context, { [field]: value })) accepted.push(field);
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
