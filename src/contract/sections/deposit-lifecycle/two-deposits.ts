import { Blocked } from '../../engine/check-errors.js';
import type { Delivery } from '../../engine/delivery.js';
import { eventually } from '../../engine/eventually.js';
import { expectSuccess, isSuccess, requireSuccess, requireSuccessOrSkip } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { authorizeAsGuest, authorizeForRequest, sendAfterAuthorization } from '../deposits/guest.js';
import {
  type Deposit,
  type DepositAmounts,
  type DepositCreation,
  type DepositsPage,
  depositBody,
  depositRecordIn,
  filteredDeposits,
  heldAmount,
  idOf,
  mayHaveMorePages,
  type ObservedStatus,
  postAction,
  postDeposit,
  postDepositWithoutKey,
  requireCreatedDeposit,
  waitForStatus,
} from '../deposits/setups.js';
import { firstDepositList } from '../first-reads.js';
import { repeatCreation, threeDeposits } from '../idempotency/setups.js';
import { measureListGrowth } from '../paging/list-growth.js';
import { toListPage } from '../paging/setups.js';
import { awaitDelivery, webhookReceiver } from '../webhook-receiver.js';
import { eventNameOf, isAboutDeposit } from '../webhooks/setups.js';
import { firstCaptureAmount, type RequestStep, remainderAmount, requireStep, steps } from './setups.js';

/**
 * A booking reference with characters that URLs encode, of one to four bytes in UTF-8. A target that decodes a query
 * twice reads `%41` as `A`, and one that accepts several references splits this one at the comma.
 */
const unusualBooking = (context: ClauseContext): string => context.withRunPrefix('odd/#1, R&B+ 9%41 ÀÉ Жук 🏨 漢字');

const unusualCustomerName = "Zoë O'Neil & Жук 漢字";

/** A value of metadata with characters that are special in JSON, HTML or SQL. */
const unusualMetadataValue = `Ж漢字 🏨 "q" & c's <b> 50 % C:\\new`;

/**
 * Amount of the second capture of a deposit, after `firstCaptureAmount`; together they are less than is held. In
 * floating point, 2.01 × 100 is less than 201: a target that truncates instead of rounding loses a cent.
 */
export const secondCaptureAmount = 2.01;

/** Two deposits of the same booking, created concurrently with different idempotency keys. @throws Blocked */
export const depositPair = setup(
  'two deposits of one booking',
  async (context): Promise<readonly [Deposit, Deposit]> => {
    await context.runIfPossible(webhookReceiver);
    const reference = unusualBooking(context);
    const sentAt = Date.now();
    const create = async (name: string, amount: number): Promise<Deposit> => {
      const body = {
        ...depositBody(reference),
        amount,
        // Name and address differ from those of other deposits, since a target may keep only one name per address.
        customer: { name: unusualCustomerName, email: 'zoe@example.com' },
        metadata: { run: unusualMetadataValue },
      };
      const key = `${context.session.prefix}/booking:${name}`;
      const exchange = await postDeposit(context, key, body);
      const record = depositRecordIn(requireSuccess(exchange));
      const id = idOf(record);
      // Both have the same booking reference, so only the ids distinguish them in the list.
      if (id === undefined) throw new Blocked('the response shows no `id`', exchange);
      return { exchange, record, id, reference, key, body, sentAt };
    };
    return Promise.all([create('one', heldAmount), create('other', 40)]);
  },
);

/** Repeats both create requests, each with its key. */
export const pairReplays = setup('the repeated requests to create two deposits', async (context) => {
  const deposits = await context.use(depositPair);
  return Promise.all(deposits.map((original) => repeatCreation(context, original)));
});

/** The two deposits, found by their booking reference. */
export const depositPairPage = setup(
  'the deposits of a booking with an unusual reference',
  async (context): Promise<DepositsPage> => {
    const deposits = await context.use(depositPair);
    return eventually(
      context,
      () => filteredDeposits(context, { booking_reference: unusualBooking(context) }),
      (found) => found.records.length >= deposits.length || mayHaveMorePages(found),
    );
  },
);

/** Reads a page for one deposit, with filters that both deposits match until they are authorized. */
export const firstPageOfDepositPair = setup(
  'a page for one of two deposits of a booking',
  async (context): Promise<DepositsPage> => {
    await context.use(depositPair);
    const filters = { booking_reference: unusualBooking(context), status: 'pending', per_page: '1' };
    return eventually(
      context,
      () => filteredDeposits(context, filters),
      ({ records }) => records.length > 0,
    );
  },
);

/** The response to a read of the list. If the suite can create deposits, it does so first. */
export const listAfterDepositPair = setup('the list of deposits', async (context) => {
  await ifPossible(context.use(threeDeposits));
  await ifPossible(context.use(depositPair));
  return context.get('/deposits');
});

