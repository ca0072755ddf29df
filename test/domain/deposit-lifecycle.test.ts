import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  authorizationWindow,
  authorize,
  capture,
  type DepositCause,
  decline,
  expire,
  expiresAt,
  release,
  remainingAmount,
} from '../../src/domain/deposit-lifecycle.js';
import type { TransitionResult } from '../../src/domain/lifecycle.js';
import type { Deposit, DepositEventName, DepositStatus, EventName } from '../../src/domain/records.js';
import type { ErrorCode } from '../../src/domain/service-error.js';
import { type Profile, resolveProfile } from '../../src/openapi/profile.js';
import { toCents } from './exact.js';
import { sampleDeposit, sampleTime, serviceErrorOf } from './samples.js';

const defaultProfile = resolveProfile({});
const dayMs = 86_400_000;
/** Time of the tested transitions, which is also `now`: a day and a half after `sampleTime`. */
const transitionTime = '2026-04-02T20:00:00.000Z';
const now = Date.parse(transitionTime);

function profileWith(choices: Partial<Profile>): Profile {
  return { ...defaultProfile, ...choices };
}

/** Changes that an allowed transition makes to a sample, besides its history. */
interface AllowedTransition {
  readonly to: DepositStatus;
  readonly event: EventName | undefined;
  readonly sets?: Partial<Deposit>;
}

/** A step, and its outcome in each status. */
interface TestCase {
  readonly step: string;
  readonly cause: DepositCause;
  readonly choices: Partial<Profile>;
  readonly apply: (deposit: Deposit, profile: Profile) => TransitionResult<Deposit, DepositEventName>;
  /** `unchanged` means that the record is returned unchanged, without an event. */
  readonly outcomes: Readonly<Record<DepositStatus, AllowedTransition | ErrorCode | 'unchanged'>>;
}

/** Hint of the error for a cause that a status does not allow. */
const hints: Readonly<Record<DepositStatus, string>> = {
  pending: "the deposit's status is pending, which allows only authorize, decline, expire",
  authorized: "the deposit's status is authorized, which allows only expire, capture, release",
  partially_captured: "the deposit's status is partially_captured, which allows only expire, capture, release",
  captured: "the deposit's status is captured, which is final",
  released: "the deposit's status is released, which is final",
  expired: "the deposit's status is expired, which is final",
  failed: "the deposit's status is failed, which is final",
};

const captureOf = (amount: number | undefined) => (deposit: Deposit, profile: Profile) =>
  capture(deposit, { amount, description: 'Broken lamp' }, profile, now);
const recordedCapture = (amount: number) => ({ amount, description: 'Broken lamp', at: transitionTime });
/** The capture that a partially captured sample already has. */
const firstCapture = { amount: 120, description: null, at: sampleTime };

const noCapture = 'deposit-not-capturable';
const noRelease = 'deposit-not-releasable';
const notAllowed = 'transition-not-allowed';

const notCapturable = {
  pending: noCapture,
  captured: noCapture,
  released: noCapture,
  expired: noCapture,
  failed: noCapture,
} as const;
const notReleasable = {
  pending: noRelease,
  captured: noRelease,
  released: noRelease,
  expired: noRelease,
  failed: noRelease,
} as const;
const notAllowedWhenFinal = {
  captured: notAllowed,
  released: notAllowed,
  expired: notAllowed,
  failed: notAllowed,
} as const;

