import type { AgendaItem, AgendaKind } from '../domain/agenda-item.js';
import { formatDuration } from './format.js';

/** Describes how long it is until a time, in whole seconds: `in 8 d`; `now` if it has passed. */
export function timeUntil(at: string, now: string): string {
  const remainingMs = Date.parse(at) - Date.parse(now);
  return remainingMs > 0 ? `in ${formatDuration(Math.ceil(remainingMs / 1_000) * 1_000)}` : 'now';
}

/** Describes a time relative to now: `8 d ago`, `in 1 h 35 min`, `now`. Past times have one unit. */
export function formatRelativeTime(at: string, now: string): string {
  const remainingMs = Date.parse(at) - Date.parse(now);
  if (Math.abs(remainingMs) < 1_000) return 'now';
  if (remainingMs > 0) return timeUntil(at, now);
  // Only the first of the units, such as `8 d` of `8 d 2 h`.
  const [duration = ''] = /^\d+ \w+/.exec(formatDuration(-remainingMs)) ?? [];
  return `${duration} ago`;
}

const descriptions: Record<AgendaKind, (id: AgendaItem['id']) => string> = {
  'invoice-falls-due': (id) => `invoice ${id} becomes overdue`,
  'deposit-expires': (id) => `deposit ${id} expires`,
  'payment-ends': (id) => `payment ${id} succeeds or fails`,
  'key-forgotten': (id) => `the Idempotency-Key of ${id} expires`,
  'delivery-attempt': (id) => `webhook ${id} is sent`,
  'mail-attempt': (id) => `email ${id} is sent`,
  'scenario-step': (id) => `scenario run ${id} continues`,
};

/** Describes an agenda item: `deposit 1 expires`. */
export function formatAgendaItem({ kind, id }: Pick<AgendaItem, 'kind' | 'id'>): string {
  return descriptions[kind](id);
}
