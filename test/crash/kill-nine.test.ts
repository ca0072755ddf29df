import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { killNine } from './kill-nine.js';

/** `BILLING_SIM_CRASH_ROUNDS=50 npx vitest run test/crash` is the long run. */
const rounds = Number(process.env['BILLING_SIM_CRASH_ROUNDS'] ?? 4);

test(`${rounds} rounds of kill -9 under parallel writes lose, change and double no acknowledged deposit`, async () => {
  const { acknowledged, ...damage } = await killNine({ folder: tempFolder(), rounds, clients: 6 });
  expect(damage).toEqual({ rounds, lost: [], changed: [], doubled: [] });
  // Nothing is proved by a run in which nothing was written.
  expect(acknowledged).toBeGreaterThan(rounds * 6);
  console.log(`${acknowledged} deposits acknowledged in ${rounds} rounds, none lost`);
}, 600_000);
