import { randomBytes } from 'node:crypto';
import { errorMessage } from '../../lib/error-message.js';
import type { Delivery } from '../engine/delivery.js';
import { openReceiver, type Receiver } from '../engine/receiver.js';
import { type ClauseContext, setup } from '../engine/session.js';
import { Skip } from '../engine/verdict.js';

/** Receiver of webhooks. */
export interface Webhooks {
  readonly receiver: Receiver;
  /** Paths that were configured on the target, oldest first; empty if the tester configured it. */
  readonly paths: readonly string[];
  /** Configures another path, with a new secret unless one was given; returns the path. */
  move(context: ClauseContext): Promise<string>;
}

/** Receiver of webhooks, which the driver or the tester configures on the target. @throws Skip, DriverError */
export const webhooks = setup('a receiver of webhooks', async (context): Promise<Webhooks> => {
  const { target, options, driver } = context.session;
  const { webhookPort, webhookSecret } = options;
  if (!target.options.mayWrite) throw new Skip('--write', 'nothing may be changed, so no webhooks are sent');
  // A port that is not known in advance cannot have been configured by the tester.
  if (!driver.configureWebhook && !webhookPort) await context.drive('configureWebhook', {});
  const receiver = await openReceiver({
    port: webhookPort ?? 0,
    secret: webhookSecret,
    redact: (text) => target.redact(text),
  }).catch((error: unknown) => {
    throw new Skip('--webhook-port', `the suite cannot listen there: ${errorMessage(error)}`);
  });
  context.session.onClose(() => receiver.close());
  const paths: string[] = [];
  const move = async (mover: ClauseContext): Promise<string> => {
    const secret = webhookSecret ?? `suite-${randomBytes(24).toString('hex')}`;
    target.addSecret(secret);
    const path = `/${context.session.prefix}/${randomBytes(4).toString('hex')}`;
    await mover.drive('configureWebhook', { url: receiver.register(path, secret), secret });
    paths.push(path);
    return path;
  };
  if (driver.configureWebhook) await move(context);
  return { receiver, paths, move };
});

/** A delivery that has arrived, or arrives before the timeout; undefined if none does. */
export async function awaitDelivery(
  context: ClauseContext,
  since: number,
  isMatch: (delivery: Delivery) => boolean,
): Promise<Delivery | undefined> {
  const { receiver } = await context.use(webhooks);
  const found = await receiver.find(
    () => receiver.deliveries.find(isMatch),
    since + context.session.eventuallyTimeoutMs,
  );
  if (found) context.recordEvidence(found);
  return found;
}
