import { payInvoiceLink, payLink } from '../../operations/payments.js';
import { textOf, type Verb } from './verb.js';

/** Makes a failed payment. */
export const failVerb: Verb = {
  name: 'fail',
  on: {
    invoice: (account, id, given) => {
      payInvoiceLink(account, id, { outcome: 'failed', method: textOf(given, 'method') });
    },
    payment_link: (account, id, given) => {
      payLink(account, id, { outcome: 'failed', method: textOf(given, 'method') });
    },
  },
};
