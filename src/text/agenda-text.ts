import type { AgendaItem, AgendaKind } from '../domain/agenda-item.js';
import { formatDuration } from './format.js';

/** `in 8 d`, `now`. */
export function until(at: string, now: string): string {
  const left = Date.parse(at) - Date.parse(now);
  return left > 0 ? `in ${formatDuration(left)}` : 'now';
}

const descriptions: Record<AgendaKind, (id: AgendaItem['id']) => string> = {
  'invoice-falls-due': (id) => `invoice ${id} falls due`,
  'deposit-expires': (id) => `deposit ${id} expires`,
  'payment-ends': (id) => `payment ${id} ends`,
  'key-forgotten': (id) => `the Idempotency-Key of ${id} expires`,
  'delivery-attempt': (id) => `${id} is sent`,
  'mail-attempt': (id) => `mail ${id} is sent`,
  'scenario-step': (id) => `run ${id} of a scenario continues`,
};

/** Describes an agenda item: `deposit 1 expires`. */
export function formatDue({ kind, id }: Pick<AgendaItem, 'kind' | 'id'>): string {
  return descriptions[kind](id);
}
