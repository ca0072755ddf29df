import { defineMessageEffect, withForgedMessage } from './message.js';

export const noSignature = defineMessageEffect(
  {
    name: 'no-signature',
    summary: 'omits the signature header',
    example: 'no-signature',
    options: {},
  },
  // `signed` is the text that the signature covers; null omits the signature.
  (faulted) => withForgedMessage(faulted, 'no-signature', () => ({ signed: null })),
);
