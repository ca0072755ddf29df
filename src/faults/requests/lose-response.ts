import { defineRequestEffect } from './reply.js';

/** The client cannot know whether the request was carried out. It was: with the same Idempotency-Key it may ask again. */
export const loseResponse = defineRequestEffect(
  {
    name: 'lose-response',
    summary: 'carries the request out, and drops the connection before the answer',
    example: 'lose-response',
    options: {},
  },
  (reply) => ({ ...reply, end: 'reset' }),
);
