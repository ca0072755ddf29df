import type { AgendaItem, AgendaKind } from '../../domain/agenda-item.js';
import { parseInstant } from '../../domain/dates.js';
import { expiresAt } from '../../domain/deposit-lifecycle.js';
import { fallsDueAt, isUnpaid } from '../../domain/invoice-lifecycle.js';
import { isInProgress } from '../../domain/payment-lifecycle.js';
import type { Delivery, Deposit, Invoice, Mail, Payment, Replay } from '../../domain/records.js';
import type { Run } from '../../domain/scenario.js';
import type { AccountState } from './account-state.js';

const dayMs = 86_400_000;

/** For each kind of agenda item, the rows that have such items. */
export interface AgendaRows extends Record<AgendaKind, unknown> {
  readonly 'invoice-falls-due': Invoice;
  readonly 'deposit-expires': Deposit;
  readonly 'payment-ends': Payment;
  readonly 'key-forgotten': Replay;
  readonly 'delivery-attempt': Delivery;
  readonly 'mail-attempt': Mail;
  readonly 'scenario-step': Run;
}

/** How to find the row of an agenda item, and when it is due. */
export interface DueTimeRule<Row> {
  find(state: AccountState, id: AgendaItem['id']): Row | undefined;
  /** Milliseconds since 1970; undefined if nothing is due. */
  dueAt(state: AccountState, row: Row): number | undefined;
}

export const dueTimes: { readonly [Kind in AgendaKind]: DueTimeRule<AgendaRows[Kind]> } = {
  'invoice-falls-due': {
    find: ({ invoices }, id) => invoices.get(id),
    dueAt: ({ profile, record }, invoice) =>
      isUnpaid(invoice) && !invoice.past_due ? fallsDueAt(invoice, profile, record.time_zone) : undefined,
  },
  'deposit-expires': {
    find: ({ deposits }, id) => deposits.get(id),
    dueAt: ({ profile }, deposit) => expiresAt(deposit, profile),
  },
  'payment-ends': {
    find: ({ payments }, id) => payments.get(id),
    dueAt: (_state, { status, ends }) => (ends && isInProgress(status) ? parseInstant(ends.at) : undefined),
  },
  'key-forgotten': {
    find: ({ replays }, id) => replays.get(String(id)),
    dueAt({ profile }, replay) {
      const retention = profile['deposit.key-retention'];
      if (retention === 'forever') return undefined;
      return parseInstant(replay.created_at) + (retention === 'day' ? dayMs : retention.after);
    },
  },
  'delivery-attempt': {
    find: ({ deliveries }, id) => deliveries.get(id),
    dueAt(state, delivery) {
      const at = deliveryDueAt(state, delivery);
      return at === null ? undefined : parseInstant(at);
    },
  },
  'mail-attempt': {
    find: ({ mails }, id) => mails.get(id),
    dueAt: (_state, { next_at }) => (next_at === null ? undefined : parseInstant(next_at)),
  },
  'scenario-step': {
    find: ({ runs }, id) => runs.get(id),
    dueAt: (_state, { due_at }) => (due_at === null ? undefined : parseInstant(due_at)),
  },
};

/** Due time of the row with an id; undefined if it does not exist or has nothing due. */
export function dueAtOf<Kind extends AgendaKind>(
  kind: Kind,
  state: AccountState,
  id: AgendaItem['id'],
): number | undefined {
  const { find, dueAt }: DueTimeRule<AgendaRows[Kind]> = dueTimes[kind];
  const row = find(state, id);
  return row === undefined ? undefined : dueAt(state, row);
}

/** Time of the next attempt of a delivery, ISO 8601; null if there is none. */
export function deliveryDueAt(state: AccountState, delivery: Delivery): string | null {
  const { id, url, held, created_at } = delivery;
  const last = state.attemptsOfDelivery.last(id);
  if (last) return last.next_at;
  if (url === null) return null;
  return held ? heldUntil(state, id, held) : created_at;
}

/** Due time of a held message, ISO 8601: that of the message that overtook it, or the end of its wait. */
function heldUntil(state: AccountState, id: string, { from, until }: NonNullable<Delivery['held']>): string {
  const overtaker = state.heldMessages.overtakerOf(id);
  if (!overtaker) return until;
  const overtakerDueAt = overtaker.held?.until ?? overtaker.created_at;
  return overtakerDueAt > from ? overtakerDueAt : from;
}
