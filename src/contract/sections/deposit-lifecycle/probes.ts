import {
  activeProbe,
  type Choice,
  NoMatchingChoice,
  type Probe,
  passiveProbe,
  unobservableProbe,
} from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, timestampOf } from '../../engine/expect.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { isAccepted, noMatchingChoiceFor } from '../attempts.js';
import { depositThatMustNotChange } from '../authentication/setups.js';
import { createDeposit, type Deposit, heldAmount, newDeposit, postAction, waitForStatus } from '../deposits/setups.js';
import { statusAfter, steps } from './setups.js';

/** A deposit that is never authorized. */
const pendingDeposit = setup('a deposit that stays pending', (context) => createDeposit(context, 'to stay pending'));

const errorStatuses = [400, 403, 404, 409, 422] as const;

/** Returns the status of a response if it is an error status that a profile can contain; otherwise undefined. */
function errorStatusOf({ status }: Exchange): (typeof errorStatuses)[number] | undefined {
  return errorStatuses.find((other) => other === status);
}

/**
 * Waits until the deposit is captured, and returns the choice `capped`: a request to capture more than the held amount
 * has captured the held amount. Returns undefined if the deposit is not captured in time, or shows another amount.
 */
async function cappedIfCaptured(context: ClauseContext, held: Deposit): Promise<'capped' | undefined> {
  const { status, record } = await waitForStatus(context, held, (current) => current === 'captured');
  const captured = decimalOf(record['captured_amount']);
  return status === 'captured' && (captured === undefined || captured === heldAmount) ? 'capped' : undefined;
}

/** Returns the choice whose name is the observed status; NoMatchingChoice if there is none. */
function choiceForStatus<Name extends string>(status: unknown, ...names: readonly Name[]): Name | NoMatchingChoice {
  return names.find((name) => name === status) ?? new NoMatchingChoice(status);
}

const secondsPerDay = 86_400;

/** Formats seconds as an ISO 8601 duration: in days if they are whole days, give or take two seconds. */
function durationOf(seconds: number): string {
  const days = Math.round(seconds / secondsPerDay);
  // Both timestamps may have been rounded to seconds.
  return days > 0 && Math.abs(seconds - days * secondsPerDay) <= 2 ? `P${days}D` : `PT${Math.round(seconds)}S`;
}

/**
 * Probes for the gaps about captures, releases, declined cards and expiry. Active probes send requests of their own;
 * passive ones only read responses to requests that clauses send anyway.
 */
