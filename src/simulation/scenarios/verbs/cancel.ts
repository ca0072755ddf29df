import { changeInvoice } from '../../operations/invoices.js';
import type { Verb } from './verb.js';

export const cancelVerb: Verb = {
  name: 'cancel',
  on: {
    invoice: (account, id) => {
      changeInvoice(account, id, 'cancel');
    },
  },
};
