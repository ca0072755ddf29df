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

/** Makes the attempt that is due of a delivery, and stores what came of it. */
export async function attemptDelivery(account: Account, id: string, stop: AbortSignal): Promise<void> {
  try {
    await attempt(account, id, 'schedule', stop);
  } catch (error) {
    // What could not be stored has been taken back and is due again; a closed account wants nothing any more.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Sends a delivery again, now, whatever has become of it. @throws Refusal delivery-unknown, not-stored */
export async function resendDelivery(account: Account, id: string): Promise<Delivery> {
  const delivery = getDelivery(account, id);
  await attempt(account, id, 'hand', new AbortController().signal);
  return delivery;
}

async function attempt(account: Account, id: string, by: Attempt['by'], stop: AbortSignal): Promise<void> {
  // Nothing is told before it is stored.
  await account.stored();
  const delivery = account.deliveries.get(id);
  if (!delivery || stop.aborted) return;
  const at = account.now();
  const outcome = await makeAttempt(account, delivery, stop);
  if (stop.aborted) return;
  const attempts = account.attemptsOfDelivery.all(id);
  const number = attempts.length + 1;
  const row: Attempt = {
    id: `${id}/${number}`,
    delivery_id: id,
    number,
    by,
    at: instant(at),
    url: account.record.webhook_url ?? '',
    headers: outcome.headers,
    status: outcome.status,
    error: outcome.error,
    milliseconds: outcome.milliseconds,
    answer: outcome.answer,
    next_at: nextAt(account, delivery, by, outcome),
  };
  await account.commit({ attempts: [row] });
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
  if (by === 'hand') return isDelivered(outcome.status) ? null : dueAt(account, delivery);
  const before = account.attemptsOfDelivery.all(delivery.id).filter((attempt) => attempt.by === 'schedule');
  const at = nextAttemptAt(before.length + 1, outcome, account.profile, account.now());
  return at === undefined ? null : instant(at);
}
