// Compares the speed of the simulator with bare Express and with other mock servers, and measures the contract suite.
// Most results are ratios within one run, so that they depend less on the speed of the machine. See --help.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measurements } from './measurements.mjs';
import { endAll } from './servers.mjs';
import { asMarkdown, asText, machine, notes, tableOfPeers, tableOfResults } from './table.mjs';

const allNames = Object.keys(measurements);

const usage = `node main.mjs [--quick] [--only NAME]… [--cli FILE] [--before FILE]

  --quick        fewer rounds and launches
  --only NAME    one of ${allNames.join(', ')}; may be repeated
  --cli FILE     another build of the simulator (default: dist/cli.js of this project)
  --before FILE  an earlier build to compare with; used only by expiry and faults

A run without --quick, --only and --cli writes results.md if nothing failed.`;

const here = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    cli: { type: 'string' },
    before: { type: 'string' },
  },
});
const { help, quick, before } = values;
const { only = allNames, cli = join(here, '../../dist/cli.js') } = values;
if (help || !only.every((name) => Object.hasOwn(measurements, name))) {
  console.error(usage);
  process.exit(help ? 0 : 1);
}

const workFolder = mkdtempSync(join(tmpdir(), 'billing-sim-bench-'));
process.on('exit', () => {
  endAll();
  rmSync(workFolder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/**
 * Settings of all measurements. `workFolder` is a temporary folder, `cli` and `before` are builds of the simulator. A
 * round sends requests to each server for a second, and a launch starts each server once. Slow measurements use the
 * smaller numbers `fewRounds` and `fewLaunches`.
 */
const bench = {
  workFolder,
  cli: resolve(cli),
  before: before && resolve(before),
  rounds: quick ? 4 : 15,
  fewRounds: quick ? 2 : 5,
  launches: quick ? 2 : 5,
  fewLaunches: quick ? 1 : 3,
  reportFailure(name, error) {
    console.error(`${name} could not be measured: ${error.message}`);
    process.exitCode = 1;
  },
};

const rows = [];
for (const name of only) {
  console.error(`measuring ${name} …`);
  try {
    rows.push(...(await measurements[name](bench)));
  } catch (error) {
    bench.reportFailure(name, error);
  } finally {
    endAll();
  }
}

const results = tableOfResults(rows.filter(({ figure }) => figure));
const peers = tableOfPeers(rows.filter(({ server }) => server));
// Leaves out a table that has only its header.
const tables = [results, peers].filter(({ length }) => length > 1);
console.log([...tables.map(asText), machine()].join('\n\n'));
const isWholeRun = !quick && values.only === undefined && values.cli === undefined;
if (isWholeRun && !process.exitCode) {
  writeFileSync(join(here, 'results.md'), `${[...tables.map(asMarkdown), machine(), notes.join('\n')].join('\n\n')}\n`);
}
