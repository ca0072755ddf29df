import { payInvoiceLink, payLink } from '../../operations/payments.js';
import { textOf, type Verb } from './verb.js';

/** Creates a failed payment. */
export const failVerb: Verb = {
  name: 'fail',
  on: {
    invoice: (account, id, parameters) => {
      payInvoiceLink(account, id, { outcome: 'failed', method: textOf(parameters, 'method') });
    },
    payment_link: (account, id, parameters) => {
      payLink(account, id, { outcome: 'failed', method: textOf(parameters, 'method') });
    },
  },
};
