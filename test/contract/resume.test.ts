import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { jsonReport } from '../../src/contract/report/json.js';
import type { RunReport } from '../../src/contract/report/run-report.js';
import { startSimulator } from '../../src/index.js';
import { tempFolder } from '../support/temp-folder.js';
import { runContractCli, spawnContractCli } from './run-cli.js';
import { clause, report } from './sample.js';
import { passOn, serve, serveSecond } from './targets.js';

const freshFile = (): string => join(tempFolder(), 'report.json');
const read = (file: string): RunReport => JSON.parse(readFileSync(file, 'utf8'));
const outcomes = ({ clauses }: RunReport): string[] => clauses.map(({ id, status }) => `${id} ${status}`);

async function serveSimulator(): Promise<string[]> {
  const simulator = await startSimulator({ log: () => undefined });
  onTestFinished(() => simulator.close());
  return ['--base-url', simulator.baseUrl, '--token', 'demo_full'];
}

describe('a run that is ended midway', () => {
  test.each([
    ['SIGINT', 2, /; continue it with --resume .+report\.json\n$/],
    ['SIGKILL', null, /^About \d+ requests; .+\n$/],
  ] as const)('by %s leaves a report that --resume completes', async (signal, code, words) => {
    const target = await serveSimulator();
    const [file, whole] = [freshFile(), freshFile()];
    // Slowly, so that it does not come to its end before the signal.
    const ended = await spawnContractCli({}, ...target, '--json', file, '--pace', '300', {
      until: async () => existsSync(file) && read(file).clauses.length >= 20,
      signal,
    });
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
    expect(ended.stderr).toMatch(words);
    const first = read(file);
    expect(first).toMatchObject({ complete: false, exitCode: 2 });
    expect(first.problems).toEqual([expect.stringMatching(/^the run was interrupted after \d+ of \d+ clauses$/)]);

    const resumed = await runContractCli({}, ...target, '--resume', file);
    const second = read(file);
    expect(resumed.code, resumed.stdout).toBe(0);
    expect(resumed.stdout).toContain('exit code 0: all verified clauses hold\n');
    expect((await runContractCli({}, ...target, '--json', whole)).code).toBe(0);
    expect(outcomes(second)).toEqual(outcomes(read(whole)));
    expect(second.summary).toEqual(read(whole).summary);
    expect(second).toMatchObject({ complete: true, exitCode: 0, problems: [], startedAt: first.startedAt });
    expect(second.requests).toBeGreaterThan(first.requests);
    expect(second.durationMs).toBeGreaterThan(first.durationMs);
    // Clauses with a verdict are not checked again.
    const kept = second.clauses.slice(0, 20).map(({ id, milliseconds }) => [id, milliseconds]);
    expect(kept).toEqual(first.clauses.slice(0, 20).map(({ id, milliseconds }) => [id, milliseconds]));
    expect(readdirSync(dirname(file)).filter((name) => signal !== 'SIGKILL' && name !== 'report.json')).toEqual([]);
  });
});

test('a run whose target died can be completed once it is back', async () => {
  const second = await serveSecond();
  let left = 20;
  const baseUrl = await serve(async (request, response) => {
    left -= 1;
    if (left < 0) request.socket.destroy();
    else await passOn(second, request, response);
  });
  const file = freshFile();
  const flags = ['--base-url', baseUrl, '--token', 'a-token', '--no-write', '--only', 'INV-LIST', 'INV-STATS', 'PAY'];
  const died = await runContractCli({}, ...flags, '--json', file);
  expect(died.code).toBe(2);
  expect(died.stdout).toContain('exit code 2: the target stopped responding\n');
  const first = read(file);
  expect(first.complete).toBe(false);
  expect(first.clauses.some(({ missing }) => missing === 'a response of the target')).toBe(true);

  left = Number.POSITIVE_INFINITY;
  const resumed = await runContractCli({}, ...flags, '--resume', file);
  expect(resumed.code, resumed.stdout).toBe(0);
  const whole = freshFile();
  await runContractCli({}, ...flags, '--json', whole);
  expect(outcomes(read(file))).toEqual(outcomes(read(whole)));
  expect(read(file)).toMatchObject({ complete: true, problems: [] });
});

describe('--resume', () => {
  const target = 'http://127.0.0.1:1/api/v1';
  const flags = ['--base-url', target, '--token', 'a-token', '--only', 'INV-STATS-01'];
  let made: RunReport;
  beforeAll(() => {
    const own = report([clause({ status: 'failed', expected: 'a', got: 'b', detail: 'expected a, got b' })]);
    made = { ...own, target, options: { ...own.options, only: ['INV-STATS-01'] } };
  });

  const changed = (own: Partial<RunReport>): RunReport => ({ ...made, ...own });

  function fileOf(text: string): string {
    const file = freshFile();
    writeFileSync(file, text);
    return file;
  }

  test('of a complete run checks nothing, and ends with its exit code', async () => {
    const { code, stdout, stderr } = await runContractCli({}, ...flags, '--resume', fileOf(jsonReport(made)));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Nothing left to check: the run of .+report\.json is complete\.\n$/);
    expect(stdout).toContain('exit code 1: 1 clause is violated\n');
  });

  test.each<[what: string, text: () => string, flags: readonly string[], complaint: RegExp]>([
    [
      'a damaged file',
      () => jsonReport(made).slice(0, -20),
      [],
      /^error: --resume \S+ is not a report of a contract run: it is not JSON\n$/,
    ],
    ['another file', () => '{"target": 1}', [], /^error: --resume \S+ is not a report of a contract run: .+\n$/],
    [
      'a report of another target',
      () => jsonReport(changed({ target: 'http://a.example/api/v1' })),
      [],
      /^error: the report cannot be resumed: its target is http:\/\/a\.example\/api\/v1, not http:.+\n$/,
    ],
    [
      'a report by another version',
      () => jsonReport(changed({ version: '0.0.1' })),
      [],
      /^error: the report cannot be resumed: billing-sim 0\.0\.1 made it, and this is .+\n$/,
    ],
    [
      'a report with other options',
      () => jsonReport(made),
      ['--strict', '--read-token', 'b'],
      /^error: the report cannot be resumed: it was made with other values of --strict, --read-token\n$/,
    ],
  ])('refuses %s in one line', async (_what, text, more, complaint) => {
    const { code, stdout, stderr } = await runContractCli({}, ...flags, ...more, '--resume', fileOf(text()));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(complaint);
  });

  test('refuses a file that is not there', async () => {
    const { code, stderr } = await runContractCli({}, ...flags, '--resume', join(tempFolder(), 'none.json'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: cannot read --resume \S+none\.json: ENOENT\n$/);
  });
});
