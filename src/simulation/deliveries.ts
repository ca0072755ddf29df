import { instant } from '../domain/dates.js';
import type { Attempt, Delivery } from '../domain/records.js';
import { Refusal } from '../domain/refusal.js';
import { isDelivered, nextAttemptAt } from '../domain/retries.js';
import type { Account } from './account.js';
import type { WebhookOutcome } from './world.js';

/** `unsent`: there was no webhook URL; `failed`: all attempts are used up, or the receiver said 410. */
export type DeliveryStatus = 'unsent' | 'waiting' | 'retrying' | 'delivered' | 'failed';

/** How a delivery stands. */
export function deliveryStatus(account: Account, delivery: Delivery): DeliveryStatus {
  const attempts = account.attemptsOfDelivery.all(delivery.id);
  const last = attempts.at(-1);
  if (!last) return delivery.url === null ? 'unsent' : 'waiting';
  if (attempts.some(({ status }) => isDelivered(status))) return 'delivered';
  return last.next_at === null ? 'failed' : 'retrying';
}

/** @throws Refusal delivery-unknown */
export function getDelivery(account: Account, id: string): Delivery {
  const delivery = account.deliveries.get(id);
  if (!delivery) throw new Refusal('delivery-unknown');
  return delivery;
}

/** What a first attempt waits for: the one before of the same record (gap event.order). Later ones may be overtaken. */
export function chainOf(account: Account, { id, subject }: Delivery): string | undefined {
  const isFirst = account.attemptsOfDelivery.all(id).length === 0;
  if (!isFirst || account.profile['event.order'] === 'none') return undefined;
  return `${subject.resource} ${subject.id}`;
}

/**
 * Makes the attempt that is due of a delivery. What came of it is on its way to the store then; should it not get there,
 * the attempt is due again.
 */
export async function attemptDelivery(account: Account, id: string, stop: AbortSignal): Promise<void> {
  // Nothing is told before it is stored.
  await account.whenSettled();
  const delivery = account.deliveries.get(id);
  if (delivery && !stop.aborted && isStillDue(account, delivery)) await attempt(account, delivery, 'schedule', stop);
}

/**
 * Sends a delivery again, now, whatever has become of it.
 * @throws Refusal delivery-unknown, account-replaced, not-stored
 */
export async function resendDelivery(account: Account, id: string): Promise<Delivery> {
  const delivery = getDelivery(account, id);
  await account.stored();
  const { stored } = await attempt(account, delivery, 'hand', new AbortController().signal);
  await stored;
  return delivery;
}

/** While it waited for its turn, a person may have sent it, or the time that has made it due may have been taken back. */
function isStillDue(account: Account, delivery: Delivery): boolean {
  const due = dueAt(account, delivery);
  if (due === null) return false;
  const at = Date.parse(due);
  if (at <= account.now()) return true;
  account.schedule.plan({ at, kind: 'delivery-attempt', id: delivery.id });
  return false;
}

/** @returns when what came of it is stored; nothing is where the account wants nothing any more */
async function attempt(
  account: Account,
  delivery: Delivery,
  by: Attempt['by'],
  stop: AbortSignal,
): Promise<{ stored: Promise<void> | undefined }> {
  const { id } = delivery;
  const at = account.now();
  const url = account.record.webhook_url ?? '';
  const outcome = await makeAttempt(account, delivery, stop);
  if (stop.aborted) return { stored: undefined };
  const number = account.attemptsOfDelivery.all(id).length + 1;
  const row: Attempt = {
    id: `${id}/${number}`,
    delivery_id: id,
    number,
    by,
    at: instant(at),
    url,
    headers: outcome.headers,
    status: outcome.status,
    error: outcome.error,
    milliseconds: outcome.milliseconds,
    answer: outcome.answer,
    next_at: nextAt(account, delivery, by, outcome),
  };
  return { stored: account.commit({ attempts: [row] }) };
}

/** Asks the receiver, unless a fault answers in its place, of which one hit is then used up. */
async function makeAttempt(account: Account, { event, body }: Delivery, stop: AbortSignal): Promise<WebhookOutcome> {
  const { webhook_url: url, webhook_secret: secret } = account.record;
  const fault = account.faults.rows.find(({ hits, times }) => hits < times);
  if (fault) {
    account.commit({ faults: [{ ...fault, hits: fault.hits + 1 }] });
    return { ...noAnswer(null), status: fault.status, answer: 'answered by a fault of the simulator' };
  }
  if (url === null) return noAnswer('no webhook URL is set any more');
  return account.ports.sendWebhook({ url, secret, event, body, profile: account.profile }, stop);
}

function noAnswer(error: string | null): WebhookOutcome {
  return { headers: {}, status: null, error, milliseconds: 0, answer: '', retryAfter: null };
}

/** When a delivery is due next, as an instant; null if it is not. */
export function dueAt(account: Account, delivery: Delivery): string | null {
  const last = account.attemptsOfDelivery.all(delivery.id).at(-1);
  return last ? last.next_at : delivery.url && delivery.created_at;
}

/** What a person has sent again is done with if it came through; if not, the schedule goes on as it was. */
function nextAt(account: Account, delivery: Delivery, by: Attempt['by'], outcome: WebhookOutcome): string | null {
  const before = account.attemptsOfDelivery.all(delivery.id);
  if ([outcome, ...before].some(({ status }) => isDelivered(status))) return null;
  if (by === 'hand') return dueAt(account, delivery);
  const tries = before.filter((attempt) => attempt.by === 'schedule').length + 1;
  const at = nextAttemptAt(tries, outcome, account.profile, account.now());
  return at === undefined ? null : instant(at);
}
