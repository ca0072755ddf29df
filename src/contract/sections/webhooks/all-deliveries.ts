import type { OperationId } from '../../../generated/billing-document.js';
import { Blocked } from '../../engine/check-errors.js';
import { type Delivery, leavesOf } from '../../engine/delivery.js';
import { isSuccess } from '../../engine/expect.js';
import { setup } from '../../engine/session.js';
import { operationWithRequests } from '../authentication/setups.js';
import { digitReference } from '../deposits/setups.js';
import { awaitDelivery, webhookReceiver } from '../webhook-receiver.js';
import {
  depositDeliveries,
  type EventName,
  eventNameOf,
  hasText,
  laterDepositDeliveries,
  linksWithDeliveries,
  paymentDeliveries,
} from './setups.js';

/** Deliveries about the payments of `linksWithDeliveries`. */
const linkDeliveries = setup('all webhooks of payments', async (context): Promise<readonly Delivery[]> => {
  const links = await context.use(linksWithDeliveries);
  return links.flatMap((link) => link.deliveries);
});

/** Requests about deposits, each with the event that usually follows. */
const operationsWithEvents: readonly (readonly [OperationId, EventName])[] = [
  ['createDeposit', 'deposit.created'],
  ['captureDeposit', 'deposit.captured'],
  ['releaseDeposit', 'deposit.released'],
];

/** Deliveries of the events that follow requests with a token that can only write. */
const writeTokenDeliveries = setup(
  'webhooks of requests with a token for writing',
  async (context): Promise<readonly Delivery[]> => {
    // All requests are sent before the first wait for a delivery, so that missing deliveries cost a single timeout.
    const expected: { readonly event: EventName; readonly startedAt: number }[] = [];
    for (const [operation, event] of operationsWithEvents) {
      const startedAt = Date.now();
      // Ignores all errors, also those of the driver: other clauses report them.
      const exchange = await context.use(operationWithRequests(operation).requestBy.write).catch(() => undefined);
      if (exchange && isSuccess(exchange)) expected.push({ event, startedAt });
    }
    const found: Delivery[] = [];
    for (const { event, startedAt } of expected) {
      const arrived = await awaitDelivery(
        context,
        startedAt,
        (delivery) => delivery.receivedAt >= startedAt && eventNameOf(delivery) === event,
      );
      if (arrived) found.push(arrived);
    }
    return found;
  },
);

/**
 * All deliveries so far about the payments and deposits of the suite, including those that only a text of the run, such
 * as its id, identifies.
 * @throws Blocked if there are none
 */
export const deliveries = setup('webhooks', async (context): Promise<readonly Delivery[]> => {
  const { receiver } = await context.use(webhookReceiver);
  const all = new Set<Delivery>();
  for (const group of [
    paymentDeliveries,
    depositDeliveries,
    laterDepositDeliveries,
    linkDeliveries,
    writeTokenDeliveries,
  ])
    for (const delivery of await context.use(group).catch(() => [])) all.add(delivery);
  const runTexts = [context.session.runId, digitReference(context)];
  for (const delivery of receiver.deliveries)
    if (runTexts.some((text) => hasText(leavesOf(delivery), text))) all.add(delivery);
  if (all.size === 0) throw new Blocked('no webhook has arrived');
  return [...all];
});
