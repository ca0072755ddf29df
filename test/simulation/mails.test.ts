import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { mailStatus, writeReminder } from '../../src/simulation/delivery/mails.js';
import { createInvoice } from '../../src/simulation/operations/invoices.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, openAccount } from './world.js';

/** Mails to an SMTP server, with a store that is slow or fails. */

const start = Date.parse('2026-04-01T08:00:00Z');

/** Opens an account with a mail in the queue, and an SMTP server that answers with these errors in turn. */
async function open(...errors: readonly (string | null)[]) {
  const store = new ScriptedStore();
  const answers: (() => void)[] = [];
  const world = await emptyWorld(store, {
    sendMail: () => new Promise((resolve) => answers.push(() => resolve(errors[answers.length - 1] ?? null))),
  });
  const account = openAccount(world, 'one');
  const items = [{ description: 'Work', quantity: 1, unit_price: 10, tax_rate: 0 }];
  const input = { customer_id: 1, date: '2026-04-01', due_date: '2026-04-30', items };
  writeReminder(account, createInvoice(account, input, 1_000));
  await account.whenStored();
  return { account, store, answers };
}

async function settle(account: Account): Promise<void> {
  account.schedule.runDueItems();
  for (let turns = 0; turns < 5; turns++) await nextTurn();
}

function statusOf(account: Account): string {
  const [mail] = account.mails.rows;
  if (!mail) throw new Error('there is no mail');
  return mailStatus(mail);
}

test('a mail that waited while something else could not be stored is still sent', async () => {
  const { account, store, answers } = await open();
  store.hold();
  account.transaction((tx) => tx.put({ customers: [...account.customers.rows] }));
  await settle(account);
  expect(answers).toHaveLength(0);
  store.refuse();
  await settle(account);
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await settle(account);
  expect(statusOf(account)).toBe('sent');
});

test('a mail is not lost if the clock is advanced while its attempt is being stored', async () => {
  const { account, store, answers } = await open('connection refused', null);
  await settle(account);
  store.hold();
  answers[0]?.();
  await settle(account);
  account.schedule.freezeAt(start + 5_000);
  await settle(account);
  store.release();
  await settle(account);
  answers[1]?.();
  await settle(account);
  expect(statusOf(account)).toBe('sent');
});

test('a mail whose outcome could not be stored is sent again', async () => {
  const { account, store, answers } = await open();
  await settle(account);
  store.refuses = true;
  answers[0]?.();
  await settle(account);
  expect([statusOf(account), answers.length]).toEqual(['waiting', 1]);
  store.refuses = false;
  await settle(account);
  answers[1]?.();
  await settle(account);
  expect(statusOf(account)).toBe('sent');
});
