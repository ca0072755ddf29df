import { formatInstant } from '../../domain/dates.js';
import { isForged } from '../../domain/faults.js';
import { messageDelayOf } from '../../domain/message-delays.js';
import type { Attempt, Delivery } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import { parseJson } from '../../lib/parse-json.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';
import type { FaultedMessage, MessageWithFaults } from '../state/ports.js';
import { matchFaults, toUnitInterval } from './match-faults.js';

/**
 * Rows of a new message, with the faults that match it, the delay that they cause, and the waiting messages that it
 * releases. Faults are matched here and not when sending: the result then depends on the order of events and not on the
 * network.
 */
export function deliveryRows(account: AccountState, message: Delivery): RowsByTable {
  // Faults do not affect a message that is never sent.
  if (message.url === null) return { deliveries: [message] };
  const now = account.now();
  const { firingFaults, rows } = matchFaults(account, 'message', () => ({
    event: message.event,
    body: parseJson(message.body),
  }));
  const waiting = account.heldMessages.waitingAt(now);
  if (rows.length === 0 && waiting.length === 0) return { deliveries: [message] };
  const { from, waitMs } = messageDelayOf(firingFaults, now);
  const releases = waiting.filter((candidate) => canFollow(account, candidate, from));
  // A message that overtakes others does not wait to be overtaken.
  const until = releases.length > 0 ? from : from + waitMs;
  const delivery: Delivery = {
    ...message,
    ...(firingFaults.length > 0 ? { faults: firingFaults.map(({ id, effects }) => ({ id, effects })) } : {}),
    ...(until > now ? { held: { from: formatInstant(from), until: formatInstant(until) } } : {}),
    ...(releases.length > 0 ? { releases: releases.map(({ id }) => id) } : {}),
  };
  return { deliveries: [delivery], ...(rows.length > 0 ? { faults: rows } : {}) };
}

/**
 * Whether a waiting message can be sent right after one that is sent at `time`: it is still waiting then, and no user
 * has resent it.
 */
function canFollow(account: AccountState, { id, held }: Delivery, time: number): boolean {
  return held !== undefined && Date.parse(held.until) > time && !account.attemptsOfDelivery.has(id);
}

/** Applies faults to a message before it is first sent. */
export function applyMessageFaults(
  account: AccountState,
  delivery: Delivery,
  faults: MessageWithFaults['faults'],
): Promise<FaultedMessage> {
  const { id, event, body, held } = delivery;
  const { webhook_secret: secret, retired_secret: retiredSecret } = account.record;
  return account.ports.applyMessageFaults({
    id,
    event,
    body,
    faults,
    hasWaited: held !== undefined && held.from !== held.until,
    secret,
    retiredSecret,
    seededHex: (label) => account.seededHex(label),
    seededNumber: (label) => toUnitInterval(account.seededHex(label)),
    findEarlier: (chance) => findEarlierMessage(account, id, chance),
  });
}

/** Finds an earlier message that was delivered: the search starts at a random one, goes back in time to
 * the first one, and goes on from the latest one. */
function findEarlierMessage(
  account: AccountState,
  id: string,
  chance: number,
): ReturnType<MessageWithFaults['findEarlier']> {
  const { rows } = account.deliveries;
  const count = rows.findLastIndex((row) => row.id === id);
  const start = Math.floor(chance * count);
  for (let step = 0; step < count; step++) {
    const row = rows[(start - step + count) % count];
    const attempt = row && deliveringAttempt(account, row.id);
    if (attempt) return { deliveryId: row.id, event: row.event, body: row.body, headers: attempt.headers };
  }
  return undefined;
}

/** The attempt that delivered a message without forging it. */
function deliveringAttempt(account: AccountState, id: string): Attempt | undefined {
  const attempts = account.attemptsOfDelivery.all(id);
  return attempts.find((attempt) => attempt.by !== 'fault' && isDelivered(attempt.status) && !isForged(attempt.done));
}
