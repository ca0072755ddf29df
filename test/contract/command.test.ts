import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addTargetOptions, requireTarget, type TargetFlags } from '../../src/commands/contract/contract-flags.js';
import { dryRun } from '../../src/commands/contract/dry-run.js';
import { CannotRun } from '../../src/contract/engine/cannot-run.js';
import type { Report } from '../../src/contract/report/report.js';
import { startSimulator } from '../../src/index.js';
import { tempFolder } from '../support/temp-folder.js';
import { runContractCli, spawnContractCli } from './run-cli.js';
import { forwardRequest, serve, serveSecondImplementation } from './targets.js';

/** Flags that limit a run to one section, so that it is quick. */
const onlyStatistics = ['--only', 'INV-STATS'];

/** Starts a target that records the methods of requests, and forwards each as a GET to the second implementation. */
async function serveAndRecordMethods(): Promise<{ baseUrl: string; methods: readonly string[] }> {
  const service = await serveSecondImplementation();
  const methods: string[] = [];
  const baseUrl = await serve(async (request, response) => {
    methods.push(`${request.method}`);
    await forwardRequest(service, request, response);
  });
  return { baseUrl, methods };
}

describe('a run limits its load and side effects:', () => {
  test('without --write, it only reads a target on another host', async () => {
    const { baseUrl: loopbackUrl, methods } = await serveAndRecordMethods();
    // An address that reaches this machine, but is not a loopback address.
    const baseUrl = loopbackUrl.replace('127.0.0.1', '0.0.0.0');
    const { code, stdout } = await runContractCli({}, '--base-url', baseUrl, '--token', 'a-token', ...onlyStatistics);
    expect(code).toBe(0);
    expect(new Set(methods)).toEqual(new Set(['GET']));
    expect(stdout).toMatch(/\n +\d+ {2}--write +INV-STATS-/);
  });

  test('it keeps within the rate limit that the target announces', async () => {
    const limit = 16;
    const { baseUrl, tokens } = await serveSecondImplementation({ limit, windowSeconds: 1, burstsAllowed: 'never' });
    const flags = ['--base-url', baseUrl, '--token', tokens.full, ...onlyStatistics, '--json', '-'];
    const { code, stdout } = await runContractCli({}, ...flags);
    const { problems, requests }: Report = JSON.parse(stdout);
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
    expect(requests).toBeGreaterThan(limit);
  });

  test('it writes nothing with --dry-run, which predicts the result', async () => {
    const { baseUrl, methods } = await serveAndRecordMethods();
    const flags = ['--base-url', baseUrl, '--token', 'a-token', ...onlyStatistics];
    const { code, stdout, stderr } = await runContractCli({}, ...flags, '--dry-run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(methods).toEqual(['GET', 'GET']);
    expect(stdout).toContain(' responds. Nothing was changed: the suite sent only GET requests.\n');
    expect(stdout).toMatch(/\nInvoice statistics +25 +10\n/);
    expect(stdout).toMatch(/\n +10 {2}markInvoicePaid \(--driver\) +INV-STATS-10, /);
    expect(stdout).toMatch(
      /\nwould verify 18 of 28 documented clauses\nAbout \d+ requests; less than a minute at \d+ requests per minute\.\n/,
    );
  });

  test('when interrupted, it restores the settings of a simulator', async () => {
    const simulator = await startSimulator({ log: () => undefined });
    onTestFinished(() => simulator.close());
    const settings = async (): Promise<unknown> => (await fetch(`${simulator.url}/_sim/accounts/demo/settings`)).json();
    const before = await settings();
    // The pace is limited so that there is time to interrupt the run.
    const flags = ['--base-url', simulator.baseUrl, '--token', 'demo_full', '--pace', '60'];
    const haveSettingsChanged = async (): Promise<boolean> =>
      JSON.stringify(await settings()) !== JSON.stringify(before);
    const { code, stdout, stderr } = await spawnContractCli({}, ...flags, { until: haveSettingsChanged });
    expect(code).toBe(2);
    // An interruption before or during the first clause leaves nothing to report.
    const hasCheckedNothing = /interrupted (?:before its first check|after 0 of)/.test(stderr);
    expect(stdout).toMatch(hasCheckedNothing ? /^$/ : /\nexit code 2: .+\n$/);
    expect(stderr).toMatch(
      /^(?:About .+\n)?Stopping\. Press Ctrl-C again to force\.\nerror: the run was interrupted (?:before its first check|after \d+ of \d+ clauses)\n$/,
    );
    expect(await settings()).toEqual(before);
  });
});

describe('a dry run loads the driver as a run does:', () => {
  test('what the driver prints goes to stderr', async () => {
    const { baseUrl } = await serveAndRecordMethods();
    const driver = join(tempFolder(), 'driver.mjs');
    writeFileSync(driver, 'export default () => { console.log("hello"); return { payLink() {} }; }');
    const flags = ['--base-url', baseUrl, '--token', 'a-token', '--driver', driver, '--only', 'INV-STATS-02'];
    const { stdout, stderr } = await runContractCli({}, ...flags, '--dry-run', '--json', '-');
    expect({ dryRun: JSON.parse(stdout), stderr }).toMatchObject({ dryRun: { target: baseUrl }, stderr: 'hello\n' });
  });

  test.each([
    ['fails', 'throw new Error("no " + token)', 'failed: no [redacted]'],
    ['hangs', 'return new Promise(() => {})', 'did not finish within 1.5 s'],
  ])('a `close` that %s is reported with exit code 2', async (_what, body, message) => {
    const { baseUrl } = await serveAndRecordMethods();
    const driver = join(tempFolder(), 'driver.mjs');
    writeFileSync(driver, `export default ({ token }) => ({ close() { ${body} } })`);
    const flags = ['--base-url', baseUrl, '--token', 'a-token', '--driver', driver, '--timeout', '500ms', '--dry-run'];
    expect(await runContractCli({}, ...flags)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: the driver's close() ${message}\n`,
    });
  });

  test('an error that it does not catch ends the dry run', async () => {
    const { baseUrl } = await serveAndRecordMethods();
    const driver = join(tempFolder(), 'driver.mjs');
    writeFileSync(driver, 'export default () => ({ payLink() {} })');
    const uncaught = Object.assign(new Error('no card'), {
      stack: `Error: no card\n    at ${pathToFileURL(driver)}:1:1`,
    });
    const options = { baseUrl, token: 'a-token', driver, only: ['INV-STATS-02'] };
    await expect(dryRun(options, () => undefined, [uncaught])).rejects.toThrow(
      new CannotRun(`the driver ${driver} failed: no card`),
    );
  });

  test('a missing control token is reported with exit code 2', async () => {
    const simulator = await startSimulator({ controlToken: 'a-control-token', log: () => undefined });
    onTestFinished(() => simulator.close());
    const flags = ['--base-url', simulator.baseUrl, '--token', 'demo_full', '--dry-run', ...onlyStatistics];
    expect(await runContractCli({}, ...flags)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: the simulator cannot be controlled: the control API requires a token; pass it with --control-token\n',
    });
    expect(await runContractCli({}, ...flags, '--control-token', 'a-control-token')).toMatchObject({ code: 0 });
  });
});

