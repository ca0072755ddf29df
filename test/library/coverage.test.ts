import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { openReceiver } from '../webhooks/receiver.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => simulator.close());

const maxAttempts = 3;

/** Creates a deposit like a client that retries; `keyOf` returns the idempotency key of each attempt. */
async function createDepositWithRetries(
  { tokens }: SimulatorAccount,
  keyOf: (attempt: number) => string,
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      const response = await fetch(`${simulator.baseUrl}/deposits`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${tokens.full}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': keyOf(attempt),
        },
        body: JSON.stringify({ booking_reference: 'BK-1', amount: 300 }),
      });
      if (response.ok) return;
    } catch (error) {
      if (attempt === maxAttempts) throw error;
    }
  }
  throw new Error(`no deposit was created in ${maxAttempts} attempts`);
}

describe('account.coverage()', () => {
  test('reports no problem for a client that retries with the same idempotency key', async () => {
    const account = await simulator.createAccount();
    await account.faults.add({ effect: 'lose-response', match: { operation: 'createDeposit' }, times: 2 });
    await createDepositWithRetries(account, () => 'booking-1');
    const { operations, retries, keys } = await account.coverage();
    expect(operations.missing).not.toContain('createDeposit');
    expect(retries.lost).toBe(2);
    expect([...retries.unsafe, ...retries.missing, ...keys.missing]).toEqual([]);
  });

  test('reports a client that uses a new idempotency key for every attempt as unsafe', async () => {
    const account = await simulator.createAccount();
    await account.faults.add({ effect: 'lose-response', times: 1 });
    await createDepositWithRetries(account, (attempt) => `booking-1-${attempt}`);
    expect((await account.coverage()).retries.unsafe).toMatchObject([{ outcome: 'other-key' }]);
  });

  test('lists forged webhooks that a receiver has accepted', async () => {
    const receiver = await openReceiver();
    const account = await simulator.createAccount({ webhookUrl: receiver.url });
    await account.faults.add({ effect: 'no-signature', times: 1 });
    await createDepositWithRetries(account, () => 'booking-1');
    await account.webhooks.settled();
    const { forged_webhooks, events } = await account.coverage();
    expect(forged_webhooks.accepted).toMatchObject([{ event: 'deposit.created', how: 'no-signature', status: 204 }]);
    expect(events.all).toContainEqual(expect.objectContaining({ event: 'deposit.created', count: 1 }));
  });

  test('is kept when the account is reset, until resetCoverage() is called', async () => {
    const account = await simulator.createAccount();
    const { transitions: initialTransitions } = await account.coverage();
    for (const step of ['authorize', 'decline'] as const) {
      await account.reset();
      await createDepositWithRetries(account, () => 'booking-1');
      await account.deposits[step](1);
    }
    const { requests, transitions } = await account.coverage();
    expect(requests).toBe(2);
    expect(transitions.missing).not.toContain('pending → authorized (authorize)');
    expect(transitions.missing).not.toContain('pending → failed (decline)');
    expect(await account.requests()).toHaveLength(2);
    await account.resetCoverage();
    expect(await account.coverage()).toMatchObject({ requests: 0, transitions: initialTransitions });
  });

  test('no longer lists an effect as missing once a fault with it has fired', async () => {
    const account = await simulator.createAccount();
    await account.faults.add({ effect: 'status=500', times: 1 });
    await createDepositWithRetries(account, () => 'booking-1');
    expect((await account.coverage()).faults.missing).not.toContain('status');
  });
});
