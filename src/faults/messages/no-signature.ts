import { defineMessageEffect, withForgedCopy } from './message.js';

export const noSignature = defineMessageEffect(
  {
    name: 'no-signature',
    summary: 'omits the signature header',
    example: 'no-signature',
    options: {},
  },
  (faulted) => withForgedCopy(faulted, 'no-signature', () => ({ signed: null })),
);
