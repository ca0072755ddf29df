import { defineRequestEffect } from './reply.js';

/** Of the whole service, unless the fault is for some requests only; its span is that of the fault. */
export const outage = defineRequestEffect(
  {
    name: 'outage',
    summary: 'answers everything with 503, known route or not, for as long as the fault holds',
    example: 'outage',
    options: {},
  },
  (reply, _options, { envelopeOf }) => ({ ...reply, status: 503, body: envelopeOf(503) }),
);
