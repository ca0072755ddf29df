import { formatInstant } from '../../domain/dates.js';
import { defaultFailureStatus } from '../../domain/faults.js';
import type { Attempt, Delivery, SkippedFault } from '../../domain/records.js';
import { isDelivered, nextAttemptAt } from '../../domain/retries.js';
import { parseJson } from '../../lib/json.js';
import { matchAndCountFaults } from '../faults/faults.js';
import type { AccountState } from '../state/account-state.js';
import { deliveryDueAt } from '../state/apply-changes.js';
import type { OutgoingMessage, WebhookOutcome } from '../state/ports.js';
import type { WritableAccount } from '../transaction.js';

/** Outcome of sending a webhook message once. */
export interface AttemptResult {
  readonly message: OutgoingMessage;
  /** Milliseconds since 1970 on the account's clock. */
  readonly at: number;
  readonly url: string;
  readonly outcome: WebhookOutcome;
  readonly appliedFaults: OutgoingMessage['appliedFaults'];
}

/**
 * Rows to store for the results of sending a delivery: first the attempt of the delivery itself, then an attempt for
 * each message that faults added. Such a message can belong to another delivery, for example if it repeats an earlier
 * message.
 */
export function attemptRows(
  account: AccountState,
  delivery: Delivery,
  by: 'schedule' | 'manual',
  results: readonly AttemptResult[],
  skippedFaults: readonly SkippedFault[],
): Attempt[] {
  const rows: Attempt[] = [];
  for (const { message, at, url, outcome, appliedFaults } of results) {
    const { deliveryId: id, body, lost } = message;
    // The attempt of the delivery itself comes first, so `ownAttempt` is undefined while that row is being built.
    const [ownAttempt] = rows;
    const otherDelivery = id === delivery.id ? undefined : account.deliveries.get(id);
    const nextDueAt = (): string | null => {
      // A message that a fault added leaves the next due time of its delivery unchanged.
      if (otherDelivery) return deliveryDueAt(account, otherDelivery);
      if (ownAttempt) return ownAttempt.next_attempt_at;
      // The service does not retry a message that was lost silently.
      return lost === 'silently' ? null : nextAt(account, delivery, by, outcome);
    };
    // Continues after the last number. There may be fewer attempts, since `data repair` can drop damaged ones.
    const last = rows.findLast((row) => row.delivery_id === id) ?? account.attemptsOfDelivery.last(id);
    const number = (last?.number ?? 0) + 1;
    const row: Attempt = {
      id: `${id}/${number}`,
      delivery_id: id,
      number,
      by: ownAttempt ? 'fault' : by,
      at: formatInstant(at),
      url,
      headers: outcome.headers,
      status: outcome.status,
      error: outcome.error,
      milliseconds: outcome.milliseconds,
      response_body: outcome.responseBody,
      next_attempt_at: nextDueAt(),
    };
    const isChanged = body !== (otherDelivery ?? delivery).body;
    rows.push(
      withFaultDetails(row, {
        body: isChanged ? body : undefined,
        appliedFaults,
        skippedFaults: ownAttempt ? [] : skippedFaults,
      }),
    );
  }
  return rows;
}

/**
 * Adds the fields about faults, but only to an attempt that faults affected, so that most rows stay small.
 */
function withFaultDetails(
  row: Attempt,
  details: Pick<AttemptResult, 'appliedFaults'> & { body: string | undefined; skippedFaults: readonly SkippedFault[] },
): Attempt {
  const { body, appliedFaults, skippedFaults } = details;
  if (body === undefined && appliedFaults.length === 0 && skippedFaults.length === 0) return row;
  return {
    ...row,
    ...(body === undefined ? {} : { body }),
    ...(appliedFaults.length === 0 ? {} : { applied_faults: appliedFaults }),
    ...(skippedFaults.length === 0 ? {} : { skipped_faults: skippedFaults }),
  };
}

/** The error of a scheduled attempt that sent nothing because the webhook URL has been removed. */
const noUrlError = 'no webhook URL is set';

/** Sends a message once, unless a fault drops it, no webhook URL is set, or a fault responds instead of the receiver. */
export async function makeAttempt(
  account: WritableAccount,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { secret, event, body, signedText, headers, appliedFaults, lost } = message;
  const { webhook_url: url } = account.record;
  const at = account.now();
  if (lost) return failedAttempt(account, message, 'dropped in transit by a fault');
  if (url === null) return failedAttempt(account, message, noUrlError);
  const fault = matchAndCountFaults(account, 'attempt', () => ({ event, body: parseJson(body) }))[0];
  if (fault) {
    const status = fault.effects[0]?.['status'] ?? defaultFailureStatus;
    if (typeof status !== 'number') throw new Error(`the status of fault ${fault.id} is not a number`);
    const outcome = {
      ...outcomeWithoutResponse(null),
      status,
      responseBody: 'This response was injected by a fault. The receiver did not get the message.',
    };
    return { message, at, url, outcome, appliedFaults: [...appliedFaults, 'receiver-fails'] };
  }
  const request = { url, secret, event, body, signedText, headers, profile: account.profile };
  return { message, at, url, outcome: await account.ports.sendWebhook(request, signal), appliedFaults };
}

/** Result of an attempt that failed without a response. */
export function failedAttempt(account: AccountState, message: OutgoingMessage, error: string): AttemptResult {
  const { webhook_url: url } = account.record;
  const { appliedFaults } = message;
  return { message, at: account.now(), url: url ?? '', outcome: outcomeWithoutResponse(error), appliedFaults };
}

function outcomeWithoutResponse(error: string | null): WebhookOutcome {
  return { headers: {}, status: null, error, milliseconds: 0, responseBody: '', retryAfter: null, date: null };
}

/**
 * Time of the next attempt; null if there is none, for example after a success. A resend that fails does not change the
 * schedule.
 */
function nextAt(
  account: AccountState,
  delivery: Delivery,
  by: 'schedule' | 'manual',
  outcome: WebhookOutcome,
): string | null {
  const earlierAttempts = account.attemptsOfDelivery.all(delivery.id).filter((attempt) => attempt.by !== 'fault');
  if ([outcome, ...earlierAttempts].some(({ status }) => isDelivered(status))) return null;
  if (by === 'manual') return deliveryDueAt(account, delivery);
  const number = earlierAttempts.filter((attempt) => attempt.by === 'schedule').length + 1;
  const at = nextAttemptAt(number, outcome, account.profile, account.now());
  return at === undefined ? null : formatInstant(at);
}
