import { createHmac } from 'node:crypto';
import { isRecord } from '../../../lib/is-record.js';
import { parseJson } from '../../../lib/parse-json.js';
import type { InterceptedWebhook, Interceptor, Json } from '../../mutation/interceptor.js';
import { changed } from '../../mutation/interceptors.js';

/** Changes webhooks, and signs the changed body. */
export function onWebhook(change: (sent: InterceptedWebhook) => void): Interceptor {
  return {
    webhook(sent) {
      const before = sent.text;
      change(sent);
      if (sent.text !== before) sign(sent);
      return [sent];
    },
  };
}

/** Changes the payload of webhooks. */
export function onPayload(change: (payload: Json) => void): Interceptor {
  return onWebhook((sent) => {
    const payload = parseJson(sent.text);
    if (!isRecord(payload)) return;
    sent.text = JSON.stringify(changed({ payload }, 'payload', change)['payload']);
  });
}

/** Signs a webhook as specified. @param encoding of the body */
export function sign(sent: InterceptedWebhook, secret = sent.secret, encoding: 'utf8' | 'latin1' = 'utf8'): void {
  const digest = createHmac('sha256', secret).update(sent.text, encoding).digest('hex');
  sent.headers['x-service-signature'] = `sha256=${digest}`;
}
