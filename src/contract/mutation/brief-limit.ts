import type { Interceptor } from './interceptor.js';

/** Requests that pass in a window, which is over with the second of the first that does not. */
const limit = 20;
const second = 1_000;

/** A lawful limit of requests, in front of a target whose own takes a minute to be waited for. */
export interface BriefLimit {
  readonly interceptor: Interceptor;
  /** Has it count from now on. */
  readonly begin: () => void;
}

export function briefLimit(): BriefLimit {
  let passed: number | undefined;
  let resetAt = Number.POSITIVE_INFINITY;
  return {
    begin() {
      passed = 0;
    },
    interceptor: {
      answer(answered) {
        if (passed === undefined) return;
        const now = Date.now();
        if (now >= resetAt) {
          passed = 0;
          resetAt = Number.POSITIVE_INFINITY;
        }
        const isPassing = passed < limit;
        if (isPassing) passed += 1;
        else {
          resetAt = Math.min(resetAt, (Math.floor(now / second) + 1) * second);
          answered.status = 429;
          answered.body = { success: false, error: 'Too Many Requests' };
          answered.headers['retry-after'] = '1';
        }
        const reset = Math.min(resetAt, now + second);
        Object.assign(answered.headers, {
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': String(limit - passed),
          'x-ratelimit-reset': String(Math.ceil(reset / second)),
        });
      },
    },
  };
}
