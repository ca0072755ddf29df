import type { InterceptedWebhook, Interceptor } from '../../mutation/interceptor.js';
import { removeField } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { partialCaptureReferences } from '../deposit-lifecycle/setups.js';
import {
  alsoSend,
  isDeposit,
  isPayment,
  onPayload,
  onSelectedWebhooks,
  onWebhook,
  sign,
} from '../webhook-interceptors.js';

/** Sends each webhook to all URLs to which one was sent so far, not only to the current one. */
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
    const previousSecret = secrets.at(-2);
    if (previousSecret !== undefined) sign(webhook, previousSecret);
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

/** Mutants for the clauses about headers, signatures and URLs of webhooks (HOOK-HEAD, HOOK-SIGN, HOOK-URL, HOOK-MOVE). */
export const webhookSignatureMutants: readonly MutantRow[] = [
  [
    'HOOK-HEAD-05',
    'The body of `deposit.released` names `deposit.captured`.',
    onPayload((payload) => {
      if (payload['event'] === 'deposit.released') payload['event'] = 'deposit.captured';
    }),
  ],
  [
    'HOOK-HEAD-01',
    'Webhooks lack the header with the name of the event.',
    onWebhook(({ headers }) => removeField(headers, 'x-service-event')),
  ],
  ['HOOK-HEAD-02', 'An undocumented event is sent.', alsoSend('deposit.authorized', 'deposit.held')],
  [
    'HOOK-HEAD-03',
    'Webhooks have a bearer token.',
    onWebhook(({ headers }) => {
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
      (webhook) => isDeposit(webhook) && webhook.text.includes(partialCaptureReferences.released),
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
    'HOOK-SIGN-05',
    'Payment events are signed as Latin-1 instead of UTF-8.',
    onSelectedWebhooks(isPayment, (webhook) => sign(webhook, webhook.secret, 'latin1')),
  ],
  [
    'HOOK-URL-01',
    'Webhooks are sent to a path below the URL.',
    onWebhook((webhook) => {
      webhook.url += '/billing';
    }),
  ],
  [
    'HOOK-URL-02',
    'Webhooks are sent by PUT.',
    onWebhook((webhook) => {
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
];
