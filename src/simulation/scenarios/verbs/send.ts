import { changeInvoice } from '../../operations/invoices.js';
import type { Verb } from './verb.js';

export const sendVerb: Verb = {
  name: 'send',
  on: {
    invoice: (account, id) => {
      changeInvoice(account, id, 'send');
    },
  },
};