/** Outcome of every cause in every status, under most of the choices that it may depend on. */
const table: readonly TestCase[] = [
  ...(['week', { for: 30 * dayMs }] as const).map(
    (window): TestCase => ({
      step: 'authorize',
      cause: 'authorize',
      choices: { 'deposit.window': window },
      apply: (deposit, profile) => authorize(deposit, profile, now),
      outcomes: {
        pending: {
          to: 'authorized',
          event: 'deposit.authorized',
          sets: {
            authorized_at: transitionTime,
            expires_at: window === 'week' ? '2026-04-09T20:00:00.000Z' : '2026-05-02T20:00:00.000Z',
          },
        },
        authorized: notAllowed,
        partially_captured: notAllowed,
        ...notAllowedWhenFinal,
      },
    }),
  ),
  {
    step: 'decline',
    cause: 'decline',
    choices: { 'deposit.decline': 'failed' },
    apply: (deposit, profile) => decline(deposit, profile, now),
    outcomes: {
      pending: { to: 'failed', event: 'deposit.failed' },
      authorized: notAllowed,
      partially_captured: notAllowed,
      ...notAllowedWhenFinal,
    },
  },
  {
    step: 'decline',
    cause: 'decline',
    choices: { 'deposit.decline': 'pending' },
    apply: (deposit, profile) => decline(deposit, profile, now),
    outcomes: {
      pending: { to: 'pending', event: undefined },
      authorized: notAllowed,
      partially_captured: notAllowed,
      ...notAllowedWhenFinal,
    },
  },
  ...(['409', '400'] as const).flatMap((refusal): TestCase[] => [
    {
      step: 'capture of 100',
      cause: 'capture',
      choices: { 'deposit.capture-when': refusal },
      apply: captureOf(100),
      outcomes: {
        authorized: {
          to: 'partially_captured',
          event: 'deposit.partially_captured',
          sets: { captured_amount: 100, captures: [recordedCapture(100)] },
        },
        partially_captured: {
          to: 'partially_captured',
          event: 'deposit.partially_captured',
          sets: { captured_amount: 220, captures: [firstCapture, recordedCapture(100)] },
        },
        ...notCapturable,
      },
    },
    {
      step: 'capture of 179.99, a cent less than remains of a partially captured deposit',
      cause: 'capture',
      choices: { 'deposit.capture-when': refusal },
      apply: captureOf(179.99),
      outcomes: {
        authorized: {
          to: 'partially_captured',
          event: 'deposit.partially_captured',
          sets: { captured_amount: 179.99, captures: [recordedCapture(179.99)] },
        },
        partially_captured: {
          to: 'partially_captured',
          event: 'deposit.partially_captured',
          sets: { captured_amount: 299.99, captures: [firstCapture, recordedCapture(179.99)] },
        },
        ...notCapturable,
      },
    },
    {
      step: 'capture of 180, the remaining amount of a partially captured deposit',
      cause: 'capture',
      choices: { 'deposit.capture-when': refusal },
      apply: captureOf(180),
      outcomes: {
        authorized: {
          to: 'partially_captured',
          event: 'deposit.partially_captured',
          sets: { captured_amount: 180, captures: [recordedCapture(180)] },
        },
        partially_captured: {
          to: 'captured',
          event: 'deposit.captured',
          sets: { captured_amount: 300, captures: [firstCapture, recordedCapture(180)] },
        },
        ...notCapturable,
      },
    },
    {
      step: 'capture of 300, the whole authorized amount',
      cause: 'capture',
      choices: { 'deposit.capture-when': refusal },
      apply: captureOf(300),
      outcomes: {
        authorized: {
          to: 'captured',
          event: 'deposit.captured',
          sets: { captured_amount: 300, captures: [recordedCapture(300)] },
        },
        partially_captured: 'capture-too-large',
        ...notCapturable,
      },
    },
    {
      step: 'capture of 300.01, a cent more than was authorized',
      cause: 'capture',
      choices: { 'deposit.capture-when': refusal },
      apply: captureOf(300.01),
      outcomes: { authorized: 'capture-too-large', partially_captured: 'capture-too-large', ...notCapturable },
    },
    {
      step: 'capture without an amount',
      cause: 'capture',
      choices: { 'deposit.capture-when': refusal },
      apply: captureOf(undefined),
      outcomes: {
        authorized: {
          to: 'captured',
          event: 'deposit.captured',
          sets: { captured_amount: 300, captures: [recordedCapture(300)] },
        },
        partially_captured: {
          to: 'captured',
          event: 'deposit.captured',
          sets: { captured_amount: 300, captures: [firstCapture, recordedCapture(180)] },
        },
        ...notCapturable,
      },
    },
  ]),
  ...(['409', '400', 'repeated'] as const).flatMap((choice): TestCase[] => [
    {
      step: 'release',
      cause: 'release',
      choices: { 'deposit.release-when': choice, 'deposit.release-partial': 'released' },
      apply: (deposit, profile) => release(deposit, profile, now),
      outcomes: {
        authorized: { to: 'released', event: 'deposit.released', sets: { released_at: transitionTime } },
        partially_captured: { to: 'released', event: 'deposit.released', sets: { released_at: transitionTime } },
        ...notReleasable,
        released: choice === 'repeated' ? 'unchanged' : noRelease,
      },
    },
    {
      step: 'release',
      cause: 'release',
      choices: { 'deposit.release-when': choice, 'deposit.release-partial': 'captured' },
      apply: (deposit, profile) => release(deposit, profile, now),
      outcomes: {
        authorized: { to: 'released', event: 'deposit.released', sets: { released_at: transitionTime } },
        partially_captured: { to: 'captured', event: 'deposit.released', sets: { released_at: transitionTime } },
        ...notReleasable,
        released: choice === 'repeated' ? 'unchanged' : noRelease,
      },
    },
  ]),
  {
    step: 'expire',
    cause: 'expire',
    choices: { 'deposit.expire-partial': 'expired' },
    apply: (deposit, profile) => expire(deposit, profile, now),
    outcomes: {
      pending: { to: 'expired', event: 'deposit.expired' },
      authorized: { to: 'expired', event: 'deposit.expired' },
      partially_captured: { to: 'expired', event: 'deposit.expired' },
      ...notAllowedWhenFinal,
    },
  },
  {
    step: 'expire',
    cause: 'expire',
    choices: { 'deposit.expire-partial': 'captured' },
    apply: (deposit, profile) => expire(deposit, profile, now),
    outcomes: {
      pending: { to: 'expired', event: 'deposit.expired' },
      authorized: { to: 'expired', event: 'deposit.expired' },
      partially_captured: { to: 'captured', event: 'deposit.captured' },
      ...notAllowedWhenFinal,
    },
  },
];

