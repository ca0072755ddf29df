import type { Delivery } from '../../domain/records.js';
import { requireFound, ServiceError } from '../../domain/service-error.js';
import { errorMessage } from '../../lib/errors.js';
import { confirmDue } from '../agenda/confirm-due.js';
import { applyMessageFaults } from '../faults/faulty-messages.js';
import type { LiveAccount } from '../live-account.js';
import type { AccountState } from '../state/account-state.js';
import { type DeliveryStatus, statusFromAttempts } from '../state/delivery-indexes.js';
import type { FaultResult, OutgoingMessage } from '../state/ports.js';
import type { WritableAccount } from '../transaction.js';
import { type AttemptResult, attemptRows, failedAttempt, makeAttempt } from './attempts.js';

/** Status of a delivery. Attempts to send copies that faults added do not count. */
export function deliveryStatus(account: AccountState, delivery: Delivery): DeliveryStatus {
  return statusFromAttempts(delivery, account.attemptsOfDelivery.all(delivery.id));
}

/** @throws ServiceError delivery-not-found */
export function getDelivery(account: AccountState, id: string): Delivery {
  return requireFound(account.deliveries.get(id), 'delivery-not-found');
}

/**
 * Name of the queue in which a first attempt waits for earlier messages about the same record (gap event.order);
 * undefined for attempts that do not wait. An overtaken message is sent right after the one that overtook it, so those
 * two share a queue even if the profile does not keep webhooks in order.
 */
export function queueOf(account: AccountState, delivery: Delivery): string | undefined {
  const { id, overtakes } = delivery;
  if (!isFirstScheduledAttempt(account, id)) return undefined;
  const overtaker = account.reorderedDeliveries.overtakerOf(id);
  const first = overtaker ?? delivery;
  if (account.profile['event.order'] === 'none') return overtaker || overtakes ? `message ${first.id}` : undefined;
  return `${first.subject.resource} ${first.subject.id}`;
}

/** Makes the attempt that is due, and queues its outcome for storage. If storing it fails, the attempt is due again. */
export async function attemptDelivery(account: LiveAccount, id: string, signal: AbortSignal): Promise<void> {
  // A message must not be sent before its event is stored.
  await account.whenReadyToSend();
  const delivery = account.deliveries.get(id);
  if (!delivery || signal.aborted || !confirmDue(account, 'delivery-attempt', delivery)) return;
  const sent = await sendDelivery(account, delivery, 'schedule', signal);
  if (!signal.aborted) commitAttempts(account, delivery, 'schedule', sent);
}

/**
 * Sends a delivery again, whatever its status.
 * @throws ServiceError delivery-not-found, webhook-url-missing, account-replaced, not-stored
 */
export async function resendDelivery(account: LiveAccount, id: string): Promise<Delivery> {
  const delivery = getDelivery(account, id);
  if (account.record.webhook_url === null) {
    throw new ServiceError('webhook-url-missing', { hint: 'set a webhook URL in the settings of the account' });
  }
  await account.whenStored();
  if (account.isClosed) throw new ServiceError('account-replaced');
  const closing = new AbortController();
  const removeCloseListener = account.onClose(() => closing.abort());
  const sent = await sendDelivery(account, delivery, 'manual', closing.signal).finally(removeCloseListener);
  commitAttempts(account, delivery, 'manual', sent);
  await account.whenStored();
  return delivery;
}

interface SendResult {
  readonly results: readonly AttemptResult[];
  readonly skippedFaults: FaultResult['skippedFaults'];
}

/**
 * Sends a message, then those that faults add, until it is aborted. An internal error is reported, and counts as a failed
 * attempt, because a retry is scheduled only after an attempt.
 */
async function sendDelivery(
  account: LiveAccount,
  delivery: Delivery,
  by: 'schedule' | 'manual',
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    return await sendMessages(account, delivery, by, signal);
  } catch (error) {
    account.ports.onFailure(error);
    const reason = `internal simulator error: ${errorMessage(error)}`;
    return { results: [failedAttempt(account, unchangedMessage(account, delivery), reason)], skippedFaults: [] };
  }
}

async function sendMessages(
  account: LiveAccount,
  delivery: Delivery,
  by: 'schedule' | 'manual',
  signal: AbortSignal,
): Promise<SendResult> {
  const { id, faults } = delivery;
  const { messages, skippedFaults } =
    faults && by === 'schedule' && isFirstScheduledAttempt(account, id)
      ? await applyMessageFaults(account, delivery, faults)
      : { messages: [unchangedMessage(account, delivery)], skippedFaults: [] };
  const results: AttemptResult[] = [];
  for (const message of messages) {
    results.push(await makeAttempt(account, message, signal));
    if (signal.aborted) break;
  }
  return { results, skippedFaults };
}

/** The message of a delivery, with no faults applied. */
function unchangedMessage(account: AccountState, { id, event, body }: Delivery): OutgoingMessage {
  return { deliveryId: id, event, body, secret: account.record.webhook_secret, appliedFaults: [] };
}

/** Commits all attempts together: if the process ends earlier, all of them are repeated. */
function commitAttempts(
  account: WritableAccount,
  delivery: Delivery,
  by: 'schedule' | 'manual',
  { results, skippedFaults }: SendResult,
): void {
  account.transaction((tx) => tx.put({ attempts: attemptRows(account, delivery, by, results, skippedFaults) }));
}

/** True if the schedule has made no attempt so far. */
function isFirstScheduledAttempt(account: AccountState, id: string): boolean {
  return account.attemptsOfDelivery.all(id).every(({ by }) => by !== 'schedule');
}
