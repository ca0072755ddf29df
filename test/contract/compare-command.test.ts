import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addCompareOptions, type CompareFlags, readOptionsOfBoth } from '../../src/commands/contract/compare-flags.js';
import type { Comparison } from '../../src/contract/compare/compare.js';
import { startSimulator } from '../../src/index.js';
import { type CommandResult, runCliWith } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { tempFolder } from '../support/temp-folder.js';
import { spawnSuiteCli } from './run-cli.js';
import { serveSecondImplementation } from './targets.js';

/** Runs `billing-sim compare` without a base URL and a token from the environment. */
function runCompare(...flags: string[]): Promise<CommandResult> {
  return runCliWith({ BILLING_BASE_URL: '', BILLING_TOKEN: '' }, 'compare', ...flags);
}

const unreachable = 'http://127.0.0.1:1/api/v1';
const alsoUnreachable = 'http://127.0.0.2:1/api/v1';

describe('a run that cannot start is reported in one line, with exit code 2', () => {
  test.each([
    ['no target', [], 'expected two implementations, each given with --base-url, but got 0'],
    ['one target', ['--base-url', unreachable], 'expected two implementations, each given with --base-url, but got 1'],
    [
      'three targets',
      ['--base-url', unreachable, '--base-url', alsoUnreachable, '--base-url', unreachable],
      'expected two implementations, each given with --base-url, but got 3',
    ],
    [
      'the same target twice',
      ['--base-url', unreachable, '--base-url', `${unreachable}/`, '--token', 'a-token'],
      `nothing to compare: both are ${unreachable} with the same token`,
    ],
    [
      'no token',
      ['--base-url', unreachable, '--base-url', alsoUnreachable],
      `no token for ${unreachable}; pass a token that has both scopes: --token once for both implementations, or once for each`,
    ],
    [
      'no token for the second',
      ['--base-url', unreachable, '--base-url', alsoUnreachable, '--token', 'a-token', '--token', '-'],
      `no token for ${alsoUnreachable}; pass a token that has both scopes: --token once for both implementations, or once for each`,
    ],
    [
      'no base URL for the second',
      ['--base-url', unreachable, '--base-url', '-', '--token', 'a-token'],
      'expected two implementations, each given with --base-url, but got 1',
    ],
    [
      'three tokens',
      ['--base-url', unreachable, '--base-url', alsoUnreachable, '--token', 'a', '--token', 'b', '--token', 'c'],
      '--token is given more than twice; give it once for both implementations, or once for each',
    ],
    [
      'one webhook port',
      ['--base-url', unreachable, '--base-url', alsoUnreachable, '--token', 'a-token', '--webhook-port', '9000'],
      'the two implementations cannot both send webhooks to port 9000; give --webhook-port once for each, with different ports',
    ],
    [
      'an unknown clause',
      ['--base-url', unreachable, '--base-url', alsoUnreachable, '--token', 'a-token', '--only', 'INV-STAT'],
      'unknown clause INV-STAT; did you mean INV-STATS? Run `billing-sim contract --list` to see them all.',
    ],
    [
      'a file that cannot be written',
      [
        '--base-url',
        unreachable,
        '--base-url',
        alsoUnreachable,
        '--token',
        'a-token',
        '--json',
        'package.json/no/file.json',
      ],
      "cannot write --json package.json/no/file.json: ENOTDIR: not a directory, stat 'package.json/no/file.json'",
    ],
    [
      'a file that is the driver of one of the targets',
      [
        ...['--base-url', unreachable, '--base-url', alsoUnreachable, '--token', 'a-token'],
        ...['--driver', '-', '--driver', 'driver.mjs', '--json', 'driver.mjs'],
      ],
      '--json driver.mjs would overwrite the --driver file; write the report to another file',
    ],
  ])('%s', async (_what, flags, expectedMessage) => {
    expect(await runCompare(...flags)).toEqual({ code: 2, stdout: '', stderr: `error: ${expectedMessage}\n` });
  });

  test('one of the two is unreachable', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const stopped = `http://127.0.0.1:${await freePort()}/api/v1`;
    for (const urls of [
      [baseUrl, stopped],
      [stopped, baseUrl],
    ]) {
      const flags = urls.flatMap((url) => ['--base-url', url]);
      const { code, stdout, stderr } = await runCompare(...flags, '--token', tokens.full);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        `error: ${stopped} cannot be reached: nothing listens at this address; check the base URL`,
      );
    }
  });
});

/** Flags that name two services and the clauses to check. */
async function flagsForTwoServices(): Promise<string[]> {
  const [service, deviatingService] = [
    await serveSecondImplementation(),
    await serveSecondImplementation({ fault: 'stats-count-string', decimals: 'text' }),
  ];
  return [
    ...['--base-url', service.baseUrl, '--token', service.tokens.full],
    ...['--base-url', deviatingService.baseUrl, '--token', deviatingService.tokens.full],
    ...['--only', 'INV-STATS'],
  ];
}

test('the text shows violations in full, gaps by name, and how much noise there is', async () => {
  const { code, stdout, stderr } = await runCompare(...(await flagsForTwoServices()));
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(
    /^A {2}http:\S+, with no driver: verified 18 of 28 documented clauses, in \d+ requests\nB {2}/,
  );
  expect(stdout).toMatch(
    /\n✗ GET \/invoices\/stats {2}\/data\/total_invoices {2}×\d+\n {4}B violates INV-STATS-02 {2}.+\n {4}curl -i .+\n {4}A → 200 .+\n {4}B → 200 .+\n {4}A: 120\n {4}B: "120"\n/,
  );
  expect(stdout).toMatch(
    /\n\? decimal\.encoding {2}.+\?\n {4}GET \/invoices\/stats +\/data\/total_outstanding +[\d.]+ +\| +"[\d.]+" +×\d+\n/,
  );
  expect(stdout).toMatch(/\n\d+ pairs of responses compared in .+: 1 violation, \d+ differences in gaps, .+ noise.*\n/);
  expect(stdout).toMatch(/\nexit code 1: B violates 1 clause\n$/);
});

