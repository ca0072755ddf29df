import { Blocked } from '../../engine/check-errors.js';
import { type Delivery, leavesOf } from '../../engine/delivery.js';
import { setup } from '../../engine/session.js';
import { digitReference } from '../deposits/setups.js';
import { webhookReceiver } from '../webhook-receiver.js';
import {
  awaitDepositDelivery,
  depositDeliveries,
  hasText,
  laterDepositDeliveries,
  linksWithDeliveries,
  paymentDeliveries,
} from './setups.js';
import { writeTokenSteps } from './write-token-steps.js';

/** Deliveries about the payments of `linksWithDeliveries`. */
const linkDeliveries = setup('all webhooks of payments', async (context): Promise<readonly Delivery[]> => {
  const links = await context.use(linksWithDeliveries);
  return links.flatMap((link) => link.deliveries);
});

/** Deliveries of the events that follow requests with a token that can only write. */
const writeTokenDeliveries = setup(
  'webhooks of requests with a write-only token',
  async (context): Promise<readonly Delivery[]> => {
    // All requests are sent before the first wait for a delivery, so that missing deliveries cost a single timeout.
    for (const step of Object.values(writeTokenSteps)) await context.runIfPossible(step);
    const found: Delivery[] = [];
    for (const [event, step] of Object.entries(writeTokenSteps)) {
      // Ignores all errors, also those of the driver: other clauses report them.
      const arrived = await awaitDepositDelivery(context, event, step).catch(() => undefined);
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
