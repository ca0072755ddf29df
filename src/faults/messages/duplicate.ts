import type { OutgoingMessage } from '../../simulation/state/ports.js';
import { defineMessageEffect, withSkippedFault } from './message.js';

interface Options {
  readonly count: number;
}

/** Maximum number of times that a message is sent, also if several effects duplicate it. */
const maxCount = 20;

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
        maximum: maxCount,
        default: 2,
        description:
          'how often it is sent, 2 to 20 times; several such effects multiply, and one that would exceed 20 in all is skipped',
      },
    },
    needs: 'sending',
  },
  (result, { count }) => {
    const [message] = result.messages;
    const currentCount = result.messages.length;
    // If two faults duplicate a message, their counts are multiplied: with 2 and 3, six messages are sent.
    if (currentCount * count > maxCount) {
      const reason = `the message would be sent ${currentCount * count} times, and ${maxCount} is the maximum`;
      return withSkippedFault(result, 'duplicate', reason);
    }
    const copy: OutgoingMessage = { ...message, appliedFaults: ['duplicate'] };
    const addedCopies = Array.from({ length: currentCount * (count - 1) }, () => copy);
    return { ...result, messages: [...result.messages, ...addedCopies] };
  },
);
