// Measures how long `billing-sim contract` takes and, for comparison, a run of vitest with an empty test.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, median } from './load.mjs';
import { launch, run, simulator } from './servers.mjs';
import { atMost } from './table.mjs';

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** Upper limits for the duration of the whole suite and of one clause, and for the number of requests. */
const targets = { wholeMs: 10_000, oneMs: 2_000, requests: 250 };

/** Section of the specification whose clauses wait for webhooks. */
const webhookSection = 'Events';

export async function contract(bench) {
  const bare = bareVitestArgs(bench.workFolder);
  const rounds = [];
  for (let round = 0; round < bench.launches; round++) {
    rounds.push({ ...(await measureRound(bench)), bare: await measureMs(() => run('vitest', bare, bench.workFolder)) });
  }
  const valuesOf = (name) => rounds.map((round) => round[name]);
  const shares = [
    ['simulator', 'start'],
    ['command', 'command'],
    ['clauses', 'clauses'],
    ['of which on webhooks', 'webhooks'],
  ].map(([label, name]) => `${label} ${milliseconds(valuesOf(name))}`);
  return [
    comparedWithLimit({
      figure: 'whole contract suite, with the start of simulator and command',
      times: valuesOf('whole'),
      limitMs: targets.wholeMs,
      details: shares.join(', '),
    }),
    comparedWithLimit({
      figure: 'contract --only with one clause, with the start of the command',
      times: valuesOf('one'),
      limitMs: targets.oneMs,
    }),
    {
      figure: 'whole contract suite vs a bare run of vitest',
      ...compare(valuesOf('suite'), valuesOf('bare')),
      measured: `${milliseconds(valuesOf('suite'))} vs ${milliseconds(valuesOf('bare'))}`,
    },
    {
      figure: `requests of the whole contract suite vs ${targets.requests}`,
      ...compare(
        valuesOf('requests'),
        rounds.map(() => targets.requests),
      ),
      target: atMost(1),
      measured: `${median(valuesOf('requests'))}`,
    },
  ];
}

/**
 * Runs the whole suite against a new simulator, and then a single clause.
 * @returns the durations in milliseconds, and the number of requests of the whole suite
 */
async function measureRound(bench) {
  const file = join(bench.workFolder, 'report.json');
  const startedAt = performance.now();
  const running = await launch(simulator(bench.cli), bench.workFolder);
  const readyAt = performance.now();
  const runContract = (...flags) => {
    const { origin } = new URL(running.page.url);
    const target = ['--base-url', `${origin}/api/v1`, '--token', 'demo_full'];
    return run('contract', [bench.cli, 'contract', ...target, ...flags], bench.workFolder);
  };
  await runContract('--json', file);
  const endedAt = performance.now();
  const one = await measureMs(() => runContract('--only', 'INV-STATS-02'));
  await running.stop();

  const { requests, clauses } = JSON.parse(readFileSync(file, 'utf8'));
  const totalMs = (someClauses) => someClauses.reduce((sum, clause) => sum + clause.milliseconds, 0);
  const clausesMs = totalMs(clauses);
  return {
    whole: endedAt - startedAt,
    suite: endedAt - readyAt,
    start: readyAt - startedAt,
    command: endedAt - readyAt - clausesMs,
    clauses: clausesMs,
    webhooks: totalMs(clauses.filter(({ spec }) => spec === webhookSection)),
    requests,
    one,
  };
}

/** Creates an empty test. @returns the arguments for Node to run it with vitest */
function bareVitestArgs(workFolder) {
  const folder = join(workFolder, 'bare');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bare.test.mjs'), "test('nothing', () => undefined);\n");
  return [vitest, 'run', '--root', folder, '--globals', '--pool', 'threads', '--no-isolate', '--no-file-parallelism'];
}

async function measureMs(action) {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

/** Makes the row that compares times with their upper limit. `details` follow the median time. */
function comparedWithLimit({ figure, times, limitMs, details }) {
  return {
    figure: `${figure} vs ${limitMs / 1_000} s`,
    ...compare(
      times,
      times.map(() => limitMs),
    ),
    target: atMost(1),
    measured: [milliseconds(times), ...(details === undefined ? [] : [details])].join(': '),
  };
}

const milliseconds = (times) => `${Math.round(median(times)).toLocaleString('en')} ms`;