const statuses: readonly DepositStatus[] = [
  'pending',
  'authorized',
  'partially_captured',
  'captured',
  'released',
  'expired',
  'failed',
];

/** Title of a test case: its step, and the choices of the profile. */
function titleOf({ step, choices }: TestCase): string {
  const names = Object.entries(choices).map(([gap, choice]) => `${gap}: ${JSON.stringify(choice)}`);
  return names.length === 0 ? step : `${step}, under ${names.join(' and ')}`;
}

/** Describes an outcome, for the title of a test. */
function describeOutcome(outcome: TestCase['outcomes'][DepositStatus]): string {
  if (outcome === 'unchanged') return 'changes nothing';
  return typeof outcome === 'string' ? `is refused with ${outcome}` : `makes it ${outcome.to}`;
}

describe.each(table.map((testCase) => [titleOf(testCase), testCase] as const))(
  '%s,',
  (_title, { cause, choices, apply, outcomes }) => {
    const profile = profileWith(choices);

    it.each(statuses.map((status) => [status, describeOutcome(outcomes[status])] as const))(
      'of a deposit that is %s %s',
      (from) => {
        const deposit = sampleDeposit(from);
        const outcome = outcomes[from];
        if (outcome === 'unchanged') {
          expect(apply(deposit, profile)).toEqual({ record: deposit, event: undefined });
          expect(apply(deposit, profile).record).toBe(deposit);
        } else if (typeof outcome === 'string') {
          const hint =
            outcome === 'capture-too-large' ? `${from === 'authorized' ? 300 : 180} EUR remain` : hints[from];
          expect(serviceErrorOf(() => apply(deposit, profile))).toEqual({ code: outcome, hint });
        } else {
          const history = [...deposit.history, { at: transitionTime, cause, from, to: outcome.to }];
          expect(apply(deposit, profile)).toEqual({
            record: { ...deposit, ...outcome.sets, status: outcome.to, history },
            event: outcome.event,
          });
        }
        expect(deposit).toEqual(sampleDeposit(from));
      },
    );
  },
);

