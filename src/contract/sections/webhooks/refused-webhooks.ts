import { Blocked } from '../../engine/check-errors.js';
import { type Delivery, leavesOf } from '../../engine/delivery.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import type { CreatedRecord } from '../created-records.js';
import { createDeposit } from '../deposits/setups.js';
import { awaitDelivery, webhookReceiver } from '../webhook-receiver.js';
import { eventNameOf } from './setups.js';

/** A webhook that the receiver refused, and the next request with it: a retry or a resend, if one arrived in time. */
interface RefusedDelivery {
  readonly first: Delivery;
  readonly second: Delivery | undefined;
}

/** A webhook that is refused, and then retried by the target itself. */
export const retriedDelivery = setup('a webhook that is refused at first', (context) =>
  refuseOnce(context, 'webhook refused at first'),
);

/** A webhook that is refused, and then sent again by the driver, or by the target itself if the driver cannot do that. */
export const resentDelivery = setup('a webhook that is refused and sent again', (context) =>
  refuseOnce(context, 'webhook refused and sent again', async ({ record }) => {
    if (context.session.driver.resendWebhook) await context.drive('resendWebhook', record);
  }),
);

async function refuseOnce(
  context: ClauseContext,
  reference: string,
  afterRefusal?: (deposit: CreatedRecord) => Promise<void>,
): Promise<RefusedDelivery> {
  const { receiver } = await context.use(webhookReceiver);
  const showsReference = (delivery: Delivery): boolean =>
    leavesOf(delivery).some(({ text }) => text === context.withRunPrefix(reference));
  const event = 'deposit.created';
  const isMatch = (delivery: Delivery): boolean => eventNameOf(delivery) === event && showsReference(delivery);
  receiver.failOnce(isMatch);
  const deposit = await createDeposit(context, reference);
  const first = await awaitDelivery(context, deposit.sentAt, isMatch);
  if (!first) throw new Blocked(`no \`${event}\` contains the booking reference`);
  await afterRefusal?.(deposit);
  // A faulty retry may lack the name of its event. A webhook of another event about the deposit is not a retry.
  const isRetry = (delivery: Delivery): boolean =>
    delivery !== first &&
    showsReference(delivery) &&
    (delivery.text === first.text || (eventNameOf(delivery) ?? event) === event);
  return { first, second: await awaitDelivery(context, first.receivedAt, isRetry) };
}
