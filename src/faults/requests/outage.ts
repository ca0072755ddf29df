import { defineRequestEffect } from './reply.js';

/** Affects the whole service, unless the fault has matchers. It lasts as long as the fault is active. */
export const outage = defineRequestEffect(
  {
    name: 'outage',
    summary: 'responds to every request with 503 while the fault is active, known route or not',
    example: 'outage',
    options: {},
    prevents: ['request-handled'],
  },
  (reply, _options, { bodyForStatus }) => ({ ...reply, status: 503, body: bodyForStatus(503) }),
);
