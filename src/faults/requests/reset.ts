import { defineRequestEffect } from './reply.js';

/** Replaces the handler, unlike `lose-response`, which resets the connection after the handler has run. */
export const reset = defineRequestEffect(
  {
    name: 'reset',
    summary: 'resets the connection before the request is handled',
    example: 'reset',
    options: {},
    prevents: ['request-handled', 'response-sent'],
  },
  (reply) => ({ ...reply, end: 'reset' }),
);
