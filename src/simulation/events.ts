import { instant, timestamp } from '../domain/dates.js';
import type { Delivery, Deposit, EventName, Invoice, Payment, PaymentLink, Subject } from '../domain/records.js';
import type { Account } from './account.js';
import { triggeredRuns } from './triggers.js';
import type { Put } from './world.js';

/** Something worth telling has come about. */
export type Happening =
  | { readonly event: Exclude<EventName, 'payment.succeeded'>; readonly record: Deposit }
  | { readonly event: 'payment.succeeded'; readonly record: Payment }
  | { readonly event: 'invoice.created'; readonly record: Invoice }
  | { readonly event: 'payment_link.created'; readonly record: PaymentLink };

/**
 * Commits rows together with what tells of them: the messages that go out, and the scenarios that begin.
 * The only way in which events come about (gap event.trigger).
 */
export function commitEvents(account: Account, put: Put, ...happenings: Happening[]): Promise<void> {
  return account.commit({ ...put, ...tell(account, happenings) });
}

/** The rows that tell of happenings. */
export function tell(account: Account, happenings: readonly Happening[]): Put {
  const deliveries = happenings.flatMap((happening, index) => deliveriesOf(account, happening, index));
  const runs = triggeredRuns(account, happenings);
  return {
    ...(deliveries.length > 0 ? { deliveries } : {}),
    ...(runs.length > 0 ? { runs } : {}),
  };
}

function deliveriesOf(account: Account, happening: Happening, index: number): Delivery[] {
  const { event, record } = happening;
  if (event === 'invoice.created' || event === 'payment_link.created') return [];
  const isPayment = event === 'payment.succeeded';
  if (isPayment && record.payment_link_id === null && account.profile['event.invoice-payment'] === 'none') return [];
  const created_at = instant(account.now());
  // Of its moment too, so that after the restoring of a snapshot other events do not get the ids of those before.
  const number = account.deliveries.size + index + 1;
  const id = `evt_${account.chance(`event ${number} ${event} ${record.id} ${created_at}`).slice(0, 24)}`;
  const { presentation } = account.ports;
  const data = isPayment ? presentation.payment(account, record) : presentation.deposit(account, record);
  const subject: Subject = { resource: isPayment ? 'payment' : 'deposit', id: record.id };
  const body = bodyOf(account, { id, event, created_at }, data);
  return [{ id, event, subject, body, url: account.record.webhook_url, created_at }];
}

/** The body of a message (gap event.payload). */
function bodyOf(account: Account, head: { id: string; event: EventName; created_at: string }, data: string): string {
  if (account.profile['event.payload'] === 'top-level') return data;
  const { id, event } = head;
  return `{"id":"${id}","event":"${event}","created_at":"${timestamp(head.created_at)}","data":${data}}`;
}
