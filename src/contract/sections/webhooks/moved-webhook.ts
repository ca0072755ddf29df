import { setTimeout as sleep } from 'node:timers/promises';
import { type Delivery, placeOf } from '../../engine/delivery.js';
import { fact } from '../../engine/session.js';
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

export const moved = fact('a webhook that was moved', async (scene): Promise<Moved> => {
  const { receiver, move } = await scene.at(webhooks);
  if (!scene.session.driver.configureWebhook) await scene.drive('configureWebhook', {});
  // What the run has done so far is still told to the first.
  await scene.at(deliveries);
  const { deposit: told } = await scene.at(happenings['deposit.created']);
  const created = await depositDelivery(scene, 'deposit.created', happenings['deposit.created']);
  if (!created || !isAboutDeposit(created, scene, told)) {
    throw new Blocked('no webhook tells which deposit was created');
  }
  const path = await move(scene);
  for (let attempt = 1; ; attempt++) {
    const deposit = await makeDeposit(scene, `told elsewhere ${attempt}`);
    const isIt = (delivery: Delivery): boolean => isAboutDeposit(delivery, scene, deposit);
    const isSettled =
      (await awaitDelivery(scene, deposit.at, (delivery) => isIt(delivery) && placeOf(delivery) === path)) !==
      undefined;
    if (isSettled) await sleep(grace);
    const found = receiver.deliveries.filter(isIt);
    if (isSettled || attempt === tries) {
      scene.saw(...found);
      return { path, found };
    }
  }
});
