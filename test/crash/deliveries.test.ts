import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { startCli } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';

/** `BILLING_SIM_CRASH_ROUNDS=50 npx vitest run test/crash` is the long run. */
const rounds = Number(process.env['BILLING_SIM_CRASH_ROUNDS'] ?? 4);

/** The bodies that a receiver got, by the id of the event. */
type Received = Map<string, Set<string>>;

/** A receiver that takes some messages at once, some later, and refuses some at first. */
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
])(`${rounds} rounds of kill -9 in the middle %s lose no event and make none up`, long, async (_what, effect) => {
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
    const clients = Array.from({ length: 6 }, () => createUntilGone(ready, acknowledged));
    // Anywhere between the first delivery and some hundreds of them, and never at the same place of a round.
    const before = receiver.attempts();
    while (receiver.attempts() === before || acknowledged.size < 7 * (round + 1))
      await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 60 + ((round * 37) % 150)));
    child.kill('SIGKILL');
    await Promise.all([once(child, 'close'), ...clients]);
  }

  const simulator = await startSimulator({ data: folder, seed: 'empty', rateLimit: false });
  // Hundreds of messages a round are still to be sent, and the machine may be busy.
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
    // A message comes over and over with the same body, and of each event of a deposit there is one message.
    changed: [...receiver.received].filter(([, bodies]) => bodies.size > 1).map(([id]) => id),
    made: [...receiver.received.keys()].filter((id) => !webhooks.some((webhook) => webhook.id === id)),
    wrong: [...eventsOf].filter(
      ([, events]) => events.sort().join() !== 'deposit.authorized,deposit.created,deposit.expired',
    ),
  };
  expect(damage).toEqual({ lost: [], unsent: [], undelivered: [], changed: [], made: [], wrong: [] });
  // Nothing is proved by a run in which nothing was written.
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

/** Creates one deposit after the other, which a scenario authorizes later on, until the server is gone. */
async function createUntilGone(
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
