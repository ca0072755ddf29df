import { Skip } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isClientError, isSuccess } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { isPresent } from '../../predicates/matchers.js';
import { type DepositStep, requireStep, steps } from '../deposit-lifecycle/setups.js';
import {
  type Deposit,
  type DepositCreation,
  type DepositsPage,
  depositBody,
  filteredDeposits,
  newDeposit,
  postDeposit,
  postNamedDeposit,
  requireCreatedDeposit,
} from '../deposits/setups.js';

/** A deposit, and the response to a second create request with its key or its body. */
export interface SecondCreation {
  readonly original: Deposit;
  /** The second create request, with its response. */
  readonly exchange: Exchange;
}

/** Repeats the request that created a deposit. */
export async function repeatCreation(context: ClauseContext, original: Deposit): Promise<SecondCreation> {
  return { original, exchange: await postDeposit(context, original.key, original.body) };
}

/** Repeats the request that created `newDeposit`. */
export const replay = setup('a repeated create request', async (context) =>
  repeatCreation(context, await context.use(newDeposit)),
);

/**
 * Creates another deposit with the key of `newDeposit`. The specification does not say whether the target must refuse
 * this. The request is marked as invalid, so that clauses about valid requests ignore a refusal.
 */
export const usedKeyCreation = setup('another create request with a used key', async (context) => {
  const original = await context.use(newDeposit);
  // Another booking, so that a target that creates a second deposit does not add one to the booking of the original.
  const body = { ...original.body, booking_reference: context.withRunPrefix('used key'), amount: 20 };
  return { original, exchange: await postDeposit(context, original.key, body, { isInvalid: true }) };
});

/** Repeats the request that created `newDeposit` once more, after another request has used its key. */
export const laterReplay = setup('a create request, repeated a second time', async (context) => {
  const { original } = await context.use(replay);
  await context.runIfPossible(usedKeyCreation);
  return repeatCreation(context, original);
});

/** Repeats a create request after the guest has authorized the deposit. */
export const replayAfterAuthorization = setup('a create request, repeated after the authorization', async (context) =>
  repeatCreation(context, (await context.use(steps.authorized)).deposit),
);

/** Creates a setup that repeats a create request after a step of the deposit. */
export function replayAfter(step: Setup<DepositStep>): Setup<SecondCreation> {
  return setup(`a create request, repeated after: ${step.name}`, async (context) => {
    // Replays after the authorization first: `steps.released` then releases the authorized deposit.
    await context.runIfPossible(replayAfterAuthorization);
    return repeatCreation(context, (await requireStep(context, step)).deposit);
  });
}

/** Sends two concurrent create requests with the same key, and reads the deposits of the booking afterwards. */
export const concurrentCreations = setup('two concurrent creations', async (context) => {
  const name = 'concurrent creations';
  const creations: readonly [DepositCreation, DepositCreation] = await Promise.all([
    postNamedDeposit(context, name),
    postNamedDeposit(context, name),
  ]);
  return { creations, listed: await depositsOf(context, creations[0].reference) };
});

/**
 * Reads the deposits of the booking after the repeated create requests, which must not have added one. Reads them only
 * once the list shows a deposit that was created later: a target may update the list late.
 */
export const depositsAfterReplay = setup('the deposits of a booking', async (context) => {
  const { original } = await context.use(replay);
  for (const later of [laterReplay, concurrentCreations]) await context.runIfPossible(later);
  return depositsOf(context, original.reference);
});

/**
 * Sends a create request with the same body as an earlier one, and with a key that differs only in punctuation;
 * `original` is the earlier deposit.
 */
export const otherKeyCreation = setup('a create request with a key that differs in punctuation', async (context) => {
  const { creations } = await context.use(concurrentCreations);
  const creation = creations.find(({ exchange }) => isSuccess(exchange)) ?? creations[0];
  const original = await requireCreatedDeposit(context, creation);
  const exchange = await postDeposit(context, creation.key.replaceAll('-', '.'), creation.body);
  return { original, exchange };
});

/**
 * Sends a create request with the same body as an earlier one, and its key in upper case; `original` is the earlier
 * deposit.
 */
export const upperCaseKeyCreation = setup('a create request with the key in upper case', async (context) => {
  const { original } = await context.use(otherKeyCreation);
  const exchange = await postDeposit(context, original.key.toUpperCase(), original.body);
  return { original, exchange };
});

/**
 * Lengths of long keys; the second is tried if the target refuses the first. A target may ignore the end of a long key,
 * for example because a column of its database is shorter.
 */
const longKeyLengths = [300, 250] as const;

/**
 * Sends two create requests with the same body, and with long keys that differ in their last character; `original` is
 * the first deposit.
 * @throws Skip if the target refuses such keys
 */
export const longKeyCreation = setup('a create request with another long key', async (context) => {
  const reference = context.withRunPrefix('long keys');
  const body = depositBody(reference);
  for (const length of longKeyLengths) {
    const keyEndingWith = (end: string): string => `${context.session.prefix}-`.padEnd(length - 1, 'x') + end;
    const key = keyEndingWith('a');
    const sentAt = Date.now();
    const exchange = await postDeposit(context, key, body);
    if (isClientError(exchange)) continue;
    const original = await requireCreatedDeposit(context, { reference, key, body, sentAt, exchange });
    return { original, exchange: await postDeposit(context, keyEndingWith('b'), body) };
  }
  throw new Skip({
    missing: 'support for long keys',
    reason: `keys of ${longKeyLengths.join(' and ')} characters are refused, and the specification does not say how long they may be`,
  });
});

/** Ensures that there are at least three deposits. */
export const threeDeposits = setup('three deposits', async (context) => {
  await context.use(newDeposit);
  // Creates two deposits: one with two concurrent requests, and one with another key.
  await context.use(otherKeyCreation);
});

/** Reads the deposits of a booking until there is one, or the timeout has passed, because lists may be updated late. */
function depositsOf(context: ClauseContext, reference: string): Promise<DepositsPage> {
  return eventually(
    context,
    async () => filterByBooking(await filteredDeposits(context, { booking_reference: reference }), reference),
    ({ records }) => records.length > 0,
  );
}

/** Removes deposits of other bookings, which a faulty filter may let through; another clause checks the filter. */
function filterByBooking({ page, records }: DepositsPage, reference: string): DepositsPage {
  // A deposit that does not show its booking counts as a deposit of this booking.
  const isOfBooking = ({ booking_reference: shown }: JsonObject): boolean => !isPresent(shown) || shown === reference;
  return { page, records: records.filter(isOfBooking) };
}
