import { describe, expect, test } from 'vitest';
import {
  type LostResponse,
  type RequestIdentity,
  type RetryOutcome,
  retryCoverage,
  retryOutcome,
} from '../../src/domain/lost-responses.js';

/** Requests to an operation that accepts an Idempotency-Key, and to one that does not; with made-up fingerprints. */
const keyed: RequestIdentity = { operation: 'create', takesKey: true, key: 'a', storedAt: null, fingerprint: '1' };
const keyless: RequestIdentity = { operation: 'capture', takesKey: false, key: null, storedAt: null, fingerprint: '1' };

describe('a request after a lost response', () => {
  const testCases: readonly {
    title: string;
    lost: RequestIdentity;
    /** True if the client has read the affected records before the later request; false by default. */
    isLookedUp?: boolean;
    /** Properties in which the later request differs from the lost one. */
    later: Partial<RequestIdentity>;
    /** Undefined if the later request is not a retry. */
    outcome: RetryOutcome | undefined;
  }[] = [
    { title: 'the same request', lost: keyed, later: {}, outcome: 'same-key' },
    { title: 'another request with the same key', lost: keyed, later: { fingerprint: '2' }, outcome: 'same-key' },
    {
      title: 'the same request, which gets the stored response',
      lost: { ...keyed, storedAt: 'Monday' },
      later: { storedAt: 'Monday' },
      outcome: 'same-key',
    },
    {
      title: 'the same request, executed now, because the lost one was not',
      lost: keyed,
      later: { storedAt: 'Tuesday' },
      outcome: 'same-key',
    },
    {
      title: 'the same request, executed again, since the stored response had expired',
      lost: { ...keyed, storedAt: 'Monday' },
      later: { storedAt: 'Tuesday' },
      outcome: 'expired-key',
    },
    {
      title: 'the same request, refused and so not executed, after the stored response had expired',
      lost: { ...keyed, storedAt: 'Monday' },
      later: { storedAt: null },
      outcome: 'same-key',
    },
    { title: 'the same request with another key', lost: keyed, later: { key: 'b' }, outcome: 'other-key' },
    { title: 'the same request without a key', lost: keyed, later: { key: null }, outcome: 'no-key' },
    {
      title: 'another request with another key',
      lost: keyed,
      later: { key: 'b', fingerprint: '2' },
      outcome: undefined,
    },
    { title: 'another request without a key', lost: keyed, later: { key: null, fingerprint: '2' }, outcome: undefined },
    { title: 'another operation with the same key', lost: keyed, later: { operation: 'other' }, outcome: undefined },
    {
      title: 'the same request, both times without a key',
      lost: { ...keyed, key: null },
      later: { key: null },
      outcome: 'no-key',
    },
    {
      title: 'the same request, now with a key',
      lost: { ...keyed, key: null },
      later: { key: 'a' },
      outcome: 'other-key',
    },
    {
      title: 'the same request with another key, after looking up the result',
      lost: keyed,
      isLookedUp: true,
      later: { key: 'b' },
      outcome: 'other-key',
    },
    { title: 'the same request to an operation without keys', lost: keyless, later: {}, outcome: 'repeated' },
    {
      title: 'the same request to an operation without keys, after looking up the result',
      lost: keyless,
      isLookedUp: true,
      later: {},
      outcome: 'looked-up',
    },
    {
      title: 'another request to an operation without keys',
      lost: keyless,
      later: { fingerprint: '2' },
      outcome: undefined,
    },
  ];

  test.each(testCases.map((testCase) => ({ ...testCase, result: testCase.outcome ?? 'not a retry' })))(
    '$title: $result',
    ({ lost, isLookedUp = false, later, outcome }) => {
      expect(retryOutcome({ ...lost, isLookedUp }, { ...lost, ...later })).toBe(outcome);
    },
  );
});

describe('the report on lost responses', () => {
  const lostResponse = (outcome: RetryOutcome, isLookedUp: boolean): LostResponse => ({
    ...keyed,
    request: 'req_1',
    how: 'reset',
    isLookedUp,
    outcome,
    retry: outcome === 'none' ? null : 'req_9',
  });

  test.each<{
    outcome: RetryOutcome;
    isLookedUp: boolean;
    list: 'missing' | 'unsafe' | 'safe';
    reported?: RetryOutcome;
  }>([
    { outcome: 'same-key', isLookedUp: false, list: 'safe' },
    { outcome: 'expired-key', isLookedUp: false, list: 'unsafe' },
    { outcome: 'looked-up', isLookedUp: true, list: 'safe' },
    { outcome: 'other-key', isLookedUp: false, list: 'unsafe' },
    { outcome: 'no-key', isLookedUp: false, list: 'unsafe' },
    { outcome: 'repeated', isLookedUp: false, list: 'unsafe' },
    { outcome: 'none', isLookedUp: false, list: 'missing' },
    { outcome: 'none', isLookedUp: true, list: 'safe', reported: 'looked-up' },
  ])(
    'lists the outcome $outcome (looked up: $isLookedUp) as $list',
    ({ outcome, isLookedUp, list, reported = outcome }) => {
      const { missing, unsafe, safe } = retryCoverage(1, [lostResponse(outcome, isLookedUp)]);
      expect({ missing, unsafe, safe }).toEqual({
        missing: [],
        unsafe: [],
        safe: [],
        [list]: [
          {
            request: 'req_1',
            operation: 'create',
            how: 'reset',
            key: 'a',
            outcome: reported,
            retry: outcome === 'none' ? null : 'req_9',
          },
        ],
      });
    },
  );
});
