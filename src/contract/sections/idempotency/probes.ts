import { randomUUID } from 'node:crypto';
import { activeProbe, NoMatchingChoice, type Probe, passiveProbe, unobservableProbe } from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { isClientError, isSuccess, requireSuccess, valueAt } from '../../engine/expect.js';
import { isAccepted, noMatchingChoiceFor } from '../attempts.js';
import { steps } from '../deposit-lifecycle/setups.js';
import { depositBody, depositRecordIn, newDeposit, postDeposit } from '../deposits/setups.js';
import { replay, replayAfterAuthorization, usedKeyCreation } from './setups.js';

/** Number of concurrent requests with the same key. */
const concurrentRequestCount = 10;

/**
 * Probes for the gaps about idempotency keys. Active probes send requests of their own; passive ones only read
 * responses to requests that clauses send anyway. The active ones first use a setup that throws Blocked if even a
 * valid deposit is refused.
 */
export const idempotencyProbes: readonly Probe[] = [
  activeProbe({
    gap: 'deposit.key-required',
    findChoice: async (context) => {
      await context.use(newDeposit);
      const exchange = await context.post('/deposits', depositBody(context.withRunPrefix('without a key')));
      if (isAccepted(exchange)) return 'no';
      return exchange.status === 400 ? 'yes' : noMatchingChoiceFor(exchange);
    },
  }),
  activeProbe({
    gap: 'deposit.key-mismatch',
    evidenceFields: ['amount', 'id'],
    findChoice: async (context) => {
      const {
        original: { id },
        exchange,
      } = await context.use(usedKeyCreation);
      if (exchange.status === 422) return 'refused';
      const returnedId = depositRecordIn(exchange)['id'];
      if (isSuccess(exchange) && returnedId === id) return 'original';
      return noMatchingChoiceFor(exchange);
    },
  }),
  activeProbe({
    gap: 'deposit.key-concurrent',
    findChoice: async (context): Promise<'conflict'> => {
      await context.use(newDeposit);
      const [key, body] = [randomUUID(), depositBody(context.withRunPrefix('concurrent with one key'))];
      const responses = await Promise.all(
        Array.from({ length: concurrentRequestCount }, () => postDeposit(context, key, body)),
      );
      if (responses.some(({ status }) => status === 409)) return 'conflict';
      throw new Skip({
        missing: 'a 409',
        reason: `none of ${concurrentRequestCount} concurrent requests got one, which does not prove that none ever would`,
      });
    },
  }),
  activeProbe({
    gap: 'deposit.key-failed',
    evidenceFields: ['amount'],
    findChoice: async (context) => {
      await context.use(newDeposit);
      const [key, body] = [randomUUID(), depositBody(context.withRunPrefix('refused at first'))];
      const refused = await postDeposit(context, key, { ...body, amount: 'much' });
      if (isAccepted(refused)) throw new Blocked('a deposit with a non-numeric amount is accepted', refused);
      const corrected = await postDeposit(context, key, body);
      if (isAccepted(corrected)) return 'free';
      const [firstError, secondError] = [refused, corrected].map(
        ({ status, json }) => `${status} ${valueAt(json, 'error')}`,
      );
      return firstError === secondError ? 'replayed' : new NoMatchingChoice(secondError);
    },
  }),
  unobservableProbe('deposit.key-owner'),
  unobservableProbe('deposit.key-retention'),
  activeProbe({
    gap: 'deposit.replay-body',
    evidenceFields: ['status'],
    findChoice: async (context) => {
      const { original, exchange } = await context.use(replayAfterAuthorization);
      if (isClientError(exchange)) throw new Blocked('the repeated create request is refused', exchange);
      const [originalStatus, replayedStatus] = [
        depositRecordIn(original.exchange)['status'],
        depositRecordIn(requireSuccess(exchange))['status'],
      ];
      if (originalStatus === undefined || replayedStatus === undefined)
        throw new Skip({ missing: 'a `status`', reason: 'the response to a create request lacks it' });
      // `first-answer` repeats the first response; `present` shows the deposit as it is now.
      if (replayedStatus !== originalStatus) return 'present';
      // The status right after the authorization, which a target may process later.
      const { observed } = await context.use(steps.authorized);
      if (observed === undefined || observed.status === originalStatus)
        throw new Skip({ missing: 'a status that has changed', reason: 'the deposit was not authorized at once' });
      return 'first-answer';
    },
  }),
  passiveProbe({
    gap: 'deposit.replay-status',
    findChoice: async (context) => {
      const { original, exchange } = await context.use(replay);
      if (isClientError(exchange)) throw new Blocked('the repeated create request is refused', exchange);
      const [originalStatus, replayedStatus] = [original.exchange.status, requireSuccess(exchange).status];
      if (originalStatus === 200 && replayedStatus === 200)
        throw new Skip({ missing: 'a create response with 201', reason: 'the status of the first response is 200' });
      if (originalStatus === replayedStatus) return 'as-first';
      return replayedStatus === 200 ? '200' : new NoMatchingChoice(`${replayedStatus} after ${originalStatus}`);
    },
  }),
];
