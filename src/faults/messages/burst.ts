import { duration } from '../options.js';
import { defineMessageEffect, withAppliedFault } from './message.js';

interface Options {
  readonly every: string;
}

/**
 * Only records that the effect was applied; `domain/message-delays.ts` determined the delay when the event was
 * committed.
 */
export const burst = defineMessageEffect<Options>(
  {
    name: 'burst',
    summary:
      'collects messages, and sends them all at once at the end of each interval, counted from when the fault was added',
    example: 'burst=10s',
    valueOption: 'every',
    // The pattern rejects durations of zero.
    options: { every: { ...duration, pattern: '[1-9]', description: 'length of an interval' } },
    required: ['every'],
  },
  (result) => withAppliedFault(result, 'burst'),
);
