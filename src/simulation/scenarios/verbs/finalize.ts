import { changeInvoice } from '../../operations/invoices.js';
import type { Verb } from './verb.js';

export const finalizeVerb: Verb = {
  name: 'finalize',
  on: {
    invoice: (account, id) => {
      changeInvoice(account, id, 'finalize');
    },
  },
};
