import type { Delivery } from '../../engine/delivery.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isClientError, isSuccess, succeeded } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, setup } from '../../engine/session.js';
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
import { awaitDelivery, webhooks } from '../webhook-receiver.js';
import { isAboutDeposit, nameOf } from '../webhooks/setups.js';
import { firstPart } from './setups.js';

/** A booking reference with characters of two to four bytes. */
const oddBooking = (context: ClauseContext): string => context.text('odd ÀÉ Жук 漢字 🏨');

const oddName = 'Zoë Жук 漢字';

/** Amount of the second capture of a deposit. */
export const secondPart = 20;

/** The list before the two deposits were created. */
export const allDeposits = setup('deposits', (context) => context.get('/deposits'));

/** Two deposits of the same booking, created concurrently with different keys. @throws Blocked */
export const pair = setup('two deposits of one booking', async (context): Promise<readonly [Deposit, Deposit]> => {
  await context.after(allDeposits);
  await context.after(webhooks);
  const reference = oddBooking(context);
  const at = Date.now();
  const make = async (name: string, amount: number): Promise<Deposit> => {
    const body = {
      ...depositBody(context, reference),
      amount,
      customer: { name: oddName, email: 'guest@example.com' },
      metadata: { run: `${context.session.prefix} Жук 漢字` },
    };
    const key = `${context.session.prefix}-${name}`;
    const exchange = await postDeposit(context, key, body);
    const record: Row = recordIn(succeeded(exchange)) ?? {};
    const { id } = record;
    // Without ids, the list could not distinguish them.
    if (typeof id !== 'number' && typeof id !== 'bigint' && typeof id !== 'string')
      throw new Blocked('the answer shows no `id`', exchange);
    return { exchange, record, id, reference, key, body, at };
  };
  return Promise.all([make('one', heldAmount), make('other', 80)]);
});

/** Repeats both creations, each with its key. */
export const pairReplay = setup(
  'two creations that are repeated',
  async (context): Promise<readonly [Exchange, Exchange]> => {
    const [one, other] = await context.use(pair);
    return Promise.all([postDeposit(context, one.key, one.body), postDeposit(context, other.key, other.body)]);
  },
);

export const pairPage = setup('the deposits of a booking beyond ASCII', async (context): Promise<DepositsPage> => {
  const made = await context.use(pair);
  return eventually(
    context,
    () => filteredDeposits(context, { booking_reference: oddBooking(context) }),
    ({ rows }) => rows.length >= made.length,
  );
});

/** The list after more deposits were created, if the suite can create some. */
export const laterDeposits = setup('the list of deposits', async (context) => {
  await ifPossible(context.use(allDeposits));
  await ifPossible(context.use(threeDeposits));
  await ifPossible(context.use(pair));
  return context.get('/deposits');
});

export const depositGrowth = setup('the deposits, later', async (context) => {
  const before = rowsPage(await context.use(allDeposits));
  await context.use(pair);
  return growthOf(context, before, 0, rowsPage(await context.use(laterDeposits)));
});

/** Webhook for the creation of one of them. @throws Blocked if none arrives */
export const oddDepositDelivery = setup('a webhook of an odd booking', async (context): Promise<Delivery> => {
  const [one] = await context.use(pair);
  const found = await awaitDelivery(
    context,
    one.at,
    (delivery) => nameOf(delivery) === 'deposit.created' && isAboutDeposit(delivery, context, one),
  );
  if (!found) throw new Blocked('no webhook says that it is about the booking');
  return found;
});

/** A deposit in another currency. @throws Skip if the target refuses it, which is open */
export const foreignDeposit = setup('a deposit in another currency', async (context): Promise<Exchange> => {
  const reference = context.text('in dollars');
  const body = { ...depositBody(context, reference), currency: 'USD' };
  const exchange = await postDeposit(context, reference.replaceAll(' ', '-'), body);
  if (isClientError(exchange)) throw new Skip('a currency beside EUR', 'USD is refused; which are accepted is open');
  return succeeded(exchange);
});

const act = (context: ClauseContext, { id }: Deposit, action: 'capture' | 'release', body?: Row): Promise<Exchange> =>
  context.post(`/deposits/${encodeURIComponent(String(id))}/${action}`, body);

/** Both are authorized; one is captured in two parts. */
const capturedTwice = setup('a deposit that is captured in two parts', async (context) => {
  if (!context.session.driver.authorizeDeposit) await context.drive('authorizeDeposit', {});
  const [one, other] = await context.use(pair);
  for (const { record } of [one, other]) await context.drive('authorizeDeposit', record);
  const first = succeeded(
    // Effects of the driver may take a moment to reach the target.
    await eventually(context, () => act(context, one, 'capture', { amount: firstPart }), isSuccess),
  );
  return { one, other, first, second: await act(context, one, 'capture', { amount: secondPart }) };
});

/** Status after both captures. @throws Skip if the target refuses the second one, which is open */
export const shownTwice = setup('the status after a capture of two parts', async (context): Promise<Shown> => {
  const { one, second } = await context.use(capturedTwice);
  if (isClientError(second)) throw new Skip('a second capture', 'it is refused; how many there may be is open');
  succeeded(second);
  return statusOf(context, one, (status) => status === 'partially_captured');
});

/** The other deposit, after the first was captured in part and released. */
export const neighbour = setup('a deposit beside one that was acted on', async (context) => {
  const { one, other } = await context.use(capturedTwice);
  await context.after(shownTwice);
  const released = await act(context, one, 'release');
  return { ...(await statusOf(context, other, (status) => status === 'authorized')), other, released };
});
