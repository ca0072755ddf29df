import { isRecord } from '../../../lib/json.js';
import { NoMatchingChoice } from '../../calibrate/probe.js';
import { Blocked } from '../../engine/check-errors.js';
import { type Delivery, leavesOf, objectsOf } from '../../engine/delivery.js';
import { valueAt } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { tryCreateInvoice } from '../attempts.js';
import { requireRecord } from '../created-records.js';
import { createDeposit } from '../deposits/setups.js';
import { successesSoFar } from '../responses.js';
import { awaitDelivery, webhookReceiver } from '../webhook-receiver.js';
import { eventNameOf, hasLinkId, hasText, isAboutDeposit } from './setups.js';

/**
 * Finds out whether the target sends a `payment.succeeded` webhook when an invoice is paid and, if so, whether its
 * `payment_link_id` is null.
 * @throws Skip, Blocked
 */
export async function observeInvoicePayment(
  context: ClauseContext,
): Promise<'with-null-link' | 'none' | NoMatchingChoice> {
  context.requireDriverMethod('markInvoicePaid');
  await context.use(webhookReceiver);
  const reference = context.withRunPrefix('invoice whose payment may trigger a webhook');
  const invoice = requireRecord(await tryCreateInvoice(context, { reference }));
  const number = String(invoice['invoice_number']);
  const paidAt = Date.now();
  await context.drive('markInvoicePaid', invoice);
  const found = await awaitDelivery(
    context,
    paidAt,
    (delivery) =>
      delivery.receivedAt >= paidAt &&
      eventNameOf(delivery) === 'payment.succeeded' &&
      isAboutInvoice(delivery, context, { number, reference }),
  );
  if (found)
    return linkIdIn(found) === null ? 'with-null-link' : new NoMatchingChoice(`payment_link_id is ${linkIdIn(found)}`);
  // A missing webhook only proves something if webhooks about other records arrive.
  const deposit = await createDeposit(context, 'to see whether webhooks arrive');
  const depositDelivery = await awaitDelivery(context, deposit.sentAt, (delivery) =>
    isAboutDeposit(delivery, context, deposit),
  );
  if (!depositDelivery) throw new Blocked('no webhook has arrived');
  return 'none';
}

/**
 * True if a delivery contains the number of an invoice, and is not about another record of the run. A short number such
 * as `7` also occurs elsewhere. So it must be a whole word outside of ids and link URLs, and webhooks about links of
 * the run are ruled out first.
 */
function isAboutInvoice(
  delivery: Delivery,
  context: ClauseContext,
  { number, reference }: { readonly number: string; readonly reference: string },
): boolean {
  const leaves = leavesOf(delivery);
  if (hasText(leaves, context.session.runId) && !hasText(leaves, reference)) return false;
  const runLinks = successesSoFar(context, 'createPaymentLink').map(({ json }) => valueAt(json, 'data'));
  if (runLinks.some((record) => isRecord(record) && hasLinkId(delivery, { record }))) return false;
  return leaves.some(({ name, text }) => !/(^|_)id$|^payment_link_url$/.test(name) && hasWord(text, number));
}

/** True if the text contains the word with no letter or digit directly before or after it; false for an empty word. */
function hasWord(text: string, word: string): boolean {
  const isLetterOrDigit = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
  if (word === '') return false;
  for (let start = text.indexOf(word); start !== -1; start = text.indexOf(word, start + 1)) {
    const end = start + word.length;
    if (!isLetterOrDigit(text.slice(0, start).slice(-1)) && !isLetterOrDigit(text.slice(end, end + 1))) return true;
  }
  return false;
}

/**
 * Returns the `payment_link_id` of a webhook, at any depth of its payload: the specification does not say under which
 * key an envelope holds the payment.
 */
function linkIdIn(delivery: Delivery): unknown {
  return objectsOf(delivery).find((record) => 'payment_link_id' in record)?.['payment_link_id'];
}
