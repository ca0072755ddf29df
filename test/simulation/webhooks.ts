import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Attempt } from '../../src/domain/records.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus } from '../../src/simulation/delivery/deliveries.js';
import { createDeposit } from '../../src/simulation/operations/deposits.js';
import type { World } from '../../src/simulation/world.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, newDeposit, openAccount, startTime } from './world.js';

/** Helpers for accounts that send webhooks, without a network and with a frozen clock. */

export const receiverUrl = 'https://receiver.example/hook';
export const webhookSecret = 'a secret';
/** Time at which the clock of `openWebhookAccount` is frozen. */
export const startMs = Date.parse(startTime);
export const hourMs = 3_600_000;
/** Times of the scheduled attempts of a message, in seconds after its event. */
export const attemptSeconds = [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 99_305];
/** Wait between the first attempt and its retry. */
export const firstRetryDelayMs = 5_000;
/** Longest time that an advance of the clock waits for receivers, in real time. */
export const receiverTimeoutMs = 30_000;
/** Longer than all retries of a message, which take less than 28 hours. */
export const longerThanRetriesMs = 48 * hourMs;
/** Longer than a hold, which lasts seven days. */
export const longerThanHoldMs = 8 * 24 * hourMs;

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

/**
 * Opens an account with webhooks and a frozen clock. Messages are sent only during `sendDueMessages` and `advanceBy`.
 */
export async function openWebhookAccount({
  choices = {},
  receivers = new ScriptedReceivers(),
  webhookUrl = receiverUrl,
}: Options = {}): Promise<WebhookWorld> {
  const store = new ScriptedStore();
  const world = await emptyWorld(store, { sendWebhook: receivers.send });
  const account = withWebhooks(world, openAccount(world, 'one', choices), webhookUrl);
  await world.commits.whenStored();
  return { world, account, store, receivers };
}

/** Starts another world from the stored commits of `openWebhookAccount`, as after a restart. */
export async function restartFrom(store: ScriptedStore, receivers = new ScriptedReceivers()) {
  const reopenedStore = new ScriptedStore();
  reopenedStore.commits.push(...structuredClone(store.commits));
  const world = await emptyWorld(reopenedStore, { sendWebhook: receivers.send });
  const account = world.accounts.get('one');
  if (!account) throw new Error('the account is not stored');
  return { world, account, receivers };
}

/** Sets the webhook URL and secret of an account. */
export function withWebhooks(world: World, account: Account, webhookUrl: string | null = receiverUrl): Account {
  return world.accounts.configure(account, { webhookUrl, webhookSecret });
}

/** Creates receivers that do not respond: the test calls `respond` on each message that should get a response. */
export function silentReceivers(): ScriptedReceivers {
  return new ScriptedReceivers(() => undefined);
}

/** Creates receivers that respond to the first message with 200, and leave the responses to later ones to the test. */
export function receiversRespondingOnce(): ScriptedReceivers {
  return new ScriptedReceivers((_message, index) => (index === 0 ? { status: 200 } : undefined));
}

/** Creates receivers that respond with these statuses in turn, and then always with the last; null for no response. */
export function receiversResponding(...statuses: readonly (number | null)[]): ScriptedReceivers {
  return new ScriptedReceivers((_message, index) => ({
    status: statuses[Math.min(index, statuses.length - 1)] ?? null,
  }));
}

/** Creates a deposit, which emits `deposit.created`. @returns its id */
export function addDeposit(account: Account, reference = 'BK-1'): number | string {
  const deposit = createDeposit(account, { ...newDeposit, booking_reference: reference });
  return deposit.id;
}

/** Sends all due messages, except those that wait for the response to another message of their record. */
export async function sendDueMessages(account: Account): Promise<void> {
  account.schedule.runDueItems();
  // Enough turns of the event loop to send a message, receive the response and store the attempt.
  for (let turns = 0; turns < 5; turns++) await nextTurn();
}

/** Advances the clock of an account, and sends the messages that fall due. */
export function advanceBy(account: Account, milliseconds: number) {
  return account.schedule.advance({ by: milliseconds, timeoutMs: receiverTimeoutMs });
}

/** The only delivery of an account. @throws Error if there is none, or more than one */
export function onlyDelivery(account: Account) {
  const [delivery, ...others] = account.deliveries.rows;
  if (!delivery || others.length > 0) throw new Error(`there are ${account.deliveries.size} deliveries`);
  return delivery;
}

export function attemptsOf(account: Account): readonly Attempt[] {
  return account.attempts.rows;
}

export function statusOfOnlyDelivery(account: Account): string {
  return deliveryStatus(account, onlyDelivery(account));
}

/** Due time of the next attempt, in seconds after `startMs`; undefined if none is due. */
export function nextAttemptSeconds(account: Account): number | undefined {
  const due = account.schedule.upcoming().find(({ kind }) => kind === 'delivery-attempt');
  return due && (due.at - startMs) / 1_000;
}

/** Commits a change that emits no event. */
export function commitWithoutEvent(account: Account): void {
  account.transaction((tx) => tx.put({ customers: [...account.customers.rows] }));
}
