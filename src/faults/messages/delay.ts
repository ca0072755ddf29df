import { duration } from '../options.js';
import { defineMessageEffect, withAppliedFault } from './message.js';

interface Options {
  readonly by: string;
}

/**
 * Only records that the effect was applied; `domain/message-delays.ts` determined the delay when the event was
 * committed.
 */
export const delay = defineMessageEffect<Options>(
  {
    name: 'delay',
    summary: "sends the message later, on the account's clock",
    example: 'delay=5m',
    valueOption: 'by',
    options: { by: { ...duration, description: 'how much later' } },
    required: ['by'],
  },
  (result) => withAppliedFault(result, 'delay'),
);
