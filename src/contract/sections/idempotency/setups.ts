import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { fact, type Scene } from '../../engine/session.js';
import { steps } from '../deposit-lifecycle/setups.js';
import {
  askForDeposit,
  type Deposit,
  type DepositsPage,
  filteredDeposits,
  madeDeposit,
  newDeposit,
  postDeposit,
} from '../deposits/setups.js';
import type { Row } from '../invoice-creation/setups.js';

/** A creation that was repeated with the key of the first. */
export interface Replay {
  readonly original: Deposit;
  readonly exchange: Exchange;
}

export const replay = fact('a creation that is repeated', async (scene): Promise<Replay> => {
  const original = await scene.at(newDeposit);
  return { original, exchange: await postDeposit(scene, original.key, original.body) };
});

/** One of a deposit that the guest has authorized since. */
export const lateReplay = fact('a creation that is repeated late', async (scene): Promise<Replay> => {
  const { deposit: original } = await scene.at(steps.authorized);
  return { original, exchange: await postDeposit(scene, original.key, original.body) };
});

/** The deposits of the booking, after its creation was repeated. */
export const afterReplay = fact('the deposits of a booking', async (scene) => {
  const { original } = await scene.at(replay);
  return depositsOf(scene, original.reference);
});

/** Two requests at once with one key, and the deposits of the booking after them. */
export const atOnce = fact('two creations at once', async (scene) => {
  const reference = scene.text('at once');
  const [first, second] = await Promise.all([askForDeposit(scene, 'at once'), askForDeposit(scene, 'at once')]);
  const listed = await depositsOf(scene, reference);
  return { answers: [first, second], listed };
});

/** The same body once more, with another key. */
export const otherKey = fact('a creation with another key', async (scene) => {
  const { answers } = await scene.at(atOnce);
  const answer = answers.find(({ exchange }) => exchange.status < 300) ?? answers[0];
  if (!answer) throw new Error('there are two answers');
  const original = await madeDeposit(scene, answer);
  const exchange = await postDeposit(scene, `${answer.key}-again`, answer.body);
  return { original, exchange };
});

/** Sees to three deposits at least. */
export const threeDeposits = fact('three deposits', async (scene) => {
  await scene.at(newDeposit);
  await scene.at(otherKey);
});

/** The deposits of a booking, once there is one: lists may lag behind. */
function depositsOf(scene: Scene, reference: string): Promise<DepositsPage> {
  return eventually(
    scene,
    async () => ofBooking(await filteredDeposits(scene, { booking_reference: reference }), reference),
    ({ rows }) => rows.length > 0,
  );
}

/** Leaves out what is said to be of another booking: that a filter leaves it out is for another clause to see. */
function ofBooking({ page, rows }: DepositsPage, reference: string): DepositsPage {
  const isOfBooking = ({ booking_reference: shown = reference }: Row): boolean => shown === reference;
  return { page, rows: rows.filter(isOfBooking) };
}
