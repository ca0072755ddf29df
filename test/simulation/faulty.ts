import { type NewFault, readFault } from '../../src/faults/rule.js';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus } from '../../src/simulation/delivery/deliveries.js';
import { addFault } from '../../src/simulation/faults/faults.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld } from './world.js';

/** Helpers for accounts with faults on their webhooks. */

/** Adds a fault in the notation of the command line. */
export function add(account: Account, effect: NewFault['effect'], rest: Omit<NewFault, 'effect'> = {}) {
  return addFault(account, readFault({ effect, ...rest }));
}

/** Messages sent, such as `created 1` for the first deposit's deposit.created. */
export function reported({ sent }: Pick<ScriptedReceivers, 'sent'>): string[] {
  return sent.map(({ event, body }) => `${event.replace('deposit.', '')} ${JSON.parse(body).data.id}`);
}

/** Summary of each delivery: its status, and the trigger, faults and result of each attempt. */
export function history(account: Account) {
  return account.deliveries.rows.map((delivery) => [
    deliveryStatus(account, delivery),
    ...account.attemptsOfDelivery
      .all(delivery.id)
      .map(({ by, done = [], status, error }) => [by, ...done, status ?? error].join(' ')),
  ]);
}

/** A receiver that verifies signatures, and so rejects forged messages. */
export function verifying(): ScriptedReceivers {
  return new ScriptedReceivers(({ secret, signed }) => ({
    status: secret === 'a secret' && signed === undefined ? 200 : 401,
  }));
}

/** Starts a world from the stored commits. */
export async function restart(store: ScriptedStore) {
  const receivers = new ScriptedReceivers();
  const next = new ScriptedStore();
  next.commits.push(...structuredClone(store.commits));
  const world = await emptyWorld(next, { sendWebhook: receivers.send });
  const account = world.accounts.get('one');
  if (!account) throw new Error('the account is not stored');
  return { world, account, receivers };
}
