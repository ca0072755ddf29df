import { defineMessageEffect, withSkippedFault } from './message.js';

/** Maximum number of earlier messages that are sent with one message, if several effects add them. */
const maxReplayedCount = 20;

/** The headers of the replayed message include its signature, so a receiver can recognize the replay only by its id. */
export const stale = defineMessageEffect(
  {
    name: 'stale',
    summary: 'also sends an earlier message again, byte for byte, if one was delivered',
    example: 'stale',
    options: {},
  },
  (result, _options, { random, findEarlier }) => {
    const [{ secret }, ...others] = result.messages;
    if (others.filter(({ appliedFaults }) => appliedFaults.includes('stale')).length === maxReplayedCount)
      return withSkippedFault(result, 'stale', `${maxReplayedCount} earlier messages, the maximum, are sent already`);
    const replayed = findEarlier(random());
    if (replayed)
      return { ...result, messages: [...result.messages, { ...replayed, secret, appliedFaults: ['stale'] }] };
    return withSkippedFault(result, 'stale', 'no message has been delivered before');
  },
);
