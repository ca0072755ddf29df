import { expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus, resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import type { DeliveryStatus } from '../../src/simulation/state/delivery-indexes.js';
import {
  addDeposit,
  hourMs,
  openWebhookAccount,
  receiversResponding,
  sendDueMessages,
  withWebhooks,
} from './webhooks.js';
import { emptyWorld, openAccount } from './world.js';

/** Tests of the number of deliveries by status, which is updated as rows change. */

const statuses: readonly DeliveryStatus[] = ['unsent', 'waiting', 'retrying', 'delivered', 'failed'];

/** The counts of `deliveryTotals` that are not 0. */
function countedTotals(account: Account): Partial<Record<DeliveryStatus, number>> {
  return nonZero((status) => account.deliveryTotals.countWithStatus(status));
}

/** The same counts, computed from all deliveries. */
function recomputedTotals(account: Account): Partial<Record<DeliveryStatus, number>> {
  const deliveryStatuses = account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery));
  return nonZero((status) => deliveryStatuses.filter((candidate) => candidate === status).length);
}

function nonZero(countWithStatus: (status: DeliveryStatus) => number): Partial<Record<DeliveryStatus, number>> {
  return Object.fromEntries(
    statuses.map((status) => [status, countWithStatus(status)]).filter(([, count]) => count !== 0),
  );
}

test('the counts follow the status of each delivery from attempt to attempt', async () => {
  const { account } = await openWebhookAccount({ receivers: receiversResponding(200, 410, 500, 500, 204) });
  const totals = [];
  for (let deposit = 0; deposit < 3; deposit++) {
    addDeposit(account, `BK-${deposit}`);
    totals.push(countedTotals(account));
    await sendDueMessages(account);
    totals.push(countedTotals(account));
  }
  expect(totals).toEqual([
    { waiting: 1 },
    { delivered: 1 },
    { waiting: 1, delivered: 1 },
    { delivered: 1, failed: 1 },
    { waiting: 1, delivered: 1, failed: 1 },
    { retrying: 1, delivered: 1, failed: 1 },
  ]);
  for (const expected of [
    { retrying: 1, delivered: 1, failed: 1 },
    { delivered: 2, failed: 1 },
  ]) {
    account.schedule.freezeAt(account.now() + hourMs);
    await sendDueMessages(account);
    expect(countedTotals(account)).toEqual(expected);
    expect(recomputedTotals(account)).toEqual(expected);
  }
});

test('a delivery without a URL counts as unsent', async () => {
  const { account } = await openWebhookAccount({ webhookUrl: null });
  addDeposit(account);
  expect(countedTotals(account)).toEqual({ unsent: 1 });
});

test('a failed delivery counts as delivered after a successful resend', async () => {
  const { account } = await openWebhookAccount({ receivers: receiversResponding(410, 200) });
  addDeposit(account);
  await sendDueMessages(account);
  expect(countedTotals(account)).toEqual({ failed: 1 });
  await resendDelivery(account, String(account.deliveries.rows[0]?.id));
  expect(countedTotals(account)).toEqual({ delivered: 1 });
});

test('changes that cannot be stored are counted only until their commit fails', async () => {
  const { account, store, world } = await openWebhookAccount({ receivers: receiversResponding(500) });
  addDeposit(account);
  await sendDueMessages(account);
  store.holdCommits();
  addDeposit(account, 'BK-2');
  expect(countedTotals(account)).toEqual({ waiting: 1, retrying: 1 });
  store.rejectHeldCommits();
  await Promise.allSettled([world.commits.whenStored()]);
  expect(account.deliveries.size).toBe(1);
  expect(countedTotals(account)).toEqual({ retrying: 1 });
});

test('an attempt that cannot be stored is counted only until its commit fails', async () => {
  const { account, store, world } = await openWebhookAccount();
  addDeposit(account);
  await world.commits.whenStored();
  store.holdCommits();
  await sendDueMessages(account);
  expect(countedTotals(account)).toEqual({ delivered: 1 });
  store.rejectHeldCommits();
  await Promise.allSettled([world.commits.whenStored()]);
  expect(countedTotals(account)).toEqual({ waiting: 1 });
});

test('the counts are the same after a restart', async () => {
  const { account, store, world } = await openWebhookAccount({ receivers: receiversResponding(200, 410, 500) });
  // Another account, whose deliveries would count if the totals were not kept per account.
  addDeposit(withWebhooks(world, openAccount(world, 'two')));
  for (const reference of ['BK-1', 'BK-2', 'BK-3']) addDeposit(account, reference);
  await sendDueMessages(account);
  await world.commits.whenStored();
  const reopened = (await emptyWorld(store)).accounts.get('one');
  if (!reopened) throw new Error('the account is lost');
  expect(countedTotals(reopened)).toEqual({ delivered: 1, failed: 1, retrying: 1 });
});
