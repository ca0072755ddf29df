import type { AgendaItem, AgendaKind } from '../../domain/agenda-item.js';
import { expiresAt } from '../../domain/deposit-lifecycle.js';
import { fallsDueAt, isUnpaid } from '../../domain/invoice-lifecycle.js';
import { isUnderWay } from '../../domain/payment-lifecycle.js';
import type { Delivery, Deposit, Invoice, Mail, Payment, Replay } from '../../domain/records.js';
import type { Run } from '../../domain/scenario.js';
import type { AccountState } from './account-state.js';

/** The rows that have something due, by the kind of agenda item. */
export interface AgendaRows extends Record<AgendaKind, unknown> {
  readonly 'invoice-falls-due': Invoice;
  readonly 'deposit-expires': Deposit;
  readonly 'payment-ends': Payment;
  readonly 'key-forgotten': Replay;
  readonly 'delivery-attempt': Delivery;
  readonly 'mail-attempt': Mail;
  readonly 'scenario-step': Run;
}

/** The time at which one kind of row is due. */
export interface DueTime<Row> {
  find(state: AccountState, id: AgendaItem['id']): Row | undefined;
  /** In milliseconds; undefined for a row with nothing due. */
  dueAt(state: AccountState, row: Row): number | undefined;
}

export const dueTimes: { readonly [Kind in AgendaKind]: DueTime<AgendaRows[Kind]> } = {
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
    dueAt: (_state, { status, ends }) => (ends && isUnderWay(status) ? Date.parse(ends.at) : undefined),
  },
  'key-forgotten': {
    find: ({ replays }, id) => replays.get(String(id)),
    dueAt({ profile }, replay) {
      const retention = profile['deposit.key-retention'];
      if (retention === 'forever') return undefined;
      return Date.parse(replay.created_at) + (retention === 'day' ? 86_400_000 : retention.after);
    },
  },
  'delivery-attempt': {
    find: ({ deliveries }, id) => deliveries.get(id),
    dueAt(state, delivery) {
      const at = deliveryDueAt(state, delivery);
      return at === null ? undefined : Date.parse(at);
    },
  },
  'mail-attempt': {
    find: ({ mails }, id) => mails.get(id),
    dueAt: (_state, { next_at }) => (next_at === null ? undefined : Date.parse(next_at)),
  },
  'scenario-step': {
    find: ({ runs }, id) => runs.get(id),
    dueAt: (_state, { due_at }) => (due_at === null ? undefined : Date.parse(due_at)),
  },
};

/** When the row of an id is due; undefined where it does not exist or has nothing due. */
export function dueAtOf<Kind extends AgendaKind>(
  kind: Kind,
  state: AccountState,
  id: AgendaItem['id'],
): number | undefined {
  const { find, dueAt }: DueTime<AgendaRows[Kind]> = dueTimes[kind];
  const row = find(state, id);
  return row === undefined ? undefined : dueAt(state, row);
}

/** When the next attempt of a delivery is due, as an instant; null if none is. */
export function deliveryDueAt(state: AccountState, delivery: Delivery): string | null {
  const { id, url, held, created_at } = delivery;
  const last = state.attemptsOfDelivery.all(id).at(-1);
  if (last) return last.next_at;
  if (url === null) return null;
  return held ? heldUntil(state, id, held) : created_at;
}

/** When a held message is due, as an instant: once the one that it has waited for is, or when it has waited long enough. */
function heldUntil(state: AccountState, id: string, { from, until }: NonNullable<Delivery['held']>): string {
  const leader = state.heldMessages.leaderOf(id);
  if (!leader) return until;
  const after = leader.held?.until ?? leader.created_at;
  return after > from ? after : from;
}
