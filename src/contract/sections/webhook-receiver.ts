import { randomBytes } from 'node:crypto';
import { errorMessage } from '../../lib/errors.js';
import { Skip } from '../engine/check-errors.js';
import type { Delivery } from '../engine/delivery.js';
import { openReceiver, type Receiver } from '../engine/receiver.js';
import { type ClauseContext, setup } from '../engine/session.js';

/** The suite's HTTP server, to which the target sends its webhooks. */
export interface WebhookReceiver {
  readonly receiver: Receiver;
  /**
   * Paths of the URLs that the driver has configured on the target, oldest first; empty if the tester configured the
   * URL by hand.
   */
  readonly paths: readonly string[];
  /** Number of requests of the run that were sent before the target knew the URL. No webhooks about them arrive. */
  readonly earlierRequestCount: number;
  /** Makes the target use a URL with a new path, and a new secret unless the tester passed one; returns the path. */
  changeUrl(context: ClauseContext): Promise<string>;
}

/** Opens the receiver and, if the driver can, makes the target send webhooks to it. @throws Skip, DriverError */
export const webhookReceiver = setup('a webhook receiver', async (context): Promise<WebhookReceiver> => {
  const { target, options, driver } = context.session;
  const { webhookPort, webhookSecret } = options;
  if (!target.options.mayWrite)
    throw new Skip({ missing: '--write', reason: 'nothing may be changed, so no webhooks are sent' });
  // If the driver cannot configure the URL, the tester must have done so, which requires a known port (--webhook-port).
  if (!webhookPort) context.requireDriverMethod('configureWebhook');
  const receiver = await openReceiver({
    port: webhookPort ?? 0,
    secret: webhookSecret,
    redact: target.redact,
  }).catch((error: unknown) => {
    throw new Skip({
      missing: '--webhook-port',
      reason: `the suite cannot listen on its port: ${errorMessage(error)}`,
    });
  });
  context.session.onClose(() => receiver.close());
  const paths: string[] = [];
  const changeUrl = async (caller: ClauseContext): Promise<string> => {
    // Mixes upper and lower case, so that a signature shows whether the target keeps the case of the secret.
    const secret = webhookSecret ?? `Suite-${randomBytes(24).toString('hex')}`;
    target.redactFromNowOn(secret);
    const path = `/${context.session.prefix}/${randomBytes(4).toString('hex')}`;
    await caller.drive('configureWebhook', { url: receiver.register(path, secret), secret });
    paths.push(path);
    return path;
  };
  if (driver.configureWebhook) await changeUrl(context);
  return { receiver, paths, earlierRequestCount: context.session.sentRequests.length, changeUrl };
});

/**
 * Waits for a webhook that matches; undefined if none arrives before the timeout.
 * @param timeoutStart start of the timeout, in milliseconds since 1970; deliveries before it may match, too
 */
export async function awaitDelivery(
  context: ClauseContext,
  timeoutStart: number,
  isMatch: (delivery: Delivery) => boolean,
): Promise<Delivery | undefined> {
  const { receiver } = await context.use(webhookReceiver);
  const found = await receiver.waitFor(
    () => receiver.deliveries.find(isMatch),
    timeoutStart + context.session.eventuallyTimeoutMs,
  );
  if (found) context.recordEvidence(found);
  return found;
}
