import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { startCli } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';

/** `BILLING_SIM_CRASH_ROUNDS=50 npx vitest run test/crash` runs more rounds. */
const rounds = Number(process.env['BILLING_SIM_CRASH_ROUNDS'] ?? 4);

/** Bodies that a receiver got, by event id. */
type Received = Map<string, Set<string>>;

/** A receiver that accepts some messages at once and some later, and rejects some at first. */
async function openReceiver(): Promise<{ server: Server; url: string; received: Received; attempts: () => number }> {
  const received: Received = new Map();
  let attempts = 0;
  const server = createServer(async (request, response) => {
    attempts += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { id } = JSON.parse(body);
    const known = received.get(id);
    if (known) known.add(body);
    else received.set(id, new Set([body]));
    const isRefused = known === undefined && attempts % 7 === 0;
    setTimeout(() => response.writeHead(isRefused ? 503 : 200).end(), attempts % 5);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = Object(server.address());
  return { server, url: `http://127.0.0.1:${port}/`, received, attempts: () => attempts };
}

const long = { timeout: 3_600_000 };

test.each([
  ['of deliveries', undefined],
  ['of messages that are held, sent twice and out of order', 'duplicate,reorder'],
])(`${rounds} rounds of kill -9 in the middle %s neither lose nor invent an event`, long, async (_what, effect) => {
  const folder = tempFolder();
  const receiver = await openReceiver();
  const acknowledged = new Set<number | string>();
  const flags = [
    '--seed',
    'empty',
    '--rate-limit',
    'off',
    '--random-seed',
    'crash',
    '--data',
    folder,
    '--webhook-url',
    receiver.url,
  ];
  for (let round = 0; round < rounds; round++) {
    const { child, ready } = await startCli(...flags);
    if (effect !== undefined && round === 0) await addFault(ready.url, effect);
    const clients = Array.from({ length: 6 }, () => createUntilKilled(ready, acknowledged));
    // Kills at a different time in each round: between the first delivery and several hundred.
    const before = receiver.attempts();
    while (receiver.attempts() === before || acknowledged.size < 7 * (round + 1))
      await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 60 + ((round * 37) % 150)));
    child.kill('SIGKILL');
    await Promise.all([once(child, 'close'), ...clients]);
  }

  const simulator = await startSimulator({ data: folder, seed: 'empty', rateLimit: false });
  // Hundreds of messages per round are still unsent, and the machine may be busy.
  await simulator.account.clock.advance('8d', { timeout: 120_000 + rounds * 6_000 });
  const webhooks = await simulator.account.webhooks.all();
  await simulator.close();
  receiver.server.closeAllConnections();
  receiver.server.close();

  const createdOf = new Set(
    webhooks.filter(({ event }) => event === 'deposit.created').map(({ body }) => JSON.parse(body).data.id),
  );
  const eventsOf = new Map<unknown, string[]>();
  for (const bodies of receiver.received.values()) {
    for (const body of bodies) {
      const { event, data } = JSON.parse(body);
      eventsOf.set(data.id, [...(eventsOf.get(data.id) ?? []), event]);
    }
  }
  const damage = {
    lost: [...acknowledged].filter((id) => !createdOf.has(id)),
    unsent: webhooks.filter(({ id }) => !receiver.received.has(id)).map(({ id }) => id),
    undelivered: webhooks.filter(({ status }) => status !== 'delivered').map(({ id }) => id),
    // Repeated deliveries have the same body, and each event of a deposit has exactly one message.
    changed: [...receiver.received].filter(([, bodies]) => bodies.size > 1).map(([id]) => id),
    made: [...receiver.received.keys()].filter((id) => !webhooks.some((webhook) => webhook.id === id)),
    wrong: [...eventsOf].filter(
      ([, events]) => events.sort().join() !== 'deposit.authorized,deposit.created,deposit.expired',
    ),
  };
  expect(damage).toEqual({ lost: [], unsent: [], undelivered: [], changed: [], made: [], wrong: [] });
  // A run without writes would prove nothing.
  expect(acknowledged.size).toBeGreaterThan(rounds * 6);
  console.log(`${webhooks.length} events in ${rounds} rounds, ${receiver.attempts()} attempts, none lost`);
});

async function addFault(url: string, effect: string): Promise<void> {
  const { ok } = await fetch(`${url}/_sim/accounts/demo/faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ effect }),
  });
  expect(ok).toBe(true);
}

/** Creates deposits, which a scenario authorizes later, until the server is killed. */
async function createUntilKilled(
  { baseUrl, tokens }: { baseUrl: string; tokens: { full: string } | null },
  acknowledged: Set<number | string>,
): Promise<void> {
  const client = clientOf(baseUrl, tokens?.full);
  for (;;) {
    try {
      const { response, data } = await client.POST('/deposits', {
        body: {
          booking_reference: 'CRASH',
          amount: 12.34,
          metadata: { scenario: 'authorize-then-expire', text: 'é'.repeat(50) },
        },
      });
      if (response.status === 201 && data) acknowledged.add(data.data.id);
    } catch {
      return;
    }
  }
}
