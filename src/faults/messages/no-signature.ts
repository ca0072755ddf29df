import { defineMessageEffect, forged } from './message.js';

export const noSignature = defineMessageEffect(
  {
    name: 'no-signature',
    summary: 'omits the signature header',
    example: 'no-signature',
    options: {},
  },
  (treatment) => forged(treatment, 'no-signature', () => ({ signed: null })),
);
