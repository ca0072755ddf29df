import { duration } from '../options.js';
import { defineMessageEffect, noted } from './message.js';

interface Options {
  readonly every: string;
}

/** The end of the wait is set with the commit of the event: see `domain/holds.ts`. */
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
  (treatment) => noted(treatment, 'burst'),
);
