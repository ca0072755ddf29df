import { describe, expect, test } from 'vitest';
import { runContractCli } from './run-cli.js';
import { serve, serveAlways, serveSecondImplementation } from './targets.js';

/** Flags that limit a run to one section, so that it is quick. */
const onlyStatistics = ['--only', 'INV-STATS'];

describe('a run that cannot start is reported in one line, with exit code 2', () => {
  test.each([
    [[], 'no target; pass its base URL with --base-url, for example https://billing.example/api/v1'],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1'],
      'no token; pass one with both scopes in BILLING_TOKEN or with --token',
    ],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--only', 'INV-STAT'],
      'unknown clause INV-STAT; did you mean INV-STATS? Run `billing-sim contract --list` to see them all.',
    ],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--waivers', '/no/such.yaml'],
      'cannot read /no/such.yaml: no such file; check the path',
    ],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--html', 'package.json/no/report.html'],
      "cannot write --html package.json/no/report.html: ENOTDIR: not a directory, stat 'package.json/no/report.html'",
    ],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--junit', '-'],
      '--junit - is not a file; only --json can be written to standard output',
    ],
    // The target is checked before the driver is loaded.
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--driver', '/no/such.mjs'],
      'http://127.0.0.1:1/api/v1 cannot be reached: nothing listens at this address; check the base URL (GET /invoices?per_page=1: ECONNREFUSED: Connection refused)',
    ],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--html', 'report', '--junit', './report'],
      'cannot write two reports to the same file: --junit ./report and --html report',
    ],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--html', 'docs'],
      '--html docs is a directory; name a file',
    ],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--resume', 'docs'],
      '--resume docs is a directory; name a file',
    ],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--driver', 'a.mjs', '--json', './a.mjs'],
      '--json ./a.mjs would overwrite the --driver file; write the report to another file',
    ],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--waivers', 'a.yaml', '--json', 'a.yaml'],
      '--json a.yaml would overwrite the --waivers file; write the report to another file',
    ],
    [
      [
        ...['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token'],
        ...['--resume', 'a.json', '--json', 'b.json', '--html', 'a.json'],
      ],
      '--html a.json would overwrite the --resume file; write the report to another file',
    ],
    [['--list', '--html', 'report.html'], "option '--list' cannot be used with option '--html <file>'"],
    [['--list', '--junit', 'report.xml'], "option '--list' cannot be used with option '--junit <file>'"],
    [['--list', '--waivers', 'waivers.yaml'], "option '--list' cannot be used with option '--waivers <file>'"],
    [['--list', '--resume', 'report.json'], "option '--list' cannot be used with option '--resume <file>'"],
    [['--list', '--dry-run'], "option '--list' cannot be used with option '--dry-run'"],
    [['--dry-run', '--html', 'report.html'], "option '--dry-run' cannot be used with option '--html <file>'"],
    [['--dry-run', '--junit', 'report.xml'], "option '--dry-run' cannot be used with option '--junit <file>'"],
    [['--dry-run', '--waivers', 'waivers.yaml'], "option '--dry-run' cannot be used with option '--waivers <file>'"],
    [['--dry-run', '--resume', 'report.json'], "option '--dry-run' cannot be used with option '--resume <file>'"],
    [
      ['--base-url', 'http://127.0.0.1:1/api/v1', '--token', 'a-token', '--read-token', 'a-token'],
      '--read-token and --token are the same; pass a different token for each',
    ],
    [['--colour'], "unknown option '--colour'; see billing-sim contract --help"],
    ...['', ','].map((ids): [string[], string] => [
      ['--only', ids],
      `option '--only <ids...>' argument '${ids}' is invalid: expected ids of clauses, such as INV-STATS-02 or INV`,
    ]),
    [
      ['--pace', '0'],
      "option '--pace <pace>' argument '0' is invalid: expected auto, off or a positive number of requests per minute",
    ],
  ])('%j', async (flags, expectedMessage) => {
    expect(await runContractCli({}, ...flags)).toEqual({ code: 2, stdout: '', stderr: `error: ${expectedMessage}\n` });
  });

  test('a target that returns a login page', async () => {
    const baseUrl = await serveAlways({ headers: { 'Content-Type': 'text/html' }, body: '<title>Sign in</title>' });
    const { code, stdout, stderr } = await runContractCli({}, '--base-url', baseUrl, '--token', 'a-token');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `error: ${baseUrl} responds with an HTML page (200); it may be a login page, or a different service\n`,
    );
  });

  test('a customer that does not exist', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const flags = ['--base-url', baseUrl, '--token', tokens.full, '--customer-id', '99999'];
    expect(await runContractCli({}, ...flags)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${baseUrl} refuses customer 99999 (422); check --customer-id\n`,
    });
  });

  test('a driver that does not exist', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const flags = ['--base-url', baseUrl, '--token', tokens.full, '--driver', '/no/such.mjs'];
    expect(await runContractCli({}, ...flags)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: cannot read the driver /no/such.mjs: no such file; check the path\n',
    });
  });

  test('a target that never responds', async () => {
    const baseUrl = await serve(() => undefined);
    const flags = ['--base-url', baseUrl, '--token', 'a-token', '--timeout', '200ms'];
    const { code, stdout, stderr } = await runContractCli({}, ...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^error: .* cannot be reached: it did not respond in time; see --timeout \(.*Response timeout of 200ms exceeded\)\n$/,
    );
  });
});

test('a run starts on a target that sends the same response to every request, and exits with 1', async () => {
  const baseUrl = await serveAlways({ body: { success: true, data: {} } });
  const { code } = await runContractCli({}, '--base-url', baseUrl, '--token', 'a-token', ...onlyStatistics);
  expect(code).toBe(1);
});

test.each([[[]], [['--dry-run']]])('a read token that the target does not know ends a run: %j', async (mode) => {
  const { baseUrl, tokens } = await serveSecondImplementation();
  const flags = ['--base-url', baseUrl, '--token', tokens.full, '--read-token', 'mistyped', ...onlyStatistics, ...mode];
  const { code, stdout, stderr } = await runContractCli({}, ...flags);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: \S+ refuses the read token \(401, ".+"\); check --read-token\n$/);
});
