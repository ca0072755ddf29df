import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { commands } from '../../src/commands/index.js';
import { version } from '../../src/generated/version.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { runCli, runCliWith, spawnCli } from '../support/cli.js';
import { openReceiver } from '../webhooks/receiver.js';

/** A command and all its subcommands, with paths such as `clock advance`. */
function listCommands(command: Command, parents: readonly string[] = []): { path: string; command: Command }[] {
  const words = [...parents, command.name()];
  return [
    { path: words.join(' '), command },
    ...command.commands.flatMap((subcommand) => listCommands(subcommand, words)),
  ];
}

const allCommands = (await Promise.all(commands.map(({ load }) => load()))).flatMap((command) => listCommands(command));

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

describe('help', () => {
  test('lists every command with its name and summary', async () => {
    expect(allCommands.map(({ path }) => path).filter((path) => !path.includes(' '))).toEqual(
      commands.map(({ name }) => name),
    );
    const { code, stdout } = await runCli('--help');
    expect(code).toBe(0);
    for (const { name, summary } of commands) {
      expect(stdout.replace(/\n {10,}/g, ' ')).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
    }
  });

  test.each(allCommands)('$path has a description and an example', ({ path, command }) => {
    expect(command.description()).not.toBe('');
    expect(helpOf(command)).toMatch(new RegExp(`\\nExample:\\n  \\$ billing-sim ${path}(?: |$)`, 'm'));
  });

  test('of a subcommand includes the options of its command', async () => {
    const { code, stdout } = await runCli('clock', 'advance', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: billing-sim clock advance [options] <duration>');
    expect(stdout).toContain('BILLING_SIM_URL');
    expect(stdout).toContain('--timeout <duration>');
  });

  test('marks the subcommand that runs if none is named', async () => {
    const { stdout } = await runCli('snapshot', '--help');
    expect(stdout).toMatch(/^ {2}list .*\(default\)$/m);
    expect(stdout.match(/\(default\)/g)).toHaveLength(1);
  });
});

describe('the `help` command', () => {
  test.each([
    ['help', '[options] [command]'],
    ['help help', '[options] [command]'],
    ['help start', 'start [options]'],
    ['help account', 'account [options] [command]'],
    ['help account create', 'account create [options] [id]'],
    ['account help create', 'account create [options] [id]'],
    ['help clock advance', 'clock advance [options] <duration>'],
  ])('%s prints the same help as the flag --help', async (line, usage) => {
    const { code, stdout, stderr } = await runCli(...line.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toBe(`Usage: billing-sim ${usage}`);
    const commandWords = line.split(' ').filter((word) => word !== 'help');
    expect(stdout).toBe((await runCli(...commandWords, '--help')).stdout);
  });

  test.each([
    ['help strat', "unknown command 'strat' (Did you mean start?)"],
    ['help nonsense', "unknown command 'nonsense' (billing-sim --help lists all commands)"],
    ['help advance', "unknown command 'advance' (Did you mean clock advance?)"],
    ['nonsense --help', "unknown command 'nonsense' (billing-sim --help lists all commands)"],
    [
      'help deposit athorize',
      "unknown subcommand 'athorize' of deposit (Did you mean authorize? Available: list, show, authorize, decline, expire)",
    ],
    [
      'deposit help athorize',
      "unknown subcommand 'athorize' of deposit (Did you mean authorize? Available: list, show, authorize, decline, expire)",
    ],
    [
      'deposit athorize 8 --help',
      "unknown subcommand 'athorize' of deposit (Did you mean authorize? Available: list, show, authorize, decline, expire)",
    ],
    [
      'help account creat',
      "unknown subcommand 'creat' of account (Did you mean create? Available: list, create, remove)",
    ],
    [
      'account creat --help',
      "unknown subcommand 'creat' of account (Did you mean create? Available: list, create, remove)",
    ],
    [
      'deposit create',
      "unknown subcommand 'create' of deposit (Available: list, show, authorize, decline, expire); see billing-sim deposit --help",
    ],
    ['help start foo', "unknown subcommand 'foo' of start (it has no subcommands)"],
    ['help account create hotel', "unknown subcommand 'hotel' of create (it has no subcommands)"],
  ])('%s reports the unknown word', async (line, problem) => {
    expect(await runCli(...line.split(' '))).toEqual({ code: 2, stdout: '', stderr: `error: ${problem}\n` });
  });

  test.each(allCommands.filter(({ command }) => command.commands.length > 0))(
    'help $path reports an unknown word',
    async ({ path }) => {
      const { code, stdout, stderr } = await runCli('help', path, 'nonsense');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^error: unknown (?:sub)?command 'nonsense'.*\n$/);
    },
  );

  test('does not run if the word `help` is an argument', async () => {
    const { code, stdout, stderr } = await runCli('account', 'create', 'help', '--url', 'here');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: option '--url <url>' argument 'here' is invalid/);
  });
});

