import { defineMessageEffect } from './message.js';

interface Options {
  readonly what: 'message' | 'attempt';
}

/** Drops the message with its duplicates, but not an earlier message that the `stale` effect has added. */
export const drop = defineMessageEffect<Options>(
  {
    name: 'drop',
    summary: 'loses the message for good, or only its first attempt, which is retried',
    example: 'drop=attempt',
    valueOption: 'what',
    options: { what: { enum: ['message', 'attempt'], default: 'message', description: '`message` or `attempt`' } },
    prevents: ['message-sent'],
  },
  (result, { what }) => {
    const [message, ...others] = result.messages;
    const lost = what === 'message' ? 'silently' : 'as-failed-attempt';
    const earlierMessages = others.filter(({ deliveryId }) => deliveryId !== message.deliveryId);
    return {
      ...result,
      messages: [{ ...message, lost, appliedFaults: [...message.appliedFaults, 'drop'] }, ...earlierMessages],
    };
  },
);
