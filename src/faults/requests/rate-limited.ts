import { duration, millisecondsOf } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly after?: string;
}

/** Responds as the service does to a client that exceeds the rate limit. */
export const rateLimited = defineRequestEffect<Options>(
  {
    name: 'rate-limited',
    summary: 'responds with 429, Retry-After and matching rate-limit headers',
    example: 'rate-limited=30s',
    valueOption: 'after',
    options: {
      after: {
        ...duration,
        description:
          'wait that Retry-After and the rate-limit headers announce; the fault stays active afterwards; default: until the current rate-limit window ends',
      },
    },
    prevents: ['request-handled'],
  },
  (reply, { after }, { rateExceeded }) => ({
    ...reply,
    ...rateExceeded(after === undefined ? null : millisecondsOf(after)),
  }),
);
