import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { openReceiver } from '../webhooks/receiver.js';

/** Tests often fake timers and the date. The simulator runs in their process, but uses the real timers and date. */
describe('with fake timers and a fake date', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2020-01-01') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function startForTest() {
    const simulator = await startSimulator({ rateLimit: false });
    onTestFinished(() => simulator.close());
    return simulator.account;
  }

  test('waiting for a webhook that does not arrive fails after the timeout', async () => {
    const { webhooks } = await startForTest();
    await expect(webhooks.next('deposit.expired', { timeout: 20 })).rejects.toThrow('no deposit.expired within 20 ms');
  });

  test('a running clock shows the real time', async () => {
    const { clock } = await startForTest();
    const { now } = await clock.show();
    expect(Date.parse(now)).toBeGreaterThan(Date.parse('2026-01-01'));
  });

  test('delayed responses arrive, and webhooks are sent', async () => {
    const { baseUrl, tokens, faults, webhooks } = await startForTest();
    const receiver = await openReceiver();
    await webhooks.configure({ url: receiver.url });
    await faults.add({ effect: 'latency=10ms' });
    const response = await fetch(`${baseUrl}/deposits`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tokens?.full}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ booking_reference: 'BK-1', amount: 300 }),
    });
    expect(response.status).toBe(201);
    const webhook = await webhooks.next('deposit.created');
    await expect.poll(() => receiver.received.map(({ body }) => body.toString())).toEqual([webhook.body]);
  });
});
