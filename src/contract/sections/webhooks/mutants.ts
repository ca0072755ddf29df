import { isRecord, parseJson } from '../../../lib/json.js';
import { numberedId } from '../../engine/clause.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedWebhook, Interceptor } from '../../mutation/interceptor.js';
import { changeField, fieldConverter, fieldCopier, fieldRemover } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { refusedCapturesReference } from '../deposit-lifecycle/refused-actions.js';
import { partialCaptureReferences } from '../deposit-lifecycle/setups.js';
import {
  alsoSend,
  eventNameIn,
  isDeposit,
  isEvent,
  isPayment,
  onPayload,
  onSelectedWebhooks,
  onWebhook,
} from '../webhook-interceptors.js';
import { eventNames } from './setups.js';

const dropWebhooks = (isSelected: (webhook: InterceptedWebhook) => boolean): Interceptor => ({
  webhook: (webhook) => (isSelected(webhook) ? [] : [webhook]),
});
/** Changes the record in `data` of each payload. */
const changeData = (change: (data: JsonObject) => void): Interceptor =>
  onPayload((payload) => changeField(payload, 'data', change));

/** Sends the data as a form instead of JSON. */
function encodeAsForm(webhook: InterceptedWebhook): void {
  const payload = parseJson(webhook.text);
  const data = isRecord(payload) && isRecord(payload['data']) ? payload['data'] : {};
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(data)) form.set(name, String(value));
  webhook.text = form.toString();
}

/** Mutants for the clauses about events and payloads of webhooks (HOOK-SENT, HOOK-EVENT, HOOK-PAY, HOOK-BODY). */
export const webhookMutants: readonly MutantRow[] = [
  ['HOOK-SENT-01', 'No webhook is sent about a payment.', dropWebhooks(isPayment)],
  ['HOOK-SENT-02', 'No webhook is sent about a deposit.', dropWebhooks(isDeposit)],
  ...eventNames.map(
    (event, index): MutantRow => [
      numberedId('HOOK-EVENT', index + 1),
      `\`${event}\` is never sent.`,
      dropWebhooks(isEvent(event)),
    ],
  ),
  [
    'HOOK-EVENT-09',
    '`deposit.captured` is not sent when the remaining amount of a deposit is captured.',
    dropWebhooks(isEvent('deposit.captured', partialCaptureReferences.capturedTwice)),
  ],
  [
    'HOOK-EVENT-10',
    '`deposit.released` is not sent when the remaining amount of a deposit is released.',
    dropWebhooks(isEvent('deposit.released', partialCaptureReferences.released)),
  ],
  [
    'HOOK-EVENT-11',
    '`deposit.expired` is not sent when the authorization of a partially captured deposit expires.',
    dropWebhooks(isEvent('deposit.expired', partialCaptureReferences.expired)),
  ],
  [
    'HOOK-EVENT-12',
    'After a partial capture, `deposit.captured` is also sent.',
    alsoSend('deposit.partially_captured', 'deposit.captured'),
  ],
  [
    'HOOK-EVENT-13',
    'After the capture of a whole deposit, `deposit.released` is also sent.',
    alsoSend('deposit.captured', 'deposit.released'),
  ],
  [
    'HOOK-EVENT-14',
    'After the release of a deposit, `deposit.expired` is also sent.',
    alsoSend('deposit.released', 'deposit.expired'),
  ],
  [
    'HOOK-EVENT-15',
    'After a card was declined, `deposit.released` is also sent.',
    alsoSend('deposit.failed', 'deposit.released'),
  ],
  [
    'HOOK-EVENT-16',
    'When a deposit is authorized whose capture was refused earlier, `deposit.captured` is also sent.',
    alsoSend('deposit.authorized', 'deposit.captured', refusedCapturesReference),
  ],
  [
    'HOOK-EVENT-17',
    'Each `deposit.created` is sent a second time, with another `id`.',
    {
      webhook: (webhook) =>
        eventNameIn(webhook) === 'deposit.created'
          ? [webhook, { ...webhook, text: webhook.text.replace('evt_', 'evt_2') }]
          : [webhook],
    },
  ],
  [
    'HOOK-EVENT-18',
    'No `deposit.created` is sent about deposits in dollars.',
    dropWebhooks((webhook) => eventNameIn(webhook) === 'deposit.created' && webhook.text.includes('"USD"')),
  ],
  [
    'HOOK-BODY-03',
    'Webhooks about an authorization show the status from before.',
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
  ['HOOK-BODY-01', 'The body of a webhook is form-encoded.', onWebhook(encodeAsForm)],
  [
    'HOOK-BODY-04',
    'Webhooks have the content type `text/plain`.',
    onWebhook(({ headers }) => Object.assign(headers, { 'content-type': 'text/plain' })),
  ],
  [
    'HOOK-BODY-02',
    'Webhooks show the status `released` as `canceled`.',
    changeData((data) => data['status'] === 'released' && Object.assign(data, { status: 'canceled' })),
  ],
  [
    'HOOK-BODY-05',
    'Webhooks show the check-in date of a deposit as its check-out date.',
    changeData(
      (data) => data['booking_reference'] !== undefined && fieldCopier('check_in_date', 'check_out_date')(data),
    ),
  ],
  [
    'HOOK-PAY-05',
    'Webhooks show the amount of a payment in cents.',
    changeData(
      (data) =>
        data['payment_link_id'] !== undefined && fieldConverter('amount', (amount) => 100 * Number(amount))(data),
    ),
  ],
  [
    'HOOK-PAY-03',
    'In descriptions in payloads, non-ASCII characters become question marks.',
    changeData(
      (data) =>
        data['description'] !== undefined &&
        Object.assign(data, { description: String(data['description']).replace(/[^ -~]/gu, '?') }),
    ),
  ],
];
