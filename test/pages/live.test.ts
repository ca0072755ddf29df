import { expect, onTestFinished, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openEventStream } from '../control/event-stream.js';

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