describe('the built program, in its own process', () => {
  test.for(['contract --list', '--version', '--help', 'account create --help', 'help start'])(
    'ends with exit code 2 and the reason if it cannot write to stdout: %s',
    async (line, context) => {
      context.skip(!existsSync('/dev/full'), 'needs the device /dev/full');
      const command = `'${process.execPath}' dist/cli.js ${line} > /dev/full`;
      await expect(promisify(execFile)('sh', ['-c', command])).rejects.toMatchObject({
        code: 2,
        stderr: 'error: cannot write to standard output (ENOSPC: no space left on device, write)\n',
      });
    },
  );

  test('has all commands and options', async () => {
    // The completion script lists them, so it loads every command.
    const { code, stdout, stderr } = await spawnCli('completion', 'bash');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe((await runCli('completion', 'bash')).stdout);
  });

  test.each([
    [['--version'], { code: 0, stdout: `${version}\n`, stderr: '' }],
    [['clok'], { code: 2, stdout: '', stderr: "error: unknown command 'clok' (Did you mean clock?)\n" }],
    [
      ['start', '--memory', '--seed', 'no'],
      { code: 2, stdout: '', stderr: expect.stringMatching(/^error: unknown seed no; .+\n$/) },
    ],
  ])('exits with the expected code and output for %j', async (args, result) => {
    expect(await spawnCli(...args)).toEqual(result);
  });
});

test.each(['18.20.8', '20.18.3', '21.7.3', '22.1.0'])(
  'with Node %s, a command says which version it needs',
  async (version) => {
    const pretendVersion = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(pretendVersion)}`, 'dist/cli.js', 'clock'];
    const [release20, release22] = packageJson.engines.node.match(/\d+\.\d+/g) ?? [];
    await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({
      code: 2,
      stderr: `error: billing-sim needs Node ${release20}, or ${release22} or newer, and this is Node ${version}\n`,
    });
  },
);

describe('an invalid command line is reported in one line', () => {
  test.each([
    [['clok'], "unknown command 'clok' (Did you mean clock?)"],
    [['advance', '8d'], "unknown command 'advance' (Did you mean clock advance?)"],
    [['pay', '8'], "unknown command 'pay' (Did you mean payment-link pay or invoice pay?)"],
    // Too many commands have this subcommand.
    [['show'], "unknown command 'show' (billing-sim --help lists all commands)"],
    [
      ['clock', 'advnce', '8d'],
      "unknown subcommand 'advnce' of clock (Did you mean advance? Available: show, freeze, resume, advance, set)",
    ],
    [
      ['deposit', 'athorize', '8'],
      "unknown subcommand 'athorize' of deposit (Did you mean authorize? Available: list, show, authorize, decline, expire)",
    ],
    [['deliveries', '--statsu', 'failed'], "unknown option '--statsu' (Did you mean --status?)"],
    [
      ['settings', '--webhook-url', 'localhost:1'],
      "unknown option '--webhook-url' (Did you mean settings set --webhook-url?)",
    ],
    [
      ['settings', '--webhook-url=localhost:1'],
      "unknown option '--webhook-url=localhost:1' (Did you mean settings set --webhook-url=localhost:1?)",
    ],
    // The user named an action, so another one is not meant.
    [['fault', 'clear', '3', '--event', 'x'], "unknown option '--event'; see billing-sim fault clear --help"],
    [['customer', 'create', '--name', 'Ada'], "unknown option '--name'; see billing-sim customer create --help"],
    [
      ['--port', '4020', 'start'],
      "unknown option '--port'; options follow the command, such as billing-sim start --memory; see billing-sim --help",
    ],
    [['clock', 'advance'], "missing required argument 'duration'; see billing-sim clock advance --help"],
    [
      ['clock', 'advance', '8', 'days'],
      "too many arguments for 'advance'. Expected 1 argument but got 2; put a value that has spaces in quotes; see billing-sim clock advance --help",
    ],
    [
      ['customer', 'create', 'Ada', 'Lovelace', 'ada@example.com'],
      "too many arguments for 'create'. Expected 2 arguments but got 3; put a value that has spaces in quotes; see billing-sim customer create --help",
    ],
    [
      ['deposit', 'authorize', '8', '9'],
      "too many arguments for 'authorize'. Expected 1 argument but got 2; see billing-sim deposit authorize --help",
    ],
    [
      ['clock', 'advance', '8x'],
      "command-argument value '8x' is invalid for argument 'duration': expected a duration of up to 1,000 years, for example 8d, 2h 30m or P8D",
    ],
    [
      ['agenda', '--url', 'build-7'],
      "option '--url <url>' argument 'build-7' is invalid: expected a URL that begins with http:// or https://, or a local host and port",
    ],
    [
      ['deliveries', '--status', 'lost'],
      "option '--status <status>' argument 'lost' is invalid: expected one of unsent, waiting, retrying, delivered, failed",
    ],
  ])('%j', async (args, problem) => {
    expect(await runCli(...args)).toEqual({ code: 2, stdout: '', stderr: `error: ${problem}\n` });
  });
});

describe('a simulator with a control token', () => {
  let sim: Simulator;

  beforeAll(async () => {
    sim = await startSimulator({ now: '2026-03-01T09:00:00Z', controlToken: 'open-sesame' });
  });

  afterAll(() => sim.close());

  test('is addressed with flags before and after the subcommand', async () => {
    await sim.createAccount({ id: 'hotel', now: '2026-05-01T00:00:00Z' });
    const { code, stdout } = await runCli(
      ...['clock', '--account', 'hotel', 'show', '--url', `${sim.url}/`, '--control-token', 'open-sesame', '--json'],
    );
    expect({ code, clock: JSON.parse(stdout) }).toEqual({
      code: 0,
      clock: { now: '2026-05-01T00:00:00.000Z', mode: 'frozen' },
    });
  });

  test('is addressed with environment variables, which flags override', async () => {
    const env = { BILLING_SIM_URL: sim.url, BILLING_SIM_ACCOUNT: 'nobody', BILLING_SIM_CONTROL_TOKEN: 'open-sesame' };
    expect(await runCliWith(env, 'clock')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: Account not found; list the accounts with billing-sim account list\n',
    });
    expect(await runCliWith(env, 'clock', '--account', 'demo')).toMatchObject({
      code: 0,
      stdout: '2026-03-01 09:00:00 (frozen)\n',
    });
  });

  test.each([[[]], [['--control-token', 'sesame']]])('refuses a command with the flags %j', async (flags) => {
    expect(await runCli('reset', '--url', sim.url, ...flags)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: The control token is missing or wrong; pass it with --control-token or in BILLING_SIM_CONTROL_TOKEN\n',
    });
  });

  test('a command whose stdout is closed early exits with 0 and without an error', async () => {
    const command = `node dist/cli.js scenario --url ${sim.url} --control-token open-sesame`;
    const { stderr } = await promisify(execFile)('sh', ['-c', `(${command}; echo $? >&2) | true`]);
    expect(stderr).toBe('0\n');
  });
});

test('without a server, the error says how to start a simulator', async () => {
  expect(await runCli('agenda', '--url', 'http://127.0.0.1:1')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: cannot reach a simulator at http://127.0.0.1:1 (ECONNREFUSED); start one with billing-sim start, or give its address with --url\n',
  });
});

test('with a server that is not a simulator, the error says so', async () => {
  const { url } = await openReceiver((_request, response) => void response.end('<html></html>'));
  expect(await runCli('agenda', '--url', url)).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: the server at ${url} is not billing-sim; give the address of a simulator with --url\n`,
  });
});

