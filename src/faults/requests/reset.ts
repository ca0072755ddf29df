import { defineRequestEffect } from './reply.js';

export const reset = defineRequestEffect(
  {
    name: 'reset',
    summary: 'resets the connection before the request is handled',
    example: 'reset',
    options: {},
  },
  (reply) => ({ ...reply, end: 'reset' }),
);
