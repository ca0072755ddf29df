import type { Choices, Options } from './options.js';
import { formatTime } from './render.js';

export interface RateResult {
  readonly allowed: boolean;
  readonly headers: Record<string, string>;
}

interface Window {
  readonly endsAt: number;
  readonly limit: number;
  used: number;
}

/** Counts requests in fixed windows, each of which starts with its first request, or in token buckets. */
export class RateLimiter {
  readonly #choices: Choices;
  readonly #fault: Options['fault'];
  readonly #baseLimit: number;
  readonly #windowMs: number;
  readonly #buckets = new Map<string, { readonly updatedAt: number; readonly tokensLeft: number }>();
  readonly #windows = new Map<string, Window>();

  constructor(options: Choices & Options) {
    const { fault, limit = 100_000, windowSeconds = 60 } = options;
    this.#choices = options;
    this.#fault = fault;
    this.#baseLimit = fault === 'rate-halved' ? Math.floor(limit / 2) : limit;
    this.#windowMs = windowSeconds * 1000;
  }

  /**
   * Decides whether the limit allows a request, and counts it if so.
   * @param key the requests that share a limit have the same key
   */
  countRequest(key: string): RateResult {
    if (this.#choices.rateWindow === 'bucket') return this.#takeFromBucket(key);
    const window = this.#currentWindow(key);
    const isRefusedEarly = this.#fault === 'rate-refused-early' && window.used >= window.limit / 2;
    const allowed = (window.used < window.limit && !isRefusedEarly) || this.#fault === 'rate-not-enforced';
    if (allowed) window.used += 1;
    return {
      allowed,
      headers: {
        'X-RateLimit-Limit': String(window.limit),
        'X-RateLimit-Remaining': String(Math.max(0, window.limit - window.used)),
        'X-RateLimit-Reset': this.#formatReset(window.endsAt),
        ...(allowed ? {} : { 'Retry-After': String(Math.ceil((window.endsAt - Date.now()) / 1000)) }),
      },
    };
  }

  /** Takes a token from a bucket. Buckets refill evenly; an empty one is full again after the length of a window. */
  #takeFromBucket(key: string): RateResult {
    const now = Date.now();
    const tokensPerMs = this.#baseLimit / this.#windowMs;
    const last = this.#buckets.get(key) ?? { updatedAt: now, tokensLeft: this.#baseLimit };
    const tokensLeft = Math.min(this.#baseLimit, last.tokensLeft + (now - last.updatedAt) * tokensPerMs);
    const allowed = tokensLeft >= 1;
    const remaining = allowed ? tokensLeft - 1 : tokensLeft;
    this.#buckets.set(key, { updatedAt: now, tokensLeft: remaining });
    return {
      allowed,
      headers: {
        'X-RateLimit-Limit': String(this.#baseLimit),
        'X-RateLimit-Remaining': String(Math.floor(remaining)),
        'X-RateLimit-Reset': this.#formatReset(now + (this.#baseLimit - remaining) / tokensPerMs),
        ...(allowed ? {} : { 'Retry-After': String(Math.ceil((1 - remaining) / tokensPerMs / 1000)) }),
      },
    };
  }

  #currentWindow(key: string): Window {
    const now = Date.now();
    const last = this.#windows.get(key);
    if (last !== undefined && (now < last.endsAt || this.#fault === 'rate-never-resets')) return last;
    const { burstsAllowed } = this.#choices;
    const wasQuiet = last === undefined || last.used <= this.#baseLimit;
    const isBurst = burstsAllowed === 'always' || (burstsAllowed === 'afterQuietWindow' && wasQuiet);
    const limit = isBurst ? Math.floor((this.#baseLimit * 5) / 3) : this.#baseLimit;
    const window = { endsAt: now + this.#windowMs, limit, used: 0 };
    this.#windows.set(key, window);
    return window;
  }

  #formatReset(endsAt: number): string {
    if (this.#choices.resetUnit === 'iso') return formatTime(this.#choices, endsAt);
    const seconds = this.#choices.resetUnit === 'seconds-left' ? (endsAt - Date.now()) / 1000 : endsAt / 1000;
    return String(Math.ceil(seconds));
  }
}
