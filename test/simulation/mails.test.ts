import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { mailStatus, writeReminder } from '../../src/simulation/delivery/mails.js';
import { createInvoice } from '../../src/simulation/operations/invoices.js';
import type { MailFailure } from '../../src/simulation/state/ports.js';
import { ScriptedStore } from './scripted-store.js';
import { attemptSeconds, firstRetryDelayMs, startMs } from './webhooks.js';
import { emptyWorld, openAccount } from './world.js';

/** Tests of emails to an SMTP server, with a store that is slow or fails. */

const connectionRefused: MailFailure = { reason: 'connection refused', isPermanent: false };

/** Opens an account with a due email. Its SMTP server fails in these ways in turn, and then accepts emails. */
async function openAccountWithMail(...failures: readonly MailFailure[]) {
  const store = new ScriptedStore();
  /** Functions that make the SMTP server respond, one for each attempt. */
  const responses: (() => void)[] = [];
  const world = await emptyWorld(store, {
    sendMail() {
      const failure = failures[responses.length] ?? null;
      return new Promise((resolve) => responses.push(() => resolve(failure)));
    },
  });
  const account = openAccount(world, 'one');
  addMail(account);
  await account.whenStored();
  return { account, store, responses };
}

/** Creates an invoice, and the reminder email of the invoice. */
function addMail(account: Account): void {
  const items = [{ description: 'Work', quantity: 1, unit_price: 10, tax_rate: 0 }];
  const input = { customer_id: 1, date: '2026-04-01', due_date: '2026-04-30', items };
  writeReminder(account, createInvoice(account, input));
}

/** Sends due emails. An email that waits for the response of the SMTP server is not sent again. */
async function sendDueMails(account: Account): Promise<void> {
  account.schedule.runDueItems();
  // Enough turns of the event loop to send an email and to store the attempt.
  for (let turns = 0; turns < 5; turns++) await nextTurn();
}

/** Status of the only email. */
function onlyMailStatus(account: Account): string {
  const [mail] = account.mails.rows;
  if (!mail) throw new Error('there is no email');
  return mailStatus(account, mail);
}

test('an email is kept, but not sent, if no SMTP server is configured', async () => {
  const account = openAccount(await emptyWorld(), 'one');
  addMail(account);
  await sendDueMails(account);
  expect(onlyMailStatus(account)).toBe('stored');
});

test('an email waits for its first attempt, and is retried until an attempt succeeds', async () => {
  const { account, responses } = await openAccountWithMail(connectionRefused);
  const statuses = [onlyMailStatus(account)];
  await sendDueMails(account);
  statuses.push(onlyMailStatus(account));
  responses[0]?.();
  await sendDueMails(account);
  statuses.push(onlyMailStatus(account));
  account.schedule.freezeAt(startMs + firstRetryDelayMs);
  await sendDueMails(account);
  responses[1]?.();
  await sendDueMails(account);
  statuses.push(onlyMailStatus(account));
  expect(statuses).toEqual(['waiting', 'waiting', 'retrying', 'sent']);
});

test('an email is not sent again if the advance to its next attempt could not be stored, but is sent later', async () => {
  const { account, store, responses } = await openAccountWithMail(connectionRefused);
  await sendDueMails(account);
  responses[0]?.();
  await sendDueMails(account);
  const retryAt = startMs + firstRetryDelayMs;
  store.rejectsCommits = true;
  await expect(account.schedule.advance({ to: retryAt, timeoutMs: 1_000 })).rejects.toThrow('not-stored');
  await sendDueMails(account);
  expect(responses).toHaveLength(1);
  store.rejectsCommits = false;
  account.schedule.freezeAt(retryAt);
  await sendDueMails(account);
  expect(responses).toHaveLength(2);
});

test('an email that cannot be sent because of a bug is reported, and the next email is sent', async () => {
  const failures: unknown[] = [];
  const sentSubjects: string[] = [];
  const world = await emptyWorld(new ScriptedStore(), {
    async sendMail({ subject }) {
      if (sentSubjects.push(subject) === 1) throw new Error('a bug');
      return null;
    },
    onFailure: (error) => failures.push(error),
  });
  const account = openAccount(world, 'one');
  addMail(account);
  addMail(account);
  await sendDueMails(account);
  await account.whenIdle();
  expect(sentSubjects).toHaveLength(2);
  expect(failures).toEqual([new Error('a bug')]);
});

test('an email fails after its eighth attempt, and is not sent again', async () => {
  const { account, responses } = await openAccountWithMail(...attemptSeconds.map(() => connectionRefused));
  const statuses: string[] = [];
  for (const [index, seconds] of attemptSeconds.entries()) {
    account.schedule.freezeAt(startMs + seconds * 1_000);
    await sendDueMails(account);
    responses[index]?.();
    await sendDueMails(account);
    statuses.push(onlyMailStatus(account));
  }
  expect(statuses).toEqual([...Array(7).fill('retrying'), 'failed']);
  expect(account.schedule.upcoming()).not.toContainEqual(expect.objectContaining({ kind: 'mail-attempt' }));
});

test('an email that the SMTP server has refused for good is not sent again', async () => {
  const { account, responses } = await openAccountWithMail({ reason: 'no such mailbox', isPermanent: true });
  await sendDueMails(account);
  responses[0]?.();
  await sendDueMails(account);
  expect(onlyMailStatus(account)).toBe('failed');
  expect(account.schedule.upcoming()).not.toContainEqual(expect.objectContaining({ kind: 'mail-attempt' }));
});

test('an email that waited for another commit is sent even if that commit cannot be stored', async () => {
  const { account, store, responses } = await openAccountWithMail();
  store.holdCommits();
  account.transaction((tx) => tx.put({ customers: [...account.customers.rows] }));
  await sendDueMails(account);
  expect(responses).toHaveLength(0);
  store.rejectHeldCommits();
  await sendDueMails(account);
  expect(responses).toHaveLength(1);
  responses[0]?.();
  await sendDueMails(account);
  expect(onlyMailStatus(account)).toBe('sent');
});

test('an email is not lost if the clock is advanced while its attempt is being stored', async () => {
  const { account, store, responses } = await openAccountWithMail(connectionRefused);
  await sendDueMails(account);
  store.holdCommits();
  responses[0]?.();
  await sendDueMails(account);
  account.schedule.freezeAt(startMs + firstRetryDelayMs);
  await sendDueMails(account);
  store.storeHeldCommits();
  await sendDueMails(account);
  responses[1]?.();
  await sendDueMails(account);
  expect(onlyMailStatus(account)).toBe('sent');
});

test('an email whose outcome could not be stored is sent again', async () => {
  const { account, store, responses } = await openAccountWithMail();
  await sendDueMails(account);
  store.rejectsCommits = true;
  responses[0]?.();
  await sendDueMails(account);
  expect([onlyMailStatus(account), responses.length]).toEqual(['waiting', 1]);
  store.rejectsCommits = false;
  await sendDueMails(account);
  responses[1]?.();
  await sendDueMails(account);
  expect(onlyMailStatus(account)).toBe('sent');
});
