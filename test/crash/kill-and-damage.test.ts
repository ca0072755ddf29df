import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { type DamageReport, damageCopies } from './damage-copies.js';
import { runKillRounds, tortureTimeoutMs } from './kill-rounds.js';

/** Number of rounds. `npm run torture` sets a higher one. */
const rounds = Number(process.env['BILLING_SIM_CRASH_ROUNDS'] ?? 4);

test(
  `no acknowledged deposit is lost, changed or duplicated when the simulator is stopped ${rounds} times (mostly by kill -9) during parallel writes; damaged files are detected`,
  async () => {
    const damageReport: DamageReport = { copies: 0, failedStarts: 0, failures: [] };
    const { acknowledged, ...problems } = await runKillRounds({
      folder: tempFolder(),
      rounds,
      clientCount: 6,
      onStopped: (folder, round) => damageCopies(folder, round, damageReport),
    });
    expect(acknowledged).toBeGreaterThan(0);
    expect(problems).toEqual({ lost: [], changed: [], duplicated: [] });
    expect(damageReport.failures).toEqual([]);
    expect(damageReport.copies).toBeGreaterThanOrEqual(rounds);
    console.log(
      `${rounds} rounds, most of them ended by kill -9: ${acknowledged} deposits were acknowledged, none was lost; ` +
        `${damageReport.failedStarts} of ${damageReport.copies} starts on damaged copies failed without changing a byte, ` +
        'and all copies could be repaired',
    );
  },
  tortureTimeoutMs,
);
