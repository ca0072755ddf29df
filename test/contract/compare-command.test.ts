import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Comparison } from '../../src/contract/compare/compare.js';
import { type Finished, runCliWith, startCli } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';
import { freePort, serveSecond } from './targets.js';

/** Runs `billing-sim compare`. What is set where the tests run is not for it. */
function runCompare(...flags: string[]): Promise<Finished> {
  return runCliWith({ BILLING_BASE_URL: '', BILLING_TOKEN: '' }, 'compare', ...flags);
}

const nobody = 'http://127.0.0.1:1/api/v1';
const elsewhere = 'http://127.0.0.2:1/api/v1';

describe('a run that cannot start is reported in one line, with exit code 2', () => {
  test.each([
    ['no target', [], 'expected two implementations, each given with --base-url, but got 0'],
    ['one target', ['--base-url', nobody], 'expected two implementations, each given with --base-url, but got 1'],
    [
      'three targets',
      ['--base-url', nobody, '--base-url', elsewhere, '--base-url', nobody],
      'expected two implementations, each given with --base-url, but got 3',
    ],
    [
      'the same one twice',
      ['--base-url', nobody, '--base-url', `${nobody}/`, '--token', 'a-token'],
      `nothing to compare: both are ${nobody} with the same token`,
    ],
    [
      'no token',
      ['--base-url', nobody, '--base-url', elsewhere],
      `no token for ${nobody}; pass one with both scopes with --token, once for both or twice`,
    ],
    [
      'no token for the second',
      ['--base-url', nobody, '--base-url', elsewhere, '--token', 'a-token', '--token', ''],
      `no token for ${elsewhere}; pass one with both scopes with --token, once for both or twice`,
    ],
    [
      'three tokens',
      ['--base-url', nobody, '--base-url', elsewhere, '--token', 'a', '--token', 'b', '--token', 'c'],
      '--token is given more than twice; give it once for both implementations, or once for each',
    ],
    [
      'an unknown clause',
      ['--base-url', nobody, '--base-url', elsewhere, '--token', 'a-token', '--only', 'INV-STAT'],
      'unknown clause INV-STAT; did you mean INV-STATS? --list shows all',
    ],
    [
      'a file that cannot be written',
      ['--base-url', nobody, '--base-url', elsewhere, '--token', 'a-token', '--json', '/no/such/file.json'],
      'cannot write --json /no/such/file.json: ENOENT',
    ],
  ])('%s', async (_what, flags, complaint) => {
    expect(await runCompare(...flags)).toEqual({ code: 2, stdout: '', stderr: `error: ${complaint}\n` });
  });

  test('one of the two is unreachable', async () => {
    const { baseUrl, tokens } = await serveSecond();
    const gone = `http://127.0.0.1:${await freePort()}/api/v1`;
    for (const urls of [
      [baseUrl, gone],
      [gone, baseUrl],
    ]) {
      const flags = urls.flatMap((url) => ['--base-url', url]);
      const { code, stdout, stderr } = await runCompare(...flags, '--token', tokens.full);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(`error: ${gone} cannot be reached: nothing listens at this address; check --base-url`);
    }
  });
});

/** Flags that name two services, and what is looked at. */
async function twoServices(): Promise<string[]> {
  const [one, other] = [await serveSecond(), await serveSecond({ fault: 'stats-count-text', decimals: 'text' })];
  return [
    ...['--base-url', one.baseUrl, '--token', one.tokens.full],
    ...['--base-url', other.baseUrl, '--token', other.tokens.full],
    ...['--only', 'INV-STATS'],
  ];
}

test('the text has violations in full, gaps by name, and the amount of noise', async () => {
  const { code, stdout, stderr } = await runCompare(...(await twoServices()));
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(
    /^A {2}http:\S+, with no driver: verified 17 of 23 documented clauses, in \d+ requests\nB {2}/,
  );
  expect(stdout).toMatch(
    /\n✗ GET \/invoices\/stats {2}\/data\/total_invoices {2}×\d+\n {4}B violates INV-STATS-02 {2}.+\n {4}curl -i .+\n {4}A → 200 .+\n {4}B → 200 .+\n {4}A has 120\n {4}B has "120"\n/,
  );
  expect(stdout).toMatch(
    /\n\? decimal\.encoding {2}.+\?\n {4}GET \/invoices\/stats +\/data\/total_outstanding +[\d.]+ +\| +"[\d.]+" +×\d+\n/,
  );
  expect(stdout).toMatch(/\n\d+ pairs of responses compared in .+: 1 violation, \d+ differences in gaps, .+ noise.*\n/);
  expect(stdout).toMatch(/\nexit code 1: B violates 1 clause\n$/);
});

test('--json - prints everything except the output of drivers', async () => {
  const driver = join(tempFolder(), 'driver.mjs');
  writeFileSync(driver, 'export default ({ token }) => (console.log("I have " + token), {})');
  const flags = await twoServices();
  const { code, stdout, stderr } = await runCompare(...flags, '--driver', '', '--driver', driver, '--json', '-');
  const comparison: Comparison = JSON.parse(stdout);
  expect(stderr).toBe('I have [redacted]\n');
  expect(comparison).toMatchObject({ exitCode: 1, b: { driver: `the driver ${driver}` } });
  expect(comparison.differences.map(({ label }) => label)).toEqual(expect.arrayContaining(['violation', 'gap']));
  expect(code).toBe(1);
});

test('two accounts of a simulator can be compared by their tokens; --noise lists the noise', async () => {
  const { ready } = await startCli('--memory');
  const made = await fetch(`${ready.url}/_sim/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: 'other' }),
  });
  const { tokens }: { readonly tokens: { readonly full: string } } = JSON.parse(await made.text());
  const flags = [
    '--base-url',
    ready.baseUrl,
    '--base-url',
    ready.baseUrl,
    '--token',
    'demo_full',
    '--token',
    tokens.full,
  ];
  const { code, stdout, stderr } = await runCompare(...flags, '--only', 'LINK-CREATE', '--noise');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/\nNoise:\n(?: {2}.+\n)* {2}run ids .+ \/data\/description /);
  expect(stdout).toMatch(
    /: 0 violations, 0 differences in gaps, .+\n\nexit code 0: no violations in what was verified\n$/,
  );
});
