import type { OutgoingMessage } from '../../simulation/state/ports.js';
import { defineMessageEffect } from './message.js';

interface Options {
  readonly count: number;
}

/** The copies have the same id as the message. Each is sent after the receiver has responded to the previous one. */
export const duplicate = defineMessageEffect<Options>(
  {
    name: 'duplicate',
    summary: 'sends the message twice, or the given number of times',
    example: 'duplicate=3',
    valueOption: 'count',
    options: {
      count: {
        type: 'integer',
        minimum: 2,
        maximum: 20,
        default: 2,
        description: 'how often it is sent, 2 to 20 times',
      },
    },
    needs: 'sending',
  },
  (result, { count }) => {
    const [message, ...others] = result.messages;
    const copy: OutgoingMessage = { ...message, appliedFaults: ['duplicate'] };
    // If two faults duplicate a message, their counts are multiplied: with 2 and 3, six messages are sent.
    const addedCopies = Array.from({ length: (1 + others.length) * (count - 1) }, () => copy);
    return { ...result, messages: [message, ...others, ...addedCopies] };
  },
);
