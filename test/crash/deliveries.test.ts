import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { spawnSimulator } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';
import { tortureTimeoutMs } from './kill-rounds.js';

/** Number of rounds. `npm run torture` sets a higher one. */
const rounds = Number(process.env['BILLING_SIM_CRASH_ROUNDS'] ?? 2);

/** Number of clients that create deposits in parallel. */
const clientCount = 6;

interface Receiver {
  readonly url: string;
  /** Distinct bodies of the requests that arrived, by event id. */
  readonly bodiesByEvent: ReadonlyMap<string, ReadonlySet<string>>;
  readonly countAttempts: () => number;
}

/**
 * Opens a receiver until the test ends. It responds after 0 to 4 ms, and rejects every seventh attempt with 503 if its
 * event is new.
 */
async function openReceiver(): Promise<Receiver> {
  const bodiesByEvent = new Map<string, Set<string>>();
  let attempts = 0;
  const server = createServer(async (request, response) => {
    attempts += 1;
    const attempt = attempts;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { id } = JSON.parse(body);
    const earlierBodies = bodiesByEvent.get(id);
    if (earlierBodies) earlierBodies.add(body);
    else bodiesByEvent.set(id, new Set([body]));
    const isRejected = earlierBodies === undefined && attempt % 7 === 0;
    setTimeout(() => response.writeHead(isRejected ? 503 : 200).end(), attempt % 5);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: AddressInfo = Object(server.address());
  return { url: `http://127.0.0.1:${port}/`, bodiesByEvent, countAttempts: () => attempts };
}

test.each([
  ['during deliveries', undefined],
  ['while faults duplicate and reorder messages', 'duplicate,reorder'],
])(
  `${rounds} rounds of kill -9 %s neither lose nor invent an event`,
  { timeout: tortureTimeoutMs },
  async (_name, effect) => {
    const folder = tempFolder();
    const receiver = await openReceiver();
    /** Ids of deposits whose creation got a response with 201. */
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
      const { child, ready } = await spawnSimulator(...flags);
      if (effect !== undefined && round === 0) await addFault(ready.url, effect);
      const clients = Array.from({ length: clientCount }, () => createUntilKilled(ready, acknowledged));
      // Each round kills the simulator at a different time: 60 to 209 ms after a delivery and several deposits.
      const [attemptsBefore, acknowledgedBefore] = [receiver.countAttempts(), acknowledged.size];
      while (receiver.countAttempts() === attemptsBefore || acknowledged.size <= acknowledgedBefore + clientCount)
        await sleep(1);
      await sleep(60 + ((round * 37) % 150));
      child.kill('SIGKILL');
      await Promise.all([once(child, 'close'), ...clients]);
    }

    const simulator = await startSimulator({ data: folder, seed: 'empty', rateLimit: false });
    onTestFinished(() => simulator.close());
    // After 8 days all holds have expired. The timeout is the longest possible: hundreds of messages per round may be
    // unsent.
    const timeout = 600_000;
    let report = await simulator.account.clock.advance('8d', { timeout });
    // A day is enough for the retries of messages that were still unsent when the timeout ended.
    while (report.in_progress.length > 0) report = await simulator.account.clock.advance('1d', { timeout });
    const webhooks = await simulator.account.webhooks.all();

    const createdIds = new Set(
      webhooks.filter(({ event }) => event === 'deposit.created').map(({ body }) => JSON.parse(body).data.id),
    );
    const eventsByDeposit = new Map<unknown, string[]>();
    for (const bodies of receiver.bodiesByEvent.values()) {
      for (const body of bodies) {
        const { event, data } = JSON.parse(body);
        eventsByDeposit.set(data.id, [...(eventsByDeposit.get(data.id) ?? []), event]);
      }
    }
    // `lost` and `unexpectedEvents` list deposits; the others list webhooks by event id.
    const problems = {
      lost: [...acknowledged].filter((id) => !createdIds.has(id)),
      unsent: webhooks.filter(({ id }) => !receiver.bodiesByEvent.has(id)).map(({ id }) => id),
      undelivered: webhooks.filter(({ status }) => status !== 'delivered').map(({ id }) => id),
      // A delivery may be repeated, but with the same body.
      changed: [...receiver.bodiesByEvent].filter(([, bodies]) => bodies.size > 1).map(([id]) => id),
      invented: [...receiver.bodiesByEvent.keys()].filter((id) => !webhooks.some((webhook) => webhook.id === id)),
      unexpectedEvents: [...eventsByDeposit].filter(
        ([, events]) => events.sort().join() !== 'deposit.authorized,deposit.created,deposit.expired',
      ),
    };
    expect(problems).toEqual({
      lost: [],
      unsent: [],
      undelivered: [],
      changed: [],
      invented: [],
      unexpectedEvents: [],
    });
    console.log(`${webhooks.length} events in ${rounds} rounds, ${receiver.countAttempts()} attempts, none lost`);
  },
);

async function addFault(url: string, effect: string): Promise<void> {
  const { ok } = await fetch(`${url}/_sim/accounts/demo/faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ effect }),
  });
  expect(ok).toBe(true);
}

/** Creates deposits, which a scenario authorizes, until the server is killed. */
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
          // A write that a crash cuts off may end in the middle of a character.
          metadata: { scenario: 'authorize-then-expire', text: 'é'.repeat(50) },
        },
      });
      if (response.status === 201 && data) acknowledged.add(data.data.id);
    } catch {
      return;
    }
  }
}
