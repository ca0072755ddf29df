import { createHmac } from 'node:crypto';
import { isRecord, parseJson } from '../../../lib/json.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedWebhook, Interceptor } from '../../mutation/interceptor.js';

/** Changes webhooks, and signs them again if the body has changed. */
export function onWebhook(change: (webhook: InterceptedWebhook) => void): Interceptor {
  return {
    webhook(webhook) {
      const before = webhook.text;
      change(webhook);
      if (webhook.text !== before) sign(webhook);
      return [webhook];
    },
  };
}

/** Changes the payload of webhooks. */
export function onPayload(change: (payload: JsonObject) => void): Interceptor {
  return onWebhook((webhook) => {
    const payload = parseJson(webhook.text);
    if (!isRecord(payload)) return;
    change(payload);
    webhook.text = JSON.stringify(payload);
  });
}

/** Signs a webhook as the specification requires. @param encoding character encoding of the text to sign */
export function sign(webhook: InterceptedWebhook, secret = webhook.secret, encoding: 'utf8' | 'latin1' = 'utf8'): void {
  const digest = createHmac('sha256', secret).update(webhook.text, encoding).digest('hex');
  webhook.headers['x-service-signature'] = `sha256=${digest}`;
}
