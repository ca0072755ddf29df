import { defaultReorderWindow } from '../../domain/message-delays.js';
import { duration } from '../options.js';
import { defineMessageEffect, withAppliedFault } from './message.js';

interface Options {
  readonly within: string;
}

/**
 * Only records that the effect was applied: the order was determined when the events were committed, see
 * `simulation/state/delivery-indexes.ts`.
 */
export const reorder = defineMessageEffect<Options>(
  {
    name: 'reorder',
    summary: 'holds a message back until the next message of the account has been sent, or until a time limit',
    example: 'reorder=2s',
    valueOption: 'within',
    // The pattern rejects durations of zero.
    options: {
      within: { ...duration, pattern: '[1-9]', default: defaultReorderWindow, description: 'the time limit' },
    },
  },
  // The effect counts as applied to the message that waited, but not to the message that overtook it.
  (result, _options, { wasHeldBack }) => (wasHeldBack ? withAppliedFault(result, 'reorder') : result),
);
