import { randomUUID } from 'node:crypto';
import type { Exchange } from '../../engine/exchange.js';
import { isRefusal, isSuccess } from '../../engine/expect.js';
import type { Scene } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import { depositBody, newDeposit, postDeposit } from '../deposits/setups.js';
import { createdInvoice, createInvoice, itemsFor, type Row } from '../invoice-creation/setups.js';
import { newLink } from '../payment-links/setups.js';

/** Whether a request was carried out. @throws Blocked if it was neither carried out nor refused */
export function isAccepted(exchange: Exchange): boolean {
  if (isSuccess(exchange)) return true;
  if (isRefusal(exchange)) return false;
  const { method, path } = exchange.call;
  throw new Blocked(`${method} ${path} was answered with ${exchange.status}`, exchange);
}

/**
 * Asks for a link that differs from a good one in what is given; undefined leaves a field out.
 * @throws Blocked where not even the good one is accepted
 */
export async function tryLink(scene: Scene, own: Row): Promise<Exchange> {
  await scene.at(newLink);
  return scene.post('/payment-links', {
    description: scene.text('to be tried'),
    amount: 10,
    currency: 'EUR',
    ...own,
  });
}

/** As `tryLink`, for an invoice. */
export async function tryInvoice(scene: Scene, own: Row): Promise<Exchange> {
  await scene.at(createdInvoice);
  return (await createInvoice(scene, { reference: scene.text('to be tried'), ...own })).exchange;
}

/** As `tryLink`, for an item of an invoice. */
export function tryItem(scene: Scene, own: Row): Promise<Exchange> {
  return tryInvoice(scene, { items: [{ ...itemsFor(scene).untaxed, ...own }] });
}

/** As `tryLink`, for a deposit, under a key of its own. */
export async function tryDeposit(scene: Scene, own: Row): Promise<Exchange> {
  await scene.at(newDeposit);
  return postDeposit(scene, randomUUID(), { ...depositBody(scene, scene.text('to be tried')), ...own });
}

/**
 * The largest integer that is accepted, between one that is and one that is not.
 * @param isIn asks for a number
 */
export async function largest(
  accepted: number,
  refused: number,
  isIn: (number: number) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [accepted, refused];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isIn(middle)) low = middle;
    else high = middle;
  }
  return low;
}
