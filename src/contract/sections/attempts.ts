import { randomUUID } from 'node:crypto';
import type { Exchange } from '../engine/exchange.js';
import { isClientError, isSuccess } from '../engine/expect.js';
import type { ClauseContext } from '../engine/session.js';
import { Blocked } from '../engine/verdict.js';
import { depositBody, newDeposit, postDeposit } from './deposits/setups.js';
import { createdInvoice, createInvoice, itemsFor, type Row } from './invoice-creation/setups.js';
import { newLink } from './payment-links/setups.js';

/** Whether a request was accepted: true for a success, false for a 4xx. @throws Blocked for any other status */
export function isAccepted(exchange: Exchange): boolean {
  if (isSuccess(exchange)) return true;
  if (isClientError(exchange)) return false;
  const { method, path } = exchange.call;
  throw new Blocked(`${method} ${path} returned ${exchange.status}`, exchange);
}

/**
 * Tries to create a link with some fields changed; undefined omits a field.
 * @throws Blocked if even the unchanged link is refused
 */
export async function tryLink(context: ClauseContext, changes: Row): Promise<Exchange> {
  await context.use(newLink);
  return context.post('/payment-links', {
    description: context.withRunPrefix('attempt'),
    amount: 10,
    currency: 'EUR',
    ...changes,
  });
}

/** Like `tryLink`, for an invoice. */
export async function tryInvoice(context: ClauseContext, changes: Row): Promise<Exchange> {
  await context.use(createdInvoice);
  return (await createInvoice(context, { reference: context.withRunPrefix('attempt'), ...changes })).exchange;
}

/** Like `tryLink`, for an item of an invoice. */
export function tryItem(context: ClauseContext, changes: Row): Promise<Exchange> {
  return tryInvoice(context, { items: [{ ...itemsFor(context).untaxed, ...changes }] });
}

/** Like `tryLink`, for a deposit with a new idempotency key. */
export async function tryDeposit(context: ClauseContext, changes: Row): Promise<Exchange> {
  await context.use(newDeposit);
  return postDeposit(context, randomUUID(), { ...depositBody(context, context.withRunPrefix('attempt')), ...changes });
}

/** Finds the largest integer that the target accepts, by bisection. @param accepts sends a request with the integer */
export async function largestAccepted(
  accepted: number,
  refused: number,
  accepts: (value: number) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [accepted, refused];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await accepts(middle)) low = middle;
    else high = middle;
  }
  return low;
}
