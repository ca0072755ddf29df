import { defineRequestEffect } from './reply.js';

export const hang = defineRequestEffect(
  {
    name: 'hang',
    summary: 'accepts the request and never responds',
    example: 'hang',
    options: {},
    prevents: ['request-handled', 'request-ended', 'response-sent'],
  },
  (reply) => ({ ...reply, end: 'hang' }),
);
