import { type Delivery, leavesOf } from '../delivery.js';
import { valueAt } from '../expect.js';
import { tryInvoice } from '../facts/attempts.js';
import { makeDeposit } from '../facts/deposits.js';
import { isAboutDeposit, nameOf } from '../facts/events.js';
import { recordOf } from '../facts/invoices.js';
import { awaitDelivery, webhooks } from '../facts/webhooks.js';
import { jsonOf } from '../json.js';
import { Unlisted } from '../probe.js';
import type { Scene } from '../session.js';
import { Blocked } from '../verdict.js';

/** Whether paying an invoice sends `payment.succeeded`. @throws Skip, Blocked */
export async function invoicePayment(scene: Scene): Promise<'with-null-link' | 'none' | Unlisted> {
  if (!scene.session.driver.markInvoicePaid) await scene.drive('markInvoicePaid', {});
  await scene.at(webhooks);
  const invoice = recordOf(await tryInvoice(scene, { reference: scene.text('paid and told') }));
  const number = String(invoice['invoice_number']);
  const at = Date.now();
  await scene.drive('markInvoicePaid', invoice);
  const found = await awaitDelivery(
    scene,
    at,
    (delivery) =>
      nameOf(delivery) === 'payment.succeeded' && leavesOf(delivery).some(({ text }) => text.includes(number)),
  );
  if (found) return linkIn(found) === null ? 'with-null-link' : new Unlisted(`payment_link_id is ${linkIn(found)}`);
  // Where nothing is told at all, it says nothing that this is not.
  const deposit = await makeDeposit(scene, 'told in place of a payment');
  const other = await awaitDelivery(scene, deposit.at, (delivery) => isAboutDeposit(delivery, scene, deposit));
  if (!other) throw new Blocked('no webhook comes');
  return 'none';
}

/** The id of the link that was paid, in an envelope or without one. */
function linkIn({ text }: Delivery): unknown {
  const body = jsonOf(text);
  const data = valueAt(body, 'data') ?? body;
  return valueAt(data, 'payment_link_id');
}
