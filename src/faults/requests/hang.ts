import { defineRequestEffect } from './reply.js';

export const hang = defineRequestEffect(
  {
    name: 'hang',
    summary: 'accepts the request and never responds',
    example: 'hang',
    options: {},
    prevents: ['handling', 'end', 'response'],
  },
  (reply) => ({ ...reply, end: 'hang' }),
);
