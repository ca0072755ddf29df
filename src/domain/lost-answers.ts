/** The client's reaction to a lost answer; see `LostAnswer` in openapi/control.yaml. */
export type Outcome = 'same-key' | 'looked-up' | 'other-key' | 'no-key' | 'repeated' | 'none';

/** The features by which a request is recognized as the retry of another. */
export interface RequestIdentity {
  readonly operation: string;
  /** Whether the operation takes an Idempotency-Key. */
  readonly takesKey: boolean;
  /** Tells one key from another without giving it away; null for none. */
  readonly key: string | null;
  /** Tells one path and body from another. */
  readonly fingerprint: string;
}

/** A request whose answer was lost, with what became of it. */
export interface LostAnswer extends RequestIdentity {
  /** Id of the request. */
  readonly request: string;
  readonly how: string;
  /** Whether the records that it was about have been read since. */
  isLookedUp: boolean;
  outcome: Outcome;
  /** Id of the request that has decided the outcome. */
  retry: string | null;
}

/** Classifies a later request as a retry of one whose answer was lost; undefined if it is not one. */
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

/** Reports how clients have reacted to lost answers. @param lost how many there were; `kept` may be the last of them only */
export function coverRetries(lost: number, kept: readonly LostAnswer[]) {
  const all = kept.map(({ request, operation, how, key, outcome, retry, isLookedUp }) => ({
    request,
    operation,
    how,
    key,
    // Who has looked and asked for nothing more may have found it done.
    outcome: outcome === 'none' && isLookedUp ? ('looked-up' as const) : outcome,
    retry,
  }));
  const of = (verdict: 'missing' | 'unsafe' | 'safe') => all.filter(({ outcome }) => verdicts[outcome] === verdict);
  return { lost, missing: of('missing'), unsafe: of('unsafe'), safe: of('safe') };
}
