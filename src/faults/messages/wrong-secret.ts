import { defineMessageEffect, withForgedMessage } from './message.js';

export const wrongSecret = defineMessageEffect(
  {
    name: 'wrong-secret',
    summary: 'signs the message with a secret that the account never had',
    example: 'wrong-secret',
    options: {},
  },
  (result, _options, { hexDigits }) => {
    const secret = `whsec_${hexDigits().slice(0, 32)}`;
    return withForgedMessage(result, 'wrong-secret', () => ({ secret }));
  },
);
