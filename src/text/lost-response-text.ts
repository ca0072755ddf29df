import type { RetryOutcome } from '../domain/lost-responses.js';

/** Descriptions of how the client handled a lost response. @param retry id of the request that retried it, if any */
const descriptions: Readonly<Record<RetryOutcome, (retry: string | null) => string>> = {
  'same-key': (retry) => `retried by ${retry} with the same key`,
  'looked-up': (retry) => (retry === null ? 'looked up' : `looked up, then retried by ${retry}`),
  'expired-key': (retry) => `retried by ${retry} after the key had expired: the operation has run twice`,
  'other-key': (retry) => `retried by ${retry} with another key: the operation may have run twice`,
  'no-key': (retry) => `retried by ${retry} without a key: the operation may have run twice`,
  repeated: (retry) => `retried by ${retry} without looking it up: the operation may have run twice`,
  none: () => 'not retried',
};

/** Describes how the client handled a lost response: `retried by req_8 with the same key`. */
export function describeRetryOutcome({
  outcome,
  retry,
}: {
  readonly outcome: RetryOutcome;
  readonly retry: string | null;
}): string {
  return descriptions[outcome](retry);
}
