import { defineRequestEffect } from './reply.js';

/** The client cannot know that the handler has run. A request with an Idempotency-Key can be retried safely. */
export const loseResponse = defineRequestEffect(
  {
    name: 'lose-response',
    summary: 'handles the request, then drops the connection before the response',
    example: 'lose-response',
    options: {},
    needs: 'request-handled',
    prevents: ['response-sent'],
  },
  (reply) => ({ ...reply, end: 'reset' }),
);
