import { createServer } from 'node:http';
import type { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFullProgram } from '../../src/commands/program.js';
import { closeServer, listen, urlOf } from '../../src/lib/listen.js';
import { runCli } from '../support/cli.js';

/** Every command that does something, by what is typed to get there. */
function pathsOf(command: Command, before: readonly string[] = []): { path: readonly string[]; command: Command }[] {
  const own = command.commands.length === 0 ? [{ path: before, command }] : [];
  return [...own, ...command.commands.flatMap((each) => pathsOf(each, [...before, each.name()]))];
}

const all = pathsOf(await createFullProgram());

describe.each(all.map((each) => ({ ...each, name: each.path.join(' ') })))('$name', ({ path, command }) => {
  test('ends with exit code 2 for an unknown option', async () => {
    const { code, stdout, stderr } = await runCli(...path, '--unknown-option');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .+\n$/);
  });

  const required = command.registeredArguments.filter(({ required: isRequired }) => isRequired);
  test.runIf(required.length > 0)('ends with exit code 2 without its argument', async () => {
    expect(await runCli(...path)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: missing required argument '${required[0]?.name()}'\n`,
    });
  });

  const json = command.parent?.options.concat(command.options).find(({ long }) => long === '--json');
  test.runIf(json)('with --json, has its error as JSON on stderr', async () => {
    const { code, stdout, stderr } = await runCli(
      ...path,
      ...(json?.isBoolean() ? ['--json'] : ['--json', '-']),
      '--unknown',
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'usage', message: expect.stringMatching(/^[^\n]+$/) } });
  });
});

describe('a malformed id is refused without a request', () => {
  test.each([
    ['deposit', 'authorize', 'x8'],
    ['invoice', 'pay', 'three'],
    ['payment-link', 'pay', '4a'],
    ['mails', 'show', 'last'],
    ['deliveries', 'show', '8'],
    ['deliveries', 'resend', 'evt_1'],
    ['fault', 'clear', 'all'],
    ['scenario', 'cancel', 'first'],
    ['account', 'remove', 'No Such'],
    ['snapshot', 'restore', 'Before'],
    ['trigger', 'deposit.expired', '--deposit', 'x8'],
    ['agenda', '--account', 'No Such'],
  ])('%s %s %s', async (...args) => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    const address = await listen(server, 0, '127.0.0.1');
    onTestFinished(() => closeServer(server));
    expect(await runCli(...args, '--url', urlOf(address))).toMatchObject({ code: 2, stdout: '' });
    expect(requests).toBe(0);
  });
});

describe('with --json, an error has a code', () => {
  test.each([
    ['unreachable', ['agenda', '--url', 'http://127.0.0.1:1']],
    ['usage', ['agenda', '--limit', 'many']],
    ['usage', ['clok']],
    ['usage', ['deposit']],
    ['failed', ['start', '--seed', 'no']],
  ])('%s: %j', async (code, args) => {
    const { code: exitCode, stdout, stderr } = await runCli(...args, '--json');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({ error: { code, message: expect.any(String) } });
  });
});
