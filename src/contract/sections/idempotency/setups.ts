import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess } from '../../engine/expect.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { steps } from '../deposit-lifecycle/setups.js';
import {
  attemptDeposit,
  createdDeposit,
  type Deposit,
  type DepositsPage,
  filteredDeposits,
  newDeposit,
  postDeposit,
} from '../deposits/setups.js';
import type { Row } from '../invoice-creation/setups.js';

/** A creation that was repeated with its key. */
export interface Replay {
  readonly original: Deposit;
  readonly exchange: Exchange;
}

export const replay = setup('a creation that is repeated', async (context): Promise<Replay> => {
  const original = await context.use(newDeposit);
  return { original, exchange: await postDeposit(context, original.key, original.body) };
});

/** A repeated creation of a deposit that the guest has authorized meanwhile. */
export const lateReplay = setup('a creation that is repeated late', async (context): Promise<Replay> => {
  const { deposit: original } = await context.use(steps.authorized);
  return { original, exchange: await postDeposit(context, original.key, original.body) };
});

/** Deposits of the booking after the repeated creation. */
export const depositsAfterReplay = setup('the deposits of a booking', async (context) => {
  const { original } = await context.use(replay);
  return depositsOf(context, original.reference);
});

/** Two concurrent requests with one key, and the deposits of the booking after them. */
export const concurrentCreations = setup('two concurrent creations', async (context) => {
  const reference = context.withRunPrefix('at once');
  const [first, second] = await Promise.all([attemptDeposit(context, 'at once'), attemptDeposit(context, 'at once')]);
  const listed = await depositsOf(context, reference);
  return { creations: [first, second], listed };
});

/** The same body with another key. */
export const otherKeyCreation = setup('a creation with another key', async (context) => {
  const { creations } = await context.use(concurrentCreations);
  const creation = creations.find(({ exchange }) => isSuccess(exchange)) ?? creations[0];
  if (!creation) throw new Error('there are two creations');
  const original = await createdDeposit(context, creation);
  const exchange = await postDeposit(context, `${creation.key}-again`, creation.body);
  return { original, exchange };
});

/** Ensures that there are at least three deposits. */
export const threeDeposits = setup('three deposits', async (context) => {
  await context.use(newDeposit);
  await context.use(otherKeyCreation);
});

/** Reads the deposits of a booking until there is one or the timeout has passed: lists may lag behind. */
function depositsOf(context: ClauseContext, reference: string): Promise<DepositsPage> {
  return eventually(
    context,
    async () => filterByBooking(await filteredDeposits(context, { booking_reference: reference }), reference),
    ({ rows }) => rows.length > 0,
  );
}

/** Drops deposits of other bookings: another clause checks the filter. */
function filterByBooking({ page, rows }: DepositsPage, reference: string): DepositsPage {
  // A deposit that does not show its booking counts as one of this booking.
  const isOfBooking = ({ booking_reference: shown = reference }: Row): boolean => shown === reference;
  return { page, rows: rows.filter(isOfBooking) };
}
