/**
 * Reaction of the client to a response that a fault dropped. `same-key`, `other-key`, `no-key`: a retry with the same
 * Idempotency-Key, with another one, or without one. `expired-key`: a retry with the same key that was executed a
 * second time, because the key had expired. `looked-up`: the client read the affected records, and then did nothing
 * more or, if the operation accepts no key, retried. `repeated`: a retry without such a read, although the operation
 * accepts no key. `none`: no reaction so far.
 */
export type RetryOutcome = 'same-key' | 'looked-up' | 'expired-key' | 'other-key' | 'no-key' | 'repeated' | 'none';

/** Properties of a request that show whether it is a retry of another one. */
export interface RequestIdentity {
  readonly operation: string;
  /** True if the operation accepts an Idempotency-Key. */
  readonly takesKey: boolean;
  /** Fingerprint of the key; null without a key. */
  readonly key: string | null;
  /** Time at which a response was stored for the key, because the request was executed; null if none was stored. */
  readonly storedAt: string | null;
  /** Fingerprint of the path and body. */
  readonly fingerprint: string;
}

/** A request whose response was lost, and the reaction of the client. */
export interface LostResponse extends RequestIdentity {
  /** Id of the request. */
  readonly request: string;
  /** Names of the fault effects that dropped the response, separated by spaces. */
  readonly how: string;
  /** True if the client has read the affected records since. */
  isLookedUp: boolean;
  outcome: RetryOutcome;
  /** Id of the request that determined the outcome. */
  retry: string | null;
}

/** Classifies a later request as a retry; undefined if it is not one. */
export function retryOutcome(
  lost: RequestIdentity & Pick<LostResponse, 'isLookedUp'>,
  later: RequestIdentity,
): RetryOutcome | undefined {
  if (later.operation !== lost.operation) return undefined;
  if (lost.key !== null && later.key === lost.key) {
    const isExecutedAgain = lost.storedAt !== null && later.storedAt !== null && later.storedAt !== lost.storedAt;
    return isExecutedAgain ? 'expired-key' : 'same-key';
  }
  if (later.fingerprint !== lost.fingerprint) return undefined;
  if (lost.takesKey) return later.key === null ? 'no-key' : 'other-key';
  return lost.isLookedUp ? 'looked-up' : 'repeated';
}

const verdicts: Readonly<Record<RetryOutcome, 'missing' | 'unsafe' | 'safe'>> = {
  'same-key': 'safe',
  'looked-up': 'safe',
  'expired-key': 'unsafe',
  'other-key': 'unsafe',
  'no-key': 'unsafe',
  repeated: 'unsafe',
  none: 'missing',
};

/**
 * Reports how clients handled lost responses.
 * @param lostCount number of all lost responses
 * @param remembered the latest lost responses
 */
export function retryCoverage(lostCount: number, remembered: readonly LostResponse[]) {
  const all = remembered.map(({ request, operation, how, key, outcome, retry, isLookedUp }) => ({
    request,
    operation,
    how,
    key,
    // A client that read the records and did not retry probably saw that the operation had succeeded.
    outcome: outcome === 'none' && isLookedUp ? ('looked-up' as const) : outcome,
    retry,
  }));
  const withVerdict = (verdict: 'missing' | 'unsafe' | 'safe') =>
    all.filter(({ outcome }) => verdicts[outcome] === verdict);
  return { lost: lostCount, missing: withVerdict('missing'), unsafe: withVerdict('unsafe'), safe: withVerdict('safe') };
}
