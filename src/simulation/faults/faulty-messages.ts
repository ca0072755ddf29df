import { instant } from '../../domain/dates.js';
import { isForged } from '../../domain/faults.js';
import { holdOf } from '../../domain/holds.js';
import type { Attempt, Delivery } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { AccountState } from '../state/account-state.js';
import type { RowChanges } from '../state/changes.js';
import type { FaultedMessage, MessageWithFaults } from '../state/ports.js';
import { matchFaults, toUnitInterval } from './match-faults.js';

/**
 * The rows of a new message: with the faults that take place on it, which are drawn here, so that it is the order of the
 * events that decides and not the network; with how long they hold it; and with those that have waited for it.
 */
export function deliveryRows(account: AccountState, message: Delivery): RowChanges {
  // What goes nowhere meets nothing on its way.
  if (message.url === null) return { deliveries: [message] };
  const now = account.now();
  const { hits, rows } = matchFaults(account, 'message', () => ({
    event: message.event,
    body: JSON.parse(message.body),
  }));
  const waiting = account.heldMessages.waitingAt(now);
  if (rows.length === 0 && waiting.length === 0) return { deliveries: [message] };
  const { from, within } = holdOf(hits, now);
  const releases = waiting.filter((held) => canFollow(account, held, from));
  // One that another has waited for is the one that overtakes.
  const until = releases.length > 0 ? from : from + within;
  const delivery: Delivery = {
    ...message,
    ...(hits.length > 0 ? { faults: hits.map(({ id, effects }) => ({ id, effects })) } : {}),
    ...(until > now ? { held: { from: instant(from), until: instant(until) } } : {}),
    ...(releases.length > 0 ? { releases: releases.map(({ id }) => id) } : {}),
  };
  return { deliveries: [delivery], ...(rows.length > 0 ? { faults: rows } : {}) };
}

/** Whether one that waits can go right after another: nobody has sent it by hand, and it need not wait for too long. */
function canFollow(account: AccountState, { id, held }: Delivery, moment: number): boolean {
  return held !== undefined && Date.parse(held.until) > moment && !account.attemptsOfDelivery.has(id);
}

/** Applies the faults of a message. */
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
    earlier: (chance) => earlierThan(account, id, chance),
  });
}

/** One of the messages before, as it was delivered: the one that chance picks, or the next older one that came through. */
function earlierThan(account: AccountState, id: string, chance: number): ReturnType<MessageWithFaults['earlier']> {
  const { rows } = account.deliveries;
  const count = rows.findLastIndex((row) => row.id === id);
  const pick = Math.floor(chance * count);
  for (let step = 0; step < count; step++) {
    const row = rows[(pick - step + count) % count];
    const delivered = row && deliveredAs(account, row.id);
    if (delivered) return { delivery: row.id, event: row.event, body: row.body, headers: delivered.headers };
  }
  return undefined;
}

/** The attempt by which a message came through as it is. */
function deliveredAs(account: AccountState, id: string): Attempt | undefined {
  const attempts = account.attemptsOfDelivery.all(id);
  return attempts.find((attempt) => attempt.by !== 'fault' && isDelivered(attempt.status) && !isForged(attempt.done));
}
