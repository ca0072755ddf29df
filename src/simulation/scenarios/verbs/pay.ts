import { type PaymentOutcome, payInvoiceLink, payLink } from '../../operations/payments.js';
import { numberOf, textOf, type Verb, type With } from './verb.js';

export const payVerb: Verb = {
  name: 'pay',
  on: {
    invoice: (account, id, given) => {
      payInvoiceLink(account, id, { amount: numberOf(given, 'amount'), method: textOf(given, 'method') });
    },
    payment_link: (account, id, given) => {
      payLink(account, id, { outcome: outcomeOf(given), method: textOf(given, 'method') });
    },
  },
};

function outcomeOf(given: With): PaymentOutcome | undefined {
  const outcome = given['outcome'];
  return outcome === 'paid' || outcome === 'failed' || outcome === 'pending' ? outcome : undefined;
}
