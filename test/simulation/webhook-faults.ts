import { type NewFault, readFault } from '../../src/faults/rule.js';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus } from '../../src/simulation/delivery/deliveries.js';
import { addFault } from '../../src/simulation/faults/faults.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { webhookSecret } from './webhooks.js';

/** Helpers for accounts with faults on their webhooks. */

/** Seconds for which the `reorder` effect waits for the next message by default. */
export const reorderSeconds = 2;

/** Adds a fault to an account. @param effect for example `duplicate=3` */
export function injectFault(account: Account, effect: NewFault['effect'], options: Omit<NewFault, 'effect'> = {}) {
  return addFault(account, readFault({ effect, ...options }));
}

/** Summaries of the sent messages, for example `created 1` for the `deposit.created` event of deposit 1. */
export function sentMessages({ sent }: Pick<ScriptedReceivers, 'sent'>): string[] {
  return sent.map(({ event, body }) => `${event.replace('deposit.', '')} ${JSON.parse(body).data.id}`);
}

/**
 * Summaries of the deliveries: for each its status, then the trigger, fault effects and HTTP status (or error) of each
 * attempt, such as `['retrying', 'schedule delay 500']`: the effect is `delay`, and the receiver responded with 500.
 * `Attempt.by` explains the triggers.
 */
export function deliveryHistories(account: Account) {
  return account.deliveries.rows.map((delivery) => [
    deliveryStatus(account, delivery),
    ...account.attemptsOfDelivery
      .all(delivery.id)
      .map(({ by, applied_faults = [], status, error }) => [by, ...applied_faults, status ?? error].join(' ')),
  ]);
}

/** Creates receivers that verify signatures: forged messages get a 401. */
export function verifyingReceivers(): ScriptedReceivers {
  // `signedText` is set if the signature is missing, or covers another text than the body.
  return new ScriptedReceivers(({ secret, signedText }) => ({
    status: secret === webhookSecret && signedText === undefined ? 200 : 401,
  }));
}
