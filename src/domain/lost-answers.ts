/** How the client handled a lost response; see `LostAnswer` in openapi/control.yaml. */
export type Outcome = 'same-key' | 'looked-up' | 'other-key' | 'no-key' | 'repeated' | 'none';

/** Features that identify a request as a retry of another. */
export interface RequestIdentity {
  readonly operation: string;
  /** Whether the operation accepts an Idempotency-Key. */
  readonly takesKey: boolean;
  /** Fingerprint of the key; null without a key. */
  readonly key: string | null;
  /** Fingerprint of the path and body. */
  readonly fingerprint: string;
}

/** A request whose response was lost, and the outcome. */
export interface LostAnswer extends RequestIdentity {
  /** Id of the request. */
  readonly request: string;
  readonly how: string;
  /** Whether its records have been read since. */
  isLookedUp: boolean;
  outcome: Outcome;
  /** Id of the request that determined the outcome. */
  retry: string | null;
}

/** Classifies a later request as a retry; undefined if it is not one. */
export function retryOutcome(
  lost: RequestIdentity & Pick<LostAnswer, 'isLookedUp'>,
  later: RequestIdentity,
): Outcome | undefined {
  if (later.operation !== lost.operation) return undefined;
  if (lost.key !== null && later.key === lost.key) return 'same-key';
  if (later.fingerprint !== lost.fingerprint) return undefined;
  if (lost.takesKey) return later.key === null ? 'no-key' : 'other-key';
  return lost.isLookedUp ? 'looked-up' : 'repeated';
}

const verdicts: Readonly<Record<Outcome, 'missing' | 'unsafe' | 'safe'>> = {
  'same-key': 'safe',
  'looked-up': 'safe',
  'other-key': 'unsafe',
  'no-key': 'unsafe',
  repeated: 'unsafe',
  none: 'missing',
};

/**
 * Reports how clients handled lost responses.
 * @param lost number of lost responses
 * @param remembered the latest of them
 */
export function coverRetries(lost: number, remembered: readonly LostAnswer[]) {
  const all = remembered.map(({ request, operation, how, key, outcome, retry, isLookedUp }) => ({
    request,
    operation,
    how,
    key,
    // A client that read the records and did not retry may have found the operation completed.
    outcome: outcome === 'none' && isLookedUp ? ('looked-up' as const) : outcome,
    retry,
  }));
  const withVerdict = (verdict: 'missing' | 'unsafe' | 'safe') =>
    all.filter(({ outcome }) => verdicts[outcome] === verdict);
  return { lost, missing: withVerdict('missing'), unsafe: withVerdict('unsafe'), safe: withVerdict('safe') };
}
