import { defineMessageEffect, withSkippedFault } from './message.js';

/** The headers of the replayed message include its signature, so a receiver can recognize the replay only by its id. */
export const stale = defineMessageEffect(
  {
    name: 'stale',
    summary: 'also sends an earlier message again, byte for byte, if one was delivered',
    example: 'stale',
    options: {},
  },
  (result, _options, { random, findEarlier }) => {
    const [{ secret }] = result.messages;
    const replayed = findEarlier(random());
    if (replayed)
      return { ...result, messages: [...result.messages, { ...replayed, secret, appliedFaults: ['stale'] }] };
    return withSkippedFault(result, 'stale', 'no message has been delivered before');
  },
);
