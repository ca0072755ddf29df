import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.js';

const folder = mkdtempSync(join(tmpdir(), 'billing-sim-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The working directory of the shells. Its only file is `profile.yaml`. */
const workingDirectory = join(folder, 'work');

/** For each shell, a function that returns the completions it offers at the end of a line, one on each line. */
const shells: Readonly<Record<string, (line: string) => string>> = {
  bash: (line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    const script = `source ../bash; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _billing_sim; printf '%s\n' "\${COMPREPLY[@]}"`;
    return runShell('bash', ['--norc', '-c', script]);
  },
  zsh: (line) => {
    // Stubs print what the script passes to functions of zsh, which would filter it by the typed word.
    const words = line.split(' ').map((word) => `'${word}'`);
    // In two strings, since the linter takes a dollar sign before a brace for an expression in a template.
    const stubs =
      'compdef() {}; compadd() { shift; print -l -- $@ }; _files() { print -l -- *(N) }; _describe() { print -l -- $' +
      '{(P)2%%:*} }';
    const script = `${stubs}; source ../zsh; words=(${words.join(' ')}); CURRENT=${words.length}; _billing_sim`;
    return runShell('zsh', ['-f', '-c', script])
      .split('\n')
      .filter((word) => word.startsWith(line.split(' ').at(-1) ?? ''))
      .join('\n');
  },
  fish: (line) =>
    runShell('fish', ['--no-config', '-c', `source ../fish; complete -C '${line}'`]).replace(/\t.*$/gm, ''),
};

function runShell(shell: string, args: readonly string[]): string {
  return execFileSync(shell, args, {
    cwd: workingDirectory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', ':'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn(`The completion of ${shell} is not tested, since ${shell} is not installed: apt-get install ${shell}`);
    return false;
  }
}

beforeAll(async () => {
  mkdirSync(workingDirectory);
  writeFileSync(join(workingDirectory, 'profile.yaml'), '');
  for (const shell of Object.keys(shells)) {
    const { code, stdout, stderr } = await runCli('completion', shell);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    writeFileSync(join(folder, shell), stdout);
  }
});

describe.each(Object.entries(shells).filter(([shell]) => isInstalled(shell)))('%s', (_shell, complete) => {
  test.each([
    ['billing-sim sta', ['start']],
    ['billing-sim clock a', ['advance']],
    ['billing-sim start --rate', ['--rate-limit']],
    ['billing-sim start --rate-limit ', ['off', 'on']],
    ['billing-sim trigger deposit.e', ['deposit.expired']],
    ['billing-sim deliveries list --status f', ['failed']],
    ['billing-sim clock advance --acc', ['--account']],
    ['billing-sim --config some.yaml clock fr', ['freeze']],
    ['billing-sim completion z', ['zsh']],
    ['billing-sim start --profile prof', ['profile.yaml']],
    ['billing-sim start --port ', []],
    ['billing-sim start --seed ', ['demo', 'empty', 'profile.yaml']],
    // Flags of the subcommand that runs if none is named.
    ['billing-sim deliveries --status f', ['failed']],
    ['billing-sim scenario run prof', ['profile.yaml']],
    ['billing-sim snapshot import prof', ['profile.yaml']],
  ])('%s is completed to %j', (line, completions) => {
    expect(complete(line).split('\n').filter(Boolean).sort()).toEqual(completions);
  });
});

test('an unknown shell is refused', async () => {
  expect(await runCli('completion', 'bsh')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "error: command-argument value 'bsh' is invalid for argument 'shell': expected one of bash, zsh, fish; did you mean `bash`?\n",
  });
});
