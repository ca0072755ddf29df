import { captureDeposit } from '../../operations/deposits.js';
import { numberOf, textOf, type Verb } from './verb.js';

export const captureVerb: Verb = {
  name: 'capture',
  on: {
    deposit: (account, id, given) => {
      const [amount, description] = [numberOf(given, 'amount'), textOf(given, 'description')];
      captureDeposit(account, id, {
        ...(amount === undefined ? {} : { amount }),
        ...(description === undefined ? {} : { description }),
      });
    },
  },
};
