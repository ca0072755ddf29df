import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { steps } from '../deposit-lifecycle/setups.js';
import {
  type Deposit,
  type DepositsPage,
  filteredDeposits,
  madeDeposit,
  newDeposit,
  postDeposit,
  requestDeposit,
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
export const afterReplay = setup('the deposits of a booking', async (context) => {
  const { original } = await context.use(replay);
  return depositsOf(context, original.reference);
});

/** Two concurrent requests with one key, and the deposits of the booking after them. */
export const concurrentCreations = setup('two creations at once', async (context) => {
  const reference = context.text('at once');
  const [first, second] = await Promise.all([requestDeposit(context, 'at once'), requestDeposit(context, 'at once')]);
  const listed = await depositsOf(context, reference);
  return { answers: [first, second], listed };
});

/** The same body with another key. */
export const otherKey = setup('a creation with another key', async (context) => {
  const { answers } = await context.use(concurrentCreations);
  const answer = answers.find(({ exchange }) => exchange.status < 300) ?? answers[0];
  if (!answer) throw new Error('there are two answers');
  const original = await madeDeposit(context, answer);
  const exchange = await postDeposit(context, `${answer.key}-again`, answer.body);
  return { original, exchange };
});

/** Ensures that there are at least three deposits. */
export const threeDeposits = setup('three deposits', async (context) => {
  await context.use(newDeposit);
  await context.use(otherKey);
});

/** Deposits of a booking, once there is one: lists may lag behind. */
function depositsOf(context: ClauseContext, reference: string): Promise<DepositsPage> {
  return eventually(
    context,
    async () => ofBooking(await filteredDeposits(context, { booking_reference: reference }), reference),
    ({ rows }) => rows.length > 0,
  );
}

/** Drops deposits of other bookings: another clause checks the filter. */
function ofBooking({ page, rows }: DepositsPage, reference: string): DepositsPage {
  const isOfBooking = ({ booking_reference: shown = reference }: Row): boolean => shown === reference;
  return { page, rows: rows.filter(isOfBooking) };
}
