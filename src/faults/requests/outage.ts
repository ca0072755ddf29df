import { defineRequestEffect } from './reply.js';

/** Of the whole service, unless the fault is for some requests only; its span is that of the fault. */
export const outage = defineRequestEffect(
  {
    name: 'outage',
    summary: 'responds to every request with 503 while the fault is active, known route or not',
    example: 'outage',
    options: {},
  },
  (reply, _options, { envelopeOf }) => ({ ...reply, status: 503, body: envelopeOf(503) }),
);
