import { defineMessageEffect, withForgedMessage } from './message.js';

export const noSignature = defineMessageEffect(
  {
    name: 'no-signature',
    summary: 'omits the signature header',
    example: 'no-signature',
    options: {},
    needs: 'message-sent',
  },
  (result) => withForgedMessage(result, 'no-signature', () => ({ signedText: null })),
);
