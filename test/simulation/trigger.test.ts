import { expect, test } from 'vitest';
import type { EventName } from '../../src/domain/records.js';
import type { Seed } from '../../src/domain/seed.js';
import type { Choices } from '../../src/index.js';
import {
  authorizeDeposit,
  captureDeposit,
  createDeposit,
  releaseDeposit,
} from '../../src/simulation/operations/deposits.js';
import { trigger } from '../../src/simulation/scenarios/trigger.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

/** Opens an account, and returns functions that create an authorized deposit and trigger an event. */
async function openTriggerAccount(choices: Choices = {}, seed: Partial<Seed> = {}) {
  const world = await emptyWorld();
  const account = openAccount(world, 'one', choices, seed);
  return {
    account,
    addAuthorizedDeposit(amount: number): number | string {
      const { id } = createDeposit(account, { ...newDeposit, amount });
      authorizeDeposit(account, id);
      return id;
    },
    /** Triggers an event. @returns the names of the events that this emits */
    triggerEvent(event: EventName, deposit?: number | string): string[] {
      const earlierCount = account.deliveries.rows.length;
      trigger(account, world.accounts, { event, deposit });
      return account.deliveries.rows.slice(earlierCount).map((delivery) => delivery.event);
    },
  };
}

test('partial captures of a deposit can be triggered until only the smallest amount remains', async () => {
  const { account, addAuthorizedDeposit, triggerEvent } = await openTriggerAccount();
  const id = addAuthorizedDeposit(0.05);
  captureDeposit(account, id, { amount: 0.01 });
  for (let count = 0; count < 3; count++) {
    expect(triggerEvent('deposit.partially_captured', id)).toEqual(['deposit.partially_captured']);
  }
  expect(() => triggerEvent('deposit.partially_captured', id)).toThrow(
    'no partial capture is possible: only 0.01 remains, which cannot be divided',
  );
  expect(account.deposits.get(id)).toMatchObject({ status: 'partially_captured', captured_amount: 0.04 });
});

test('a pending deposit that cannot be divided stays pending if a partial capture is triggered', async () => {
  const { account, triggerEvent } = await openTriggerAccount();
  const { id } = createDeposit(account, { ...newDeposit, amount: 0.01 });
  expect(() => triggerEvent('deposit.partially_captured', id)).toThrow('only 0.01 remains, which cannot be divided');
  expect(account.deposits.get(id)).toMatchObject({ status: 'pending', history: [] });
});

test('no deposit is created for a partial capture if the largest amount cannot be divided', async () => {
  const { account, triggerEvent } = await openTriggerAccount({ 'amount.maximum': { maximum: 1 } }, { currency: 'JPY' });
  expect(() => triggerEvent('deposit.partially_captured')).toThrow('only 1 remains, which cannot be divided');
  expect(account.deposits.rows).toEqual([]);
  expect(triggerEvent('deposit.created')).toEqual(['deposit.created']);
});

test('a partial capture of a released deposit is refused because of its status', async () => {
  const { account, addAuthorizedDeposit, triggerEvent } = await openTriggerAccount();
  const id = addAuthorizedDeposit(100);
  releaseDeposit(account, id);
  expect(() => triggerEvent('deposit.partially_captured', id)).toThrow('deposit-not-capturable');
});

test('repeated partial captures of a large deposit never complete it', async () => {
  const { addAuthorizedDeposit, triggerEvent } = await openTriggerAccount();
  const id = addAuthorizedDeposit(200);
  const events = Array.from({ length: 20 }, () => triggerEvent('deposit.partially_captured', id));
  expect(new Set(events.flat())).toEqual(new Set(['deposit.partially_captured']));
});

test('deposit.failed cannot be triggered if a declined card leaves the deposit pending', async () => {
  const { account, triggerEvent } = await openTriggerAccount({ 'deposit.decline': 'pending' });
  expect(() => triggerEvent('deposit.failed')).toThrow(
    'a declined card leaves a deposit pending (gap deposit.decline)',
  );
  expect(account.deposits.rows).toEqual([]);
});

test('deposit.released cannot be triggered for a released deposit, even if the profile accepts a repeated release', async () => {
  const { account, addAuthorizedDeposit, triggerEvent } = await openTriggerAccount({
    'deposit.release-when': 'repeated',
  });
  const id = addAuthorizedDeposit(100);
  expect(triggerEvent('deposit.released', id)).toEqual(['deposit.released']);
  expect(() => triggerEvent('deposit.released', id)).toThrow('a repeated release sends no event');
  expect(account.deposits.get(id)).toMatchObject({ status: 'released' });
});

test('deposit.expired cannot be triggered for a partially captured deposit if the profile makes it captured instead', async () => {
  const { account, addAuthorizedDeposit, triggerEvent } = await openTriggerAccount({
    'deposit.expire-partial': 'captured',
  });
  expect(triggerEvent('deposit.expired', addAuthorizedDeposit(100))).toEqual(['deposit.expired']);
  const id = addAuthorizedDeposit(100);
  captureDeposit(account, id, { amount: 10 });
  expect(() => triggerEvent('deposit.expired', id)).toThrow('with the event deposit.captured');
  expect(account.deposits.get(id)).toMatchObject({ status: 'partially_captured' });
});

test.each<EventName>(['deposit.created', 'deposit.failed', 'deposit.expired'])(
  'for an unknown deposit, %s is refused because the deposit does not exist, whatever the profile allows',
  async (event) => {
    const { triggerEvent } = await openTriggerAccount({ 'deposit.decline': 'pending' });
    expect(() => triggerEvent(event, 99)).toThrow('deposit-not-found');
  },
);

test.each([
  { maximum: 10, amounts: [10, 10] },
  // With more decimal places than EUR has.
  { maximum: 1.239, amounts: [1.23, 1.23] },
])(
  'the amounts of records that a trigger creates are at most the maximum of the profile: $maximum',
  async ({ maximum, amounts }) => {
    const { account, triggerEvent } = await openTriggerAccount({ 'amount.maximum': { maximum } });
    triggerEvent('deposit.created');
    triggerEvent('payment.succeeded');
    expect([account.deposits.rows[0]?.amount, account.paymentLinks.rows[0]?.amount]).toEqual(amounts);
  },
);
