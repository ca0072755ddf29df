import {
  activeProbe,
  type Choice,
  NoMatchingChoice,
  type Probe,
  passiveProbe,
  unobservable,
} from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { aTimestamp, decimalOf } from '../../engine/expect.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { isAccepted } from '../attempts.js';
import { heldDeposit } from '../authentication/setups.js';
import {
  createDeposit,
  type Deposit,
  depositRecordIn,
  heldAmount,
  newDeposit,
  waitForStatus,
} from '../deposits/setups.js';
import { statusAfter, steps } from './setups.js';

/** A deposit that is never authorized. */
const pendingDeposit = setup('a deposit that stays pending', (context) => createDeposit(context, 'to stay pending'));

function postAction(
  context: ClauseContext,
  { id }: Deposit,
  action: 'capture' | 'release',
  body?: object,
): Promise<Exchange> {
  return context.post(`/deposits/${encodeURIComponent(String(id))}/${action}`, body);
}

/** Returns a response that matches no choice, in short form. */
function unlistedResponse({ status, text }: Exchange): NoMatchingChoice {
  return new NoMatchingChoice(`${status} ${text.slice(0, 200)}`);
}

const refusalStatuses = [400, 403, 404, 409, 422] as const;

/** Status of a refusal, if a profile can name it. */
function refusalStatus({ status }: Exchange): (typeof refusalStatuses)[number] | undefined {
  return refusalStatuses.find((other) => other === status);
}

/** Returns `capped` if a request to capture more than the held amount captured the held amount. */
async function cappedIfCaptured(context: ClauseContext, held: Deposit): Promise<'capped' | undefined> {
  const { status } = await waitForStatus(context, held, (current) => current === 'captured');
  return status === 'captured' ? 'capped' : undefined;
}

/** Returns the choice with the name of a status; unlisted if there is none. */
function choiceForStatus<Name extends string>(status: unknown, ...names: readonly Name[]): Name | NoMatchingChoice {
  return names.find((name) => name === status) ?? new NoMatchingChoice(status);
}

const daySeconds = 86_400;

/** Formats seconds as an ISO 8601 duration: in days if they are whole days, give or take two seconds. */
function durationOf(seconds: number): string {
  const days = Math.round(seconds / daySeconds);
  // Both timestamps are rounded to seconds.
  return days > 0 && Math.abs(seconds - days * daySeconds) <= 2 ? `P${days}D` : `PT${Math.round(seconds)}S`;
}

/** Probes of captures, releases, declined cards and expiry. */
export const depositLifecycleProbes: readonly Probe[] = [
  activeProbe({
    gap: 'deposit.capture-when',
    evidenceFields: ['amount', 'status'],
    findChoice: async (context) => {
      const whilePending = await postAction(context, await context.use(pendingDeposit), 'capture', {});
      if (isAccepted(whilePending)) return unlistedResponse(whilePending);
      const afterRelease = await context.use(steps.capturedAfterRelease);
      if (afterRelease.exchange?.status !== whilePending.status) {
        return new NoMatchingChoice(
          `${whilePending.status} while pending, ${afterRelease.exchange?.status} when released`,
        );
      }
      const held = await context.use(heldDeposit);
      const excess = await postAction(context, held, 'capture', { amount: heldAmount * 2 });
      const aboveHeld = isAccepted(excess) ? await cappedIfCaptured(context, held) : refusalStatus(excess);
      const inOtherStates = refusalStatus(whilePending);
      if (inOtherStates === 400 && aboveHeld === 400) return '400';
      if (inOtherStates === 409 && aboveHeld === 422) return '409';
      return inOtherStates === undefined || aboveHeld === undefined
        ? new NoMatchingChoice(`${whilePending.status} while pending, ${excess.status} for more than was held`)
        : { answers: { otherwise: inOtherStates, above: aboveHeld } };
    },
  }),
  activeProbe({
    gap: 'deposit.release-when',
    evidenceFields: ['status'],
    findChoice: async (context): Promise<Choice<'deposit.release-when'> | NoMatchingChoice> => {
      const whilePending = await postAction(context, await context.use(pendingDeposit), 'release');
      const otherwise = refusalStatus(whilePending);
      if (isAccepted(whilePending) || otherwise === undefined) return unlistedResponse(whilePending);
      const { deposit } = await context.use(steps.released);
      const { status, exchange } = await context.use(statusAfter.released);
      if (status !== 'released') throw new Blocked('a deposit that was released is not `released`', exchange);
      const again = await postAction(context, deposit, 'release');
      if (isAccepted(again)) return otherwise === 409 ? 'repeated' : { answers: { otherwise, again: 'accepted' } };
      if (again.status !== otherwise)
        return new NoMatchingChoice(`${otherwise} while pending, ${again.status} when released`);
      if (otherwise === 400) return '400';
      return otherwise === 409 ? '409' : { answers: { otherwise, again: 'refused' } };
    },
  }),
  passiveProbe({
    gap: 'deposit.remaining-amount',
    evidenceFields: ['remaining_amount'],
    findChoice: async (context) => {
      const before = await context.use(newDeposit);
      if (before.record['remaining_amount'] === undefined) {
        throw new Skip({ missing: '`remaining_amount`', reason: 'deposits do not show it' });
      }
      // The choices differ in what is shown before the authorization and after the release, when nothing can be
      // captured.
      const released = depositRecordIn((await context.use(statusAfter.released)).exchange)?.['remaining_amount'];
      const amounts = [before.record['remaining_amount'], released].map(decimalOf);
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
      const { exchange } = await context.use(statusAfter.authorized);
      const { authorized_at: from, expires_at: until } = depositRecordIn(exchange) ?? {};
      if (!aTimestamp.matches(from) || !aTimestamp.matches(until)) {
        throw new Skip({ missing: '`authorized_at` and `expires_at`', reason: 'deposits do not show them' });
      }
      const duration = durationOf((Date.parse(String(until)) - Date.parse(String(from))) / 1_000);
      return duration === 'P7D' ? 'week' : { for: duration };
    },
  }),
  activeProbe({
    gap: 'deposit.expire-partial',
    evidenceFields: ['status'],
    findChoice: async (context) => {
      const { status } = await context.use(statusAfter.capturedThenExpired);
      return choiceForStatus(status, 'expired', 'captured');
    },
  }),
  unobservable('deposit.link-expiry'),
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
