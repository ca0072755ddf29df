import type { OutgoingMessage } from '../../simulation/state/ports.js';
import { defineMessageEffect, withSkippedFault } from './message.js';

interface Options {
  readonly count: number;
}

/** Maximum number of times that a message is sent, even if several effects duplicate it. */
const maxCount = 20;

/** Sends copies with the same id, each after the receiver has responded to the previous one. */
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
        description: `how many times it is sent, 2 to ${maxCount}; counts of several such effects are multiplied, and an effect that would exceed ${maxCount} is skipped`,
      },
    },
    needs: 'message-sent',
  },
  (result, { count }) => {
    const [message] = result.messages;
    const currentCount = result.messages.length;
    // The counts of two effects are multiplied: with 2 and 3, six messages are sent.
    if (currentCount * count > maxCount) {
      const reason = `the message would be sent ${currentCount * count} times, but the maximum is ${maxCount}`;
      return withSkippedFault(result, 'duplicate', reason);
    }
    const copy: OutgoingMessage = { ...message, appliedFaults: ['duplicate'] };
    const addedCopies = Array.from({ length: currentCount * (count - 1) }, () => copy);
    return { ...result, messages: [...result.messages, ...addedCopies] };
  },
);
