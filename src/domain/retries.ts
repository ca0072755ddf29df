import { hourMs, minuteMs, secondMs } from '../lib/durations.js';
import type { GapChoices } from './gaps.js';

/**
 * Waits between the attempts to send a webhook message (gap event.retries) or an email. After the eighth attempt there are
 * no more.
 */
const retryDelaysMs = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs];

/** Longest wait that a receiver can request with Retry-After. */
const maxRetryAfterMs = 24 * hourMs;

/** Response of the receiver to an attempt; `status` is null if there was none. */
export interface ReceiverResponse {
  readonly status: number | null;
  /** The header `Retry-After`; null without one. */
  readonly retryAfter: string | null;
  /** The header `Date`; null without one. */
  readonly date: string | null;
}

/** True if a status means success: any 2xx (gap event.retries). */
export function isDelivered(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Time of the next attempt to send a webhook message, in milliseconds since 1970; undefined if there is none. The
 * status 410 (Gone) means that the receiver wants no more attempts.
 * @param attemptCount number of scheduled attempts so far, including the one with this response; manual resends and
 *   copies that a fault added do not count
 * @param now time on the account's clock
 */
export function nextAttemptAt(
  attemptCount: number,
  response: ReceiverResponse,
  profile: GapChoices,
  now: number,
): number | undefined {
  const { status } = response;
  if (isDelivered(status) || status === 410 || profile['event.retries'] === 'none') return undefined;
  const wait = retryDelaysMs[attemptCount - 1];
  return wait === undefined ? undefined : now + Math.max(wait, requestedWaitMs(response, now));
}

/** Like `nextAttemptAt`, but for an email that could not be sent, whose retries do not depend on the profile. */
export function nextMailAttemptAt(attemptCount: number, now: number): number | undefined {
  const wait = retryDelaysMs[attemptCount - 1];
  return wait === undefined ? undefined : now + wait;
}

/**
 * The two date formats of HTTP with a time zone (RFC 9110, 5.6.7). `Date.parse` alone accepts much more: `-86400` is the
 * year -86400.
 */
const httpDate = /^[A-Z][a-z]+, \d\d(?: [A-Z][a-z]{2} \d{4}|-[A-Z][a-z]{2}-\d\d) \d\d:\d\d:\d\d GMT$/;
/** The third format has no time zone; it is GMT. */
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * Wait requested by Retry-After (seconds or a date; RFC 9110, 10.2.3), in milliseconds; 0 for any other value. A date
 * is compared with the Date of the response, if there is a valid one, since the account's clock may be far ahead of
 * the receiver's.
 */
function requestedWaitMs({ retryAfter, date }: ReceiverResponse, now: number): number {
  if (retryAfter === null) return 0;
  const receiverTime = parseHttpDate(date ?? '');
  const waitMs = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * secondMs
    : parseHttpDate(retryAfter) - (Number.isNaN(receiverTime) ? now : receiverTime);
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(waitMs, 0), maxRetryAfterMs);
}

function parseHttpDate(text: string): number {
  if (httpDate.test(text)) return Date.parse(text);
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
