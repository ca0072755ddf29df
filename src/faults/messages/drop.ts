import { defineMessageEffect } from './message.js';

interface Options {
  readonly what: 'message' | 'attempt';
}

/** Drops the copies of the message, too. Earlier messages that the effect `stale` adds are still sent. */
export const drop = defineMessageEffect<Options>(
  {
    name: 'drop',
    summary: 'drops the message, which the service believes sent, or only its first attempt, which is retried',
    example: 'drop=attempt',
    value: 'what',
    options: { what: { enum: ['message', 'attempt'], default: 'message' } },
  },
  (faulted, { what }) => {
    const [message, ...others] = faulted.messages;
    const lost = what === 'message' ? 'unnoticed' : 'noticed';
    const earlierMessages = others.filter(({ delivery }) => delivery !== message.delivery);
    return {
      ...faulted,
      messages: [{ ...message, lost, appliedFaults: [...message.appliedFaults, 'drop'] }, ...earlierMessages],
    };
  },
);
