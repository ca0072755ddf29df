import { setTimeout as sleep } from 'node:timers/promises';

/** `auto` keeps within the limit that the target announces; a number is requests a minute. */
export type PaceOption = 'auto' | 'off' | number;

/** Told of waiting: how many milliseconds, and 0 once it is over. */
export type OnWait = (milliseconds: number) => void;

/** The longest wait for one window, in milliseconds: an announced reset beyond it is not believed. */
const maxWaitMs = 120_000;

/** How many requests of a window are left to others. */
const reservedRequests = 1;

/** Keeps requests within a rate. Each token has its own window, or shares one: what is announced to it tells. */
export class Pace {
  readonly #option: PaceOption;
  readonly #onWait: OnWait;
  readonly #resets = new Map<string, number>();
  #next = 0;

  constructor(option: PaceOption, onWait: OnWait) {
    this.#option = option;
    this.#onWait = onWait;
  }

  /** Settles when a request of a token may be sent. */
  async turn(token: string): Promise<void> {
    const now = Date.now();
    if (this.#option === 'off') return;
    const at = this.#option === 'auto' ? (this.#resets.get(token) ?? 0) : this.#next;
    if (this.#option !== 'auto') this.#next = Math.max(now, this.#next) + 60_000 / this.#option;
    this.#resets.delete(token);
    if (at <= now) return;
    this.#onWait(at - now);
    await sleep(at - now);
    this.#onWait(0);
  }

  /** Learns from the headers of an answer how much of the window is left. */
  learn(token: string, headers: Readonly<Record<string, string>>): void {
    const remaining = Number(headers['x-ratelimit-remaining'] ?? Number.NaN);
    if (!(remaining <= reservedRequests)) return;
    const wait = waitUntilReset(headers);
    if (wait > 0) this.#resets.set(token, Date.now() + wait);
  }
}

/**
 * Requests a minute that a run keeps to; undefined where it waits for nothing.
 * @param headers of an answer of the target: a window is a minute
 */
export function requestsPerMinute(pace: PaceOption, headers: Readonly<Record<string, string>>): number | undefined {
  if (pace === 'off') return undefined;
  if (pace !== 'auto') return pace;
  const limit = Number(headers['x-ratelimit-limit']);
  return limit > 0 && Number.isFinite(limit) ? limit : undefined;
}

function waitUntilReset(headers: Readonly<Record<string, string>>): number {
  const wait = untilReset(headers);
  // The reset is given in whole seconds.
  return wait >= 0 && wait <= maxWaitMs ? wait + 1_000 : 0;
}

/**
 * Milliseconds until the window resets, by the headers of an answer; NaN where they do not tell. The unit is not documented:
 * seconds that are left, seconds or milliseconds since 1970, or a date.
 * @param ahead by how much the target's clock is ahead of the `Date` of its answers
 */
export function untilReset(headers: Readonly<Record<string, string>>, ahead = 0): number {
  const text = headers['x-ratelimit-reset'] ?? '';
  const number = text === '' ? Number.NaN : Number(text);
  const now = (Date.parse(headers['date'] ?? '') || Date.now()) + ahead;
  if (Number.isNaN(number)) return Date.parse(text) - now;
  if (number < 1e6) return number * 1_000;
  return number * (number < 1e12 ? 1_000 : 1) - now;
}
