import { memberOf } from '../../../lib/json.js';
import type { GuestTexts } from '../texts/guest-texts.js';

/** Names that are the same in all languages. */
const brands = { ideal: 'iDEAL', paypal: 'PayPal' };

/** The label of a payment method: `Bank transfer` for `bank_transfer`. */
export function paymentMethodLabel(method: string, { methods }: GuestTexts): string {
  const name = memberOf({ ...brands, ...methods }, method);
  const words = method.replaceAll('_', ' ');
  return typeof name === 'string' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
