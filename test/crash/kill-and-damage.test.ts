import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { type DamageReport, damageCopies } from './damage-copies.js';
import { runKillRounds } from './kill-rounds.js';

/** `npm run torture` runs more rounds. */
const rounds = Number(process.env['BILLING_SIM_CRASH_ROUNDS'] ?? 10);

test(`${rounds} rounds of kill -9 during parallel writes do not lose, change or duplicate an acknowledged deposit, and damage is detected`, async () => {
  const damageReport: DamageReport = { copies: 0, refused: 0, failures: [] };
  const { acknowledged, ...problems } = await runKillRounds({
    folder: tempFolder(),
    rounds,
    clients: 6,
    onStopped: (folder, round) => damageCopies(folder, round, damageReport),
  });
  expect(problems).toEqual({ rounds, lost: [], changed: [], duplicated: [] });
  expect(damageReport.failures).toEqual([]);
  // Without enough writes, the run would not test anything.
  expect(acknowledged).toBeGreaterThan(rounds * 6);
  console.log(
    `${rounds} rounds of kill -9: ${acknowledged} deposits acknowledged, none lost; ` +
      `${damageReport.copies} damaged copies: ${damageReport.refused} starts refused without changing a byte, and all copies repaired`,
  );
}, 3_600_000);