test('--json - prints the comparison to stdout, and redirects the output of drivers to stderr', async () => {
  const driver = join(tempFolder(), 'driver.mjs');
  writeFileSync(
    driver,
    'export default ({ token }) => { console.log("I have " + token); process.stdout.write("I wrote " + token); return {} }',
  );
  const flags = await flagsForTwoServices();
  const { code, stdout, stderr } = await runCompare(...flags, '--driver', '-', '--driver', driver, '--json', '-');
  const comparison: Comparison = JSON.parse(stdout);
  expect(stderr).toBe('I have [redacted]\nI wrote [redacted]');
  expect(comparison).toMatchObject({ exitCode: 1, b: { driver: `the driver ${driver}` } });
  expect(comparison.differences.map(({ label }) => label)).toEqual(expect.arrayContaining(['violation', 'gap']));
  expect(code).toBe(1);
});

test('two accounts of a simulator can be compared, and --noise lists the noise', async () => {
  const simulator = await startSimulator({ log: () => undefined });
  onTestFinished(() => simulator.close());
  const created = await fetch(`${simulator.url}/_sim/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: 'other' }),
  });
  const { tokens }: { readonly tokens: { readonly full: string } } = JSON.parse(await created.text());
  const baseUrls = ['--base-url', simulator.baseUrl, '--base-url', simulator.baseUrl];
  const bothTokens = ['--token', 'demo_full', '--token', tokens.full];
  const flags = [...baseUrls, ...bothTokens, '--only', 'LINK-CREATE', '--noise'];
  const { code, stdout, stderr } = await runCompare(...flags);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/\nNoise:\n(?: {2}.+\n)* {2}run ids .+ \/data\/description /);
  expect(stdout).toMatch(
    /: 0 violations, 0 differences in gaps, .+\n\nexit code 0: no violations in what was verified\n$/,
  );
});

test('a driver that is given once is announced as the driver of both', async () => {
  const driver = join(tempFolder(), 'driver.mjs');
  writeFileSync(driver, 'export default () => ({})');
  const { code, stderr } = await runCompare(...(await flagsForTwoServices()), '--driver', driver);
  expect(stderr).toBe(
    `${driver} is the driver of both; to use it only for the second: --driver - --driver ${driver}\n`,
  );
  expect(code).toBe(1);
});

test('if there are no violations, the text says which side caused the exit code', async () => {
  const driver = join(tempFolder(), 'driver.mjs');
  writeFileSync(driver, 'export default () => ({ createCustomer() { throw new Error("no database") } })');
  const sides = [await serveSecondImplementation(), await serveSecondImplementation()].flatMap(
    ({ baseUrl, tokens }) => ['--base-url', baseUrl, '--token', tokens.full],
  );
  const { code, stdout } = await runCompare(...sides, '--driver', '-', '--driver', driver, '--only', 'INV-CREATE-01');
  expect(code).toBe(2);
  expect(stdout).toMatch(/\nexit code 2: B: the driver failed, so some clauses could not be checked\n$/);
});

test('an error that a driver does not catch is reported for its side, and simulator settings are restored', async () => {
  const simulator = await startSimulator({ log: () => undefined });
  onTestFinished(() => simulator.close());
  const readSettings = async (): Promise<unknown> =>
    (await fetch(`${simulator.url}/_sim/accounts/demo/settings`)).json();
  const settings = await readSettings();
  const { baseUrl, tokens } = await serveSecondImplementation();
  const driver = join(tempFolder(), 'driver.mjs');
  writeFileSync(
    driver,
    'export default () => ({ async createCustomer() { fetch("http://127.0.0.1:1/"); return { id: 1 }; } })',
  );
  const bothSides = [
    '--base-url',
    simulator.baseUrl,
    '--token',
    'demo_full',
    '--base-url',
    baseUrl,
    '--token',
    tokens.full,
  ];
  const flags = [...bothSides, '--driver', '-', '--driver', driver, '--only', 'INV-CREATE-01'];
  const { code, stdout } = await spawnSuiteCli('compare', {}, ...flags);
  expect(stdout).toContain(`\nProblems:\n  B  the driver ${driver} failed: fetch failed\n`);
  expect(code).toBe(2);
  expect(await readSettings()).toEqual(settings);
});

test.each([
  ['port 0, which picks a free port for each', ['--webhook-port', '0']],
  ['a port for each', ['--webhook-port', '9000', '--webhook-port', '9001']],
  ['one port, if nothing is written', ['--webhook-port', '9000', '--no-write']],
])('--webhook-port accepts %s', (_what, flags) => {
  const command = addCompareOptions(new Command());
  const urls = ['--base-url', unreachable, '--base-url', alsoUnreachable];
  command.parse([...urls, '--token', 'a-token', ...flags], { from: 'user' });
  expect(() => readOptionsOfBoth(command.opts<CompareFlags>())).not.toThrow();
});

test('--webhook-timeout is the time to wait for asynchronous effects of both targets', () => {
  const command = addCompareOptions(new Command());
  const urls = ['--base-url', unreachable, '--base-url', alsoUnreachable];
  command.parse([...urls, '--token', 'a-token', '--webhook-timeout', '40s'], { from: 'user' });
  const { a, b } = readOptionsOfBoth(command.opts<CompareFlags>());
  expect([a.eventuallyTimeoutMs, b.eventuallyTimeoutMs]).toEqual([40_000, 40_000]);
});
