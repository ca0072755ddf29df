import type { Delivery } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import { ServiceError } from '../../domain/service-error.js';
import type { Account } from '../account.js';
import { applyMessageFaults } from '../faults/faulty-messages.js';
import { type AttemptResult, attemptRows, dueAt, makeAttempt } from './attempts.js';

/** `unsent`: there was no webhook URL; `failed`: all attempts are used up, the receiver said 410, or a fault has lost it. */
export type DeliveryStatus = 'unsent' | 'waiting' | 'retrying' | 'delivered' | 'failed';

/** How a delivery stands. The copies that faults have sent besides do not count. */
export function deliveryStatus(account: Account, delivery: Delivery): DeliveryStatus {
  const attempts = account.attemptsOfDelivery.all(delivery.id).filter(({ by }) => by !== 'fault');
  const last = attempts.at(-1);
  if (!last) return delivery.url === null ? 'unsent' : 'waiting';
  if (attempts.some(({ status }) => isDelivered(status))) return 'delivered';
  return last.next_at === null ? 'failed' : 'retrying';
}

/** @throws ServiceError delivery-unknown */
export function getDelivery(account: Account, id: string): Delivery {
  const delivery = account.deliveries.get(id);
  if (!delivery) throw new ServiceError('delivery-unknown');
  return delivery;
}

/**
 * What a first attempt waits for: the one before of the same record (gap event.order), or the one that it is to go right
 * after. Later ones may be overtaken.
 */
export function chainOf(account: Account, delivery: Delivery): string | undefined {
  const { id, releases } = delivery;
  if (account.attemptsOfDelivery.has(id)) return undefined;
  const leader = account.heldMessages.leaderOf(id);
  const first = leader ?? delivery;
  if (account.profile['event.order'] === 'none') return leader || releases ? `message ${first.id}` : undefined;
  return `${first.subject.resource} ${first.subject.id}`;
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
 * @throws ServiceError delivery-unknown, account-replaced, not-stored
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
  by: 'schedule' | 'hand',
  stop: AbortSignal,
): Promise<{ stored: Promise<void> | undefined }> {
  const { id, event, body, faults } = delivery;
  const { webhook_secret: secret } = account.record;
  const { copies, undone } =
    faults && by === 'schedule' && isFirst(account, id)
      ? await applyMessageFaults(account, delivery, faults)
      : { copies: [{ delivery: id, event, body, secret, done: [] }], undone: [] };
  const made: AttemptResult[] = [];
  for (const copy of copies) {
    made.push(await makeAttempt(account, copy, stop));
    if (stop.aborted) return { stored: undefined };
  }
  // In one commit: should the process end before, all of it is done once more.
  return { stored: account.commit({ attempts: attemptRows(account, delivery, by, made, undone) }) };
}

/** Whether the schedule has not made an attempt yet. */
function isFirst(account: Account, id: string): boolean {
  return account.attemptsOfDelivery.all(id).every(({ by }) => by !== 'schedule');
}
