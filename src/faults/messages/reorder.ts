import { defaultReorderWindow } from '../../domain/message-delays.js';
import { duration } from '../options.js';
import { defineMessageEffect, withAppliedFault } from './message.js';

interface Options {
  readonly within: string;
}

/** The commits of the events decide which message waits for which: see `simulation/state/held-messages.ts`. */
export const reorder = defineMessageEffect<Options>(
  {
    name: 'reorder',
    summary: 'sends the next message of the account first; without a next one, sends it after a while',
    example: 'reorder=2s',
    value: 'within',
    options: { within: { ...duration, pattern: '[1-9]', default: defaultReorderWindow } },
  },
  // The overtaking message has not waited.
  (faulted, _options, { hasWaited }) => (hasWaited ? withAppliedFault(faulted, 'reorder') : faulted),
);
