import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startSimulatorInProcess } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';
import { runSuiteCli, spawnSuiteCli } from './run-cli.js';
import { serveSecondImplementation } from './targets.js';

const run = (env: Readonly<Record<string, string>>, ...flags: readonly string[]) =>
  runSuiteCli('calibrate', env, ...flags);

/** Returns a writable path where no file exists yet. */
const newFilePath = (): string => join(tempFolder(), 'profile.yaml');

describe('a run that cannot start is reported in one line, with exit code 2', () => {
  const target = ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token'];
  const existingFile = fileURLToPath(new URL('../../package.json', import.meta.url));

  test.each([
    [[], /^error: no target; pass its base URL with --base-url.*\n$/],
    [target.slice(0, 2), /^error: no token; pass one with both scopes.*\n$/],
    [[...target, '--output', existingFile], /^error: .+package\.json already exists; overwrite it with --force\n$/],
    [
      [...target, '--output', 'package.json/no.yaml'],
      /^error: cannot write --output package\.json\/no\.yaml: ENOTDIR: not a directory, .*\n$/,
    ],
    [target, /^error: http:\/\/127\.0\.0\.1:1\/api\/v1 cannot be reached: .*check the base URL.*\n$/],
    [[...target, '--output', 'docs', '--force'], /^error: --output docs is a directory; name a file\n$/],
    [[...target, '--force'], /^error: --force needs --output, which names the file to overwrite\n$/],
    [[...target, '--strict'], /^error: unknown option '--strict'.*\n$/],
  ])('%o', async (flags, message) => {
    const { code, stdout, stderr } = await run({}, ...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

test('a simulator can be started with the written profile, which contains no secrets', async () => {
  const { baseUrl, tokens } = await serveSecondImplementation({ decimals: 'text', listOrder: 'oldest' });
  const { full, read, write } = tokens;
  const env = { BILLING_TOKEN: full, BILLING_READ_TOKEN: read, BILLING_WRITE_TOKEN: write };
  const output = newFilePath();
  const { code, stdout, stderr } = await run(env, '--base-url', baseUrl, '--driver', 'none', '--output', output);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^\d\d of \d+ gaps observed in \d+ requests; profile written to .+\n$/);

  const profile = readFileSync(output, 'utf8');
  for (const token of [full, read, write]) expect(profile).not.toContain(token);
  expect(profile).toMatch(
    /\n# In what order are lists returned\?\n(# {3}.+\n)*# {3}GET \/payment-links.+→ 200 .+\nlist\.order: oldest-first\n/,
  );
  expect(profile).toContain(
    '\n# deposit.decline: What happens to a deposit whose card is declined?\n#   declineDeposit: there is no driver\n',
  );

  const { ready } = await startSimulatorInProcess('--memory', '--profile', output);
  const response = await fetch(`${ready.baseUrl}/invoices/stats`, {
    headers: { Authorization: `Bearer ${ready.tokens?.full}` },
  });
  expect(await response.json()).toMatchObject({ data: { total_overdue: expect.stringMatching(/^\d+\.\d\d$/) } });
});

describe('without --output, only the profile goes to stdout, and what the driver prints to stderr, without secrets:', () => {
  test.each([
    [
      2,
      'a driver that fails',
      runSuiteCli,
      "payLink() { console.log('I have ' + token); throw new Error('no card'); }",
      "the driver's payLink\\(\\) failed: no card",
    ],
    [
      2,
      'a driver that does not handle a rejected promise',
      spawnSuiteCli,
      "payLink() { console.log('I have ' + token); Promise.reject(new Error('no ' + token)); }",
      'the driver .+ failed: no \\[redacted\\]',
    ],
    [
      4,
      'a bug in the suite itself',
      runSuiteCli,
      "createCustomer() { console.log('I have ' + token); return { get id() { throw new Error('boom') } }; }",
      'the suite failed: Error: boom \\(.+\\)',
    ],
  ])('the exit code is %i after %s', async (expectedCode, _what, runCommand, method, expectedMessage) => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const driver = join(tempFolder(), 'driver.mjs');
    writeFileSync(driver, `export default ({ token }) => ({ ${method} });`);
    // The payments that the driver does not make have effects that never come.
    const flags = ['--base-url', baseUrl, '--token', tokens.full, '--driver', driver, '--webhook-timeout', '1s'];
    const { code, stdout, stderr } = await runCommand('calibrate', {}, ...flags);
    expect(parse(stdout)).toMatchObject({ 'list.order': 'newest-first', 'decimal.encoding': 'number' });
    expect({ code, stderr }).toEqual({
      code: expectedCode,
      stderr: expect.stringMatching(
        new RegExp(
          `^(?:I have \\[redacted\\]\\n)+\\d+ of \\d+ gaps observed in \\d+ requests\\nerror: ${expectedMessage}\\n$`,
        ),
      ),
    });
  });
});

test('with --no-write, only gaps that are visible without writing are observed; --json prints the findings', async () => {
  const { baseUrl, tokens } = await serveSecondImplementation();
  const output = newFilePath();
  const flags = ['--base-url', baseUrl, '--token', tokens.full, '--no-write', '--driver', 'none', '--json'];
  const { code, stdout } = await run({}, ...flags, '--output', output);
  const { findings, target } = JSON.parse(stdout);
  const evidence: string[] = findings.flatMap((finding: { readonly evidence: readonly string[] }) => finding.evidence);
  expect(evidence.filter((line) => !line.startsWith('GET /'))).toEqual([]);
  expect({ code, target, isWritten: existsSync(output) }).toEqual({ code: 0, target: baseUrl, isWritten: true });
  expect(findings).toContainEqual(
    expect.objectContaining({
      gap: 'page.over-maximum',
      choice: 'clamped',
      why: '',
      evidence: ['GET /invoices?per_page=101 → 200 data.per_page: 100'],
    }),
  );
  expect(findings).toContainEqual(
    expect.objectContaining({
      gap: 'list.order',
      why: '--write: without it, the suite only reads from the target',
      evidence: [],
    }),
  );
});
