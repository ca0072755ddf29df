import { randomBytes } from 'node:crypto';
import { errorMessage } from '../../lib/error-message.js';
import type { Delivery } from '../engine/delivery.js';
import { openReceiver, type Receiver } from '../engine/receiver.js';
import { type ClauseContext, setup } from '../engine/session.js';
import { Skip } from '../engine/verdict.js';
import { requireDriverMethod } from './require-driver-method.js';

/** Receiver that the target sends its webhooks to. */
export interface WebhookReceiver {
  readonly receiver: Receiver;
  /**
   * Paths of the URLs that the suite configured on the target, oldest first; empty if the tester configured the URL.
   */
  readonly paths: readonly string[];
  /** Configures a URL with another path, and a new secret unless the tester has passed one; returns the path. */
  changeUrl(context: ClauseContext): Promise<string>;
}

/** Opens a receiver. The driver or the tester configures its URL on the target. @throws Skip, DriverError */
export const webhookReceiver = setup('a receiver of webhooks', async (context): Promise<WebhookReceiver> => {
  const { target, options, driver } = context.session;
  const { webhookPort, webhookSecret } = options;
  if (!target.options.mayWrite)
    throw new Skip({ missing: '--write', reason: 'nothing may be changed, so no webhooks are sent' });
  // If the driver cannot configure the URL, the tester must have done so, which requires a port that is known in
  // advance.
  if (!webhookPort) await requireDriverMethod(context, 'configureWebhook');
  const receiver = await openReceiver({
    port: webhookPort ?? 0,
    secret: webhookSecret,
    redact: (text) => target.redact(text),
  }).catch((error: unknown) => {
    throw new Skip({ missing: '--webhook-port', reason: `the suite cannot listen there: ${errorMessage(error)}` });
  });
  context.session.onClose(() => receiver.close());
  const paths: string[] = [];
  const changeUrl = async (caller: ClauseContext): Promise<string> => {
    const secret = webhookSecret ?? `suite-${randomBytes(24).toString('hex')}`;
    target.addSecret(secret);
    const path = `/${context.session.prefix}/${randomBytes(4).toString('hex')}`;
    await caller.drive('configureWebhook', { url: receiver.register(path, secret), secret });
    paths.push(path);
    return path;
  };
  if (driver.configureWebhook) await changeUrl(context);
  return { receiver, paths, changeUrl };
});

/**
 * Waits for a delivery that matches; undefined if none arrives before the timeout.
 * @param timeoutStart time from which the timeout counts, in milliseconds since 1970; earlier deliveries match as well
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
