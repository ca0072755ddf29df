import { isForged } from '../../domain/faults.js';
import type { Attempt, Delivery } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { AccountState } from '../state/account-state.js';
import type { FaultResult, MessageWithFaults } from '../state/ports.js';

/** Applies faults to a message before it is first sent. */
export function applyMessageFaults(
  account: AccountState,
  delivery: Delivery,
  faults: MessageWithFaults['faults'],
): Promise<FaultResult> {
  const { id, event, body, delay } = delivery;
  const { webhook_secret: secret, retired_secret: retiredSecret } = account.record;
  return account.ports.applyMessageFaults({
    id,
    event,
    body,
    faults,
    // For a message that did not have to wait, `from` equals `until`.
    wasHeldBack: delay !== undefined && delay.from !== delay.until,
    secret,
    retiredSecret,
    seededHex: (label) => account.seededHex(label),
    seededNumber: (label) => account.seededNumber(label),
    findEarlier: (random) => findEarlierMessage(account, id, random),
  });
}

/**
 * Finds an earlier message that was delivered. Searches backwards in time from a random message to the first one, then
 * from the latest one to the random one.
 * @param random number from 0 to 1, excluding 1, that selects where the search starts
 */
function findEarlierMessage(
  account: AccountState,
  id: string,
  random: number,
): ReturnType<MessageWithFaults['findEarlier']> {
  const { rows } = account.deliveries;
  const earlierCount = rows.findLastIndex((row) => row.id === id);
  const start = Math.floor(random * earlierCount);
  for (let step = 0; step < earlierCount; step++) {
    const row = rows[(start - step + earlierCount) % earlierCount];
    const attempt = row && deliveringAttempt(account, row.id);
    if (attempt) return { deliveryId: row.id, event: row.event, body: row.body, headers: attempt.headers };
  }
  return undefined;
}

/** The attempt with which the receiver accepted a message. Forgeries and copies that a fault sent do not count. */
function deliveringAttempt(account: AccountState, id: string): Attempt | undefined {
  const attempts = account.attemptsOfDelivery.all(id);
  return attempts.find(
    (attempt) => attempt.by !== 'fault' && isDelivered(attempt.status) && !isForged(attempt.applied_faults),
  );
}
