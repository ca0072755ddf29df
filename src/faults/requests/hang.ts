import { defineRequestEffect } from './reply.js';

export const hang = defineRequestEffect(
  {
    name: 'hang',
    summary: 'takes the request, and never answers it',
    example: 'hang',
    options: {},
  },
  (reply) => ({ ...reply, end: 'hang' }),
);
