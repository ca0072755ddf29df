import { setTimeout as sleep } from 'node:timers/promises';
import { Blocked } from '../../engine/check-errors.js';
import { type Delivery, pathWithoutQuery } from '../../engine/delivery.js';
import { setup } from '../../engine/session.js';
import { createDeposit } from '../deposits/setups.js';
import { awaitDelivery, webhookReceiver } from '../webhook-receiver.js';
import { deliveries } from './all-deliveries.js';
import { awaitDepositDelivery, eventSteps, isAboutDeposit } from './setups.js';

/** Time to wait, after a webhook has arrived at the new URL, for the same webhook at the old one. */
const oldUrlWaitMs = 300;

/** Maximum number of deposits to create: the new URL may not apply to the webhook about the first one yet. */
const maxAttempts = 2;

/** Webhooks about a deposit that was created after another URL, with another secret, was configured. */
export interface WebhooksAfterUrlChange {
  /** Path of the new URL. */
  readonly path: string;
  readonly received: readonly Delivery[];
}

export const webhooksAfterUrlChange = setup(
  'webhooks after the URL was changed',
  async (context): Promise<WebhooksAfterUrlChange> => {
    const { receiver, changeUrl } = await context.use(webhookReceiver);
    context.requireDriverMethod('configureWebhook');
    // Waits for all webhooks about earlier records, which must arrive at the first URL.
    await context.use(deliveries);
    const { deposit: firstDeposit } = await context.use(eventSteps['deposit.created']);
    const created = await awaitDepositDelivery(context, 'deposit.created', eventSteps['deposit.created']);
    if (!created || !isAboutDeposit(created, context, firstDeposit)) {
      throw new Blocked('no webhook identifies the created deposit');
    }
    const path = await changeUrl(context);
    for (let attempt = 1; ; attempt++) {
      const deposit = await createDeposit(context, `webhook to the new URL, attempt ${attempt}`);
      const isMatch = (delivery: Delivery): boolean => isAboutDeposit(delivery, context, deposit);
      const hasArrived =
        (await awaitDelivery(
          context,
          deposit.sentAt,
          (delivery) => isMatch(delivery) && pathWithoutQuery(delivery) === path,
        )) !== undefined;
      if (hasArrived) await sleep(oldUrlWaitMs);
      const received = receiver.deliveries.filter(isMatch);
      if (hasArrived || attempt === maxAttempts) {
        context.recordEvidence(...received);
        return { path, received };
      }
    }
  },
);
