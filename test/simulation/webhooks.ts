import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Attempt } from '../../src/domain/records.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus } from '../../src/simulation/delivery/deliveries.js';
import { createDeposit } from '../../src/simulation/operations/deposits.js';
import type { World } from '../../src/simulation/world.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, openAccount } from './world.js';

/** Helpers for accounts that send webhooks, without a network and with a frozen clock. */

export const url = 'https://receiver.example/hook';
const webhookSecret = 'a secret';
export const start = Date.parse('2026-04-01T08:00:00Z');
export const hour = 3_600_000;

interface WebhookWorld {
  readonly world: World;
  readonly account: Account;
  readonly store: ScriptedStore;
  readonly receivers: ScriptedReceivers;
}

interface Options {
  readonly choices?: Choices;
  readonly receivers?: ScriptedReceivers;
  /** Null for no URL. */
  readonly webhookUrl?: string | null;
}

/** Opens an account with a frozen clock, where things happen only in `settle` and `advance`. */
export async function open({
  choices = {},
  receivers = new ScriptedReceivers(),
  webhookUrl = url,
}: Options = {}): Promise<WebhookWorld> {
  const store = new ScriptedStore();
  const world = await emptyWorld(store, { sendWebhook: receivers.send });
  const account = withWebhooks(world, openAccount(world, 'one', choices), webhookUrl);
  await world.commits.whenStored();
  return { world, account, store, receivers };
}

export function withWebhooks(world: World, account: Account, webhookUrl: string | null = url): Account {
  return world.accounts.configure(account, { webhookUrl, webhookSecret });
}

/** Receivers that do not respond until the test does it for them. */
export function silent(): ScriptedReceivers {
  return new ScriptedReceivers(() => undefined);
}

/** Receivers that answer with these statuses in turn, and then with the last. */
export function answering(...statuses: readonly (number | null)[]): ScriptedReceivers {
  return new ScriptedReceivers((_message, index) => ({
    status: statuses[Math.min(index, statuses.length - 1)] ?? null,
  }));
}

/** A new deposit, which is reported as deposit.created. */
export function newDeposit(account: Account, reference = 'BK-1'): number | string {
  const deposit = createDeposit(account, {
    booking_reference: reference,
    amount: 100,
    currency: 'EUR',
    customer: null,
    check_in_date: null,
    check_out_date: null,
    metadata: {},
  });
  return deposit.id;
}

/** Sends all due messages, except those that wait for a response to another. */
export async function settle(account: Account): Promise<void> {
  account.schedule.runDueItems();
  for (let turns = 0; turns < 5; turns++) await nextTurn();
}

export function advance(account: Account, by: number) {
  return account.schedule.advance({ by, timeoutMs: 1_000 });
}

/** The only delivery of an account. */
export function deliveryOf(account: Account) {
  const [delivery, ...others] = account.deliveries.rows;
  if (!delivery || others.length > 0) throw new Error(`there are ${account.deliveries.size} deliveries`);
  return delivery;
}

export function attemptsOf(account: Account): readonly Attempt[] {
  return account.attempts.rows;
}

export function statusOf(account: Account): string {
  return deliveryStatus(account, deliveryOf(account));
}

/** When the next attempt is due, in seconds from the start; undefined if none is. */
export function nextDue(account: Account): number | undefined {
  const due = account.schedule.upcoming().find(({ kind }) => kind === 'delivery-attempt');
  return due && (due.at - start) / 1_000;
}

/** Makes a change that sends no event. */
export function changeNothing(account: Account): void {
  account.transaction((tx) => tx.put({ customers: [...account.customers.rows] }));
}
