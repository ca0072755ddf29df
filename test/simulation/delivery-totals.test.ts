import { expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus, resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import type { DeliveryStatus } from '../../src/simulation/state/delivery-totals.js';
import { answering, hour, newDeposit, open, settle, withWebhooks } from './webhooks.js';
import { emptyWorld, openAccount } from './world.js';

/** Numbers of deliveries by status, which are counted as rows change. */

const statuses: readonly DeliveryStatus[] = ['unsent', 'waiting', 'retrying', 'delivered', 'failed'];

function counted(account: Account): Partial<Record<DeliveryStatus, number>> {
  return nonZero((status) => account.deliveryTotals.countOf(status));
}

/** The numbers that a scan of all deliveries finds. */
function scanned(account: Account): Partial<Record<DeliveryStatus, number>> {
  const found = account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery));
  return nonZero((status) => found.filter((each) => each === status).length);
}

function nonZero(countOf: (status: DeliveryStatus) => number): Partial<Record<DeliveryStatus, number>> {
  return Object.fromEntries(statuses.map((status) => [status, countOf(status)]).filter(([, count]) => count !== 0));
}

test('each attempt moves a delivery to its new status', async () => {
  const { account } = await open({ receivers: answering(200, 410, 500, 500, 204) });
  const seen = [];
  for (let deposit = 0; deposit < 3; deposit++) {
    newDeposit(account, `BK-${deposit}`);
    seen.push(counted(account));
    await settle(account);
    seen.push(counted(account));
  }
  expect(seen).toEqual([
    { waiting: 1 },
    { delivered: 1 },
    { waiting: 1, delivered: 1 },
    { delivered: 1, failed: 1 },
    { waiting: 1, delivered: 1, failed: 1 },
    { retrying: 1, delivered: 1, failed: 1 },
  ]);
  account.schedule.freezeAt(account.now() + hour);
  await settle(account);
  expect(counted(account)).toEqual(scanned(account));
});

test('a delivery without a URL is unsent', async () => {
  const { account } = await open({ webhookUrl: null });
  newDeposit(account);
  expect(counted(account)).toEqual({ unsent: 1 });
});

test('a failed delivery that is sent again is delivered', async () => {
  const { account } = await open({ receivers: answering(410, 200) });
  newDeposit(account);
  await settle(account);
  expect(counted(account)).toEqual({ failed: 1 });
  await resendDelivery(account, String(account.deliveries.rows[0]?.id));
  expect(counted(account)).toEqual({ delivered: 1 });
});

test('changes that cannot be stored are not counted', async () => {
  const { account, store, world } = await open({ receivers: answering(500) });
  newDeposit(account);
  await settle(account);
  store.hold();
  newDeposit(account, 'BK-2');
  expect(counted(account)).toEqual({ waiting: 1, retrying: 1 });
  store.refuse();
  await Promise.allSettled([world.commits.whenStored()]);
  expect(account.deliveries.size).toBe(1);
  expect(counted(account)).toEqual({ retrying: 1 });
});

test('they are the same after a restart', async () => {
  const { account, store, world } = await open({ receivers: answering(200, 410, 500) });
  withWebhooks(world, openAccount(world, 'two'));
  for (const reference of ['BK-1', 'BK-2', 'BK-3']) newDeposit(account, reference);
  await settle(account);
  await world.commits.whenStored();
  const reopened = (await emptyWorld(store)).accounts.get('one');
  if (!reopened) throw new Error('the account is lost');
  expect(counted(reopened)).toEqual({ delivered: 1, failed: 1, retrying: 1 });
});