/** The list of deposits before the suite created any, and afterwards. */
export const depositListGrowth = setup('the deposits after more were created', async (context) => {
  const before = toListPage(await context.use(firstDepositList));
  await context.use(depositPair);
  return measureListGrowth(context, before, { laterPage: toListPage(await context.use(listAfterDepositPair)) });
});

/** Webhook about the creation of the first of the two deposits. @throws Blocked if none arrives */
export const unicodeDepositDelivery = setup(
  'a webhook about a booking with non-ASCII text',
  async (context): Promise<Delivery> => {
    const [deposit] = await context.use(depositPair);
    const found = await awaitDelivery(
      context,
      deposit.sentAt,
      (delivery) => eventNameOf(delivery) === 'deposit.created' && isAboutDeposit(delivery, context, deposit),
    );
    if (!found) throw new Blocked('no webhook about the creation of the deposit has arrived');
    return found;
  },
);

/** The creation of a deposit in a currency other than EUR. @throws Skip if the target refuses the currency */
export const usdDepositCreation = setup('a deposit in another currency', async (context): Promise<DepositCreation> => {
  await context.runIfPossible(webhookReceiver);
  const reference = context.withRunPrefix('in dollars');
  const body = { ...depositBody(reference), currency: 'USD' };
  const key = reference.replaceAll(' ', '-');
  const sentAt = Date.now();
  const exchange = requireSuccessOrSkip(await postDepositWithoutKey(context, body, { fallbackKey: key }), {
    missing: 'a currency other than EUR',
    reason: 'USD is refused, and the specification does not say which currencies are accepted',
  });
  return { reference, key, body, sentAt, exchange };
});

/**
 * Authorizes the deposit in another currency, captures all of it, and reads its status.
 * @throws Violation if the capture is refused
 */
export const statusAfterUsdCapture = setup(
  'the status of a captured deposit in another currency',
  async (context): Promise<ObservedStatus> => {
    context.requireDriverMethod('authorizeDeposit');
    // If the target refuses all captures, other clauses report that.
    await requireStep(context, steps.capturedInFull);
    const deposit = await requireCreatedDeposit(context, await context.use(usdDepositCreation));
    await authorizeAsGuest(context, deposit);
    // The authorization may take effect late.
    expectSuccess(await eventually(context, () => postAction(context, deposit, 'capture', {}), isSuccess));
    return waitForStatus(context, deposit, (status) => status === 'captured');
  },
);

/** Authorizes both deposits, and captures a part of the first. */
export const nonAsciiDepositCapturedInPart = setup(
  'a deposit with unusual texts that is captured in part',
  async (context): Promise<RequestStep> => {
    context.requireDriverMethod('authorizeDeposit');
    const [captured, untouched] = await context.use(depositPair);
    await authorizeForRequest(context, captured);
    // The second deposit must be authorized before the capture, or else the capture could not affect it.
    await ifPossible(authorizeAsGuest(context, untouched));
    const startedAt = Date.now();
    const exchange = await sendAfterAuthorization(context, captured, () =>
      postAction(context, captured, 'capture', { amount: firstCaptureAmount }),
    );
    return { deposit: captured, exchange, startedAt };
  },
);

/** Captures another part of the first deposit. */
const pairCapturedTwice = setup('a deposit that is captured twice', async (context) => {
  await requireStep(context, nonAsciiDepositCapturedInPart);
  const [captured, untouched] = await context.use(depositPair);
  const secondCapture = await postAction(context, captured, 'capture', { amount: secondCaptureAmount });
  return { captured, untouched, secondCapture };
});

const roundToCents = (amount: number): number => Math.round(amount * 100) / 100;

/** Amounts of a deposit after both captures, where it shows them. */
export const amountsAfterTwoCaptures = {
  captured_amount: roundToCents(firstCaptureAmount + secondCaptureAmount),
  remaining_amount: roundToCents(remainderAmount - secondCaptureAmount),
} as const satisfies DepositAmounts;

/** Reads the status after both captures. @throws Skip if the target refuses the second one */
export const statusAfterTwoCaptures = setup('the status after two captures', async (context) => {
  const { captured, secondCapture } = await context.use(pairCapturedTwice);
  requireSuccessOrSkip(secondCapture, {
    missing: 'a second capture',
    reason: 'it is refused, and the specification does not say how many captures are allowed',
  });
  return waitForStatus(context, captured, (status) => status === 'partially_captured', amountsAfterTwoCaptures);
});

/**
 * Captures and releases the first of the two deposits. Returns the response to the release, and the second deposit with
 * its status afterwards.
 */
export const secondDepositAfterRelease = setup(
  'a deposit of the same booking as one that was captured and released',
  async (context) => {
    const { captured, untouched } = await context.use(pairCapturedTwice);
    await context.runIfPossible(statusAfterTwoCaptures);
    const release = await postAction(context, captured, 'release');
    const observed = await waitForStatus(context, untouched, (status) => status === 'authorized');
    return { ...observed, release };
  },
);