export const depositLifecycleProbes: readonly Probe[] = [
  activeProbe({
    gap: 'deposit.capture-when',
    evidenceFields: ['amount', 'status'],
    findChoice: async (context) => {
      const whilePending = await postAction(context, await context.use(pendingDeposit), 'capture', {});
      if (isAccepted(whilePending)) return noMatchingChoiceFor(whilePending);
      const afterRelease = await context.use(steps.capturedAfterRelease);
      if (afterRelease.exchange?.status !== whilePending.status) {
        return new NoMatchingChoice(
          `${whilePending.status} while pending, ${afterRelease.exchange?.status} when released`,
        );
      }
      const held = await context.use(depositThatMustNotChange);
      const excessiveCapture = await postAction(context, held, 'capture', { amount: heldAmount * 2 });
      const aboveHeld = isAccepted(excessiveCapture)
        ? await cappedIfCaptured(context, held)
        : errorStatusOf(excessiveCapture);
      // The error is the same for a pending and a released deposit, so it is assumed for all states without a hold.
      const inOtherStates = errorStatusOf(whilePending);
      if (inOtherStates === 400 && aboveHeld === 400) return '400';
      // `409` means a 409 in other states, and a 422 for more than is held.
      if (inOtherStates === 409 && aboveHeld === 422) return '409';
      // Names in profiles: `above` is for a capture of more than is held, `otherwise` for one in other states.
      return inOtherStates === undefined || aboveHeld === undefined
        ? new NoMatchingChoice(
            `${whilePending.status} while pending, ${excessiveCapture.status} for more than was held`,
          )
        : { answers: { otherwise: inOtherStates, above: aboveHeld } };
    },
  }),
  activeProbe({
    gap: 'deposit.release-when',
    evidenceFields: ['status'],
    findChoice: async (context): Promise<Choice<'deposit.release-when'> | NoMatchingChoice> => {
      const whilePending = await postAction(context, await context.use(pendingDeposit), 'release');
      const otherwise = errorStatusOf(whilePending);
      if (isAccepted(whilePending) || otherwise === undefined) return noMatchingChoiceFor(whilePending);
      const { deposit } = await context.use(steps.released);
      const { status, exchange } = await context.use(statusAfter.released);
      if (status !== 'released') throw new Blocked('a deposit that was released is not `released`', exchange);
      // Names in profiles: `again` is for the release of a released deposit, `otherwise` for one in other states.
      const secondRelease = await postAction(context, deposit, 'release');
      // `repeated` means that a second release is accepted, and that a release in other states gets a 409.
      if (isAccepted(secondRelease))
        return otherwise === 409 ? 'repeated' : { answers: { otherwise, again: 'accepted' } };
      if (secondRelease.status !== otherwise)
        return new NoMatchingChoice(`${otherwise} while pending, ${secondRelease.status} when released`);
      if (otherwise === 400) return '400';
      return otherwise === 409 ? '409' : { answers: { otherwise, again: 'refused' } };
    },
  }),
  passiveProbe({
    gap: 'deposit.remaining-amount',
    evidenceFields: ['remaining_amount'],
    findChoice: async (context) => {
      const { record: pending } = await context.use(newDeposit);
      if (pending['remaining_amount'] === undefined) {
        throw new Skip({ missing: '`remaining_amount`', reason: 'deposits do not show it' });
      }
      // The choices differ in what is shown before the authorization and after the release, when nothing can be
      // captured.
      const { record: released } = await context.use(statusAfter.released);
      const amounts = [pending, released].map((record) => decimalOf(record['remaining_amount']));
      if (amounts.every((amount) => amount === 0)) return 'zero';
      return amounts.every((amount) => amount === heldAmount) ? 'uncaptured' : new NoMatchingChoice(amounts);
    },
  }),
  passiveProbe({
    gap: 'deposit.release-partial',
    evidenceFields: ['status'],
    findChoice: async (context) => {
      const { status } = await context.use(statusAfter.releasedRemainder);
      return choiceForStatus(status, 'released', 'captured');
    },
  }),
  passiveProbe({
    gap: 'deposit.window',
    evidenceFields: ['authorized_at', 'expires_at'],
    findChoice: async (context) => {
      const { record } = await context.use(statusAfter.authorized);
      const [from, until] = [timestampOf(record['authorized_at']), timestampOf(record['expires_at'])];
      if (!from || !until)
        throw new Skip({ missing: '`authorized_at` and `expires_at`', reason: 'deposits do not show them' });
      const duration = durationOf((until.at - from.at) / 1_000);
      return duration === 'P7D' ? 'week' : { for: duration };
    },
  }),
  // Active, because clauses expire such a deposit only if the run receives webhooks.
  activeProbe({
    gap: 'deposit.expire-partial',
    evidenceFields: ['status'],
    findChoice: async (context) => {
      const { status } = await context.use(statusAfter.capturedThenExpired);
      return choiceForStatus(status, 'expired', 'captured');
    },
  }),
  unobservableProbe('deposit.link-expiry'),
  activeProbe({
    gap: 'deposit.decline',
    evidenceFields: ['status'],
    findChoice: async (context) => {
      const { deposit } = await context.use(steps.declined);
      // A deposit that is still pending may become `failed` shortly.
      const { status } = await waitForStatus(context, deposit, (current) => current === 'failed');
      return choiceForStatus(status, 'failed', 'pending');
    },
  }),
];
