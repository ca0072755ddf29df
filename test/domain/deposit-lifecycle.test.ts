import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  authorizationWindow,
  capture,
  expire,
  expiresAt,
  release,
  remaining,
} from '../../src/domain/deposit-lifecycle.js';
import type { Deposit, DepositStatus } from '../../src/domain/records.js';
import { Refusal, type RefusalCode } from '../../src/domain/refusal.js';
import { resolveProfile } from '../../src/http/profile.js';
import { scaled } from './exact.js';

const byDefault = resolveProfile({});
const day = 86_400_000;
const now = Date.parse('2026-04-01T08:00:00Z');
const at = '2026-04-01T08:00:00.000Z';

/** A deposit of 300 of which 120 are captured where its status allows that. Frozen, so that a change would throw. */
function deposit(status: DepositStatus, changes: Partial<Deposit> = {}): Deposit {
  const captured = { partially_captured: 120, captured: 300 };
  const amount = status === 'partially_captured' || status === 'captured' ? captured[status] : 0;
  const authorized = status !== 'pending' && status !== 'failed';
  return Object.freeze({
    id: 1,
    booking_reference: 'BK-1',
    amount: 300,
    currency: 'EUR',
    customer: null,
    check_in_date: null,
    check_out_date: null,
    metadata: {},
    status,
    captured_amount: amount,
    captures: Object.freeze(amount === 0 ? [] : [{ amount, description: null, at }]),
    authorized_at: authorized ? at : null,
    expires_at: authorized ? '2026-04-08T08:00:00.000Z' : null,
    released_at: status === 'released' ? at : null,
    created_at: at,
    ...changes,
  });
}

const statuses: readonly DepositStatus[] = [
  'pending',
  'authorized',
  'partially_captured',
  'captured',
  'released',
  'expired',
  'failed',
];
const holding: readonly DepositStatus[] = ['authorized', 'partially_captured'];
const others = statuses.filter((status) => !holding.includes(status));

function refusalOf(act: () => unknown): RefusalCode | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return undefined;
}

describe('what remains of a deposit', () => {
  it.each([['authorized', 300], ['partially_captured', 180], ...others.map((status) => [status, 0] as const)] as const)(
    'that is %s is %d',
    (status, rest) => {
      expect(remaining(deposit(status))).toBe(rest);
    },
  );
});

describe('a capture', () => {
  it.each([
    ['authorized', 100, 'partially_captured', 100, 200],
    ['authorized', 300, 'captured', 300, 0],
    ['authorized', undefined, 'captured', 300, 0],
    ['partially_captured', 60, 'partially_captured', 180, 120],
    ['partially_captured', 180, 'captured', 300, 0],
    ['partially_captured', undefined, 'captured', 300, 0],
  ] as const)('of a deposit that is %s, of %s, makes it %s', (from, amount, status, captured, rest) => {
    const after = capture(deposit(from), { amount }, byDefault, now);
    expect(after).toMatchObject({ status, captured_amount: captured });
    expect(remaining(after)).toBe(rest);
  });

  it('is kept with its reason and its moment', () => {
    const after = capture(deposit('authorized'), { amount: 100, description: 'Broken window' }, byDefault, now);
    expect(after.captures).toEqual([{ amount: 100, description: 'Broken window', at }]);
  });

  it.each(others)('of a deposit that is %s is refused, with and without an amount', (status) => {
    expect(refusalOf(() => capture(deposit(status), {}, byDefault, now))).toBe('deposit-not-capturable');
    expect(refusalOf(() => capture(deposit(status), { amount: 1 }, byDefault, now))).toBe('deposit-not-capturable');
  });

  it.each([
    ['authorized', 300.01],
    ['partially_captured', 180.01],
  ] as const)('of more than remains of a deposit that is %s is refused', (status, amount) => {
    expect(refusalOf(() => capture(deposit(status), { amount }, byDefault, now))).toBe('capture-too-large');
  });

  it('never takes more than the amount, by any sequence, and the parts are the whole', () => {
    const cents = fc.integer({ min: 1, max: 100_000 });
    const parts = fc.array(fc.option(cents, { nil: undefined, freq: 20 }), { maxLength: 30 });
    fc.assert(
      fc.property(cents, parts, (amount, asked) => {
        let current = deposit('authorized', { amount: amount / 100 });
        for (const part of asked) {
          const input = { amount: part === undefined ? undefined : part / 100 };
          const before = current;
          const refused = refusalOf(() => {
            current = capture(before, input, byDefault, now);
          });
          const rest = scaled(remaining(before));
          expect(refused === undefined).toBe(rest > 0n && (part === undefined || BigInt(part) <= rest));
        }
        const captured = current.captures.reduce((sum, each) => sum + scaled(each.amount), 0n);
        expect(scaled(current.captured_amount)).toBe(captured);
        expect(captured <= BigInt(amount)).toBe(true);
        expect(current.status === 'captured').toBe(captured === BigInt(amount));
        if (current.status !== 'captured') expect(scaled(remaining(current))).toBe(BigInt(amount) - captured);
      }),
    );
  });
});

