// Measures what a run of `billing-sim contract` takes, beside a bare run of vitest, on which it runs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, median } from './load.mjs';
import { launch, run, simulator } from './servers.mjs';
import { atMost } from './table.mjs';

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** Limits of the duration in milliseconds, and of the number of requests. */
const targets = { whole: 10_000, one: 2_000, requests: 250 };

/** Sections of the specification whose clauses wait for webhooks. */
const webhookSections = ['Events', 'Webhooks'];

export async function contract(bench) {
  const bare = bareVitest(bench.work);
  const rounds = [];
  for (let round = 0; round < bench.launches; round++) {
    rounds.push({ ...(await wholeRound(bench)), bare: await timed(() => run('vitest', bare, bench.work)) });
  }
  const valuesOf = (name) => rounds.map((round) => round[name]);
  const shares = [
    ['simulator', 'start'],
    ['command and vitest', 'command'],
    ['clauses', 'clauses'],
    ['of them on webhooks', 'webhooks'],
  ].map(([words, name]) => `${words} ${milliseconds(valuesOf(name))}`);
  return [
    comparedWithLimit(
      targets.whole,
      'whole contract suite, simulator and command started',
      valuesOf('whole'),
      shares.join(', '),
    ),
    comparedWithLimit(targets.one, 'contract --only of one clause, command started', valuesOf('one')),
    {
      figure: 'whole contract suite vs a bare run of vitest',
      ...compare(valuesOf('suite'), valuesOf('bare')),
      measured: `${milliseconds(valuesOf('suite'))} vs ${milliseconds(valuesOf('bare'))}`,
    },
    {
      figure: `requests of the whole contract suite, of ${targets.requests} wanted`,
      ...compare(
        valuesOf('requests'),
        rounds.map(() => targets.requests),
      ),
      target: atMost(1),
      measured: `${median(valuesOf('requests'))}`,
    },
  ];
}

/** One run of everything on a simulator of its own, and one of a single clause. */
async function wholeRound(bench) {
  const file = join(bench.work, 'report.json');
  const began = performance.now();
  const running = await launch(simulator(bench.cli), bench.work);
  const started = performance.now();
  const check = (...flags) => {
    const { origin } = new URL(running.page.url);
    const target = ['--base-url', `${origin}/api/v1`, '--token', 'demo_full'];
    return run('contract', [bench.cli, 'contract', ...target, ...flags], bench.work);
  };
  await check('--json', file);
  const ended = performance.now();
  const one = await timed(() => check('--only', 'INV-STATS-02'));
  await running.stop();

  const { requests, clauses } = JSON.parse(readFileSync(file, 'utf8'));
  const spent = (selected) => selected.reduce((sum, clause) => sum + clause.milliseconds, 0);
  const inClauses = spent(clauses);
  return {
    whole: ended - began,
    suite: ended - started,
    start: started - began,
    command: ended - started - inClauses,
    clauses: inClauses,
    webhooks: spent(clauses.filter(({ spec }) => webhookSections.includes(spec))),
    requests,
    one,
  };
}

/** Arguments of node for a vitest run with one empty test. */
function bareVitest(work) {
  const folder = join(work, 'bare');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bare.test.mjs'), "test('nothing', () => undefined);\n");
  return [vitest, 'run', '--root', folder, '--globals', '--pool', 'threads', '--no-isolate', '--no-file-parallelism'];
}

async function timed(action) {
  const began = performance.now();
  await action();
  return performance.now() - began;
}

function comparedWithLimit(limitMs, figure, times, details) {
  return {
    figure: `${figure}, of ${limitMs / 1_000} s wanted`,
    ...compare(
      times,
      times.map(() => limitMs),
    ),
    target: atMost(1),
    measured: [milliseconds(times), ...(details === undefined ? [] : [details])].join(': '),
  };
}

const milliseconds = (times) => `${Math.round(median(times)).toLocaleString('en')} ms`;
