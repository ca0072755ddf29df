import { randomBytes } from 'node:crypto';
import type { Delivery } from '../../engine/delivery.js';
import { openReceiver, type Receiver } from '../../engine/receiver.js';
import { fact, type Scene } from '../../engine/session.js';
import { Skip } from '../../engine/verdict.js';

/** Where the suite is told of events. */
export interface Webhooks {
  readonly receiver: Receiver;
  /** The paths that the target was told to send to, the first one first; none where the tester has told it. */
  readonly paths: readonly string[];
  /** Has the target send to another path from now on, under a secret of the suite's own unless one was given; gives it. */
  move(scene: Scene): Promise<string>;
}

/**
 * The receiver of webhooks. The driver has the target send to it, or the tester has seen to that.
 * @throws Skip, DriverError
 */
export const webhooks = fact('a receiver of webhooks', async (scene): Promise<Webhooks> => {
  const { target, options, driver } = scene.session;
  const { webhookPort, webhookSecret } = options;
  if (!target.options.mayWrite) throw new Skip('--write', 'nothing happens that webhooks would tell of');
  // Nobody can have told the target of a port that is not known yet.
  if (!driver.configureWebhook && !webhookPort) await scene.drive('configureWebhook', {});
  const receiver = await openReceiver({
    port: webhookPort ?? 0,
    secret: webhookSecret,
    redact: (text) => target.redact(text),
  }).catch((error: unknown) => {
    throw new Skip(
      '--webhook-port',
      `the suite cannot listen there: ${error instanceof Error ? error.message : error}`,
    );
  });
  scene.session.onClose(() => receiver.close());
  const paths: string[] = [];
  const move = async (mover: Scene): Promise<string> => {
    const secret = webhookSecret ?? `suite-${randomBytes(24).toString('hex')}`;
    target.conceal(secret);
    const path = `/${scene.session.prefix}/${randomBytes(4).toString('hex')}`;
    await mover.drive('configureWebhook', { url: receiver.await(path, secret), secret });
    paths.push(path);
    return path;
  };
  if (driver.configureWebhook) await move(scene);
  return { receiver, paths, move };
});

/** A delivery that has come, or comes while patience lasts; undefined if none does. */
export async function awaitDelivery(
  scene: Scene,
  since: number,
  isIt: (delivery: Delivery) => boolean,
): Promise<Delivery | undefined> {
  const { receiver } = await scene.at(webhooks);
  const found = await receiver.find(() => receiver.deliveries.find(isIt), since + scene.session.patience);
  if (found) scene.saw(found);
  return found;
}