test('a run ignores configuration files in the working directory', async () => {
  const { baseUrl, tokens } = await serveSecondImplementation();
  const folder = tempFolder();
  const trap = 'throw new Error("this was loaded")';
  for (const name of ['vitest.config.mjs', 'vite.config.mjs', 'vitest.workspace.mjs', 'postcss.config.mjs']) {
    writeFileSync(join(folder, name), trap);
  }
  mkdirSync(join(folder, 'vitest'));
  writeFileSync(join(folder, 'vitest', 'contract.suite.js'), trap);
  const flags = ['--base-url', baseUrl, '--token', tokens.full, ...onlyStatistics];
  const { code, stderr } = await spawnContractCli({}, ...flags, { cwd: folder });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain('this was loaded');
});

describe('a run first prints an estimate of its duration', () => {
  test.each([
    ['at the pace that the target announces', [], 'About 35 requests; about 3 minutes at 16 requests per minute.\n'],
    [
      'at the pace of --pace',
      ['--pace', '100000'],
      'About 35 requests; less than a minute at 100000 requests per minute.\n',
    ],
    ['without a pace', ['--pace', 'off'], 'About 35 requests; no rate limit to wait for.\n'],
    ['of a read-only run', ['--pace', 'off', '--no-write'], 'About 13 requests; no rate limit to wait for.\n'],
    ['unless its report goes to standard output', ['--pace', 'off', '--json', '-'], ''],
  ])('%s', async (_what, flags, expectedLine) => {
    const { baseUrl, tokens } = await serveSecondImplementation({
      limit: 16,
      windowSeconds: 1,
      burstsAllowed: 'never',
    });
    const target = ['--base-url', baseUrl, '--token', tokens.full];
    const { stderr } = await runContractCli({}, ...target, ...onlyStatistics, ...flags);
    expect(stderr).toBe(expectedLine);
  });

  test('for a simulator without a rate limit, which the driver turns off unless the run is read-only', async () => {
    const simulator = await startSimulator({ log: () => undefined });
    onTestFinished(() => simulator.close());
    const target = ['--base-url', simulator.baseUrl, '--token', 'demo_full', ...onlyStatistics];
    const { stderr } = await runContractCli({}, ...target);
    expect(stderr).toBe('About 35 requests; no rate limit to wait for.\n');
    const { stdout } = await runContractCli({}, ...target, '--dry-run');
    expect(stdout).toMatch(/\nAbout 35 requests; no rate limit to wait for\.\n/);
    const readOnly = await runContractCli({}, ...target, '--dry-run', '--no-write');
    expect(readOnly.stdout).toMatch(/\nAbout \d+ requests; less than a minute at 100 requests per minute\.\n/);
    const json = await runContractCli({}, ...target, '--dry-run', '--json', '-');
    expect(JSON.parse(json.stdout)).toMatchObject({ requests: 35, requestsPerMinute: null });
    const readOnlyJson = await runContractCli({}, ...target, '--dry-run', '--no-write', '--json', '-');
    expect(JSON.parse(readOnlyJson.stdout)).toMatchObject({ requestsPerMinute: 100 });
  });
});

