import { apiTimestamp, formatInstant } from '../../domain/dates.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import { messageDelayOf } from '../../domain/message-delays.js';
import type { Delivery, EventName, Subject } from '../../domain/records.js';
import { parseJson } from '../../lib/json.js';
import { triggeredRuns } from '../scenarios/triggered-runs.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';

/** Rows to store for an event: its webhook message (a delivery), and the runs of scenarios that it starts. */
export function eventRows(account: AccountState, event: DomainEvent): RowsByTable {
  const delivery = deliveryOf(account, event);
  const rows = delivery ? deliveryRows(account, delivery) : {};
  const runs = triggeredRuns(account, event);
  return runs.length > 0 ? { ...rows, runs } : rows;
}

/**
 * Rows of a new message, with the matching faults, the resulting delay, and the waiting messages that it overtakes.
 * Faults are matched here and not when the message is sent, so that the result depends on the order of events and not
 * on the network.
 */
function deliveryRows(account: AccountState, message: Delivery): RowsByTable {
  // Faults do not affect a message that is never sent.
  if (message.url === null) return { deliveries: [message] };
  const now = account.now();
  const { firingFaults, rows: faultRows } = account.faultIndex.match(
    'message',
    () => ({ event: message.event, body: parseJson(message.body) }),
    account,
  );
  // A message that a user has resent cannot be overtaken any more.
  const isSent = (id: string): boolean => account.attemptsOfDelivery.has(id);
  const waiting = account.reorderedDeliveries.unsent(isSent);
  if (faultRows.length === 0 && waiting.length === 0) return { deliveries: [message] };
  const { from, waitMs } = messageDelayOf(firingFaults, now);
  // Those that still wait when the message is sent.
  const overtaken = waiting.filter(({ delay }) => delay !== undefined && Date.parse(delay.until) > from);
  // A message that overtakes others does not itself wait for one that overtakes it.
  const until = overtaken.length > 0 ? from : from + waitMs;
  const delivery: Delivery = {
    ...message,
    ...(firingFaults.length > 0 ? { faults: firingFaults.map(({ id, effects }) => ({ id, effects })) } : {}),
    ...(until > now ? { delay: { from: formatInstant(from), until: formatInstant(until) } } : {}),
    ...(overtaken.length > 0 ? { overtakes: overtaken.map(({ id }) => id) } : {}),
  };
  return { deliveries: [delivery], ...(faultRows.length > 0 ? { faults: faultRows } : {}) };
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
  // Includes the time, so that ids after a restore differ from those before it, except at the same time on a frozen
  // clock. There they repeat, since the same requests must lead to the same bodies again.
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
  // `join` makes one string. A template makes a tree of strings, which takes twice the memory for as long as the message
  // is kept, and which the garbage collector is slow to copy.
  return ['{', id, event, createdAt, `"${names.data}":`, data, '}'].join('');
}

/** A JSON member followed by a comma; empty for a name that the profile leaves out. */
function member(name: string | undefined, text: string): string {
  return name === undefined ? '' : `"${name}":"${text}",`;
}
