import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';

/** Concurrent HTTP requests with the same Idempotency-Key (gaps deposit.key-concurrent and deposit.key-failed). */

let sim: Simulator;

/** Starts a simulator with a profile for the tests of a block. */
function useSimulator(profile: Choices): void {
  beforeAll(async () => {
    sim = await startSimulator({ seed: 'empty', profile });
  });

  afterAll(() => sim.close());
}

const depositBody = JSON.stringify({ booking_reference: 'BK-1', amount: 100 });

const repeatedErrorHint =
  'the first request with this Idempotency-Key was refused, so its error is returned again; use another key';

function headersWith(key: string): Record<string, string> {
  const token = sim.account.tokens?.full;
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key };
}

/** Sends a request for a new deposit. @returns the status and the body of the response */
async function sendDeposit(key: string, body: string): Promise<[status: number, body: string]> {
  const response = await fetch(`${sim.baseUrl}/deposits`, { method: 'POST', headers: headersWith(key), body });
  return [response.status, await response.text()];
}

async function createDeposit(key: string): Promise<{ status: number; id: unknown }> {
  const [status, body] = await sendDeposit(key, depositBody);
  const { data }: { data?: { id: unknown } } = JSON.parse(body);
  return { status, id: data?.id };
}

/** Sends the headers of a request for a new deposit, but not its body. Resolves when the server waits for the body. */
async function sendHeaders(key: string): Promise<ClientRequest> {
  const clientRequest = request(`${sim.baseUrl}/deposits`, {
    method: 'POST',
    agent: false,
    headers: { ...headersWith(key), 'Content-Length': depositBody.length, Expect: '100-continue' },
  });
  clientRequest.flushHeaders();
  await once(clientRequest, 'continue');
  return clientRequest;
}

async function statusOf(clientRequest: ClientRequest): Promise<number | undefined> {
  const [response]: IncomingMessage[] = await once(clientRequest, 'response');
  response?.resume();
  return response?.statusCode;
}

describe('with the profile deposit.key-concurrent: conflict', () => {
  useSimulator({ 'deposit.key-concurrent': 'conflict' });

  test('one of two concurrent creations with the same key is refused, and one deposit is created', async () => {
    const results = await Promise.all([createDeposit('same'), createDeposit('same')]);
    expect(results.map(({ status }) => status).sort()).toEqual([201, 409]);
    const created = results.find(({ status }) => status === 201);
    // The key is free again, and a request with it gets the created deposit.
    expect(await createDeposit('same')).toEqual(created);
  });

  test('concurrent creations with different keys do not conflict', async () => {
    const results = await Promise.all([createDeposit('one'), createDeposit('other')]);
    expect(results.map(({ status }) => status)).toEqual([201, 201]);
  });

  test('a key is in use from the arrival of the headers to the end of the response', async () => {
    const first = await sendHeaders('slow');
    expect((await createDeposit('slow')).status).toBe(409);
    first.end(depositBody);
    expect(await statusOf(first)).toBe(201);
    expect((await createDeposit('slow')).status).toBe(201);
  });

  test('a client that disconnects frees its key', async () => {
    const first = await sendHeaders('disconnected');
    const closed = new Promise((resolve) => first.once('close', resolve));
    first.on('error', () => undefined);
    first.destroy();
    await closed;
    const statuses: number[] = [];
    // The server notices the disconnection a moment later; until then it responds with 409.
    while (statuses.at(-1) !== 201) statuses.push((await createDeposit('disconnected')).status);
    expect([...new Set(statuses.slice(0, -1))].filter((status) => status !== 409)).toEqual([]);
  });

  test('a client that disconnects frees the keys of all requests that it has pipelined', async () => {
    const eventCount = (await sim.account.webhooks.all()).length;
    const socket = connect(Number(new URL(sim.url).port), '127.0.0.1');
    const headOf = (key: string, header: string) => {
      const headers = Object.entries({ Host: 'localhost', ...headersWith(key), 'Content-Length': depositBody.length });
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return `POST /api/v1/deposits HTTP/1.1\r\n${lines}${header}\r\n`;
    };
    // Node connects the second response to the socket only after the first one, which is delayed, so closing the socket
    // does not close the second response. The body of the second request never arrives.
    socket.write(
      headOf('pipelined first', 'X-Sim-Fault: latency=60s\r\n') + depositBody + headOf('pipelined second', ''),
    );
    // Once the first request has created its deposit, the key of the second one, from the same packet, is in use.
    await expect.poll(async () => (await sim.account.webhooks.all()).length).toBeGreaterThan(eventCount);
    expect(await createDeposit('pipelined second')).toMatchObject({ status: 409 });
    socket.destroy();
    await expect.poll(() => createDeposit('pipelined second')).toMatchObject({ status: 201 });
  });
});

// The choices about replays of successes must not change replayed errors.
describe.each([
  {},
  { 'deposit.key-mismatch': 'original', 'deposit.replay-status': '200' },
  { 'deposit.key-mismatch': 'original', 'deposit.replay-body': 'present' },
] as const)('with the profile deposit.key-failed: replayed and %j', (choices) => {
  useSimulator({ 'deposit.key-failed': 'replayed', ...choices });

  test('if a request with the key fails, a concurrent one whose body arrives later gets the same error', async () => {
    const slow = await sendHeaders('same');
    const [refusedStatus, refusedBody] = await sendDeposit('same', '{"amount":-1}');
    expect(refusedStatus).toBe(422);
    slow.end(depositBody);
    const [response]: IncomingMessage[] = await once(slow, 'response');
    expect(response?.statusCode).toBe(422);
    expect(response && (await text(response))).toBe(refusedBody);
    expect(response?.headers['x-sim-hint']).toBe(repeatedErrorHint);
  });

  test.each([
    ['is not JSON', '{', 400],
    ['is too large', ' '.repeat(100_001), 413],
  ])('a body that %s does not use up its key', async (title, body, status) => {
    expect((await sendDeposit(title, body))[0]).toBe(status);
    expect(await createDeposit(title)).toMatchObject({ status: 201 });
  });

  test('a hint explains why a corrected request still gets the old error', async () => {
    await sendDeposit('corrected', '{"amount":-1}');
    const options = { method: 'POST', headers: headersWith('corrected'), body: depositBody };
    const { status, headers } = await fetch(`${sim.baseUrl}/deposits`, options);
    expect([status, headers.get('X-Sim-Hint')]).toEqual([422, repeatedErrorHint]);
  });
});

describe('after a change from deposit.key-failed: replayed to free', () => {
  useSimulator({ 'deposit.key-failed': 'replayed' });

  test('the key of an earlier error creates a deposit, which is then replayed', async () => {
    expect((await sendDeposit('same', '{"amount":-1}'))[0]).toBe(422);
    await sim.account.settings.update({ profile: { 'deposit.key-failed': 'free' } });
    const created = await createDeposit('same');
    expect(created).toMatchObject({ status: 201 });
    expect(await createDeposit('same')).toEqual(created);
  });
});