describe('with a simulator of another version,', () => {
  const warningOf = (url: string): string =>
    `Warning: this is billing-sim ${version}, but the simulator at ${url} is 99.1.0; some commands may not work.`;

  /**
   * Opens a server that responds to `/_sim/health` as a simulator of another version, and to other requests as given.
   */
  const openOtherVersion = (status: number, body: object) =>
    openReceiver((request, response) => {
      if (request.url === '/_sim/health') response.end(JSON.stringify({ status: 'ok', version: '99.1.0' }));
      else response.writeHead(status).end(JSON.stringify(body));
    });

  test('a command warns on stderr, and stdout is still JSON', async () => {
    const page = { current_page: 1, data: [], per_page: 10_000, total: 0, last_page: 1 };
    const { url } = await openOtherVersion(200, page);
    const { code, stdout, stderr } = await runCli('account', 'list', '--json', '--url', url);
    expect([code, JSON.parse(stdout)]).toEqual([0, page]);
    expect(stderr).toBe(`${warningOf(url)}\n`);
  });

  test('an error with --json is one line of JSON, whose message has the warning', async () => {
    const { url } = await openOtherVersion(409, { success: false, error: 'Account already exists' });
    const { code, stdout, stderr } = await runCli('account', 'create', 'hotel', '--json', '--url', url);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'rejected', message: `Account already exists. ${warningOf(url)}` },
    });
  });

  test('an error without --json follows the warning', async () => {
    const { url } = await openOtherVersion(409, { success: false, error: 'Account already exists' });
    const { stderr } = await runCli('account', 'create', 'hotel', '--url', url);
    expect(stderr).toBe(`${warningOf(url)}\nerror: Account already exists\n`);
  });
});
