import type { Client } from 'openapi-fetch';
import { expect, onTestFinished, test } from 'vitest';
import { type paths, type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { openEventStream } from '../control/event-stream.js';
import { createAccountWithDashboard } from './dashboard-forms.js';

/** The event stream that keeps a dashboard page up to date. */

async function openSimulator(): Promise<Simulator> {
  const sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
  onTestFinished(() => sim.close());
  return sim;
}

test('changes in quick succession are combined into fewer events, and a later change has its own event', async () => {
  const sim = await openSimulator();
  const account = await sim.createAccount({ id: 'watched', seed: 'demo', rateLimit: false });
  const stream = await openEventStream(`${sim.url}/dashboard/watched/live`);
  const changeCount = 20;
  for (let count = 0; count < changeCount; count++) await account.trigger('deposit.created');
  const earlierEventCount = (await stream.waitForEvents(1)).length;
  await account.deposits.authorize(1);
  const events = await stream.waitForEvents(earlierEventCount + 1);
  expect(events.at(-1)).toMatchObject({ event: 'change', data: null });
  // Closes the stream, so that no event can arrive later.
  await account.reset();
  await stream.ended;
  expect(events.length).toBeLessThan(changeCount);
});

/** Opens the event stream of a page, after the page was loaded. */
async function openStreamOf(page: string, sim: Simulator) {
  const [, path] = /sse-connect="([^"]+)"/.exec(page) ?? [];
  return openEventStream(`${sim.url}${path}`);
}

test('a page that is up to date when its stream opens gets no event', async () => {
  const sim = await openSimulator();
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  // The first page is loaded before the changes, and the second after them.
  await dashboard.readHtml('deposits');
  await account.deposits.authorize(1);
  await client.GET('/deposits');
  // A request is logged when its response has been sent, which may be after the client has received it.
  await expect.poll(() => account.requests()).toHaveLength(1);
  const stream = await openStreamOf(await dashboard.readHtml('deposits'), sim);
  // Closes the stream, so that no event can arrive later.
  await account.reset();
  await stream.ended;
  expect(stream.events).toEqual([]);
});

test.each<[change: string, make: (account: SimulatorAccount, client: Client<paths>) => Promise<unknown>]>([
  ['a change to a record', (account) => account.deposits.authorize(1)],
  ['a change to the clock', (account) => account.clock.advance('1s')],
  ['a request', (_account, client) => client.GET('/deposits')],
  ['a reset', (account) => account.reset()],
])('a page that is loaded before %s gets one event when its stream opens afterwards', async (_change, make) => {
  const sim = await openSimulator();
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  const page = await dashboard.readHtml('deposits');
  await make(account, client);
  const stream = await openStreamOf(page, sim);
  await stream.waitForEvents(1);
  await account.reset();
  await stream.ended;
  expect(stream.events).toMatchObject([{ event: 'change', data: null }]);
});

test('changes of another account are not announced', async () => {
  const sim = await openSimulator();
  const watched = await sim.createAccount({ id: 'watched', seed: 'demo', rateLimit: false });
  const other = await sim.createAccount({ id: 'other', seed: 'demo', rateLimit: false });
  const [watchedStream, otherStream] = await Promise.all([
    openEventStream(`${sim.url}/dashboard/watched/live`),
    openEventStream(`${sim.url}/dashboard/other/live`),
  ]);
  await other.deposits.authorize(1);
  await otherStream.waitForEvents(1);
  // Closes the stream, so that no event can arrive later.
  await watched.reset();
  await watchedStream.ended;
  expect(watchedStream.events).toEqual([]);
});
