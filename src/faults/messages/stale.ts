import { defineMessageEffect } from './message.js';

/** Its signature is valid: only its id shows that it was received before. */
export const stale = defineMessageEffect(
  {
    name: 'stale',
    summary: 'also sends a message that was delivered before, byte for byte, if there is one',
    example: 'stale',
    options: {},
  },
  (treatment, _options, { chance, earlier }) => {
    const [{ secret }] = treatment.copies;
    const replayed = earlier(chance());
    if (replayed)
      return { ...treatment, copies: [...treatment.copies, { ...replayed, secret, appliedFaults: ['stale'] }] };
    const reason = 'no message has been delivered before';
    return { ...treatment, skippedFaults: [...treatment.skippedFaults, { effect: 'stale', reason }] };
  },
);
