import { apiTimestamp, formatInstant } from '../../domain/dates.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import type { Delivery, EventName, Subject } from '../../domain/records.js';
import { deliveryRows } from '../faults/faulty-messages.js';
import { triggeredRuns } from '../scenarios/triggered-runs.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';

/** Rows of an event: its delivery, and the runs of scenarios that it starts. */
export function eventRows(account: AccountState, event: DomainEvent): RowsByTable {
  const delivery = deliveryOf(account, event);
  const rows = delivery ? deliveryRows(account, delivery) : {};
  const runs = triggeredRuns(account, event);
  return runs.length > 0 ? { ...rows, runs } : rows;
}

/** The delivery of an event; undefined for events that the service does not send. */
function deliveryOf(account: AccountState, { event, record }: DomainEvent): Delivery | undefined {
  if (event === 'invoice.created' || event === 'payment_link.created') return undefined;
  const isPayment = event === 'payment.succeeded';
  if (isPayment && record.payment_link_id === null && account.profile['event.invoice-payment'] === 'none') {
    return undefined;
  }
  const created_at = formatInstant(account.now());
  const number = account.deliveries.size + 1;
  // The id also depends on the time, so that events after a restore get other ids than those before it.
  const id = `evt_${account.seededHex(`event ${number} ${event} ${record.id} ${created_at}`).slice(0, 24)}`;
  const { presentation } = account.ports;
  const data = isPayment ? presentation.payment(account, record) : presentation.deposit(account, record);
  const subject: Subject = { resource: isPayment ? 'payment' : 'deposit', id: record.id };
  const body = bodyOf(account, { id, event, created_at }, data);
  return { id, event, subject, body, url: account.record.webhook_url, created_at };
}

const defaultMemberNames = { id: 'id', event: 'event', created_at: 'created_at', data: 'data' };

/** The body of a message (gap event.payload). */
function bodyOf(
  account: AccountState,
  head: { id: string; event: EventName; created_at: string },
  data: string,
): string {
  const choice = account.profile['event.payload'];
  if (choice === 'top-level') return data;
  const names = typeof choice === 'string' ? defaultMemberNames : choice.members;
  const id = member(names.id, head.id);
  const event = member(names.event, head.event);
  const createdAt = member(names.created_at, apiTimestamp(head.created_at));
  return `{${id}${event}${createdAt}"${names.data}":${data}}`;
}

/** A JSON member followed by a comma; empty for a name that the profile leaves out. */
function member(name: string | undefined, text: string): string {
  return name === undefined ? '' : `"${name}":"${text}",`;
}
