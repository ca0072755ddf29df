import { secretIn } from '../../drivers/results.js';
import { Skip } from '../../engine/check-errors.js';
import type { Delivery } from '../../engine/delivery.js';
import { setup } from '../../engine/session.js';
import { createDeposit } from '../deposits/setups.js';
import { chineseLink, payLink } from '../payment-links/setups.js';
import { awaitDelivery, webhookReceiver } from '../webhook-receiver.js';
import { deliveries } from '../webhooks/all-deliveries.js';
import { resentDelivery } from '../webhooks/refused-webhooks.js';
import { awaitPaymentDelivery, isAboutDeposit } from '../webhooks/setups.js';
import { webhooksAfterUrlChange } from '../webhooks/webhooks-after-url-change.js';

/** Maximum number of deposits to create: the new secret may not apply to the webhook about the first one yet. */
const maxAttempts = 2;

/**
 * Rotates the secret, and creates deposits afterwards. Returns the webhook about the last of them; undefined if none
 * arrived.
 * @throws Skip unless the driver can rotate the secret; DriverError
 */
export const deliveryAfterRotation = setup(
  'a webhook after the rotation of the secret',
  async (context): Promise<Delivery | undefined> => {
    const { receiver } = await context.use(webhookReceiver);
    context.requireDriverMethod('rotateWebhookSecret');
    // Waits for all webhooks about earlier records, which are signed with the previous secret.
    await context.runIfPossible(deliveries);
    await context.runIfPossible(webhooksAfterUrlChange);
    const secret = secretIn(await context.drive('rotateWebhookSecret'));
    context.session.target.redactFromNowOn(secret);
    receiver.setSecret(secret);
    for (let attempt = 1; ; attempt++) {
      const deposit = await createDeposit(context, `signed with another secret ${attempt}`);
      const lastDelivery = await awaitDelivery(context, deposit.sentAt, (delivery) =>
        isAboutDeposit(delivery, context, deposit),
      );
      // The receiver has computed `digest` from the body and the new secret.
      const isSigned = lastDelivery?.digest !== undefined && hasDigestInHeader(lastDelivery, lastDelivery.digest);
      if (isSigned || attempt === maxAttempts) return lastDelivery;
    }
  },
);

/** Pays a link after the rotation of the secret. Returns the webhook about the payment; undefined if none arrives. */
export const paymentDeliveryAfterRotation = setup(
  'a webhook about a payment after the rotation of the secret',
  async (context): Promise<Delivery | undefined> => {
    await context.use(deliveryAfterRotation);
    context.requireDriverMethod('payLink');
    // No other setup pays this link, which matters if links can be paid only once.
    return awaitPaymentDelivery(context, await payLink(context, await context.use(chineseLink)));
  },
);

/**
 * The retry of a webhook that was refused at first. Waits for the webhooks of the other setups before, because the
 * target may hold back new webhooks until the retry has succeeded.
 * @throws Skip if no retry arrives before the timeout
 */
export const retry = setup('the retry of a webhook', async (context): Promise<Delivery> => {
  for (const earlier of [deliveries, webhooksAfterUrlChange, deliveryAfterRotation])
    await context.runIfPossible(earlier);
  const { second } = await context.use(resentDelivery);
  if (!second)
    throw new Skip({
      missing: 'a retry',
      reason: 'none arrived before the timeout, and the specification does not say when webhooks are sent again',
    });
  return second;
});

/** True if a header contains the digest in any encoding. @param digest in hex */
function hasDigestInHeader({ headers }: Delivery, digest: string): boolean {
  const bytes = Buffer.from(digest, 'hex');
  const encodings = [digest, digest.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')];
  return Object.values(headers).some((value) => encodings.some((encoding) => value.includes(encoding)));
}
