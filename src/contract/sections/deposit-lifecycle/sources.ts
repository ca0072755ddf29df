import { captureQuotes } from '../field-quotes.js';

/** The part of the specification that the clauses about an operation quote, unless they say otherwise. */
export const sources = {
  captureDeposit: { operation: 'captureDeposit', spec: 'POST /deposits/{id}/capture', quote: captureQuotes.amount },
  releaseDeposit: {
    operation: 'releaseDeposit',
    spec: 'POST /deposits/{id}/release',
    quote: 'No body. Releases the remaining card authorization.',
  },
  getDeposit: {
    operation: 'getDeposit',
    spec: 'States and transitions',
    quote: 'Statuses: `pending`, `authorized`, `partially_captured`, `captured`, `released`, `expired`, `failed`.',
  },
} as const;
