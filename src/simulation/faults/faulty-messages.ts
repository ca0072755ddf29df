import { instant } from '../../domain/dates.js';
import { isForged } from '../../domain/faults.js';
import { holdOf } from '../../domain/holds.js';
import type { Attempt, Delivery } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { Account } from '../account.js';
import type { FaultedMessage, MessageWithFaults, RowChanges } from '../state/ports.js';
import { matchFaults, toUnitInterval } from './faults.js';

/**
 * The rows of a new message: with the faults that take place on it, which are drawn here, so that it is the order of the
 * events that decides and not the network; with how long they hold it; and with those that have waited for it.
 */
export function deliveryRows(account: Account, message: Delivery): RowChanges {
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
function canFollow(account: Account, { id, held }: Delivery, moment: number): boolean {
  return held !== undefined && Date.parse(held.until) > moment && !account.attemptsOfDelivery.has(id);
}

/** When a held message is due, as an instant: once the one that it has waited for is, or when it has waited long enough. */
export function heldUntil(account: Account, id: string, { from, until }: NonNullable<Delivery['held']>): string {
  const leader = account.heldMessages.leaderOf(id);
  if (!leader) return until;
  const after = leader.held?.until ?? leader.created_at;
  return after > from ? after : from;
}

/** What becomes of a message by its faults. */
export function applyMessageFaults(
  account: Account,
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
function earlierThan(account: Account, id: string, chance: number): ReturnType<MessageWithFaults['earlier']> {
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
function deliveredAs(account: Account, id: string): Attempt | undefined {
  const attempts = account.attemptsOfDelivery.all(id);
  return attempts.find((attempt) => attempt.by !== 'fault' && isDelivered(attempt.status) && !isForged(attempt));
}
