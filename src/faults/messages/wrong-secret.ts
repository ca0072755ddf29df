import { defineMessageEffect, forged } from './message.js';

export const wrongSecret = defineMessageEffect(
  {
    name: 'wrong-secret',
    summary: 'signs the message with a secret that the account never had',
    example: 'wrong-secret',
    options: {},
  },
  (treatment, _options, { digits }) => {
    const secret = `whsec_${digits().slice(0, 32)}`;
    return forged(treatment, 'wrong-secret', () => ({ secret }));
  },
);
