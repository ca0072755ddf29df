import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange, TokenKind } from './exchange.js';

/** `auto` keeps within the rate limit that the target announces; a number is requests per minute; `off` never waits. */
export type PaceOption = 'auto' | 'off' | number;

/** `after-refusal` ignores the announced limit, but waits if a response refuses a request and says for how long. */
export type TargetPace = PaceOption | 'after-refusal';

/** Called with the milliseconds to wait, and with 0 once the wait is over. */
export type OnWait = (milliseconds: number) => void;

/**
 * Longest wait for the rate limit, in milliseconds. If the headers announce a longer one, they are not plausible, and
 * the suite does not wait at all.
 */
const maxWaitMs = 120_000;

/** Number of requests that the suite leaves to other clients in each window, the period in which the target counts. */
const reservedRequests = 1;

/**
 * Delays requests to keep within a rate. Except with `off`, a request waits if an earlier response for the same token
 * has refused a request and said how long to wait; with `auto`, also if the headers of one have announced that the
 * window is used up. This works whether or not tokens share a window: the headers show what is left for the token.
 */
export class Pace {
  readonly #option: TargetPace;
  readonly #onWait: OnWait;
  /** Times until which requests must wait, in milliseconds since 1970, by the kind of token that used up the limit. */
  readonly #resumeTimes = new Map<TokenKind, number>();
  /** Time of the next request at a fixed rate, in milliseconds since 1970; 0 without a fixed rate. */
  #nextTurnAt = 0;

  constructor(option: TargetPace, onWait: OnWait) {
    this.#option = option;
    this.#onWait = onWait;
  }

  /** Resolves when a request with the token may be sent. */
  async waitForTurn(token: TokenKind): Promise<void> {
    const now = Date.now();
    if (this.#option === 'off') return;
    const turnAt = Math.max(this.#nextTurnAt, this.#resumeTimes.get(token) ?? 0);
    if (typeof this.#option === 'number') this.#nextTurnAt = Math.max(now, turnAt) + 60_000 / this.#option;
    if (turnAt <= now) return;
    this.#onWait(turnAt - now);
    await sleep(turnAt - now);
    this.#onWait(0);
  }

  /**
   * Reads the rate-limit headers of a response. With `auto`, the token's next request waits for the reset of the window
   * if it is used up.
   */
  readHeaders(token: TokenKind, headers: Readonly<Record<string, string>>): void {
    if (this.#option !== 'auto') return;
    // `!(… <= …)` is also true without a number.
    if (!(leadingNumberIn(headers['x-ratelimit-remaining']) <= reservedRequests)) return;
    this.#delayNextRequest(token, millisecondsUntilReset(headers));
  }

  /**
   * Reads the Retry-After header of a response that refuses a request for now, such as one beyond a rate limit. The
   * token's next request waits as long as the header says, whatever the other headers say: a gateway in front of the
   * target may send only this one. If no header says how long, the request waits a second: a gateway may count the
   * requests per second.
   */
  readRetryAfter(token: TokenKind, headers: Readonly<Record<string, string>>): void {
    const isWaiting = (this.#resumeTimes.get(token) ?? 0) > Date.now();
    const isAnnounced = headers['retry-after'] !== undefined || isWaiting;
    this.#delayNextRequest(token, isAnnounced ? millisecondsUntilRetry(headers) : 0);
  }

  /** @param announcedMs wait that response headers announce; ignored if it is not plausible, or NaN */
  #delayNextRequest(token: TokenKind, announcedMs: number): void {
    if (!isPlausibleWait(announcedMs)) return;
    // Most targets announce whole seconds, perhaps rounded down, so the suite waits a second longer.
    this.#resumeTimes.set(token, Date.now() + announcedMs + 1_000);
  }
}

/**
 * Requests per minute of a run; undefined if it is not limited, or, with `auto`, if the headers do not announce a
 * limit.
 * @param headers headers of a response from the target; the limit that they announce is assumed to be per minute
 */
export function requestsPerMinute(pace: TargetPace, headers: Readonly<Record<string, string>>): number | undefined {
  if (typeof pace === 'number') return pace;
  if (pace !== 'auto') return undefined;
  const limit = leadingNumberIn(headers['x-ratelimit-limit']);
  return limit > 0 ? limit : undefined;
}

/**
 * Returns the number with which the value of a header begins, because some gateways add the length of the window:
 * `60, 60;w=60`. NaN if there is none.
 */
function leadingNumberIn(value = ''): number {
  return Number(/^-?\d+(?= *(?:[,;]|$))/.exec(value)?.[0] ?? Number.NaN);
}

/**
 * True if a response reports too many requests. The specification does not define its status, so both 429 and 403 with
 * Retry-After count.
 */
export function isRateLimited({ status, headers }: Pick<Exchange, 'status' | 'headers'>): boolean {
  return status === 429 || (status === 403 && headers['retry-after'] !== undefined);
}

/** True if Retry-After announces a wait that the suite would make. */
export function announcesRetry(headers: Readonly<Record<string, string>>): boolean {
  return isPlausibleWait(millisecondsUntilRetry(headers));
}

/** False for NaN, too. */
function isPlausibleWait(milliseconds: number): boolean {
  return milliseconds >= 0 && milliseconds <= maxWaitMs;
}

/** Returns the milliseconds to wait according to Retry-After, which is in seconds or a date; NaN for any other value. */
function millisecondsUntilRetry(headers: Readonly<Record<string, string>>): number {
  const text = headers['retry-after'] ?? '';
  return /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - timeOfResponse(headers);
}

/** Returns the time of a response by its `Date` header, or by the clock of this machine if it has none. */
export function timeOfResponse(headers: Readonly<Record<string, string>>): number {
  return Date.parse(headers['date'] ?? '') || Date.now();
}

/** Unit of the `X-RateLimit-Reset` header. The specification does not define it. */
export type ResetUnit = 'seconds left' | 'seconds since 1970' | 'milliseconds since 1970' | 'a date';

/**
 * Returns the unit of a value of `X-RateLimit-Reset`; undefined for 0, which says nothing about the unit, and for text
 * that is neither number nor date.
 */
export function resetUnitOf(text: string): ResetUnit | undefined {
  const number = Number(text);
  if (Number.isNaN(number)) return Number.isNaN(Date.parse(text)) ? undefined : 'a date';
  // Small numbers are seconds left, larger ones are times since 1970: in seconds up to 1e12, otherwise in milliseconds.
  if (number < 1e6) return number === 0 ? undefined : 'seconds left';
  return number < 1e12 ? 'seconds since 1970' : 'milliseconds since 1970';
}

/**
 * Returns the milliseconds until the window resets, as the headers of a response announce it; NaN if they do not.
 * @param clockSkewMs milliseconds by which the target's clock is ahead of the `Date` header of its responses. A
 *   simulator takes that header from the clock of the machine
 */
export function millisecondsUntilReset(headers: Readonly<Record<string, string>>, clockSkewMs = 0): number {
  const text = headers['x-ratelimit-reset'] ?? '';
  const number = text === '' ? Number.NaN : Number(text);
  const now = timeOfResponse(headers) + clockSkewMs;
  switch (resetUnitOf(text)) {
    case 'seconds since 1970':
      return number * 1_000 - now;
    case 'milliseconds since 1970':
      return number - now;
    case 'a date':
      return Date.parse(text) - now;
    default:
      return number * 1_000;
  }
}
