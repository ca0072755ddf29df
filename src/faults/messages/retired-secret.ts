import { defineMessageEffect, withForgedMessage, withSkippedFault } from './message.js';

/** Tests whether a receiver refuses the previous secret, which may have leaked. */
export const retiredSecret = defineMessageEffect(
  {
    name: 'retired-secret',
    summary: 'signs the message with the previous secret of the account, if there is one',
    example: 'retired-secret',
    options: {},
    needs: 'message-sent',
  },
  (result, _options, { retiredSecret: secret }) => {
    if (secret !== undefined) return withForgedMessage(result, 'retired-secret', () => ({ secret }));
    const reason = 'the webhook secret has never been changed, so no secret is retired';
    return withSkippedFault(result, 'retired-secret', reason);
  },
);
