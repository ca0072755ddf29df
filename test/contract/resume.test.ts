import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runContract } from '../../src/contract/engine/run-contract.js';
import { jsonReport } from '../../src/contract/report/json.js';
import type { RunReport } from '../../src/contract/report/run-report.js';
import { startSimulator } from '../../src/index.js';
import { tempFolder } from '../support/temp-folder.js';
import { runContractCli, spawnContractCli } from './run-cli.js';
import { sampleClause, sampleReport } from './sample-report.js';
import { forwardRequest, serve, serveSecondImplementation } from './targets.js';

const newFilePath = (): string => join(tempFolder(), 'report.json');
const read = (file: string): RunReport => JSON.parse(readFileSync(file, 'utf8'));
const statusesOf = ({ clauses }: RunReport): string[] => clauses.map(({ id, status }) => `${id} ${status}`);

/** Starts a simulator, and returns the flags of a run that checks some clauses on it. */
async function flagsForSimulator(): Promise<string[]> {
  const simulator = await startSimulator({ log: () => undefined });
  onTestFinished(() => simulator.close());
  return ['--base-url', simulator.baseUrl, '--token', 'demo_full', '--only', 'INV-LIST', 'INV-STATS', 'LINK'];
}

describe('a run that is stopped', () => {
  const clausesBeforeSignal = 20;

  test.each([
    [
      'SIGINT',
      2,
      /\nexit code 2: .+\n$/,
      /; continue it with --resume .+report\.json\n$/,
      ['junit.xml', 'report.json'],
    ],
    ['SIGKILL', null, /^$/, /^About \d+ requests; .+\n$/, undefined],
  ] as const)('by %s leaves a report that --resume completes', async (signal, code, stdout, stderr, files) => {
    const target = await flagsForSimulator();
    const [file, uninterruptedFile] = [newFilePath(), newFilePath()];
    // The pace is limited so that the run does not end before the signal is sent.
    const junitFile = join(dirname(file), 'junit.xml');
    const stopped = await spawnContractCli({}, ...target, '--json', file, '--junit', junitFile, '--pace', '1200', {
      until: async () => existsSync(file) && read(file).clauses.length >= clausesBeforeSignal,
      signal,
    });
    expect(stopped.code).toBe(code);
    expect(stopped.stdout).toMatch(stdout);
    expect(stopped.stderr).toMatch(stderr);
    const firstReport = read(file);
    expect(firstReport).toMatchObject({ complete: false, exitCode: 2 });
    expect(firstReport.problems).toEqual([expect.stringMatching(/^the run was interrupted after \d+ of \d+ clauses$/)]);

    const resumed = await runContractCli({}, ...target, '--resume', file);
    const secondReport = read(file);
    expect(resumed.code, resumed.stdout).toBe(0);
    expect(resumed.stdout).toContain('exit code 0: all verified clauses hold\n');
    expect((await runContractCli({}, ...target, '--json', uninterruptedFile)).code).toBe(0);
    expect(statusesOf(secondReport)).toEqual(statusesOf(read(uninterruptedFile)));
    expect(secondReport.summary).toEqual(read(uninterruptedFile).summary);
    expect(secondReport).toMatchObject({ complete: true, exitCode: 0, problems: [], startedAt: firstReport.startedAt });
    expect(secondReport.requests).toBeGreaterThan(firstReport.requests);
    expect(secondReport.durationMs).toBeGreaterThan(firstReport.durationMs);
    // Clauses with a final result are not checked again.
    const earlyDurations = ({ clauses }: RunReport) =>
      clauses.slice(0, clausesBeforeSignal).map(({ id, milliseconds }) => [id, milliseconds]);
    expect(earlyDurations(secondReport)).toEqual(earlyDurations(firstReport));
    // After SIGKILL there may also be a temporary file.
    if (files) expect(readdirSync(dirname(file)).sort()).toEqual(files);
  });
});

/**
 * Starts the second implementation behind a proxy that stops responding at the first request for payments, until it is repaired.
 * @param pathWithoutReset path whose responses lack the X-RateLimit-Reset header, which violates RATE-HEADER-03
 */
