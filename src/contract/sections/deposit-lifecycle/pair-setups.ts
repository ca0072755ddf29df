import type { Delivery } from '../../engine/delivery.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isRefusal, isSuccess, succeeded } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { fact, type Scene } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import {
  type Deposit,
  type DepositsPage,
  depositBody,
  filteredDeposits,
  heldAmount,
  postDeposit,
  recordIn,
  type Shown,
  statusOf,
} from '../deposits/setups.js';
import { threeDeposits } from '../idempotency/setups.js';
import type { Row } from '../invoice-creation/setups.js';
import { growthOf } from '../overdue/setups.js';
import { rowsPage } from '../paging/setups.js';
import { isAboutDeposit, nameOf } from '../webhooks/events.js';
import { awaitDelivery, webhooks } from '../webhooks/setups.js';
import { firstPart } from './setups.js';

/** A booking in letters beyond ASCII, of two to four bytes. */
const oddBooking = (scene: Scene): string => scene.text('odd ÀÉ Жук 漢字 🏨');

const oddName = 'Zoë Жук 漢字';

/** Amount of the second capture of a deposit. */
export const secondPart = 20;

/** The list as it was before the pair was made. */
export const allDeposits = fact('deposits', (scene) => scene.get('/deposits'));

/** Two deposits of one booking that are asked for at once, each under a key of its own. @throws Blocked */
export const pair = fact('two deposits of one booking', async (scene): Promise<readonly [Deposit, Deposit]> => {
  await scene.after(allDeposits);
  await scene.after(webhooks);
  const reference = oddBooking(scene);
  const at = Date.now();
  const make = async (name: string, amount: number): Promise<Deposit> => {
    const body = {
      ...depositBody(scene, reference),
      amount,
      customer: { name: oddName, email: 'guest@example.com' },
      metadata: { run: `${scene.session.prefix} Жук 漢字` },
    };
    const key = `${scene.session.prefix}-${name}`;
    const exchange = await postDeposit(scene, key, body);
    const record: Row = recordIn(succeeded(exchange)) ?? {};
    const { id } = record;
    // The list could not tell one from the other.
    if (typeof id !== 'number' && typeof id !== 'bigint' && typeof id !== 'string')
      throw new Blocked('the answer shows no `id`', exchange);
    return { exchange, record, id, reference, key, body, at };
  };
  return Promise.all([make('one', heldAmount), make('other', 80)]);
});

/** Their creations once more, each under its key. */
export const pairReplay = fact(
  'two creations that are repeated',
  async (scene): Promise<readonly [Exchange, Exchange]> => {
    const [one, other] = await scene.at(pair);
    return Promise.all([postDeposit(scene, one.key, one.body), postDeposit(scene, other.key, other.body)]);
  },
);

export const pairPage = fact('the deposits of a booking beyond ASCII', async (scene): Promise<DepositsPage> => {
  const made = await scene.at(pair);
  return eventually(
    scene,
    () => filteredDeposits(scene, { booking_reference: oddBooking(scene) }),
    ({ rows }) => rows.length >= made.length,
  );
});

/** The list once there are more of them, where the suite can make some. */
export const laterDeposits = fact('the list of deposits', async (scene) => {
  await ifPossible(scene.at(allDeposits));
  await ifPossible(scene.at(threeDeposits));
  await ifPossible(scene.at(pair));
  return scene.get('/deposits');
});

export const depositGrowth = fact('the deposits, later', async (scene) => {
  const before = rowsPage(await scene.at(allDeposits));
  await scene.at(pair);
  return growthOf(scene, before, 0, rowsPage(await scene.at(laterDeposits)));
});

/** The delivery that one of them was created. @throws Blocked if none comes */
export const oddDepositDelivery = fact('a webhook of an odd booking', async (scene): Promise<Delivery> => {
  const [one] = await scene.at(pair);
  const found = await awaitDelivery(
    scene,
    one.at,
    (delivery) => nameOf(delivery) === 'deposit.created' && isAboutDeposit(delivery, scene, one),
  );
  if (!found) throw new Blocked('no webhook says that it is about the booking');
  return found;
});

/** A deposit in another currency. @throws Skip where the target refuses it, which is open */
export const foreignDeposit = fact('a deposit in another currency', async (scene): Promise<Exchange> => {
  const reference = scene.text('in dollars');
  const body = { ...depositBody(scene, reference), currency: 'USD' };
  const exchange = await postDeposit(scene, reference.replaceAll(' ', '-'), body);
  if (isRefusal(exchange)) throw new Skip('a currency beside EUR', 'USD is refused; which are accepted is open');
  return succeeded(exchange);
});

const act = (scene: Scene, { id }: Deposit, action: 'capture' | 'release', body?: Row): Promise<Exchange> =>
  scene.post(`/deposits/${encodeURIComponent(String(id))}/${action}`, body);

/** Both are authorized, and of one a part is captured, then another. */
const capturedTwice = fact('a deposit that is captured in two parts', async (scene) => {
  if (!scene.session.driver.authorizeDeposit) await scene.drive('authorizeDeposit', {});
  const [one, other] = await scene.at(pair);
  for (const { record } of [one, other]) await scene.drive('authorizeDeposit', record);
  const first = succeeded(
    // What the driver has done may take a moment to get through to the target.
    await eventually(scene, () => act(scene, one, 'capture', { amount: firstPart }), isSuccess),
  );
  return { one, other, first, second: await act(scene, one, 'capture', { amount: secondPart }) };
});

/** What is shown of it then. @throws Skip where no second part can be captured, which is open */
export const shownTwice = fact('the status after a capture of two parts', async (scene): Promise<Shown> => {
  const { one, second } = await scene.at(capturedTwice);
  if (isRefusal(second)) throw new Skip('a second capture', 'it is refused; how many there may be is open');
  succeeded(second);
  return statusOf(scene, one, (status) => status === 'partially_captured');
});

/** The other one, once the first was captured in part and its rest released. */
export const neighbour = fact('a deposit beside one that was acted on', async (scene) => {
  const { one, other } = await scene.at(capturedTwice);
  await scene.after(shownTwice);
  const released = await act(scene, one, 'release');
  return { ...(await statusOf(scene, other, (status) => status === 'authorized')), other, released };
});