test('the JSON report that a run writes to standard output matches its schema', async () => {
  const { baseUrl, tokens } = await serveSecondImplementation({ fault: 'stats-count-string' });
  const flags = ['--base-url', baseUrl, '--token', tokens.full, ...onlyStatistics, '--json', '-'];
  const { code, stdout } = await runContractCli({}, ...flags);
  const report: Report = JSON.parse(stdout);
  const ajv = new Ajv2020.default({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const schema = readFileSync(new URL('../../openapi/contract-report.schema.json', import.meta.url), 'utf8');
  const validate = ajv.compile(JSON.parse(schema));
  validate(report);
  expect(validate.errors).toBeNull();
  expect(report).toMatchObject({ target: baseUrl, driver: 'no driver', exitCode: code, problems: [] });
});

test('no output contains secrets', async () => {
  const secrets = {
    BILLING_TOKEN: 'full-9b1deb4d/+=',
    BILLING_READ_TOKEN: 'read-3b7d4bad',
    BILLING_WRITE_TOKEN: 'write-9bdd2b0d',
    BILLING_SCOPELESS_TOKEN: 'none-cb6dab1d',
    BILLING_OTHER_ACCOUNT_TOKEN: 'other-5e1f70aa',
    BILLING_WEBHOOK_SECRET: 'hook-1d7f2c5e',
    BILLING_SIM_CONTROL_TOKEN: 'control-77aa12f0',
  };
  const allSecrets = Object.values(secrets);
  // Repeats the token that it receives and all other secrets in headers and in the body of the response.
  const baseUrl = await serve((request, response) => {
    const bearer = String(request.headers.authorization).replace('Bearer ', '');
    const texts = [...allSecrets, bearer, Buffer.from(bearer).toString('base64'), encodeURIComponent(bearer)];
    const escaped = [...bearer]
      .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'X-Echo': texts.join(' '),
      'X-RateLimit-Limit': bearer,
    });
    response.end(
      `{"success":true,"message":"${escaped}","data":${JSON.stringify({ total: bearer, [bearer]: texts, data: texts, currency: bearer, id: bearer })}}`,
    );
  });
  const folder = tempFolder();
  const driver = join(folder, 'driver.mjs');
  writeFileSync(
    driver,
    `export default ({ token }) => ({
      createCustomer: () => {
        console.log(token);
        console.error(process.env.BILLING_READ_TOKEN);
        process.stdout.write(process.env.BILLING_WRITE_TOKEN);
        return { id: 1 };
      },
      close: () => { throw new Error('no ' + token) },
    })`,
  );
  const formats = ['json', 'junit', 'html'];
  const files = formats.map((format) => join(folder, `report.${format}`));
  const outputFlags = formats.flatMap((format, index) => [`--${format}`, files[index] ?? '']);
  const flags = [
    '--base-url',
    baseUrl,
    '--driver',
    driver,
    '--timeout',
    '2s',
    '--webhook-timeout',
    '1s',
    ...outputFlags,
  ];
  // Only one section: a run of all sections would take long against such a target.
  const { code, stdout, stderr } = await runContractCli(secrets, ...flags, ...onlyStatistics);
  expect([code, stderr], stdout).toEqual([1, expect.stringContaining('[redacted]')]);
  for (const text of [stdout, stderr, ...files.map((file) => readFileSync(file, 'utf8'))]) {
    expect(text).not.toBe('');
    for (const secret of allSecrets) {
      const encodings = [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)];
      for (const encoded of encodings) expect(text.includes(encoded), encoded).toBe(false);
    }
    // The beginning of the first token, "full", in JSON escapes.
    expect(text).not.toContain('\\u0066\\u0075\\u006c\\u006c');
  }
});

