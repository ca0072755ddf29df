import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Delivery, leavesOf } from '../../src/contract/engine/delivery.js';
import { eventually } from '../../src/contract/engine/eventually.js';
import { openReceiver, type Receiver } from '../../src/contract/engine/receiver.js';
import { ClauseContext, Session } from '../../src/contract/engine/session.js';
import { Target } from '../../src/contract/engine/target.js';

async function openTestReceiver(secret?: string): Promise<Receiver> {
  const receiver = await openReceiver({ port: 0, secret, redact: (text) => text.replaceAll('hush', '[redacted]') });
  onTestFinished(() => receiver.close());
  return receiver;
}

function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body });
}

const hmac = (body: string | Uint8Array, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

describe('the receiver', () => {
  test('records deliveries with secrets redacted, and responds with 200', async () => {
    const receiver = await openTestReceiver();
    const url = receiver.register('/hooks', 'a secret');
    const response = await post(`${url}?try=1`, '{"a":"hush"}', {
      'X-Service-Event': 'deposit.created',
      'X-Key': 'hush',
    });
    expect(response.status).toBe(200);
    expect(receiver.deliveries).toMatchObject([
      {
        method: 'POST',
        path: '/hooks?try=1',
        headers: { 'x-service-event': 'deposit.created', 'x-key': '[redacted]' },
        text: '{"a":"[redacted]"}',
      },
    ]);
  });

  test('responds once with 503 after failOnce(), to the next matching delivery', async () => {
    const receiver = await openTestReceiver();
    const url = receiver.register('/hooks', 'a secret');
    receiver.failOnce(({ text }) => text === '2');
    const statuses: number[] = [];
    for (const body of ['1', '2', '2']) statuses.push((await post(url, body)).status);
    expect(statuses).toEqual([200, 503, 200]);
    expect(receiver.deliveries).toHaveLength(3);
  });

  test('computes digests from the raw bytes, with the secret of the path', async () => {
    const receiver = await openTestReceiver('default secret');
    const url = receiver.register('/hooks', 'secret of the path');
    const bytes = Uint8Array.from([0x7b, 0xff, 0x00, 0x0d, 0x0a, 0x7d]);
    await post(url, bytes);
    await post(`http://127.0.0.1:${receiver.port}/other-path`, '{ "a" : 1.0 }');
    expect(receiver.deliveries.map(({ digest }) => digest)).toEqual([
      hmac(bytes, 'secret of the path'),
      hmac('{ "a" : 1.0 }', 'default secret'),
    ]);
  });

  test('computes no digest without a secret', async () => {
    const receiver = await openTestReceiver();
    await post(`http://127.0.0.1:${receiver.port}/`, '{}');
    expect(receiver.deliveries.map(({ digest }) => digest)).toEqual([undefined]);
  });

  test('drops a body of more than 1 MB', async () => {
    const receiver = await openTestReceiver();
    const url = `http://127.0.0.1:${receiver.port}/`;
    await expect(post(url, 'x'.repeat(1_000_001))).rejects.toThrow('fetch failed');
    expect(receiver.deliveries).toEqual([]);
    await post(url, 'x'.repeat(1_000_000));
    expect(receiver.deliveries).toHaveLength(1);
  });

  test('waits for a delivery, past or future, until the deadline', async () => {
    const receiver = await openTestReceiver();
    const url = receiver.register('/', 'a secret');
    const waitForText = (text: string, deadline: number): Promise<Delivery | undefined> =>
      receiver.waitFor(() => receiver.deliveries.find((delivery) => delivery.text === text), deadline);
    const inOneMinute = Date.now() + 60_000;
    const awaited = waitForText('second', inOneMinute);
    await post(url, 'first');
    expect(await waitForText('first', 0)).toMatchObject({ text: 'first' });
    expect(await waitForText('second', 0)).toBeUndefined();
    await post(url, 'second');
    expect(await awaited).toMatchObject({ text: 'second' });
    expect(await waitForText('first', inOneMinute)).toMatchObject({ text: 'first' });
  });

  test('cannot be opened on a port in use', async () => {
    const { port } = await openTestReceiver();
    await expect(openReceiver({ port, secret: undefined, redact: (text) => text })).rejects.toThrow('EADDRINUSE');
  });
});

test.each([
  ['{"id":7,"data":{"id":"x","tags":["a",{"b":null}],"is":true}}', ['id=7', 'id=x', 'tags=a', 'b=null', 'is=true']],
  ['[1,[2]]', ['=1', '=2']],
  ['description=Stay+1&payment_link_id=7', ['description=Stay 1', 'payment_link_id=7']],
  ['sent=1&payload={"id":7,"data":{"description":"Stay"}}', ['sent=1', 'id=7', 'description=Stay']],
  ['', []],
])('the values in the body %s are listed with their field names', (text, leaves) => {
  const delivery = { method: 'POST', path: '/', headers: {}, text, receivedAt: 0, digest: undefined };
  expect(leavesOf(delivery).map((leaf) => `${leaf.name}=${leaf.text}`)).toEqual(leaves);
});

describe('eventually()', () => {
  function contextWithTimeout(eventuallyTimeoutMs: number): ClauseContext {
    const target = new Target({
      baseUrl: 'http://127.0.0.1:1/api/v1',
      tokens: { full: 'token' },
      timeoutMs: 1_000,
      pace: 'off',
      mayWrite: false,
    });
    return new ClauseContext(new Session(target, {}, 'no driver', { eventuallyTimeoutMs }), 'a test');
  }

  test('ends as soon as the result matches', async () => {
    let reads = 0;
    const countReads = async (): Promise<number> => {
      reads += 1;
      return reads;
    };
    expect(await eventually(contextWithTimeout(60_000), countReads, (result) => result === 3)).toBe(3);
    expect(reads).toBe(3);
  });

  test('returns the result of a last read at the end of the timeout', async () => {
    let reads = 0;
    const countReads = async (): Promise<number> => {
      reads += 1;
      return reads;
    };
    const startedAt = performance.now();
    // The waits are 100 ms, and then the 150 ms that are left.
    expect(await eventually(contextWithTimeout(250), countReads, () => false)).toBe(3);
    expect(reads).toBe(3);
    // A timer may fire a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(248);
  });
});
