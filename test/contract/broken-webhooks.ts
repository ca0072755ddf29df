import { isRecord } from '../../src/contract/expect.js';
import type { Json, Patch, Sent } from './patched.js';
import { changed, drop, onPayload, onWebhook, sign } from './patches.js';

const eventOf = ({ headers }: Sent): string => headers['x-service-event'] ?? '';
const isPayment = (sent: Sent): boolean => eventOf(sent).startsWith('payment.');

const silencing = (isMeant: (sent: Sent) => boolean): Patch => ({
  webhook: (sent) => (isMeant(sent) ? [] : [sent]),
});
const on = (isMeant: (sent: Sent) => boolean, change: (sent: Sent) => void): Patch =>
  onWebhook((sent) => {
    if (isMeant(sent)) change(sent);
  });
const inData = (change: (data: Json) => void): Patch =>
  onPayload((payload) => Object.assign(payload, changed(payload, 'data', change)));

const events = [
  'payment.succeeded',
  'deposit.created',
  'deposit.authorized',
  'deposit.partially_captured',
  'deposit.captured',
  'deposit.released',
  'deposit.expired',
  'deposit.failed',
];

/** To the URLs that were configured before, too. */
function toOldUrls(): Patch {
  const urls = new Set<string>();
  return {
    webhook(sent) {
      urls.add(sent.url);
      return [...urls].map((url) => ({ ...sent, url }));
    },
  };
}

function withFirstSecret(): Patch {
  let first: string | undefined;
  return {
    webhook(sent) {
      first ??= sent.secret;
      sign(sent, first);
      return [sent];
    },
  };
}

/** What a target may do wrong with webhooks, by the clause that has to see it. */
export const brokenWebhooks: Readonly<Record<string, Patch>> = {
  'HOOK-SENT-01': silencing(isPayment),
  'HOOK-SENT-02': silencing((sent) => !isPayment(sent)),
  ...Object.fromEntries(
    events.map((event, index) => [`HOOK-EVENT-0${index + 1}`, silencing((sent) => eventOf(sent) === event)]),
  ),
  'HOOK-PAY-01': inData((data) => drop(data, 'description')),
  'HOOK-PAY-02': inData((data) => drop(data, 'payment_link_id')),
  'HOOK-BODY-01': onWebhook((sent) => {
    const payload: unknown = JSON.parse(sent.text);
    const data = isRecord(payload) && isRecord(payload['data']) ? payload['data'] : {};
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(data)) form.set(name, String(value));
    sent.text = form.toString();
  }),
  'HOOK-HEAD-01': onWebhook(({ headers }) => drop(headers, 'x-service-event')),
  'HOOK-HEAD-02': onWebhook(({ headers }) => {
    if (headers['x-service-event'] === 'deposit.authorized') headers['x-service-event'] = 'deposit.held';
  }),
  'HOOK-HEAD-03': onWebhook(({ headers }) => {
    headers['authorization'] = 'Bearer a-token-of-the-service';
  }),
  'HOOK-SIGN-01': on(
    (sent) => !isPayment(sent),
    ({ headers }) => {
      headers['x-service-signature'] = String(headers['x-service-signature']).replace('sha256=', '');
    },
  ),
  'HOOK-SIGN-02': on(
    (sent) => !isPayment(sent),
    (sent) => sign(sent, 'another secret'),
  ),
  'HOOK-SIGN-03': on(isPayment, ({ headers }) => drop(headers, 'x-service-signature')),
  'HOOK-SIGN-04': on(isPayment, (sent) => sign(sent, 'another secret')),
  'HOOK-URL-01': onWebhook((sent) => {
    sent.url += '/billing';
  }),
  'HOOK-URL-02': onWebhook((sent) => {
    sent.method = 'PUT';
  }),
  'HOOK-MOVE-01': toOldUrls(),
  'HOOK-MOVE-02': withFirstSecret(),
};
