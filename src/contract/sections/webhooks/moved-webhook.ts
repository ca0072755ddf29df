import { setTimeout as sleep } from 'node:timers/promises';
import { type Delivery, placeOf } from '../../engine/delivery.js';
import { setup } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import { makeDeposit } from '../deposits/setups.js';
import { deliveries, depositDelivery, happenings, isAboutDeposit } from './events.js';
import { awaitDelivery, webhooks } from './setups.js';

/** Milliseconds in which what is sent to two places has come to both. */
const grace = 300;

/** Deposits that are made for it: settings may take their time to get around. */
const tries = 2;

/** What has come of a deposit that was made after another URL, with another secret, was configured. */
export interface Moved {
  readonly path: string;
  readonly found: readonly Delivery[];
}

export const moved = setup('a webhook that was moved', async (context): Promise<Moved> => {
  const { receiver, move } = await context.use(webhooks);
  if (!context.session.driver.configureWebhook) await context.drive('configureWebhook', {});
  // What the run has done so far is still told to the first.
  await context.use(deliveries);
  const { deposit: told } = await context.use(happenings['deposit.created']);
  const created = await depositDelivery(context, 'deposit.created', happenings['deposit.created']);
  if (!created || !isAboutDeposit(created, context, told)) {
    throw new Blocked('no webhook tells which deposit was created');
  }
  const path = await move(context);
  for (let attempt = 1; ; attempt++) {
    const deposit = await makeDeposit(context, `told elsewhere ${attempt}`);
    const isIt = (delivery: Delivery): boolean => isAboutDeposit(delivery, context, deposit);
    const isSettled =
      (await awaitDelivery(context, deposit.at, (delivery) => isIt(delivery) && placeOf(delivery) === path)) !==
      undefined;
    if (isSettled) await sleep(grace);
    const found = receiver.deliveries.filter(isIt);
    if (isSettled || attempt === tries) {
      context.recordEvidence(...found);
      return { path, found };
    }
  }
});