describe('a release', () => {
  it.each([
    ['authorized', 'released', 'released'],
    ['partially_captured', 'released', 'released'],
    ['authorized', 'captured', 'released'],
    ['partially_captured', 'captured', 'captured'],
  ] as const)('of a deposit that is %s, under deposit.release-partial: %s, makes it %s', (from, choice, status) => {
    const before = deposit(from);
    const after = release(before, resolveProfile({ 'deposit.release-partial': choice }), now);
    expect(after).toEqual({ ...before, status, released_at: at });
    expect(remaining(after)).toBe(0);
  });

  it.each(others)('of a deposit that is %s is refused', (status) => {
    expect(refusalOf(() => release(deposit(status), byDefault, now))).toBe('deposit-not-releasable');
  });

  it('again is refused by default and has no effect under deposit.release-when: repeated', () => {
    const released = release(deposit('authorized'), byDefault, now);
    expect(refusalOf(() => release(released, byDefault, now + day))).toBe('deposit-not-releasable');
    expect(release(released, resolveProfile({ 'deposit.release-when': 'repeated' }), now + day)).toBe(released);
  });

  it('under deposit.release-when: repeated is refused still where nothing was released', () => {
    const profile = resolveProfile({ 'deposit.release-when': 'repeated' });
    const unreleased = others.filter((status) => status !== 'released');
    const refused = unreleased.map((status) => refusalOf(() => release(deposit(status), profile, now)));
    expect(refused).toEqual(unreleased.map(() => 'deposit-not-releasable'));
  });
});

describe('the end of an authorization', () => {
  it.each([
    ['pending', 'expired', 'expired'],
    ['authorized', 'expired', 'expired'],
    ['partially_captured', 'expired', 'expired'],
    ['authorized', 'captured', 'expired'],
    ['partially_captured', 'captured', 'captured'],
  ] as const)('makes a deposit that is %s, under deposit.expire-partial: %s, %s', (from, choice, status) => {
    const before = deposit(from);
    const after = expire(before, resolveProfile({ 'deposit.expire-partial': choice }));
    expect(after).toEqual({ ...before, status });
    expect(remaining(after)).toBe(0);
  });

  it.each(['captured', 'released', 'expired', 'failed'] as const)('leaves a deposit that is %s as it is', (status) => {
    const before = deposit(status);
    expect(expire(before, byDefault)).toBe(before);
  });

  it('is a week after it by default, or as long as deposit.window says', () => {
    expect(authorizationWindow(byDefault)).toBe(7 * day);
    expect(authorizationWindow(resolveProfile({ 'deposit.window': { for: '30d' } }))).toBe(30 * day);
  });
});

describe('when a deposit expires', () => {
  it.each(holding)('is told by its record while it is %s', (status) => {
    expect(expiresAt(deposit(status), byDefault)).toBe(Date.parse('2026-04-08T08:00:00Z'));
  });

  it('is never while it is pending, unless deposit.link-expiry says so', () => {
    expect(expiresAt(deposit('pending'), byDefault)).toBeUndefined();
    const profile = resolveProfile({ 'deposit.link-expiry': { after: '2d' } });
    expect(expiresAt(deposit('pending'), profile)).toBe(now + 2 * day);
  });

  it.each(['captured', 'released', 'expired', 'failed'] as const)('is never once it is %s', (status) => {
    const profile = resolveProfile({ 'deposit.link-expiry': { after: '2d' } });
    expect(expiresAt(deposit(status), profile)).toBeUndefined();
  });
});
