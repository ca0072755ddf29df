import { describe, expect, test } from 'vitest';
import { eventCoverage, faultCoverage, transitionCoverage } from '../../src/domain/coverage.js';
import { effectStages } from '../../src/domain/faults.js';
import { eventNames } from '../../src/domain/records.js';
import { resolveProfile } from '../../src/openapi/profile.js';

/** Creates a function that returns the count of a name; 0 for other names. */
const countsFrom = (counts: Readonly<Record<string, number>>) => (name: string) => counts[name] ?? 0;
const noCounts = countsFrom({});

describe('the transitions of deposits', () => {
  test('are the rows of their lifecycle table, a transition for each `from` status of a row', () => {
    expect(transitionCoverage(resolveProfile({}), noCounts).missing).toEqual([
      'pending → authorized (authorize)',
      'pending → failed (decline)',
      'pending → expired (expire)',
      'authorized → expired (expire)',
      'partially_captured → expired (expire)',
      'authorized → partially_captured (capture)',
      'partially_captured → partially_captured (capture)',
      'authorized → captured (capture)',
      'partially_captured → captured (capture)',
      'authorized → released (release)',
      'partially_captured → released (release)',
    ]);
  });

  test.each([
    {
      gap: 'deposit.decline',
      choice: 'pending',
      includes: 'pending → pending (decline)',
      excludes: 'pending → failed (decline)',
    },
    {
      gap: 'deposit.expire-partial',
      choice: 'captured',
      includes: 'partially_captured → captured (expire)',
      excludes: 'partially_captured → expired (expire)',
    },
    {
      gap: 'deposit.release-partial',
      choice: 'captured',
      includes: 'partially_captured → captured (release)',
      excludes: 'partially_captured → released (release)',
    },
  ])('depend on the profile: $gap $choice', ({ gap, choice, includes, excludes }) => {
    const { missing } = transitionCoverage(resolveProfile({ [gap]: choice }), noCounts);
    expect(missing).toContain(includes);
    expect(missing).not.toContain(excludes);
  });

  test('that happened are not missing', () => {
    const { missing, all } = transitionCoverage(resolveProfile({}), countsFrom({ 'pending → expired (expire)': 2 }));
    expect(missing).toHaveLength(all.length - 1);
    expect(missing).not.toContain('pending → expired (expire)');
    expect(all).toContainEqual({ from: 'pending', cause: 'expire', to: 'expired', count: 2 });
  });
});

test('every fault effect is missing until a fault has applied it', () => {
  expect(faultCoverage(noCounts).missing).toEqual(Object.keys(effectStages));
  expect(faultCoverage(countsFrom({ hang: 1 })).missing).not.toContain('hang');
});

test('every event is missing until the receiver has accepted it', () => {
  const emitted = countsFrom({ 'deposit.created': 3, 'deposit.failed': 1, 'deposit.expired': 1 });
  const delivered = countsFrom({ 'deposit.created': 1 });
  const refused = countsFrom({ 'deposit.failed': 4 });
  const { missing, all } = eventCoverage({ emitted, delivered, refused, unsent: countsFrom({ 'deposit.expired': 1 }) });
  expect(missing).toEqual(eventNames.filter((event) => event !== 'deposit.created'));
  expect(all).toContainEqual({ event: 'deposit.created', count: 3, unsent: 0, delivered: 1, refused: 0 });
  expect(all).toContainEqual({ event: 'deposit.failed', count: 1, unsent: 0, delivered: 0, refused: 4 });
  expect(all).toContainEqual({ event: 'deposit.expired', count: 1, unsent: 1, delivered: 0, refused: 0 });
});
