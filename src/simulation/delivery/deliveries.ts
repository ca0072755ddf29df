import type { Delivery } from '../../domain/records.js';
import { ServiceError } from '../../domain/service-error.js';
import { applyMessageFaults } from '../faults/faulty-messages.js';
import type { LiveAccount } from '../live-account.js';
import type { AccountState } from '../state/account-state.js';
import { type DeliveryStatus, statusAfter } from '../state/delivery-totals.js';
import { deliveryDueAt } from '../state/due-times.js';
import type { FaultedMessage } from '../state/ports.js';
import type { WritableAccount } from '../transaction.js';
import { type AttemptResult, attemptRows, makeAttempt } from './attempts.js';

/** Status of a delivery. Additional copies sent by faults do not count. */
export function deliveryStatus(account: AccountState, delivery: Delivery): DeliveryStatus {
  return statusAfter(delivery, account.attemptsOfDelivery.all(delivery.id));
}

/** @throws ServiceError delivery-unknown */
export function getDelivery(account: AccountState, id: string): Delivery {
  const delivery = account.deliveries.get(id);
  if (!delivery) throw new ServiceError('delivery-unknown');
  return delivery;
}

/**
 * Queue of a first attempt, which waits for earlier messages about the same record (gap event.order); undefined for other
 * attempts, which do not wait.
 */
export function queueOf(account: AccountState, delivery: Delivery): string | undefined {
  const { id, releases } = delivery;
  if (account.attemptsOfDelivery.has(id)) return undefined;
  const leader = account.heldMessages.overtakerOf(id);
  const first = leader ?? delivery;
  if (account.profile['event.order'] === 'none') return leader || releases ? `message ${first.id}` : undefined;
  return `${first.subject.resource} ${first.subject.id}`;
}

/** Makes the attempt that is due. Its outcome is then queued for storage; if that fails, the attempt is due again. */
export async function attemptDelivery(account: LiveAccount, id: string, stop: AbortSignal): Promise<void> {
  // Store before sending.
  await account.whenStoredOrUndone();
  const delivery = account.deliveries.get(id);
  if (!delivery || stop.aborted || !isStillDue(account, delivery)) return;
  const sent = await send(account, delivery, 'schedule', stop);
  if (!stop.aborted) commitAttempts(account, delivery, 'schedule', sent);
}

/** Sends a delivery again, whatever its status. @throws ServiceError delivery-unknown, account-replaced, not-stored */
export async function resendDelivery(account: LiveAccount, id: string): Promise<Delivery> {
  const delivery = getDelivery(account, id);
  await account.whenStored();
  const sent = await send(account, delivery, 'hand', new AbortController().signal);
  commitAttempts(account, delivery, 'hand', sent);
  await account.whenStored();
  return delivery;
}

/**
 * Whether an attempt is still due: while it waited, somebody may have resent the message, or its commit may have been
 * undone.
 */
function isStillDue(account: LiveAccount, delivery: Delivery): boolean {
  const due = deliveryDueAt(account, delivery);
  if (due === null) return false;
  const at = Date.parse(due);
  if (at <= account.now()) return true;
  account.plan({ at, kind: 'delivery-attempt', id: delivery.id });
  return false;
}

interface Sent {
  readonly results: readonly AttemptResult[];
  readonly skippedFaults: FaultedMessage['skippedFaults'];
}

/** Sends a message and the copies that faults add, until aborted. */
async function send(
  account: LiveAccount,
  delivery: Delivery,
  by: 'schedule' | 'hand',
  stop: AbortSignal,
): Promise<Sent> {
  const { id, event, body, faults } = delivery;
  const { webhook_secret: secret } = account.record;
  const { copies, skippedFaults } =
    faults && by === 'schedule' && isFirstScheduledAttempt(account, id)
      ? await applyMessageFaults(account, delivery, faults)
      : { copies: [{ delivery: id, event, body, secret, appliedFaults: [] }], skippedFaults: [] };
  const results: AttemptResult[] = [];
  for (const copy of copies) {
    results.push(await makeAttempt(account, copy, stop));
    if (stop.aborted) break;
  }
  return { results, skippedFaults };
}

/** Commits all attempts at once: if the process ends before, all of them are repeated. */
function commitAttempts(
  account: WritableAccount,
  delivery: Delivery,
  by: 'schedule' | 'hand',
  { results, skippedFaults }: Sent,
): void {
  account.transaction((tx) => tx.put({ attempts: attemptRows(account, delivery, by, results, skippedFaults) }));
}

/** Whether the schedule has not made an attempt yet. */
function isFirstScheduledAttempt(account: AccountState, id: string): boolean {
  return account.attemptsOfDelivery.all(id).every(({ by }) => by !== 'schedule');
}
