import { defineRequestEffect } from './reply.js';

/** The client cannot know whether the request was carried out. It was: with the same Idempotency-Key it may ask again. */
export const loseResponse = defineRequestEffect(
  {
    name: 'lose-response',
    summary: 'handles the request, then drops the connection before the response',
    example: 'lose-response',
    options: {},
  },
  (reply) => ({ ...reply, end: 'reset' }),
);
