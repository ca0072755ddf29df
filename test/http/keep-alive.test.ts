import { get } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
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

interface Exchange {
  readonly send: () => Promise<Response>;
  /** Waits until the server is handling the request. */
  readonly whenHandled: () => Promise<void>;
  /** Lets the response be sent, unless it is sent after a time. */
  readonly finish?: () => void;
}

test.each<[name: string, prepare: (account: SimulatorAccount) => Promise<Exchange>]>([
  [
    'a clock advance that waits for a receiver',
    async ({ url, id, webhooks, trigger }) => {
      let finish = (): void => expect.unreachable();
      // Only the webhook about the expiry waits, which the advance sends.
      const receiver = await openReceiver((request, response) => {
        const respond = (): void => void response.writeHead(204).end();
        if (request.headers['x-service-event'] === 'deposit.expired') finish = respond;
        else respond();
      });
      await webhooks.configure({ url: receiver.url });
      await trigger('deposit.authorized');
      return {
        send: () =>
          fetch(`${url}/_sim/accounts/${id}/clock/advance`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: '{"by":"8d"}',
          }),
        whenHandled: () =>
          expect.poll(() => receiver.received.at(-1)?.headers['x-service-event']).toBe('deposit.expired'),
        finish: () => finish(),
      };
    },
  ],
  [
    'a request that a fault delays',
    async ({ baseUrl, tokens, faults }) => {
      await faults.add({ effect: 'latency=500ms' });
      return {
        send: () => fetch(`${baseUrl}/invoices`, { headers: { Authorization: `Bearer ${tokens.full}` } }),
        whenHandled: () => expect.poll(() => faults.list()).toMatchObject([{ times_matched: 1 }]),
      };
    },
  ],
])(
  'while the server stops, the response to %s closes its connection, so that the server need not wait for the client',
  async (_name, prepare) => {
    const simulator = await startSimulator({ log: () => undefined });
    const { send, whenHandled, finish } = await prepare(await simulator.createAccount());
    const responding = send();
    await whenHandled();
    const closing = simulator.close();
    finish?.();
    const response = await responding;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    await closing;
  },
);
