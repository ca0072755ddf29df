import { NoMatchingChoice } from '../../calibrate/probe.js';
import { type Delivery, leavesOf } from '../../engine/delivery.js';
import { valueAt } from '../../engine/expect.js';
import { parseExactJson } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import { tryCreateInvoice } from '../attempts.js';
import { createDeposit } from '../deposits/setups.js';
import { requireRecord } from '../invoice-creation/setups.js';
import { requireDriverMethod } from '../require-driver-method.js';
import { awaitDelivery, webhookReceiver } from '../webhook-receiver.js';
import { eventNameOf, isAboutDeposit } from '../webhooks/setups.js';

/**
 * Finds out whether the target sends the webhook `payment.succeeded` when an invoice is paid, and whether its
 * `payment_link_id` is null then.
 * @throws Skip, Blocked
 */
export async function observeInvoicePayment(
  context: ClauseContext,
): Promise<'with-null-link' | 'none' | NoMatchingChoice> {
  await requireDriverMethod(context, 'markInvoicePaid');
  await context.use(webhookReceiver);
  const invoice = requireRecord(
    await tryCreateInvoice(context, { reference: context.withRunPrefix('paid with a webhook') }),
  );
  const number = String(invoice['invoice_number']);
  const paidAt = Date.now();
  await context.drive('markInvoicePaid', invoice);
  const found = await awaitDelivery(
    context,
    paidAt,
    (delivery) =>
      eventNameOf(delivery) === 'payment.succeeded' && leavesOf(delivery).some(({ text }) => text.includes(number)),
  );
  if (found)
    return linkIdIn(found) === null ? 'with-null-link' : new NoMatchingChoice(`payment_link_id is ${linkIdIn(found)}`);
  // That no webhook arrived only proves something if webhooks about other records do arrive.
  const deposit = await createDeposit(context, 'with a webhook instead of a payment');
  const depositDelivery = await awaitDelivery(context, deposit.sentAt, (delivery) =>
    isAboutDeposit(delivery, context, deposit),
  );
  if (!depositDelivery) throw new Blocked('no webhook has arrived');
  return 'none';
}

/** Returns the `payment_link_id` of a webhook, at the top level of the payload or in its `data`. */
function linkIdIn({ text }: Delivery): unknown {
  const body = parseExactJson(text);
  const data = valueAt(body, 'data') ?? body;
  return valueAt(data, 'payment_link_id');
}
