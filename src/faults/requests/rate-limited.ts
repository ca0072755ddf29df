import { duration, millisecondsOf } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly after?: string;
}

/** What a client beyond the limit sees, however few requests it has made. */
export const rateLimited = defineRequestEffect<Options>(
  {
    name: 'rate-limited',
    summary: 'answers 429 with Retry-After and rate-limit headers that agree; left out, the window ends as it would',
    example: 'rate-limited=30s',
    value: 'after',
    options: { after: { ...duration, description: 'when the window ends' } },
  },
  (reply, { after }, { rateExceeded }) => ({
    ...reply,
    ...rateExceeded(after === undefined ? null : millisecondsOf(after)),
  }),
);