async function serveUntilPayments({ pathWithoutReset }: { readonly pathWithoutReset?: string } = {}) {
  const service = await serveSecondImplementation();
  let state: 'responding' | 'stopped' | 'repaired' = 'responding';
  const baseUrl = await serve(async (request, response) => {
    const { url = '' } = request;
    if (state === 'responding' && url.includes('/payments')) state = 'stopped';
    if (state === 'stopped') return void request.socket.destroy();
    const omitsReset = pathWithoutReset !== undefined && url.includes(pathWithoutReset);
    await forwardRequest(service, request, response, omitsReset ? ['x-ratelimit-reset'] : []);
  });
  const repair = (): void => {
    state = 'repaired';
  };
  return { baseUrl, repair };
}

test('a run whose target stopped can be completed once the target responds again', async () => {
  const { baseUrl, repair } = await serveUntilPayments();
  const file = newFilePath();
  const flags = ['--base-url', baseUrl, '--token', 'a-token', '--no-write', '--only', 'INV-LIST', 'INV-STATS', 'PAY'];
  const interrupted = await runContractCli({}, ...flags, '--json', file);
  expect(interrupted.code).toBe(2);
  expect(interrupted.stdout).toContain('exit code 2: the target stopped responding\n');
  const interruptedReport = read(file);
  expect(interruptedReport.complete).toBe(false);
  expect(interruptedReport.clauses.map(({ missing }) => missing)).toContain('a response of the target');

  repair();
  const resumed = await runContractCli({}, ...flags, '--resume', file);
  expect(resumed.code, resumed.stdout).toBe(0);
  const uninterruptedFile = newFilePath();
  await runContractCli({}, ...flags, '--json', uninterruptedFile);
  expect(statusesOf(read(file))).toEqual(statusesOf(read(uninterruptedFile)));
  expect(read(file)).toMatchObject({ complete: true, problems: [] });
});

test.each([
  ['before the target stopped', '/invoices/stats'],
  ['after the target was repaired', '/payments'],
])('a violation is found if the responses that show it were all sent %s: GET %s', async (_when, path) => {
  const { baseUrl, repair } = await serveUntilPayments({ pathWithoutReset: path });
  const file = newFilePath();
  const flags = ['--base-url', baseUrl, '--token', 'a-token', '--no-write'];
  const only = ['--only', 'INV-LIST', 'INV-STATS', 'PAY-LIST', 'RATE-HEADER-03'];
  const stopped = await runContractCli({}, ...flags, ...only, '--json', file);
  expect(stopped.stdout).toContain('the target stopped responding');
  expect(read(file).complete).toBe(false);
  repair();
  const resumed = await runContractCli({}, ...flags, ...only, '--resume', file);
  expect(resumed.code, resumed.stdout).toBe(1);
  const violated = read(file).clauses.filter(({ status }) => status === 'failed');
  expect(violated.map(({ id }) => id)).toEqual(['RATE-HEADER-03']);
  expect(read(file).complete).toBe(true);
});

describe('a target that refuses payment links', () => {
  /**
   * Starts a service that refuses all POST requests, and does not respond to requests without a token until `release`
   * is called.
   */
  async function serveRefusingLinks() {
    const service = await serveSecondImplementation();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const baseUrl = await serve(async (request, response) => {
      const sendError = (status: number, error: string): void => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ success: false, error }));
      };
      if (request.headers.authorization === undefined) {
        await released;
        return sendError(401, 'Unauthenticated.');
      }
      if (request.method === 'POST') return sendError(422, 'Refused.');
      await forwardRequest(service, request, response);
    });
    return { baseUrl, release };
  }

  test('fails the run, even if it was stopped after a clause that needs a link, and resumed', async () => {
    const { baseUrl, release } = await serveRefusingLinks();
    const [file, uninterruptedFile] = [newFilePath(), newFilePath()];
    const flags = ['--base-url', baseUrl, '--token', 'a-token', '--driver', 'none'];
    const only = ['--only', 'LINK-SLUG-01', 'AUTH-NOTOKEN-01'];
    const stopped = await spawnContractCli({}, ...flags, ...only, '--json', file, {
      until: async () => existsSync(file) && read(file).clauses.length === 1,
    });
    expect(stopped.stderr).toContain('the run was interrupted after 1 of ');
    release();
    const resumed = await runContractCli({}, ...flags, ...only, '--resume', file);
    const uninterrupted = await runContractCli({}, ...flags, ...only, '--json', uninterruptedFile);
    expect([resumed.code, uninterrupted.code]).toEqual([1, 1]);
    expect(read(file).clauses.flatMap(({ id, status }) => (status === 'failed' ? [id] : []))).toEqual(['ENV-VALID-08']);
    expect(statusesOf(read(file))).toEqual(statusesOf(read(uninterruptedFile)));
  });

  test('leaves the report incomplete until the clause about refused requests (ENV-VALID-08) has been checked', async () => {
    const { baseUrl } = await serveRefusingLinks();
    const reports: RunReport[] = [];
    const options = { baseUrl, token: 'a-token', driver: 'none', only: ['LINK-SLUG-01'] };
    await runContract(options, { onClause: (_target, createReport) => reports.push(createReport()) });
    expect(reports.map(({ clauses, complete }) => [clauses.at(-1)?.id, complete])).toEqual([
      ['LINK-SLUG-01', false],
      ['ENV-VALID-08', true],
    ]);
  });
});

