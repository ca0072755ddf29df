import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';

/** Gap deposit.key-concurrent, as a client meets it over sockets. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ seed: 'empty', profile: { 'deposit.key-concurrent': 'conflict' } });
});

afterAll(() => sim.close());

const body = JSON.stringify({ booking_reference: 'BK-1', amount: 100 });

function headers(key: string): Record<string, string> {
  const token = sim.account.tokens?.full;
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key };
}

async function create(key: string): Promise<{ status: number; id: unknown }> {
  const response = await fetch(`${sim.baseUrl}/deposits`, { method: 'POST', headers: headers(key), body });
  const { data }: { data?: { id: unknown } } = JSON.parse(await response.text());
  return { status: response.status, id: data?.id };
}

/** A creation that the server has begun to handle, and whose body has not been sent. */
async function begin(key: string): Promise<ClientRequest> {
  const { 'Content-Type': type, ...rest } = headers(key);
  const begun = request(`${sim.baseUrl}/deposits`, {
    method: 'POST',
    agent: false,
    headers: { ...rest, 'Content-Type': String(type), 'Content-Length': body.length, Expect: '100-continue' },
  });
  begun.flushHeaders();
  await once(begun, 'continue');
  return begun;
}

async function statusOf(begun: ClientRequest): Promise<number | undefined> {
  const [response]: IncomingMessage[] = await once(begun, 'response');
  response?.resume();
  return response?.statusCode;
}

describe('under deposit.key-concurrent: conflict', () => {
  test('one of two simultaneous creations with one key is refused, and there is one deposit', async () => {
    const answers = await Promise.all([create('at once'), create('at once')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const made = answers.find(({ status }) => status === 201);
    // The key is free again, and gives the deposit that was made.
    expect(await create('at once')).toEqual(made);
  });

  test('two keys do not conflict', async () => {
    const answers = await Promise.all([create('one'), create('other')]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  test('a key is in use from the first line of a request to the end of its response', async () => {
    const first = await begin('slow');
    expect((await create('slow')).status).toBe(409);
    first.end(body);
    expect(await statusOf(first)).toBe(201);
    expect((await create('slow')).status).toBe(201);
  });

  test('a client that disconnects frees its key', async () => {
    const first = await begin('given up');
    const isClosed = new Promise((resolve) => first.once('close', resolve));
    first.on('error', () => undefined);
    first.destroy();
    await isClosed;
    const statuses: number[] = [];
    // The server hears of it in a moment.
    while (statuses.at(-1) !== 201) statuses.push((await create('given up')).status);
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set(statuses.length > 1 ? [409] : []));
  });
});
