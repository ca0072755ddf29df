import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { runContractCli, spawnContractCli, spawnSuiteCli } from './run-cli.js';
import { forwardRequest, serve, serveSecondImplementation } from './targets.js';

/** Matches the line that a run prints before it begins. */
const estimateLine = /^About \d+ requests; less than a minute at \d+ requests per minute\.\n$/;

/** Flags that limit a run to one section, so that it is quick. */
const onlyStatistics = ['--only', 'INV-STATS'];

function writeWaivers(...waivers: readonly object[]): string {
  const file = join(tempFolder(), 'waivers.yaml');
  writeFileSync(file, JSON.stringify(waivers));
  return file;
}

const waiverTerms = { reason: 'known', until: '2999-12-31' };

describe('a run exits with', () => {
  test('0 for a conforming service', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const flags = ['--base-url', baseUrl, ...onlyStatistics];
    const { code, stdout, stderr } = await runContractCli({ BILLING_TOKEN: tokens.full }, ...flags);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(estimateLine) });
    expect(stdout).toContain(`${baseUrl}, with no driver\n\nsection `);
    expect(stdout).toMatch(/\nInvoice statistics +\d+ +· +· +\d+ +·\n/);
    expect(stdout).toMatch(
      /\nNot checked, grouped by what is missing:\n +10 {2}markInvoicePaid \(--driver\) +INV-STATS-10, INV-STATS-15, INV-STATS-16, /,
    );
    expect(stdout).toMatch(/\nverified 18 of 28 documented clauses \(64%\), in \d+ requests and .+\n/);
    expect(stdout).toMatch(/\nexit code 0: all verified clauses hold\n$/);
  });

  test('1 for a violation, which is shown with its request and response', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation({ fault: 'stats-count-string' });
    const flags = ['--base-url', baseUrl, '--token', tokens.full, ...onlyStatistics];
    const { code, stdout, stderr } = await runContractCli({}, ...flags);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(estimateLine) });
    expect(stdout).toContain(`
Violated:

✗ INV-STATS-02  \`total_invoices\` of the statistics is an integer of 0 or more.
    specification: Invoice statistics (documented)
    quote: | total_invoices | integer | total number of invoices |
    curl -i '${baseUrl}/invoices/stats' -H "Authorization: Bearer $TOKEN" -H 'Accept: application/json'
    → 200 {"success":true,`);
    expect(stdout).toMatch(/\n {4}expected `data\.total_invoices` to be an integer of 0 or more\n {4}got {6}"\d+"\n/);
    expect(stdout).toMatch(/\nexit code 1: \d+ clauses? (is|are) violated\n$/);
  });

  test('1 if the target refuses requests that the chosen clauses need, although it violates none of these clauses', async () => {
    const service = await serveSecondImplementation();
    const baseUrl = await serve(async (request, response) => {
      if (request.method === 'POST' && request.url?.endsWith('/invoices')) response.writeHead(500).end('{}');
      else await forwardRequest(service, request, response);
    });
    const { code, stdout } = await runContractCli({}, '--base-url', baseUrl, '--token', 'a-token', ...onlyStatistics);
    expect(stdout).toMatch(/\n✗ ENV-VALID-02 {2}No valid request to POST \/invoices is refused\.\n/);
    expect(code).toBe(1);
  });

  test.each([
    ['0 if the violation is waived', waiverTerms, 0, /\nViolated and waived:\n\n~ INV-STATS-02 /],
    [
      '1 if the waiver has expired',
      { ...waiverTerms, until: '2020-01-01' },
      1,
      /Stale waivers:\n +INV-STATS-02 +it expired on 2020-01-01\n/,
    ],
  ])('%s', async (_what, waiver, exitCode, text) => {
    const { baseUrl, tokens } = await serveSecondImplementation({ fault: 'stats-count-string' });
    const waivers = writeWaivers({ ...waiver, clause: 'INV-STATS-02' });
    const only = ['--only', 'INV-STATS-02', 'INV-STATS-05'];
    const flags = ['--base-url', baseUrl, '--token', tokens.full, '--waivers', waivers, ...only];
    const { code, stdout } = await runContractCli({}, ...flags);
    expect(code).toBe(exitCode);
    expect(stdout).toMatch(text);
  });

  test('3 for a waiver that is no longer needed', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const waivers = writeWaivers({ ...waiverTerms, clause: 'INV-STATS-02' });
    const flags = ['--base-url', baseUrl, '--token', tokens.full, '--waivers', waivers, ...onlyStatistics];
    const { code, stdout } = await runContractCli({}, ...flags);
    expect(code).toBe(3);
    expect(stdout).toMatch(/Stale waivers:\n +INV-STATS-02 +the clause passes now\n/);
  });

  test.each([
    ['0 if only an inferred clause is violated', [], 0, /\n! INV-STATS-17 /],
    ['1 with --strict if an inferred clause is violated', ['--strict'], 1, /\n✗ INV-STATS-17 /],
  ])('%s', async (_what, flags, exitCode, text) => {
    const { baseUrl, tokens } = await serveSecondImplementation({ fault: 'stats-total-counts-only-unpaid' });
    // INV-STATS-17 waits for statistics that are updated late.
    const selection = ['--only', 'INV-STATS-02', 'INV-STATS-17', '--webhook-timeout', '500ms'];
    const target = ['--base-url', baseUrl, '--token', tokens.full];
    const { code, stdout } = await runContractCli({}, ...target, ...selection, ...flags);
    expect(code).toBe(exitCode);
    expect(stdout).toMatch(text);
  });

  test('2 if the target stops during the run', async () => {
    const service = await serveSecondImplementation();
    // Three requests that the report counts, and one that finds out whether the target is a simulator.
    let remainingRequests = 4;
    const baseUrl = await serve(async (request, response) => {
      remainingRequests -= 1;
      if (remainingRequests < 0) request.socket.destroy();
      else await forwardRequest(service, request, response);
    });
    // `forwardRequest` sends a valid token instead of this one.
    const { code, stdout } = await runContractCli({}, '--base-url', baseUrl, '--token', 'a-token', ...onlyStatistics);
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /\nProblems:\n {2}the target stopped responding after 3 requests: GET \/invoices\?per_page=1: socket hang up\n/,
    );
    expect(stdout).toContain('exit code 2: the target stopped responding\n');
  });

  test('4 if the suite itself fails, and prints no stack trace', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const driver = join(tempFolder(), 'driver.mjs');
    // The method of the driver succeeds. The suite fails later, while it reads the result.
    writeFileSync(
      driver,
      'export default () => ({ createCustomer: () => ({ get id() { throw new Error("boom") } }) })',
    );
    const flags = ['--base-url', baseUrl, '--token', tokens.full, '--driver', driver, ...onlyStatistics];
    const { code, stdout, stderr } = await runContractCli({}, ...flags);
    expect(code).toBe(4);
    expect(stdout).toMatch(/ {2}the suite failed: Error: boom \(.+\) {2}INV-STATS-\d\d/);
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
  });

  test.each([
    ['throws', 'throw new Error("no database")', 'failed: no database'],
    ['hangs', 'return new Promise(() => {})', 'did not finish within 1.5 s'],
    [
      'returns a malformed result',
      'return { customer: { id: 7 } }',
      'must return an object whose `id` is an integer, but returned an object with `customer`',
    ],
  ])('2 if the driver %s, which is reported once', async (_what, methodBody, expectedProblem) => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const driver = join(tempFolder(), 'driver.mjs');
    writeFileSync(driver, `export default () => ({ createCustomer() { ${methodBody} } })`);
    // A driver method has three times the timeout of a request.
    const target = ['--base-url', baseUrl, '--token', tokens.full, '--timeout', '500ms'];
    const { code, stdout, stderr } = await runContractCli({}, ...target, '--driver', driver, '--only', 'INV-CREATE');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(estimateLine) });
    expect(stdout.split(`the driver's createCustomer() ${expectedProblem}`)).toHaveLength(2);
    expect(stdout).toContain('exit code 2: the driver failed, so some clauses could not be checked\n');
  });

  test.each([
    ['throws in a timer of another module', 'throwLate()'],
    ['does not await a promise that rejects', 'fetch("http://127.0.0.1:1/")'],
  ])('2 if the driver %s', async (_what, statement) => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const folder = tempFolder();
    const driver = join(folder, 'driver.mjs');
    writeFileSync(
      join(folder, 'helper.mjs'),
      'export const throwLate = () => setTimeout(() => { throw new Error("late"); });',
    );
    writeFileSync(
      driver,
      `import { throwLate } from './helper.mjs';
      export default () => ({ createCustomer: () => { ${statement}; return new Promise((resolve) => setTimeout(resolve, 200, { id: 1 })) } })`,
    );
    const flags = ['--base-url', baseUrl, '--token', tokens.full, '--driver', driver, '--only', 'INV-STATS-09'];
    const { code, stdout } = await spawnContractCli({}, ...flags);
    expect(stdout).toMatch(new RegExp(`the driver ${driver} failed: (?:late|fetch failed)\\n`));
    expect(code).toBe(2);
  });

  test.each([
    ['a timer', 'setInterval(() => undefined, 1_000)'],
    ['a request without a response', 'fetch(process.env.HANGING_URL).catch(() => undefined)'],
  ])('its code, after all output, even if the driver leaves %s pending', async (_what, statement) => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const driver = join(tempFolder(), 'driver.mjs');
    writeFileSync(driver, `export default () => { ${statement}; return {} }`);
    const env = { HANGING_URL: await serve(() => undefined) };
    const target = ['--base-url', baseUrl, '--token', tokens.full, '--driver', driver];
    const { code, stdout } = await spawnContractCli(env, ...target, ...onlyStatistics, '--json', '-');
    expect({ code, report: JSON.parse(stdout) }).toMatchObject({ code: 0, report: { exitCode: 0 } });
  });

  test.each([
    ['contract', 0],
    ['calibrate', 4],
  ])('2 if the driver of %s ends the process with code %i', async (command, driverExitCode) => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const driver = join(tempFolder(), 'driver.mjs');
    writeFileSync(driver, `export default () => ({ createCustomer: () => process.exit(${driverExitCode}) })`);
    const flags = ['--base-url', baseUrl, '--token', tokens.full, '--driver', driver];
    const { code, stdout, stderr } = await spawnSuiteCli(command, {}, ...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'error: the process exited before the command had finished; a driver must not call process.exit()\n',
    );
  });
});
