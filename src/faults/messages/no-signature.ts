import { defineMessageEffect, forged } from './message.js';

export const noSignature = defineMessageEffect(
  {
    name: 'no-signature',
    summary: 'leaves the signature header out',
    example: 'no-signature',
    options: {},
  },
  (treatment) => forged(treatment, 'no-signature', () => ({ signed: null })),
);
