import { randomUUID } from 'node:crypto';
import type { Exchange } from '../engine/exchange.js';
import { isRefusal, isSuccess } from '../engine/expect.js';
import type { ClauseContext } from '../engine/session.js';
import { Blocked } from '../engine/verdict.js';
import { depositBody, newDeposit, postDeposit } from './deposits/setups.js';
import { createdInvoice, createInvoice, itemsFor, type Row } from './invoice-creation/setups.js';
import { newLink } from './payment-links/setups.js';

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
export async function tryLink(context: ClauseContext, own: Row): Promise<Exchange> {
  await context.use(newLink);
  return context.post('/payment-links', {
    description: context.text('to be tried'),
    amount: 10,
    currency: 'EUR',
    ...own,
  });
}

/** As `tryLink`, for an invoice. */
export async function tryInvoice(context: ClauseContext, own: Row): Promise<Exchange> {
  await context.use(createdInvoice);
  return (await createInvoice(context, { reference: context.text('to be tried'), ...own })).exchange;
}

/** As `tryLink`, for an item of an invoice. */
export function tryItem(context: ClauseContext, own: Row): Promise<Exchange> {
  return tryInvoice(context, { items: [{ ...itemsFor(context).untaxed, ...own }] });
}

/** As `tryLink`, for a deposit, under a key of its own. */
export async function tryDeposit(context: ClauseContext, own: Row): Promise<Exchange> {
  await context.use(newDeposit);
  return postDeposit(context, randomUUID(), { ...depositBody(context, context.text('to be tried')), ...own });
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
