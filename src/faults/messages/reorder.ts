import { defaultWithin } from '../../domain/holds.js';
import { duration } from '../options.js';
import { defineMessageEffect, noted } from './message.js';

interface Options {
  readonly within: string;
}

/** Which message waits for which is decided with the commits of the events: see `simulation/held-messages.ts`. */
export const reorder = defineMessageEffect<Options>(
  {
    name: 'reorder',
    summary: 'sends the next message of the account first; without a next one, sends it after a while',
    example: 'reorder=2s',
    value: 'within',
    options: { within: { ...duration, pattern: '[1-9]', default: defaultWithin } },
  },
  // The overtaking message has not waited.
  (treatment, _options, { hasWaited }) => (hasWaited ? noted(treatment, 'reorder') : treatment),
);