test('--list shows clauses, as text and as JSON', async () => {
  const asText = await runContractCli({}, '--list', ...onlyStatistics);
  expect(asText).toMatchObject({ code: 0, stderr: '' });
  expect(asText.stdout).toMatch(
    /^ {2}INV-STATS-02 {2}documented {2}`total_invoices` of the statistics is an integer of 0 or more\.$/m,
  );
  expect(asText.stdout).toMatch(/\n\d+ clauses: 28 documented, 8 inferred; 0 of them cannot be tested from outside\n$/);
  const asJson = await runContractCli({}, '--list', '--json', '-');
  const { clauses } = JSON.parse(asJson.stdout);
  expect(clauses).toContainEqual({
    id: 'INV-STATS-02',
    level: 'documented',
    operation: 'getInvoiceStats',
    spec: 'Invoice statistics',
    quote: '| total_invoices | integer | total number of invoices |',
    title: '`total_invoices` of the statistics is an integer of 0 or more.',
    untestable: null,
  });
});

test.each([
  ['spaces', ['--only', 'INV-STATS-02', 'LINK-SLUG']],
  ['commas', ['--only', 'INV-STATS-02,LINK-SLUG']],
  ['commas and spaces', ['--only', 'INV-STATS-02, LINK-SLUG']],
  ['commas before the spaces', ['--only', 'INV-STATS-02,', 'LINK-SLUG,']],
])('--only takes ids separated by %s', async (_separator, flags) => {
  const { code, stdout } = await runContractCli({}, '--list', '--json', '-', ...flags);
  const { clauses }: { clauses: readonly { id: string }[] } = JSON.parse(stdout);
  const sections = new Set(clauses.map(({ id }) => id.replace(/-\d+$/, '')));
  expect({ code, sections }).toEqual({ code: 0, sections: new Set(['INV-STATS', 'LINK-SLUG']) });
});

test('--webhook-timeout is the time to wait for asynchronous effects', () => {
  const command = addTargetOptions(new Command());
  command.parse(['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a', '--webhook-timeout', '40s'], {
    from: 'user',
  });
  expect(requireTarget(command.opts<TargetFlags>()).eventuallyTimeoutMs).toBe(40_000);
});
