import type { GapChoices } from './gaps.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits between the attempts of a message, in milliseconds (gap event.retries). */
const retryDelays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** The longest that a receiver may ask for by Retry-After, in milliseconds. */
const maxRetryAfter = 24 * hour;

/** The receiver's answer to an attempt. */
export interface ReceiverAnswer {
  readonly status: number | null;
  readonly retryAfter: string | null;
}

/** Any 2xx is success (gap event.retries). */
export function isDelivered(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * When a webhook message is tried again, in milliseconds since 1970; undefined if it is not.
 * @param tries how many scheduled attempts there were, this one included
 */
export function nextAttemptAt(
  tries: number,
  { status, retryAfter }: ReceiverAnswer,
  profile: GapChoices,
  now: number,
): number | undefined {
  if (isDelivered(status) || status === 410 || profile['event.retries'] === 'none') return undefined;
  const wait = retryDelays[tries - 1];
  return wait === undefined ? undefined : now + Math.max(wait, askedWait(retryAfter, now));
}

/** When a mail is handed over again; the same waits, whatever the profile says of webhooks. */
export function nextMailAttemptAt(tries: number, now: number): number | undefined {
  const wait = retryDelays[tries - 1];
  return wait === undefined ? undefined : now + wait;
}

/** The forms of a date in HTTP (RFC 9110, 5.6.7). `Date.parse` alone takes much else for one: `-86400` is the year -86400. */
const httpDate = /^[A-Z][a-z]+, \d\d(?: [A-Z][a-z]{2} \d{4}|-[A-Z][a-z]{2}-\d\d) \d\d:\d\d:\d\d GMT$/;
/** The oldest form names no zone. It is GMT all the same. */
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** The wait that Retry-After asks for, in milliseconds: seconds, or a date (RFC 9110, 10.2.3). Anything else asks for none. */
function askedWait(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0;
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * second : parseHttpDate(retryAfter) - now;
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), maxRetryAfter);
}

function parseHttpDate(text: string): number {
  if (httpDate.test(text)) return Date.parse(text);
  return asctime.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
