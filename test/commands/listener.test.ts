import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type Listener, type Message, openListener, type Reply } from '../../src/commands/simulator/listener.js';
import { openRaw } from '../support/raw.js';

interface OpenedListener {
  readonly listener: Listener;
  readonly messages: readonly Message[];
  readonly failures: readonly unknown[];
}

async function openTestListener(respond: () => Promise<Reply>, port = 0): Promise<OpenedListener> {
  const messages: Message[] = [];
  const failures: unknown[] = [];
  const listener = await openListener({
    port,
    respond: (message) => {
      messages.push(message);
      return respond();
    },
    onFailure: (error) => failures.push(error),
  });
  onTestFinished(() => listener.close());
  return { listener, messages, failures };
}

const accept = async (): Promise<Reply> => ({ status: 202, body: 'thanks', retryAfter: null, date: null });

test('the listener passes a message on unchanged, and responds with the reply of the callback', async () => {
  const { listener, messages } = await openTestListener(async () => ({
    status: 429,
    body: 'later',
    retryAfter: '30',
    date: 'Thu, 01 Jan 2026 00:00:00 GMT',
  }));
  const body = Buffer.from([0xff, 0x00, 0x7b]);
  const response = await fetch(listener.url, { method: 'POST', headers: { 'X-Service-Event': 'a' }, body });
  expect([response.status, await response.text()]).toEqual([429, 'later']);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'retry-after': '30',
    date: 'Thu, 01 Jan 2026 00:00:00 GMT',
  });
  expect(messages[0]?.body).toEqual(body);
  expect(messages[0]?.headers['x-service-event']).toBe('a');
  expect(messages[0]?.rawHeaders).toContain(`127.0.0.1:${listener.port}`);
});

test('a response without a date gets none, because a date in Retry-After would be read relative to it', async () => {
  const { listener } = await openTestListener(accept);
  const response = await fetch(listener.url, { method: 'POST', body: '{}' });
  expect(response.headers.get('Date')).toBeNull();
});

test('a request with a method other than POST is refused', async () => {
  const { listener, messages } = await openTestListener(accept);
  expect((await fetch(listener.url)).status).toBe(405);
  expect(messages).toEqual([]);
});

test('a message larger than 1 MB is refused', async () => {
  const { listener, messages } = await openTestListener(accept);
  expect((await fetch(listener.url, { method: 'POST', body: Buffer.alloc(1_000_000) })).status).toBe(202);
  expect((await fetch(listener.url, { method: 'POST', body: Buffer.alloc(1_000_001) })).status).toBe(413);
  expect(messages.length).toBe(1);
});

test('a sender that disconnects in the middle of a message is not reported as a failure', async () => {
  const { listener, messages, failures } = await openTestListener(accept);
  const connection = await openRaw(listener.url);
  connection.send('POST /billing-sim-listen HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"id":');
  // The listener answers each of these messages after what was sent before.
  await fetch(listener.url, { method: 'POST', body: '{}' });
  connection.close();
  await fetch(listener.url, { method: 'POST', body: '{}' });
  await fetch(listener.url, { method: 'POST', body: '{}' });
  expect({ messages: messages.length, failures }).toEqual({ messages: 3, failures: [] });
});

test('an error of the callback is reported, and the response is 500', async () => {
  const { listener, failures } = await openTestListener(() => Promise.reject(new Error('broken')));
  expect((await fetch(listener.url, { method: 'POST', body: '{}' })).status).toBe(500);
  expect(failures).toEqual([new Error('broken')]);
});

test('a reply that cannot be sent is reported, and the response is 500', async () => {
  const { listener, failures } = await openTestListener(async () => ({ ...(await accept()), status: 0 }));
  const response = await fetch(listener.url, { method: 'POST', body: '{}' });
  expect([response.status, await response.text()]).toEqual([500, 'billing-sim listen failed']);
  expect(failures).toEqual([expect.objectContaining({ code: 'ERR_HTTP_INVALID_STATUS_CODE' })]);
});

test('opening a listener on a port in use fails with an error that says what to do', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  onTestFinished(() => void holder.close());
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(openTestListener(accept, port)).rejects.toThrow(
    `port ${port} is already in use; choose another with --port, or 0 for a free one`,
  );
});
