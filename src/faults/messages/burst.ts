import { duration } from '../options.js';
import { defineMessageEffect, withAppliedFault } from './message.js';

interface Options {
  readonly every: string;
}

/** The delay is determined when the event is committed: see `domain/message-delays.ts`. */
export const burst = defineMessageEffect<Options>(
  {
    name: 'burst',
    summary:
      'collects messages, and sends them all at once at the end of each interval, counted from when the fault was added',
    example: 'burst=10s',
    value: 'every',
    options: { every: { ...duration, pattern: '[1-9]' } },
    required: ['every'],
  },
  (faulted) => withAppliedFault(faulted, 'burst'),
);
