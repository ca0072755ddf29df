import { isRecord, parseJson } from '../../../lib/json.js';
import { numberedId } from '../../engine/clause.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedWebhook, Interceptor } from '../../mutation/interceptor.js';
import { fieldConverter, fieldRemover, removeField, setFields, withChangedField } from '../../mutation/interceptors.js';
import { type Mutant, type MutantRow, mutantsOf } from '../../mutation/mutant.js';
import { refusedCapturesReference } from '../deposit-lifecycle/refused-actions.js';
import { onPayload, onWebhook, sign } from '../webhook-signatures/interceptors.js';
import { type EventName, eventNames } from './setups.js';

const eventNameIn = ({ headers }: InterceptedWebhook): string => headers['x-service-event'] ?? '';
/** Selects the webhooks of an event. @param text limits them to those whose body contains this text */
const isEvent =
  (event: EventName, text = '') =>
  (webhook: InterceptedWebhook): boolean =>
    eventNameIn(webhook) === event && webhook.text.includes(text);
const isPayment = (webhook: InterceptedWebhook): boolean => eventNameIn(webhook).startsWith('payment.');
const isDeposit = (webhook: InterceptedWebhook): boolean => !isPayment(webhook);

const dropWebhooks = (isSelected: (webhook: InterceptedWebhook) => boolean): Interceptor => ({
  webhook: (webhook) => (isSelected(webhook) ? [] : [webhook]),
});
const onSelectedWebhooks = (
  isSelected: (webhook: InterceptedWebhook) => boolean,
  change: (webhook: InterceptedWebhook) => void,
): Interceptor =>
  onWebhook((webhook) => {
    if (isSelected(webhook)) change(webhook);
  });
const onEveryWebhook = (change: (webhook: InterceptedWebhook) => void): Interceptor =>
  onSelectedWebhooks(() => true, change);
/** Changes the record in `data` of each payload. */
const changeData = (change: (data: JsonObject) => void): Interceptor =>
  onPayload((payload) => Object.assign(payload, withChangedField(payload, 'data', change)));

/** Sends each webhook to all URLs configured so far, not only to the current one. */
function alsoSendToOldUrls(): Interceptor {
  const urls = new Set<string>();
  return {
    webhook(webhook) {
      urls.add(webhook.url);
      return [...urls].map((url) => ({ ...webhook, url }));
    },
  };
}

function signWithFirstSecret(): Interceptor {
  let first: string | undefined;
  return onWebhook((webhook) => {
    first ??= webhook.secret;
    sign(webhook, first);
  });
}

function signWithPreviousSecret(): Interceptor {
  const secrets: string[] = [];
  return onWebhook((webhook) => {
    if (secrets.at(-1) !== webhook.secret) secrets.push(webhook.secret);
    sign(webhook, secrets.at(-2));
  });
}

/** Changes webhooks that are sent again. Does not sign them again. */
const onRetry =
  (change: (webhook: InterceptedWebhook) => void): (() => Interceptor) =>
  () => {
    const sentTexts = new Set<string>();
    return {
      webhook(webhook) {
        if (sentTexts.has(webhook.text)) change(webhook);
        sentTexts.add(webhook.text);
        return [webhook];
      },
    };
  };

/** Sends a second webhook, of another event, after each one of an event. @param text see `isEvent` */
const alsoSend = (event: EventName, otherEvent: string, text?: string): Interceptor => ({
  webhook: (webhook) =>
    isEvent(event, text)(webhook)
      ? [webhook, { ...webhook, headers: { ...webhook.headers, 'x-service-event': otherEvent } }]
      : [webhook],
});

/** Sends the data as a form instead of JSON. */
function encodeAsForm(webhook: InterceptedWebhook): void {
  const payload = parseJson(webhook.text);
  const data = isRecord(payload) && isRecord(payload['data']) ? payload['data'] : {};
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(data)) form.set(name, String(value));
  webhook.text = form.toString();
}

