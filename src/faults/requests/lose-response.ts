import { defineRequestEffect } from './reply.js';

/** The client cannot know that the handler has run. With the same Idempotency-Key it can retry safely. */
export const loseResponse = defineRequestEffect(
  {
    name: 'lose-response',
    summary: 'handles the request, then drops the connection before the response',
    example: 'lose-response',
    options: {},
  },
  (reply) => ({ ...reply, end: 'reset' }),
);
