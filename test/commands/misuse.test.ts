import { createServer } from 'node:http';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createFullProgram } from '../../src/commands/program.js';
import { runCli } from '../support/cli.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';

/** All commands that do something, not those that only have subcommands, with paths such as `['clock', 'advance']`. */
function listCommands(command: Command, path: readonly string[] = []): { path: readonly string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((subcommand) => listCommands(subcommand, [...path, subcommand.name()]));
}

const allCommands = listCommands(await createFullProgram());

describe.each(allCommands.map((entry) => ({ ...entry, name: entry.path.join(' ') })))(
  '$name',
  ({ path, command, name }) => {
    const requiredOptions = command.options.filter(({ mandatory: isRequired }) => isRequired);
    const argsWithUnknown = (unknownOption: string): string[] => [
      ...path,
      ...requiredOptions.flatMap(({ long }) => [String(long), 'http://127.0.0.1:1']),
      unknownOption,
    ];

    test('ends with exit code 2 for an unknown option', async () => {
      const { code, stdout, stderr } = await runCli(...argsWithUnknown('--unknown-option'));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^error: unknown option '--unknown-option'.*\n$/);
    });

    const requiredArguments = command.registeredArguments.filter(({ required: isRequired }) => isRequired);
    if (requiredArguments.length > 0) {
      test('ends with exit code 2 without its required arguments', async () => {
        expect(await runCli(...path)).toEqual({
          code: 2,
          stdout: '',
          stderr: `error: missing required argument '${requiredArguments[0]?.name()}'; see billing-sim ${name} --help\n`,
        });
      });
    }

    const jsonOption = command.parent?.options.concat(command.options).find(({ long }) => long === '--json');
    if (jsonOption) {
      test('with --json prints its error as JSON on stderr', async () => {
        // In some commands --json takes the path of a file; `-` is standard output.
        const jsonFlags = jsonOption.isBoolean() ? ['--json'] : ['--json', '-'];
        const { code, stdout, stderr } = await runCli(...argsWithUnknown('--unknown'), ...jsonFlags);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(JSON.parse(stderr)).toEqual({
          error: { code: 'usage', message: expect.stringMatching(/^unknown option '--unknown'[^\n]*$/) },
        });
      });
    }
  },
);

describe('a malformed id is refused without a request', () => {
  test.each([
    ['deposit', 'authorize', 'x8'],
    ['invoice', 'pay', 'three'],
    ['payment-link', 'pay', '4a'],
    ['payment', 'succeed', '3a'],
    ['mails', 'show', 'last'],
    ['deliveries', 'show', '8'],
    ['deliveries', 'resend', 'evt_1'],
    ['requests', 'show', '1'],
    ['fault', 'clear', 'all'],
    ['scenario', 'cancel', 'first'],
    ['account', 'remove', 'No Such'],
    ['snapshot', 'restore', 'Before'],
    ['trigger', 'deposit.expired', '--deposit', 'x8'],
    ['agenda', '--account', 'No Such'],
  ])('%s %s %s', async (...args) => {
    let requestCount = 0;
    const server = createServer((_request, response) => {
      requestCount += 1;
      response.end();
    });
    const { url } = await listenUntilTestEnds(server);
    expect(await runCli(...args, '--url', url)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/is invalid|expected/),
    });
    expect(requestCount).toBe(0);
  });
});

describe('an empty value is refused, so that it is not taken for the default or, as a host, for all addresses', () => {
  test.each([
    ['contract', '--driver <file>'],
    ['contract', '--json <file|->'],
    ['compare', '--driver <file>'],
    ['compare', '--read-token <token>'],
    ['proxy', '--host <address>'],
    ['start', '--cors <origin>'],
    ['start', '--webhook-secret <text>'],
    ['start', '--config <file>'],
    ['requests list', '--token <name>'],
  ])('%s %s', async (command, option) => {
    const [name = ''] = option.split(' ');
    expect(await runCli(...command.split(' '), name, '')).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: option '${option}' is empty; give it a value or leave it out\n`,
    });
  });
});

test.each(['start', 'proxy'])('%s --allow-host refuses a URL', async (command) => {
  // If the URL were accepted, the port would be refused, so that nothing listens.
  expect(await runCli(command, '--allow-host', 'http://build-7', '--port', 'none')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "error: option '--allow-host <name>' argument 'http://build-7' is invalid: expected a host name or address without a scheme, port or path, for example build-7 or [fd00::1]\n",
  });
});

test.each([
  ['clock', 'advance', '-1d'],
  ['payment', 'succeed', '-1d'],
])('%s %s %s is refused as a negative value, not as an unknown option', async (...args) => {
  expect(await runCli(...args)).toEqual({
    code: 2,
    stdout: '',
    stderr: "error: '-1d' is not a valid value: it must not be negative\n",
  });
});

test('an error that quotes lines or control characters is one line without them', async () => {
  expect(await runCli('deposit', 'show', '8\n9\u001b[2J')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "error: command-argument value '8 9�[2J' is invalid for argument 'id': expected the id of a deposit, for example 8; billing-sim deposit list shows the ids\n",
  });
});

describe('an option and its opposite are refused together, in any order', () => {
  test.each([
    ['contract', '--write', '--no-write'],
    ['calibrate', '--no-write', '--write'],
    ['compare', '--write', '--pace', 'off', '--no-write'],
  ])('%s %s %s', async (...args) => {
    expect(await runCli(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: option '--write' cannot be used with option '--no-write'\n",
    });
  });
});

describe('with --json, an error has a code:', () => {
  test.each([
    ['unreachable', ['agenda', '--url', 'http://127.0.0.1:1']],
    ['usage', ['agenda', '--limit', 'many']],
    ['usage', ['clok']],
    ['usage', ['data']],
    ['usage', ['calibrate']],
    ['usage', ['calibrate', '--base-url', 'http://127.0.0.1:1']],
    ['failed', ['start', '--memory', '--port', '0', '--seed', 'no']],
  ])('%s for %j', async (code, args) => {
    const { code: exitCode, stdout, stderr } = await runCli(...args, '--json');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({ error: { code, message: expect.any(String) } });
  });

  test.each([
    [['contract'], 'no target; pass its base URL with --base-url, for example https://billing.example/api/v1'],
    [
      ['contract', '--base-url', 'http://127.0.0.1:1'],
      'no token; pass one with both scopes in BILLING_TOKEN or with --token',
    ],
    [['compare'], 'expected two implementations, each given with --base-url, but got 0'],
    [
      ['compare', '--base-url', 'http://127.0.0.1:1', '--base-url', 'http://127.0.0.1:2'],
      'no token for http://127.0.0.1:1; pass a token that has both scopes: --token once for both implementations, or once for each',
    ],
  ])('usage for %j with --json -', async (args, message) => {
    const { code, stdout, stderr } = await runCli(...args, '--json', '-');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'usage', message } });
  });
});