/** Mutants of webhooks, each with the id of the clause that must detect it. */
export const webhookMutants: readonly Mutant[] = mutantsOf([
  ['HOOK-SENT-01', 'No webhook is sent about a payment.', dropWebhooks(isPayment)],
  ['HOOK-SENT-02', 'No webhook is sent about a deposit.', dropWebhooks(isDeposit)],
  ...eventNames.map(
    (event, index): MutantRow => [
      numberedId('HOOK-EVENT', index + 1),
      `\`${event}\` is never sent.`,
      dropWebhooks(isEvent(event)),
    ],
  ),
  // A booking reference names the steps of its deposit, such as `captured in parts` (deposit-lifecycle/setups.ts).
  [
    'HOOK-EVENT-09',
    '`deposit.captured` is not sent after a partial capture.',
    dropWebhooks(isEvent('deposit.captured', 'captured in parts')),
  ],
  [
    'HOOK-EVENT-10',
    '`deposit.released` is not sent after a partial capture.',
    dropWebhooks(isEvent('deposit.released', 'captured in part')),
  ],
  [
    'HOOK-EVENT-11',
    '`deposit.expired` is not sent after a partial capture.',
    dropWebhooks(isEvent('deposit.expired', 'captured in part')),
  ],
  [
    'HOOK-EVENT-12',
    'A partial capture also sends `deposit.captured`.',
    alsoSend('deposit.partially_captured', 'deposit.captured'),
  ],
  [
    'HOOK-EVENT-13',
    'The capture of a whole deposit also sends `deposit.released`.',
    alsoSend('deposit.captured', 'deposit.released'),
  ],
  [
    'HOOK-EVENT-14',
    'The release of a deposit also sends `deposit.expired`.',
    alsoSend('deposit.released', 'deposit.expired'),
  ],
  ['HOOK-EVENT-15', 'A declined card also sends `deposit.released`.', alsoSend('deposit.failed', 'deposit.released')],
  [
    'HOOK-EVENT-16',
    'A capture that was refused before the authorization is announced after it.',
    alsoSend('deposit.authorized', 'deposit.captured', refusedCapturesReference),
  ],
  [
    'HOOK-EVENT-17',
    'Each `deposit.created` is sent a second time, with another `id`.',
    () => ({
      webhook: (webhook) =>
        eventNameIn(webhook) === 'deposit.created'
          ? [webhook, { ...webhook, text: webhook.text.replace('evt_', 'evt_2') }]
          : [webhook],
    }),
  ],
  [
    'HOOK-EVENT-18',
    'No `deposit.created` is sent about deposits in dollars.',
    dropWebhooks((webhook) => eventNameIn(webhook) === 'deposit.created' && webhook.text.includes('"USD"')),
  ],
  [
    'HOOK-HEAD-05',
    'The body of `deposit.released` names `deposit.captured`.',
    onPayload((payload) => {
      if (payload['event'] === 'deposit.released') payload['event'] = 'deposit.captured';
    }),
  ],
  [
    'HOOK-BODY-03',
    'Webhooks about an authorization show the deposit as it was before.',
    onSelectedWebhooks(isEvent('deposit.authorized'), (webhook) => {
      webhook.text = webhook.text.replace('"status":"authorized"', '"status":"pending"');
    }),
  ],
  [
    'HOOK-PAY-04',
    'In payloads, `payment_link_id` is a string.',
    changeData((data) => data['payment_link_id'] !== undefined && fieldConverter('payment_link_id', String)(data)),
  ],
  ['HOOK-PAY-01', 'Payloads have no `description`.', changeData(fieldRemover('description'))],
  ['HOOK-PAY-02', 'Payloads have no `payment_link_id`.', changeData(fieldRemover('payment_link_id'))],
  ['HOOK-BODY-01', 'The body of a webhook is form-encoded.', onEveryWebhook(encodeAsForm)],
  [
    'HOOK-BODY-04',
    'Webhooks have the content type of plain text.',
    onEveryWebhook(({ headers }) => setFields(headers, { 'content-type': 'text/plain' })),
  ],
  [
    'HOOK-BODY-02',
    'The status `released` is `canceled` in webhooks.',
    changeData((data) => data['status'] === 'released' && setFields(data, { status: 'canceled' })),
  ],
  [
    'HOOK-HEAD-01',
    'Webhooks lack the header with the name of the event.',
    onEveryWebhook(({ headers }) => removeField(headers, 'x-service-event')),
  ],
  ['HOOK-HEAD-02', 'An undocumented event is sent.', alsoSend('deposit.authorized', 'deposit.held')],
  [
    'HOOK-HEAD-03',
    'Webhooks have a bearer token.',
    onEveryWebhook(({ headers }) => {
      headers['authorization'] = 'Bearer a-token-of-the-service';
    }),
  ],
  [
    'HOOK-HEAD-04',
    'Webhooks that are sent again lack the header with the name of the event.',
    onRetry(({ headers }) => removeField(headers, 'x-service-event')),
  ],
  [
    'HOOK-SIGN-07',
    'Webhooks that are sent again have another body, but the signature of the first one.',
    onRetry((webhook) => {
      webhook.text += ' ';
    }),
  ],
  [
    'HOOK-SIGN-01',
    'The signature of a deposit event does not name its algorithm.',
    onSelectedWebhooks(isDeposit, ({ headers }) => {
      headers['x-service-signature'] = String(headers['x-service-signature']).replace('sha256=', '');
    }),
  ],
  [
    'HOOK-SIGN-02',
    'Events of deposits that are released after a capture are signed with a wrong secret.',
    onSelectedWebhooks(
      (webhook) => isDeposit(webhook) && webhook.text.includes('captured in part and released'),
      (webhook) => sign(webhook, 'another secret'),
    ),
  ],
  [
    'HOOK-SIGN-03',
    'Payment events are not signed.',
    onSelectedWebhooks(isPayment, ({ headers }) => removeField(headers, 'x-service-signature')),
  ],
  [
    'HOOK-SIGN-04',
    'Events of payments in dollars are signed with a wrong secret.',
    onSelectedWebhooks(
      (webhook) => isPayment(webhook) && webhook.text.includes('"USD"'),
      (webhook) => sign(webhook, 'another secret'),
    ),
  ],
  [
    'HOOK-PAY-03',
    'In descriptions in payloads, non-ASCII characters become question marks.',
    changeData(
      (data) =>
        data['description'] !== undefined &&
        setFields(data, { description: String(data['description']).replace(/[^ -~]/gu, '?') }),
    ),
  ],
  [
    'HOOK-SIGN-05',
    'Payment events are signed as Latin-1 instead of UTF-8.',
    onSelectedWebhooks(isPayment, (webhook) => sign(webhook, webhook.secret, 'latin1')),
  ],
  [
    'HOOK-URL-01',
    'Webhooks are sent to a path below the URL.',
    onEveryWebhook((webhook) => {
      webhook.url += '/billing';
    }),
  ],
  [
    'HOOK-URL-02',
    'Webhooks are sent by PUT.',
    onEveryWebhook((webhook) => {
      webhook.method = 'PUT';
    }),
  ],
  ['HOOK-MOVE-01', 'Webhooks are also sent to previously configured URLs.', alsoSendToOldUrls],
  [
    'HOOK-SIGN-06',
    'Deposit events are signed as Latin-1 instead of UTF-8.',
    onSelectedWebhooks(isDeposit, (webhook) => sign(webhook, webhook.secret, 'latin1')),
  ],
  ['HOOK-MOVE-03', 'Webhooks are signed with the previous secret.', signWithPreviousSecret],
  ['HOOK-MOVE-02', 'Webhooks are always signed with the first secret.', signWithFirstSecret],
]);