describe('the remaining amount of a deposit', () => {
  it.each([
    ['pending', 0],
    ['authorized', 300],
    ['partially_captured', 180],
    ['captured', 0],
    ['released', 0],
    ['expired', 0],
    ['failed', 0],
  ] as const)('that is %s is %d', (status, expected) => {
    expect(remainingAmount(sampleDeposit(status))).toBe(expected);
  });
});

describe('a release of a deposit with a final status, under deposit.release-when: repeated,', () => {
  const profile = profileWith({ 'deposit.release-when': 'repeated', 'deposit.release-partial': 'captured' });

  it('changes nothing if the deposit was partially captured and then released', () => {
    const released = release(sampleDeposit('partially_captured'), profile, now).record;
    expect(released.status).toBe('captured');
    expect(release(released, profile, now + dayMs)).toEqual({ record: released, event: undefined });
  });

  it('is refused if the deposit was captured in full', () => {
    const fullyCaptured = capture(sampleDeposit('authorized'), {}, profile, now).record;
    expect(serviceErrorOf(() => release(fullyCaptured, profile, now))?.code).toBe('deposit-not-releasable');
  });
});

describe('a decline, under deposit.decline: pending,', () => {
  const profile = profileWith({ 'deposit.decline': 'pending' });

  it('lets the guest try another card', () => {
    const declined = decline(decline(sampleDeposit('pending'), profile, now).record, profile, now + 1);
    const { record, event } = authorize(declined.record, profile, now + 2);
    expect([record.status, event]).toEqual(['authorized', 'deposit.authorized']);
    expect(record.history.map(({ cause, to }) => [cause, to])).toEqual([
      ['decline', 'pending'],
      ['decline', 'pending'],
      ['authorize', 'authorized'],
    ]);
  });
});

describe('the duration of an authorization', () => {
  it('is a week by default, or the value of deposit.window', () => {
    expect(authorizationWindow(defaultProfile)).toBe(7 * dayMs);
    expect(authorizationWindow(resolveProfile({ 'deposit.window': { for: '30d' } }))).toBe(30 * dayMs);
  });
});

describe('the time at which a deposit expires by itself', () => {
  const linkExpiry = resolveProfile({ 'deposit.link-expiry': { after: '2d' } });
  const weekAfterAuthorization = '2026-04-08T08:00:00.000Z';

  it.each([
    ['pending', undefined, '2026-04-03T08:00:00.000Z'],
    ['authorized', weekAfterAuthorization, weekAfterAuthorization],
    ['partially_captured', weekAfterAuthorization, weekAfterAuthorization],
    ['captured', undefined, undefined],
    ['released', undefined, undefined],
    ['expired', undefined, undefined],
    ['failed', undefined, undefined],
  ] as const)(
    'if its status is %s, is %s by default, and %s if links expire after two days',
    (status, byDefault, withLinkExpiry) => {
      expect(expiresAt(sampleDeposit(status), defaultProfile)).toBe(byDefault && Date.parse(byDefault));
      expect(expiresAt(sampleDeposit(status), linkExpiry)).toBe(withLinkExpiry && Date.parse(withLinkExpiry));
    },
  );

  it('is the whole second that responses show, if the card was authorized between two seconds', () => {
    const { record } = authorize(sampleDeposit('pending'), defaultProfile, now + 789);
    expect(record.expires_at).toBe('2026-04-09T20:00:00.000Z');
  });

  it.each([
    ['0.1s', '2026-04-02T20:00:00.889Z'],
    ['1s', '2026-04-02T20:00:01.789Z'],
    ['59s', '2026-04-02T20:00:59.789Z'],
    ['1m', '2026-04-02T20:01:00.000Z'],
  ])('is not shortened to a whole second unless the authorization window is a minute or longer: %s', (window, end) => {
    const profile = resolveProfile({ 'deposit.window': { for: window } });
    expect(authorize(sampleDeposit('pending'), profile, now + 789).record.expires_at).toBe(end);
  });

  it('is undefined for an authorized deposit without expires_at', () => {
    expect(expiresAt(sampleDeposit('authorized', { expires_at: null }), defaultProfile)).toBeUndefined();
  });
});

