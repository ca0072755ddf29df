import { get } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type SimulatorAccount, startSimulator } from '../../src/index.js';
import { openReceiver } from '../webhooks/receiver.js';

test('the server promises to keep an idle connection open for 95 seconds, longer than clients do', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const keepAlive = await new Promise((resolve, reject) => {
    get(`${simulator.url}/_sim/health`, { headers: { Connection: 'keep-alive' } }, (response) => {
      response.resume();
      resolve(response.headers['keep-alive']);
    }).on('error', reject);
  });
  expect(keepAlive).toBe('timeout=95');
});

test.each<[name: string, prepare: (account: SimulatorAccount) => Promise<() => Promise<Response>>]>([
  [
    'a clock advance that waits for a receiver',
    async ({ url, id, webhooks, trigger }) => {
      const receiver = await openReceiver((_request, response) => {
        setTimeout(() => response.writeHead(204).end(), 300);
      });
      await webhooks.configure({ url: receiver.url });
      await trigger('deposit.created');
      await vi.waitUntil(() => receiver.received.length === 1);
      return () =>
        fetch(`${url}/_sim/accounts/${id}/clock/advance`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: '{"by":"0s"}',
        });
    },
  ],
  [
    'a request that a fault delays',
    async ({ baseUrl, tokens, faults }) => {
      await faults.add({ effect: 'latency=300ms' });
      return () => fetch(`${baseUrl}/invoices`, { headers: { Authorization: `Bearer ${tokens.full}` } });
    },
  ],
])(
  'while the server stops, the response to %s closes its connection, so that the server need not wait for the client',
  async (_name, prepare) => {
    const simulator = await startSimulator({ log: () => undefined });
    const send = await prepare(await simulator.createAccount());
    const responding = send();
    // The responses take 300 ms.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const closing = simulator.close();
    const response = await responding;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    await closing;
  },
);
