import { createHmac } from 'node:crypto';
import { isRecord, parseJson } from '../../lib/json.js';
import type { JsonObject } from '../engine/json.js';
import type { InterceptedWebhook, Interceptor } from '../mutation/interceptor.js';
import type { EventName } from './webhooks/setups.js';

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

/** Changes the selected webhooks, and signs them again if the body has changed. */
export const onSelectedWebhooks = (
  isSelected: (webhook: InterceptedWebhook) => boolean,
  change: (webhook: InterceptedWebhook) => void,
): Interceptor =>
  onWebhook((webhook) => {
    if (isSelected(webhook)) change(webhook);
  });

/** Changes the payload of webhooks. */
export function onPayload(change: (payload: JsonObject) => void): Interceptor {
  return onWebhook((webhook) => {
    const payload = parseJson(webhook.text);
    if (!isRecord(payload)) return;
    change(payload);
    webhook.text = JSON.stringify(payload);
  });
}

/** Signs a webhook. The defaults follow the specification; another secret or encoding makes a wrong signature. */
export function sign(webhook: InterceptedWebhook, secret = webhook.secret, encoding: 'utf8' | 'latin1' = 'utf8'): void {
  const digest = createHmac('sha256', secret).update(webhook.text, encoding).digest('hex');
  webhook.headers['x-service-signature'] = `sha256=${digest}`;
}

/** Returns the name of the event in a webhook's header. */
export const eventNameIn = ({ headers }: InterceptedWebhook): string => headers['x-service-event'] ?? '';
/** Selects the webhooks of an event. @param text limits them to those whose body contains this text */
export const isEvent =
  (event: EventName, text = '') =>
  (webhook: InterceptedWebhook): boolean =>
    eventNameIn(webhook) === event && webhook.text.includes(text);
/** True for a webhook about a payment. */
export const isPayment = (webhook: InterceptedWebhook): boolean => eventNameIn(webhook).startsWith('payment.');
/** True for a webhook about a deposit. */
export const isDeposit = (webhook: InterceptedWebhook): boolean => eventNameIn(webhook).startsWith('deposit.');

/** After each webhook of an event, sends a copy with the name of another event. @param text see `isEvent` */
export const alsoSend = (event: EventName, otherEvent: string, text?: string): Interceptor => ({
  webhook: (webhook) =>
    isEvent(event, text)(webhook)
      ? [webhook, { ...webhook, headers: { ...webhook.headers, 'x-service-event': otherEvent } }]
      : [webhook],
});
