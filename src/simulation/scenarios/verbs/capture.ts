import { captureDeposit } from '../../operations/deposits.js';
import { numberOf, textOf, type Verb } from './verb.js';

export const captureVerb: Verb = {
  name: 'capture',
  on: {
    deposit: (account, id, parameters) => {
      const [amount, description] = [numberOf(parameters, 'amount'), textOf(parameters, 'description')];
      captureDeposit(account, id, {
        ...(amount === undefined ? {} : { amount }),
        ...(description === undefined ? {} : { description }),
      });
    },
  },
};
