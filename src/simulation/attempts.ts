import { instant } from '../domain/dates.js';
import { usualFailure } from '../domain/faults.js';
import type { Attempt, Delivery, Undone } from '../domain/records.js';
import { isDelivered, nextAttemptAt } from '../domain/retries.js';
import type { Account } from './account.js';
import { countFaults } from './faults.js';
import { heldUntil } from './faulty-messages.js';
import type { Copy, WebhookOutcome } from './world.js';

/** Something that was sent, or was to be. */
export interface Made {
  readonly copy: Copy;
  readonly at: number;
  readonly url: string;
  readonly outcome: WebhookOutcome;
  readonly done: Copy['done'];
}

/** The rows of what was sent: of the delivery itself first, and then of what faults have sent besides. */
export function attemptRows(
  account: Account,
  delivery: Delivery,
  by: 'schedule' | 'hand',
  made: readonly Made[],
  undone: readonly Undone[],
): Attempt[] {
  const numbers = new Map<string, number>();
  const rows: Attempt[] = [];
  for (const { copy, at, url, outcome, done } of made) {
    const { delivery: id } = copy;
    const number = (numbers.get(id) ?? account.attemptsOfDelivery.all(id).length) + 1;
    numbers.set(id, number);
    const [first] = rows;
    const own = first ?? { next_at: copy.lost === 'unnoticed' ? null : nextAt(account, delivery, by, outcome) };
    const other = id === delivery.id ? undefined : account.deliveries.get(id);
    rows.push({
      id: `${id}/${number}`,
      delivery_id: id,
      number,
      by: first ? 'fault' : by,
      at: instant(at),
      url,
      headers: outcome.headers,
      ...(copy.body === (other ?? delivery).body ? {} : { body: copy.body }),
      status: outcome.status,
      error: outcome.error,
      milliseconds: outcome.milliseconds,
      answer: outcome.answer,
      next_at: other ? dueAt(account, other) : own.next_at,
      ...(done.length > 0 ? { done } : {}),
      ...(!first && undone.length > 0 ? { undone } : {}),
    });
  }
  return rows;
}

/** Asks the receiver, unless a fault answers in its place, of which one hit is then used up. */
export async function makeAttempt(account: Account, copy: Copy, stop: AbortSignal): Promise<Made> {
  const { secret, event, body, signed, headers, done, lost } = copy;
  const { webhook_url: url } = account.record;
  const made = { copy, at: account.now(), url: url ?? '', done };
  if (lost) return { ...made, outcome: noAnswer('lost on the way by a fault') };
  const [fault] = countFaults(account, 'attempt', () => ({ event, body: JSON.parse(body) }));
  if (fault) {
    const status = fault.effects[0]?.['status'] ?? usualFailure;
    if (typeof status !== 'number') throw new Error(`fault ${fault.id} has no status`);
    const outcome = { ...noAnswer(null), status, answer: 'answered by a fault of the simulator' };
    return { ...made, outcome, done: [...done, 'receiver-fails'] };
  }
  if (url === null) return { ...made, outcome: noAnswer('no webhook URL is set any more') };
  const { profile } = account;
  return {
    ...made,
    outcome: await account.ports.sendWebhook({ url, secret, event, body, signed, headers, profile }, stop),
  };
}

function noAnswer(error: string | null): WebhookOutcome {
  return { headers: {}, status: null, error, milliseconds: 0, answer: '', retryAfter: null };
}

/** When a delivery is due next, as an instant; null if it is not. */
export function dueAt(account: Account, delivery: Delivery): string | null {
  const { id, url, held, created_at } = delivery;
  const last = account.attemptsOfDelivery.all(id).at(-1);
  if (last) return last.next_at;
  if (url === null) return null;
  return held ? heldUntil(account, id, held) : created_at;
}

/** What a person has sent again is done with if it came through; if not, the schedule goes on as it was. */
function nextAt(account: Account, delivery: Delivery, by: 'schedule' | 'hand', outcome: WebhookOutcome): string | null {
  const before = account.attemptsOfDelivery.all(delivery.id).filter((attempt) => attempt.by !== 'fault');
  if ([outcome, ...before].some(({ status }) => isDelivered(status))) return null;
  if (by === 'hand') return dueAt(account, delivery);
  const tries = before.filter((attempt) => attempt.by === 'schedule').length + 1;
  const at = nextAttemptAt(tries, outcome, account.profile, account.now());
  return at === undefined ? null : instant(at);
}
