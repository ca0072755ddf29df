// Runs the crash tests with more rounds: `npm run torture` for 200, `npm run torture -- 1000` for 1,000.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const rounds = process.argv[2] ?? '200';
if (!/^[1-9]\d*$/.test(rounds)) {
  console.error('usage: npm run torture -- [ROUNDS]');
  process.exit(2);
}
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/crash'], {
  stdio: 'inherit',
  env: { ...process.env, BILLING_SIM_CRASH_ROUNDS: rounds },
});
process.exit(status ?? 1);