describe('--resume', () => {
  const target = 'http://127.0.0.1:1/api/v1';
  const flags = ['--base-url', target, '--token', 'a-token', '--only', 'INV-STATS-01'];
  let completeReport: RunReport;
  beforeAll(() => {
    const violationReport = sampleReport([
      sampleClause({ status: 'failed', expected: 'a', got: 'b', detail: 'expected a, got b' }),
    ]);
    completeReport = { ...violationReport, target, options: { ...violationReport.options, only: ['INV-STATS-01'] } };
  });

  const reportWith = (overrides: Partial<RunReport>): RunReport => ({ ...completeReport, ...overrides });

  function writeReport(text: string): string {
    const file = newFilePath();
    writeFileSync(file, text);
    return file;
  }

  test('of a complete run checks nothing, and exits with the code of that run, however --only is spelled', async () => {
    const { code, stdout, stderr } = await runContractCli(
      {},
      ...flags.map((flag) => (flag === 'INV-STATS-01' ? ' inv-stats-01-' : flag)),
      '--resume',
      writeReport(jsonReport(completeReport)),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Nothing left to check: the run of .+report\.json is complete\.\n$/);
    expect(stdout).toContain('exit code 1: 1 clause is violated\n');
  });

  test.each([
    ['2999-12-31', 0, /\nViolated and waived:\n\n~ INV-STATS-01 /],
    ['2020-01-01', 1, /Stale waivers:\n +INV-STATS-01 +it expired on 2020-01-01\n/],
  ])(
    'of a complete run applies the waivers: with one that is valid until %s, the exit code is %d',
    async (until, exitCode, text) => {
      const waivers = join(tempFolder(), 'waivers.yaml');
      writeFileSync(waivers, JSON.stringify([{ clause: 'INV-STATS-01', reason: 'known', until }]));
      const file = writeReport(jsonReport(completeReport));
      const { code, stdout } = await runContractCli({}, ...flags, '--resume', file, '--waivers', waivers);
      expect(code).toBe(exitCode);
      expect(stdout).toMatch(text);
      expect(read(file)).toMatchObject({ exitCode });
    },
  );

  test.each<[what: string, fileText: () => string, furtherFlags: readonly string[], expectedMessage: RegExp]>([
    [
      'a damaged file',
      () => jsonReport(completeReport).slice(0, -20),
      [],
      /^error: --resume \S+ is not a report of a contract run: it is not JSON\n$/,
    ],
    [
      'JSON that is not a report',
      () => '{"target": 1}',
      [],
      /^error: --resume \S+ is not a report of a contract run: (?!it is not JSON).+\n$/,
    ],
    [
      'a report of another target',
      () => jsonReport(reportWith({ target: 'http://a.example/api/v1' })),
      [],
      /^error: the report cannot be resumed: its target is http:\/\/a\.example\/api\/v1, not http:.+\n$/,
    ],
    [
      'a report by another version',
      () => jsonReport(reportWith({ version: '0.0.1' })),
      [],
      /^error: the report cannot be resumed: it was created by billing-sim 0\.0\.1, and this is billing-sim .+\n$/,
    ],
    [
      'a report with other options',
      () => jsonReport(completeReport),
      ['--strict', '--read-token', 'b'],
      /^error: the report cannot be resumed: it was created with different values for --strict, --read-token\n$/,
    ],
  ])('refuses %s with a one-line error', async (_what, fileText, furtherFlags, expectedMessage) => {
    const { code, stdout, stderr } = await runContractCli(
      {},
      ...flags,
      ...furtherFlags,
      '--resume',
      writeReport(fileText()),
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expectedMessage);
  });

  test('refuses a file that does not exist', async () => {
    const { code, stderr } = await runContractCli({}, ...flags, '--resume', join(tempFolder(), 'none.json'));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: cannot read \S+none\.json, the report given with --resume: no such file; check the path\n$/,
    );
  });
});
