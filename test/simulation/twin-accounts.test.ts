import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { sampledRunsUnlessFull } from '../support/sample.js';
import { ScriptedStore } from './scripted-store.js';
import { codeOf, openTwin, randomRequests, type Twin } from './twins.js';
import { advanceBy, hourMs } from './webhooks.js';

/**
 * Two accounts get the same random requests. The clock of the second is advanced in several steps, and the account is
 * restarted or restored in between. Both must end with the same records, agenda and webhooks.
 */

/** Opens the world again from its stored commits. */
async function restart(twin: Twin): Promise<void> {
  const store = new ScriptedStore();
  store.commits.push(...structuredClone(twin.store.commits));
  twin.world.accounts.stop();
  Object.assign(twin, await openTwin(store, twin.receivers));
}

async function restore(twin: Twin): Promise<void> {
  await saveSnapshot(twin.account, 'now');
  twin.account = await restoreSnapshot(twin.world.accounts, twin.account, 'now');
}

const anyStep = fc.record({
  request: fc.constantFrom(...randomRequests),
  number: fc.integer({ min: 1, max: 8 }),
  /** Time until the next step. */
  hours: fc.constantFrom(0, 0, 0, 1, 30, 200),
  /** Where the second clock stops on the way, in percent. */
  stops: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 2 }),
  interruption: fc.constantFrom(undefined, undefined, restart, restore),
});

test('restarts, restores, and the number of advances to a time change nothing', async () => {
  const steps = fc.array(anyStep, { minLength: 10, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (allSteps) => {
      const [one, other] = [await openTwin(), await openTwin()];
      for (const { request, number, hours, stops, interruption } of allSteps) {
        expect(codeOf(() => request(other, number))).toBe(codeOf(() => request(one, number)));
        const times = [...stops, 100]
          .sort((a, b) => a - b)
          .map((percent) => Math.round((percent / 100) * hours * hourMs));
        await advanceBy(one.account, hours * hourMs);
        for (const [index, time] of times.entries()) {
          await advanceBy(other.account, time - (times[index - 1] ?? 0));
          await interruption?.(other);
        }
      }
      const { snapshots: _, ...contents } = other.account.contents();
      expect({ ...contents, snapshots: [] }).toEqual(one.account.contents());
      expect(other.account.schedule.upcoming()).toEqual(one.account.schedule.upcoming());
      expect(other.receivers.sent.map(({ body }) => body)).toEqual(one.receivers.sent.map(({ body }) => body));
    }),
    { seed: 1, numRuns: sampledRunsUnlessFull(160, { oneIn: 10 }) },
  );
});
