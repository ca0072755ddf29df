import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { type DamageReport, damageCopies } from './damage.js';
import { killNine } from './kill-nine.js';

/** `npm run torture` runs more rounds. */
const rounds = Number(process.env['BILLING_SIM_CRASH_ROUNDS'] ?? 10);

test(`${rounds} rounds of kill -9 during parallel writes do not lose, change or duplicate an acknowledged deposit, and damage is noticed`, async () => {
  const damaged: DamageReport = { copies: 0, refused: 0, failures: [] };
  const { acknowledged, ...crashed } = await killNine({
    folder: tempFolder(),
    rounds,
    clients: 6,
    onCrash: (folder, round) => damageCopies(folder, round, damaged),
  });
  expect(crashed).toEqual({ rounds, lost: [], changed: [], doubled: [] });
  expect(damaged.failures).toEqual([]);
  // A run without writes would prove nothing.
  expect(acknowledged).toBeGreaterThan(rounds * 6);
  console.log(
    `${rounds} rounds of kill -9: ${acknowledged} deposits acknowledged, none lost; ` +
      `${damaged.copies} damaged copies: ${damaged.refused} starts refused, every byte as it was, and all of them repaired`,
  );
}, 3_600_000);
