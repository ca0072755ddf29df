import { describe, expect, test } from 'vitest';
import {
  coverRetries,
  type LostAnswer,
  type Outcome,
  type RequestIdentity,
  retryOutcome,
} from '../../src/domain/lost-answers.js';

const keyed: RequestIdentity = { operation: 'create', takesKey: true, key: 'a', fingerprint: '1' };
const keyless: RequestIdentity = { operation: 'capture', takesKey: false, key: null, fingerprint: '1' };

describe('a later request', () => {
  test.each<{
    says: string;
    lost: RequestIdentity;
    isLookedUp?: boolean;
    later: Partial<RequestIdentity>;
    outcome: Outcome | undefined;
  }>([
    { says: 'the same once more', lost: keyed, later: {}, outcome: 'same-key' },
    { says: 'the key with something else', lost: keyed, later: { fingerprint: '2' }, outcome: 'same-key' },
    { says: 'the same under another key', lost: keyed, later: { key: 'b' }, outcome: 'other-key' },
    { says: 'the same under no key', lost: keyed, later: { key: null }, outcome: 'no-key' },
    { says: 'something else', lost: keyed, later: { key: 'b', fingerprint: '2' }, outcome: undefined },
    { says: 'something else under no key', lost: keyed, later: { key: null, fingerprint: '2' }, outcome: undefined },
    { says: 'another operation under the key', lost: keyed, later: { operation: 'other' }, outcome: undefined },
    { says: 'no key after no key', lost: { ...keyed, key: null }, later: { key: null }, outcome: 'no-key' },
    { says: 'a key after no key', lost: { ...keyed, key: null }, later: { key: 'a' }, outcome: 'other-key' },
    { says: 'another key after a look', lost: keyed, isLookedUp: true, later: { key: 'b' }, outcome: 'other-key' },
    { says: 'the same where there are no keys', lost: keyless, later: {}, outcome: 'repeated' },
    { says: 'the same after a look', lost: keyless, isLookedUp: true, later: {}, outcome: 'looked-up' },
    { says: 'something else where there are no keys', lost: keyless, later: { fingerprint: '2' }, outcome: undefined },
  ])('$says: $outcome', ({ lost, isLookedUp = false, later, outcome }) => {
    expect(retryOutcome({ ...lost, isLookedUp }, { ...lost, ...later })).toBe(outcome);
  });
});

describe('the report', () => {
  const lost = (outcome: Outcome, isLookedUp = false): LostAnswer => ({
    ...keyed,
    request: `${outcome}`,
    how: 'reset',
    isLookedUp,
    outcome,
    retry: outcome === 'none' ? null : 'req_9',
  });

  test.each<{ outcome: Outcome; isLookedUp?: boolean; list: 'missing' | 'unsafe' | 'safe'; told?: Outcome }>([
    { outcome: 'same-key', list: 'safe' },
    { outcome: 'looked-up', list: 'safe' },
    { outcome: 'other-key', list: 'unsafe' },
    { outcome: 'no-key', list: 'unsafe' },
    { outcome: 'repeated', list: 'unsafe' },
    { outcome: 'none', list: 'missing' },
    { outcome: 'none', isLookedUp: true, list: 'safe', told: 'looked-up' },
  ])('has $outcome (looked up: $isLookedUp) among the $list', ({ outcome, isLookedUp, list, told = outcome }) => {
    const report = coverRetries(1, [lost(outcome, isLookedUp)]);
    const { missing, unsafe, safe } = report;
    expect({ missing, unsafe, safe }).toEqual({
      missing: [],
      unsafe: [],
      safe: [],
      [list]: [
        {
          request: outcome,
          operation: 'create',
          how: 'reset',
          key: 'a',
          outcome: told,
          retry: outcome === 'none' ? null : 'req_9',
        },
      ],
    });
  });
});
