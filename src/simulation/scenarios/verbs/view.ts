import { changeInvoice } from '../../operations/invoices.js';
import type { Verb } from './verb.js';

export const viewVerb: Verb = {
  name: 'view',
  on: {
    invoice: (account, id) => {
      changeInvoice(account, id, 'view');
    },
  },
};