describe('a deposit, after any sequence of causes,', () => {
  const cents = fc.integer({ min: 1, max: 100_000 });
  /** A cause, or a capture of an amount in cents. */
  const actionArbitrary = fc.oneof(
    fc.constantFrom('authorize', 'decline', 'release', 'expire', 'capture'),
    fc.record({ capture: cents }),
  );
  const profiles = fc.record({
    'deposit.decline': fc.constantFrom('failed', 'pending'),
    'deposit.expire-partial': fc.constantFrom('expired', 'captured'),
    'deposit.release-partial': fc.constantFrom('released', 'captured'),
    'deposit.release-when': fc.constantFrom('409', '400', 'repeated'),
  } satisfies Record<string, fc.Arbitrary<string>>);

  function applyCause(
    deposit: Deposit,
    cause: DepositCause,
    amount: number | undefined,
    profile: Profile,
    time: number,
  ) {
    if (cause === 'capture') return capture(deposit, { amount }, profile, time);
    return { authorize, decline, release, expire }[cause](deposit, profile, time);
  }

  it('has captured no more than was authorized, has the right remaining amount, and has a complete history', () => {
    fc.assert(
      fc.property(cents, fc.array(actionArbitrary, { maxLength: 30 }), profiles, (amount, actions, choices) => {
        const profile = profileWith(choices);
        const initial = sampleDeposit('pending', { amount: amount / 100 });
        let current: Deposit = initial;
        const events: (EventName | undefined)[] = [];
        actions.forEach((action, index) => {
          const before = current;
          const [cause, captureCents] =
            typeof action === 'string' ? [action, undefined] : (['capture', action.capture] as const);
          const error = serviceErrorOf(() => {
            const { record, event } = applyCause(
              before,
              cause,
              captureCents && captureCents / 100,
              profile,
              now + index,
            );
            current = record;
            if (record !== before) events.push(event);
          });
          if (error) expect(current).toBe(before);
          if (['captured', 'released', 'expired', 'failed'].includes(before.status)) expect(current).toBe(before);
          if (cause === 'capture' && ['authorized', 'partially_captured'].includes(before.status)) {
            const remainingCents = toCents(remainingAmount(before));
            expect(error === undefined).toBe(captureCents === undefined || BigInt(captureCents) <= remainingCents);
          }

          const capturedCents = toCents(current.captured_amount);
          expect(capturedCents).toBe(current.captures.reduce((sum, entry) => sum + toCents(entry.amount), 0n));
          expect(capturedCents).toBeGreaterThanOrEqual(0n);
          expect(capturedCents).toBeLessThanOrEqual(BigInt(amount));
          const isHeld = current.status === 'authorized' || current.status === 'partially_captured';
          expect(toCents(remainingAmount(current))).toBe(isHeld ? BigInt(amount) - capturedCents : 0n);
          if (isHeld) expect(capturedCents).toBeLessThan(BigInt(amount));
          if (current.status === 'pending' || current.status === 'failed') expect(capturedCents).toBe(0n);
          expect(current.authorized_at === null).toBe(current.expires_at === null);
        });

        expect(current.history).toHaveLength(events.length);
        expect(current.history.at(-1)?.to ?? 'pending').toBe(current.status);
        current.history.forEach(({ from }, index) => {
          expect(from).toBe(current.history[index - 1]?.to ?? 'pending');
        });
        const times = current.history.map(({ at: time }) => time);
        expect(times).toEqual([...times].sort());
        // Every transition has an event, except a decline that leaves the deposit pending.
        current.history.forEach(({ cause, from, to }, index) => {
          expect(events[index] === undefined).toBe(cause === 'decline' && from === to);
        });
        const { booking_reference, metadata, created_at } = current;
        expect({ amount: current.amount, booking_reference, metadata, created_at }).toEqual({
          amount: initial.amount,
          booking_reference: initial.booking_reference,
          metadata: initial.metadata,
          created_at: initial.created_at,
        });
      }),
    );
  });
});
