import { instant } from '../../domain/dates.js';
import { usualFailure } from '../../domain/faults.js';
import type { Attempt, Delivery, Undone } from '../../domain/records.js';
import { isDelivered, nextAttemptAt } from '../../domain/retries.js';
import { countFaults } from '../faults/faults.js';
import type { AccountState } from '../state/account-state.js';
import { deliveryDueAt } from '../state/due-times.js';
import type { OutgoingMessage, WebhookOutcome } from '../state/ports.js';
import type { WritableAccount } from '../transaction.js';

/** Something that was sent, or was to be. */
export interface AttemptResult {
  readonly copy: OutgoingMessage;
  readonly at: number;
  readonly url: string;
  readonly outcome: WebhookOutcome;
  readonly done: OutgoingMessage['done'];
}

/** The rows of what was sent: of the delivery itself first, and then of what faults have sent besides. */
export function attemptRows(
  account: AccountState,
  delivery: Delivery,
  by: 'schedule' | 'hand',
  made: readonly AttemptResult[],
  undone: readonly Undone[],
): Attempt[] {
  const rows: Attempt[] = [];
  for (const { copy, at, url, outcome, done } of made) {
    const { delivery: id, body, lost } = copy;
    const [first] = rows;
    const other = id === delivery.id ? undefined : account.deliveries.get(id);
    const own = (): string | null => (lost === 'unnoticed' ? null : nextAt(account, delivery, by, outcome));
    const number = account.attemptsOfDelivery.all(id).length + rows.filter((row) => row.delivery_id === id).length + 1;
    const row: Attempt = {
      id: `${id}/${number}`,
      delivery_id: id,
      number,
      by: first ? 'fault' : by,
      at: instant(at),
      url,
      headers: outcome.headers,
      status: outcome.status,
      error: outcome.error,
      milliseconds: outcome.milliseconds,
      answer: outcome.answer,
      next_at: other ? deliveryDueAt(account, other) : first ? first.next_at : own(),
    };
    const isChanged = body !== (other ?? delivery).body;
    rows.push(withNotes(row, { body: isChanged ? body : undefined, done, undone: first ? [] : undone }));
  }
  return rows;
}

/** Nearly all attempts are of a message as it is, and have nothing to note. */
function withNotes(
  row: Attempt,
  notes: Pick<AttemptResult, 'done'> & { body: string | undefined; undone: readonly Undone[] },
): Attempt {
  const { body, done, undone } = notes;
  if (body === undefined && done.length === 0 && undone.length === 0) return row;
  return {
    ...row,
    ...(body === undefined ? {} : { body }),
    ...(done.length === 0 ? {} : { done }),
    ...(undone.length === 0 ? {} : { undone }),
  };
}

/** Asks the receiver, unless a fault answers in its place, of which one hit is then used up. */
export async function makeAttempt(
  account: WritableAccount,
  copy: OutgoingMessage,
  stop: AbortSignal,
): Promise<AttemptResult> {
  const { secret, event, body, signed, headers, done, lost } = copy;
  const { webhook_url } = account.record;
  const at = account.now();
  const url = webhook_url ?? '';
  if (lost) return { copy, at, url, outcome: noAnswer('lost on the way by a fault'), done };
  const fault = countFaults(account, 'attempt', () => ({ event, body: JSON.parse(body) }))[0];
  if (fault) {
    const status = fault.effects[0]?.['status'] ?? usualFailure;
    if (typeof status !== 'number') throw new Error(`fault ${fault.id} has no status`);
    const outcome = { ...noAnswer(null), status, answer: 'answered by a fault of the simulator' };
    return { copy, at, url, outcome, done: [...done, 'receiver-fails'] };
  }
  if (webhook_url === null) return { copy, at, url, outcome: noAnswer('no webhook URL is set any more'), done };
  const message = { url, secret, event, body, signed, headers, profile: account.profile };
  return { copy, at, url, outcome: await account.ports.sendWebhook(message, stop), done };
}

function noAnswer(error: string | null): WebhookOutcome {
  return { headers: {}, status: null, error, milliseconds: 0, answer: '', retryAfter: null };
}

/** A delivery that was sent by hand is finished if it came through; if not, its schedule stays as it was. */
function nextAt(
  account: AccountState,
  delivery: Delivery,
  by: 'schedule' | 'hand',
  outcome: WebhookOutcome,
): string | null {
  const before = account.attemptsOfDelivery.all(delivery.id).filter((attempt) => attempt.by !== 'fault');
  if ([outcome, ...before].some(({ status }) => isDelivered(status))) return null;
  if (by === 'hand') return deliveryDueAt(account, delivery);
  const tries = before.filter((attempt) => attempt.by === 'schedule').length + 1;
  const at = nextAttemptAt(tries, outcome, account.profile, account.now());
  return at === undefined ? null : instant(at);
}
