import { randomInt, randomUUID } from 'node:crypto';
import { NoMatchingChoice } from '../calibrate/probe.js';
import { Blocked } from '../engine/check-errors.js';
import type { Exchange } from '../engine/exchange.js';
import { describeError, isClientError, isSuccess } from '../engine/expect.js';
import type { JsonObject } from '../engine/json.js';
import type { ClauseContext } from '../engine/session.js';
import { depositBody, newDeposit, postDeposit } from './deposits/setups.js';
import { createdInvoice, postInvoice, validItems } from './invoice-creation/setups.js';
import { newLink } from './payment-links/setups.js';

/** True if a request succeeded (2xx), false if it was refused (4xx). @throws Blocked for any other status */
export function isAccepted(exchange: Exchange): boolean {
  if (isSuccess(exchange)) return true;
  if (isClientError(exchange)) return false;
  const { method, path } = exchange.call;
  throw new Blocked(`${method} ${path} returned ${describeError(exchange)}`, exchange);
}

/** Maximum number of characters of a response body in a calibration's findings. */
const maxSummaryCharacters = 200;

/** Summarizes a response that matches none of the gap's choices: its status and the beginning of its body. */
export function noMatchingChoiceFor({ status, text }: Exchange): NoMatchingChoice {
  return new NoMatchingChoice(`${status} ${text.slice(0, maxSummaryCharacters)}`);
}

/**
 * Tries to create a link whose fields are valid except for `changes`. A field set to undefined is omitted.
 * @throws Blocked if even a valid link is refused
 */
export async function tryCreateLink(context: ClauseContext, changes: JsonObject): Promise<Exchange> {
  // Throws Blocked if a valid link is refused. The functions below do the same with an invoice or a deposit.
  await context.use(newLink);
  return context.post('/payment-links', {
    description: context.withRunPrefix('attempt'),
    amount: 10,
    currency: 'EUR',
    ...changes,
  });
}

/**
 * Tries to create an invoice whose fields are valid except for `changes`. A field set to undefined is omitted.
 * @throws Blocked if even a valid invoice is refused
 */
export async function tryCreateInvoice(context: ClauseContext, changes: JsonObject): Promise<Exchange> {
  await context.use(createdInvoice);
  return (await postInvoice(context, { reference: context.withRunPrefix('attempt'), ...changes })).exchange;
}

/** Like `tryCreateInvoice`, but with a single item, whose fields are valid except for `changes`. */
export function tryCreateInvoiceWithItem(context: ClauseContext, changes: JsonObject): Promise<Exchange> {
  return tryCreateInvoice(context, { items: [{ ...validItems(context).untaxed, ...changes }] });
}

/**
 * Tries to create a deposit with a new idempotency key and a new booking reference: a target may allow only one deposit
 * of a booking. Its fields are valid except for `changes`. A field set to undefined is omitted.
 * @throws Blocked if even a valid deposit is refused
 */
export async function tryCreateDeposit(context: ClauseContext, changes: JsonObject): Promise<Exchange> {
  await context.use(newDeposit);
  // A number, since `compare` pairs requests that differ only in numbers. No longer than the reference of `newDeposit`,
  // since a target may limit the length.
  const reference = context.withRunPrefix(String(randomInt(10_000_000)));
  return postDeposit(context, randomUUID(), { ...depositBody(reference), ...changes });
}

/**
 * Finds the largest integer that the target accepts, by bisection.
 * @param accepted an integer that is known to be accepted, or 0; it is returned if no larger one is accepted
 * @param refused a larger integer that is known to be refused
 * @param accepts sends a request with an integer, and returns true if it is accepted
 */
export async function findLargestAccepted(
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
