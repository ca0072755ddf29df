import { secondMs } from '../../lib/durations.js';
import type { Interceptor } from './interceptor.js';

/** Number of requests allowed in a window. */
const maxRequests = 20;

/**
 * A rate limit in place of the target's, enforced by an interceptor. The target has handled the requests that get a 429.
 * A window ends at the next whole second after a request has exceeded the limit, since the headers announce its end in
 * whole seconds. So a test of the limit does not have to wait a minute.
 */
export interface ShortWindowLimit {
  readonly interceptor: Interceptor;
  /** Turns the limit on, and starts the first window. */
  readonly startCounting: () => void;
}

/** Creates a limit that is off until `startCounting` is called. */
export function shortWindowLimit(): ShortWindowLimit {
  /** Number of requests allowed so far in the current window; undefined while the limit is off. */
  let allowedCount: number | undefined;
  let resetAt = Number.POSITIVE_INFINITY;
  return {
    startCounting() {
      allowedCount = 0;
    },
    interceptor: {
      response(response) {
        if (allowedCount === undefined) return;
        const now = Date.now();
        if (now >= resetAt) {
          allowedCount = 0;
          resetAt = Number.POSITIVE_INFINITY;
        }
        const isWithinLimit = allowedCount < maxRequests;
        if (isWithinLimit) allowedCount += 1;
        else {
          resetAt = Math.min(resetAt, (Math.floor(now / secondMs) + 1) * secondMs);
          response.status = 429;
          response.body = { success: false, error: 'Too Many Requests' };
          response.headers['retry-after'] = '1';
        }
        // Before the limit is exceeded, the end of the window is unknown; clients expect a time in the future.
        const reset = Math.min(resetAt, now + secondMs);
        Object.assign(response.headers, {
          'x-ratelimit-limit': String(maxRequests),
          'x-ratelimit-remaining': String(maxRequests - allowedCount),
          'x-ratelimit-reset': String(Math.ceil(reset / secondMs)),
        });
      },
    },
  };
}
