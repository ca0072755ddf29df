import type { Interceptor } from './interceptor.js';

/** Requests allowed per window. The first one refused starts the last second of the window. */
const maxRequests = 20;
const second = 1_000;

/** A conforming rate limit with short windows, in front of a target whose own window lasts a minute. */
export interface BriefLimit {
  readonly interceptor: Interceptor;
  /** Starts counting. */
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
      answer(response) {
        if (passed === undefined) return;
        const now = Date.now();
        if (now >= resetAt) {
          passed = 0;
          resetAt = Number.POSITIVE_INFINITY;
        }
        const isPassing = passed < maxRequests;
        if (isPassing) passed += 1;
        else {
          resetAt = Math.min(resetAt, (Math.floor(now / second) + 1) * second);
          response.status = 429;
          response.body = { success: false, error: 'Too Many Requests' };
          response.headers['retry-after'] = '1';
        }
        const reset = Math.min(resetAt, now + second);
        Object.assign(response.headers, {
          'x-ratelimit-limit': String(maxRequests),
          'x-ratelimit-remaining': String(maxRequests - passed),
          'x-ratelimit-reset': String(Math.ceil(reset / second)),
        });
      },
    },
  };
}
