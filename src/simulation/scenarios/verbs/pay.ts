import { type PaymentOutcome, payInvoiceLink, payLink } from '../../operations/payments.js';
import { numberOf, type StepParameters, textOf, type Verb } from './verb.js';

export const payVerb: Verb = {
  name: 'pay',
  on: {
    invoice: (account, id, parameters) => {
      payInvoiceLink(account, id, { amount: numberOf(parameters, 'amount'), method: textOf(parameters, 'method') });
    },
    payment_link: (account, id, parameters) => {
      payLink(account, id, { outcome: outcomeOf(parameters), method: textOf(parameters, 'method') });
    },
  },
};

function outcomeOf(parameters: StepParameters): PaymentOutcome | undefined {
  const outcome = parameters['outcome'];
  return outcome === 'paid' || outcome === 'failed' || outcome === 'pending' ? outcome : undefined;
}
