import { isRecord } from '../../../lib/json.js';
import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { type Delivery, leavesOf } from '../../engine/delivery.js';
import { timeoutText } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, valueAt } from '../../engine/expect.js';
import { formatExactJson, parseExactJson } from '../../engine/json.js';
import { operationOf } from '../../engine/operations.js';
import type { ClauseContext } from '../../engine/session.js';
import { usdDepositCreation } from '../deposit-lifecycle/two-deposits.js';
import { type Deposit, depositRecordIn, idOf } from '../deposits/setups.js';
import { eventQuotes } from '../field-quotes.js';
import { laterReplay, replay } from '../idempotency/setups.js';
import { isSameText } from '../same-values.js';
import { webhookReceiver } from '../webhook-receiver.js';
import { depositDeliveries, eventNameOf, isAboutDeposit } from './setups.js';

const event = 'deposit.created';

/**
 * Common to clauses about the webhooks of all create requests. They are `inferred`, because only the name of the event
 * says when it is sent. They are checked late, to give delayed webhooks time to arrive.
 */
const common = { level: 'inferred', operation: null, readsEarlierResponses: true } as const;

/**
 * Returns what identifies the `deposit.created` events about a deposit, and records their webhooks as evidence. A webhook
 * that is sent again has the same text, or at least the same id of the event: it may say which attempt it is.
 */
async function creationEvents(context: ClauseContext, deposit: Deposit): Promise<ReadonlySet<string>> {
  const { receiver } = await context.use(webhookReceiver);
  const found = receiver.deliveries.filter(
    (delivery) => eventNameOf(delivery) === event && isAboutDeposit(delivery, context, deposit),
  );
  context.recordEvidence(...found);
  return new Set(found.map((delivery) => eventIdIn(delivery, deposit) ?? delivery.text));
}

/** The id of the event in a payload about a deposit; undefined if the payload has no `id`, or that of the deposit. */
function eventIdIn({ text }: Delivery, deposit: Deposit): string | undefined {
  const body = parseExactJson(text);
  const id = isRecord(body) ? body['id'] : undefined;
  return id === undefined || String(id) === String(deposit.id) ? undefined : formatExactJson(id);
}

/** Deposits of one booking that were created after the target began to send webhooks to the suite. */
interface DepositsOfBooking {
  readonly reference: string;
  readonly ids: Set<string>;
  /** Exchange that created the last of them. */
  exchange: Exchange;
}

async function depositsByBooking(context: ClauseContext): Promise<readonly DepositsOfBooking[]> {
  const { earlierRequestCount } = await context.use(webhookReceiver);
  const byReference = new Map<string, DepositsOfBooking>();
  for (const { call, exchange } of context.session.sentRequests.slice(earlierRequestCount)) {
    if (operationOf(call)?.id !== 'createDeposit' || !exchange || !isSuccess(exchange) || call.isInvalid) continue;
    const id = idOf(depositRecordIn(exchange));
    if (id === undefined) continue;
    const reference = String(valueAt(call.body, 'booking_reference'));
    const created = byReference.get(reference) ?? { reference, ids: new Set(), exchange };
    created.ids.add(String(id));
    created.exchange = exchange;
    byReference.set(reference, created);
  }
  return [...byReference.values()];
}

/** Clauses about the webhooks that all create requests for deposits trigger. */
export const creationEventClauses: readonly Clause[] = [
  {
    ...common,
    id: 'HOOK-EVENT-17',
    spec: 'POST /deposits',
    quote:
      'Rule: repeating the request with the same `Idempotency-Key` returns the original deposit and creates no duplicate.',
    title: 'Repeating a create request with the same `Idempotency-Key` sends no second `deposit.created`.',
    check: async (context) => {
      await context.use(webhookReceiver);
      const { original } = await context.use(replay);
      for (const later of [laterReplay, depositDeliveries]) await context.runIfPossible(later);
      const events = await creationEvents(context, original);
      if (events.size === 0) throw new Blocked('no `deposit.created` about the deposit has arrived');
      if (events.size > 1)
        throw new Violation('one `deposit.created` about the deposit', `${events.size}`, context.deliveries.at(-1));
    },
  },
  {
    ...common,
    id: 'HOOK-EVENT-18',
    spec: 'Events',
    quote: eventQuotes[event],
    title: '`deposit.created` is sent for each deposit, even for one in a currency other than EUR.',
    check: async (context) => {
      const { receiver } = await context.use(webhookReceiver);
      // These setups create further deposits.
      for (const depositSetup of [usdDepositCreation, depositDeliveries]) await context.runIfPossible(depositSetup);
      const bookings = await depositsByBooking(context);
      /** Counts equal webhooks once, since a webhook may be sent again; counts each if none shows the id of a deposit. */
      const countEvents = ({ reference, ids }: DepositsOfBooking): number => {
        const found = receiver.deliveries.filter(
          (delivery) => eventNameOf(delivery) === event && showsText(delivery, reference),
        );
        const showIds = found.some((delivery) =>
          leavesOf(delivery).some(({ name, text }) => /id$/i.test(name) && ids.has(text)),
        );
        return showIds ? new Set(found.map(({ text }) => text)).size : found.length;
      };
      if (bookings.every((deposits) => countEvents(deposits) === 0))
        throw new Blocked('no `deposit.created` shows the booking reference of a deposit');
      const firstIncomplete = (): DepositsOfBooking | undefined =>
        bookings.find((deposits) => countEvents(deposits) < deposits.ids.size);
      await receiver.waitFor(
        () => (firstIncomplete() ? undefined : true),
        Date.now() + context.session.eventuallyTimeoutMs,
      );
      const incomplete = firstIncomplete();
      if (incomplete) {
        throw new Violation(
          `${incomplete.ids.size} \`deposit.created\` webhooks about the deposits of the booking ${incomplete.reference}`,
          `${countEvents(incomplete)} within ${timeoutText(context)}`,
          incomplete.exchange,
        );
      }
    },
  },
];

function showsText(delivery: Delivery, expected: string): boolean {
  return leavesOf(delivery).some(({ text }) => isSameText(expected, text));
}
