import { type Delivery, eventOf, type Leaf, leavesOf } from '../../engine/delivery.js';
import { succeeded, valueAt } from '../../engine/expect.js';
import { type Fact, fact, type Scene } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import { type Step, shown, steps } from '../deposit-lifecycle/setups.js';
import { authorizationUrl, type Deposit, newDeposit } from '../deposits/setups.js';
import type { Created } from '../invoice-creation/setups.js';
import { paidLink } from '../payment-links/setups.js';
import { foundPayment, paidOddLink } from '../payments/setups.js';
import { awaitDelivery, webhooks } from './setups.js';

export const eventNames = [
  'payment.succeeded',
  'deposit.created',
  'deposit.authorized',
  'deposit.partially_captured',
  'deposit.captured',
  'deposit.released',
  'deposit.expired',
  'deposit.failed',
] as const;
export type EventName = (typeof eventNames)[number];

/** What has happened to a deposit, and when. */
interface Happening {
  readonly deposit: Deposit;
  readonly at: number;
}

/** What was done. @throws Blocked if it was not, so that there is nothing to be told of */
function carriedOut(step: Fact<Step>): Fact<Happening> {
  return fact(step.name, async (scene) => {
    const { deposit, exchange, at } = await scene.at(step);
    if (exchange) succeeded(exchange);
    return { deposit, at };
  });
}

/** What is done that each event of a deposit is named for. */
export const happenings: Readonly<Record<Exclude<EventName, 'payment.succeeded'>, Fact<Happening>>> = {
  'deposit.created': fact('a new deposit', async (scene) => {
    const deposit = await scene.at(newDeposit);
    return { deposit, at: deposit.at };
  }),
  'deposit.authorized': carriedOut(steps.authorized),
  'deposit.partially_captured': carriedOut(steps.capturedInPart),
  'deposit.captured': carriedOut(steps.capturedWhole),
  'deposit.released': carriedOut(steps.released),
  'deposit.expired': carriedOut(steps.expired),
  'deposit.failed': fact('a deposit that failed', async (scene) => {
    // It may stay open to another card: then nothing has failed.
    const { status, page } = await scene.at(shown.declined);
    if (status !== 'failed') throw new Blocked('the deposit whose card was declined is not `failed`', page);
    return scene.at(steps.declined);
  }),
};

/** The name in the header; without it, one that the body has in it. */
export function nameOf(delivery: Delivery): string | undefined {
  return eventOf(delivery) ?? leavesOf(delivery).find(({ text }) => eventNames.some((name) => name === text))?.text;
}

/**
 * Whether a delivery tells of a deposit. What a payload has in it is open: the reference of the booking, or but an id,
 * which other things may have, too.
 */
export function isAboutDeposit(delivery: Delivery, { session }: Scene, { id, reference, exchange }: Deposit): boolean {
  if (nameOf(delivery)?.startsWith('payment.')) return false;
  const leaves = leavesOf(delivery);
  if (hasText(leaves, reference)) return true;
  if (hasText(leaves, `${session.prefix} `)) return false;
  return leaves.some(
    ({ name, text }) => (text === String(id) && /id$|deposit$/i.test(name)) || text === authorizationUrl(exchange),
  );
}

/** Whether a delivery tells of a payment of a link. */
function isAboutLink(delivery: Delivery, { session }: Scene, { record, body }: Created): boolean {
  const leaves = leavesOf(delivery);
  if (hasText(leaves, String(body['description'])) || hasText(leaves, String(record['url']))) return true;
  // Of another link of the run, if not of this one.
  if (hasText(leaves, session.mark)) return false;
  return leaves.some(({ name, text }) => name === 'payment_link_id' && text === String(record['id']));
}

/** Whatever the case of its letters, which is for other clauses to see. */
function hasText(leaves: readonly Leaf[], wanted: string): boolean {
  return leaves.some(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()));
}

/** The delivery that tells of an event of a deposit; undefined if none comes. */
export async function depositDelivery(scene: Scene, event: string, happening: Fact<Happening>) {
  const { deposit, at } = await scene.at(happening);
  const found = await awaitDelivery(
    scene,
    at,
    (delivery) => nameOf(delivery) === event && isAboutDeposit(delivery, scene, deposit),
  );
  if (found) return found;
  const { receiver } = await scene.at(webhooks);
  // Where payloads do not say which deposit they are of, the name has to do.
  if (receiver.deliveries.some((delivery) => isAboutDeposit(delivery, scene, deposit))) return undefined;
  return receiver.deliveries.find((delivery) => nameOf(delivery) === event && delivery.at >= at);
}

/** The deliveries about the payment of the link that was paid, or, if none is known to be, those about some payment. */
export const paymentDeliveries = fact('webhooks of a payment', async (scene): Promise<readonly Delivery[]> => {
  const link = await scene.at(paidLink);
  const { receiver } = await scene.at(webhooks);
  await awaitDelivery(scene, link.at, (delivery) => isAboutLink(delivery, scene, link));
  const own = receiver.deliveries.filter((delivery) => isAboutLink(delivery, scene, link));
  const found =
    own.length > 0
      ? own
      : receiver.deliveries.filter((delivery) => nameOf(delivery) === 'payment.succeeded' && delivery.at >= link.at);
  scene.saw(...found);
  return found;
});

/** The delivery about the payment of the link with an odd text. @throws Blocked if none comes */
export const oddPaymentDelivery = fact('a webhook with an odd text', async (scene): Promise<Delivery> => {
  const link = await scene.at(paidOddLink);
  const found = await awaitDelivery(
    scene,
    link.at,
    (delivery) => nameOf(delivery)?.startsWith('payment.') === true && isAboutLink(delivery, scene, link),
  );
  if (!found) throw new Blocked('no webhook says that it is about the payment of the link with an odd text');
  return found;
});

/** Whether the list says that the link was paid: what is not paid need not be told of. */
export async function isPaid(scene: Scene): Promise<boolean> {
  const place = await scene.at(foundPayment);
  return typeof place === 'object' && valueAt(place.page.json, `${place.at}.status`) === 'paid';
}

/** The deliveries about the run's deposits, or, if none is known to be, those about some deposit. */
export const depositDeliveries = fact('webhooks of deposits', async (scene): Promise<readonly Delivery[]> => {
  const { receiver } = await scene.at(webhooks);
  // All is done before anything is waited for: what does not come is waited for but once.
  for (const happening of Object.values(happenings)) await scene.after(happening);
  const deposits: Deposit[] = [];
  for (const [event, happening] of Object.entries(happenings)) {
    try {
      deposits.push((await scene.at(happening)).deposit);
      await depositDelivery(scene, event, happening);
    } catch {
      // What the driver cannot do, and what the target does not, is told by the clauses about it.
    }
  }
  const own = receiver.deliveries.filter((delivery) =>
    deposits.some((deposit) => isAboutDeposit(delivery, scene, deposit)),
  );
  const since = Math.min(...deposits.map(({ at }) => at));
  const found =
    own.length > 0
      ? own
      : receiver.deliveries.filter((delivery) => nameOf(delivery)?.startsWith('deposit.') && delivery.at >= since);
  scene.saw(...found);
  return found;
});

/** All that has come about what the run has made. @throws Blocked if that is nothing */
export const deliveries = fact('webhooks', async (scene): Promise<readonly Delivery[]> => {
  await scene.at(webhooks);
  const all: Delivery[] = [];
  for (const group of [paymentDeliveries, depositDeliveries]) {
    all.push(...(await scene.at(group).catch(() => [])));
  }
  if (all.length === 0) throw new Blocked('no webhook has come');
  return all;
});
