import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';

/** Concurrent HTTP requests with the same Idempotency-Key (gap deposit.key-concurrent). */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ seed: 'empty', profile: { 'deposit.key-concurrent': 'conflict' } });
});

afterAll(() => sim.close());

const depositBody = JSON.stringify({ booking_reference: 'BK-1', amount: 100 });

function headersWith(key: string): Record<string, string> {
  const token = sim.account.tokens?.full;
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key };
}

async function createDeposit(key: string): Promise<{ status: number; id: unknown }> {
  const response = await fetch(`${sim.baseUrl}/deposits`, {
    method: 'POST',
    headers: headersWith(key),
    body: depositBody,
  });
  const { data }: { data?: { id: unknown } } = JSON.parse(await response.text());
  return { status: response.status, id: data?.id };
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
  test('one of two concurrent creations with the same key is refused, and one deposit is created', async () => {
    const results = await Promise.all([createDeposit('same'), createDeposit('same')]);
    expect(results.map(({ status }) => status).sort()).toEqual([201, 409]);
    const created = results.find(({ status }) => status === 201);
    // The key is no longer in use, and returns the created deposit.
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
    expect(statuses.slice(0, -1).every((status) => status === 409)).toBe(true);
  });
});
