import { defineRequestEffect } from './reply.js';

/** In the stage `call`, so that the request is not handled. `lose-response` resets the connection after the handler. */
export const reset = defineRequestEffect(
  {
    name: 'reset',
    summary: 'resets the connection before the request is handled',
    example: 'reset',
    options: {},
  },
  (reply) => ({ ...reply, end: 'reset' }),
);
