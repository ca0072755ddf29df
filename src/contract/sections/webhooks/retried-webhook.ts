import { type Delivery, leavesOf } from '../../engine/delivery.js';
import { setup } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import { makeDeposit } from '../deposits/setups.js';
import { nameOf } from './events.js';
import { awaitDelivery, webhooks } from './setups.js';

/** A webhook that the receiver has refused, and its second try, if one came in time. */
interface Retried {
  readonly first: Delivery;
  readonly second: Delivery | undefined;
}

export const retried = setup('a webhook that is refused at first', async (context): Promise<Retried> => {
  const { receiver } = await context.use(webhooks);
  const name = 'told twice';
  const isIt = (delivery: Delivery): boolean =>
    nameOf(delivery) === 'deposit.created' && leavesOf(delivery).some(({ text }) => text === context.text(name));
  receiver.failOnce(isIt);
  const deposit = await makeDeposit(context, name);
  const first = await awaitDelivery(context, deposit.at, isIt);
  if (!first) throw new Blocked('no `deposit.created` says which booking it is for');
  const isAgain = (delivery: Delivery): boolean => delivery !== first && isIt(delivery);
  const second = await receiver.find(
    () => receiver.deliveries.find(isAgain),
    first.at + context.session.eventuallyTimeoutMs,
  );
  if (second) context.recordEvidence(second);
  return { first, second };
});
