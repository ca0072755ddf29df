import { generatedWebhookSecret } from '../../domain/webhook-signature.js';
import { defineMessageEffect, withForgedMessage } from './message.js';

export const wrongSecret = defineMessageEffect(
  {
    name: 'wrong-secret',
    summary: 'signs the message with a secret that the account never had',
    example: 'wrong-secret',
    options: {},
    needs: 'message-sent',
  },
  (result, _options, { hexDigits }) => {
    const secret = generatedWebhookSecret(hexDigits().slice(0, 32));
    return withForgedMessage(result, 'wrong-secret', () => ({ secret }));
  },
);
