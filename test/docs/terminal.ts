import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { runCliInTerminal, runCliUntilShown, runCliWithOnlyEnv } from '../support/cli.js';
import { inFolder } from '../support/in-folder.js';

/** Where the commands of a page run. */
export interface Shell {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Matches a word that a shell passes on as it is, or without its quotes, or a variable in quotes. */
const plainWord = /(?:[\w./:@,=%+-]+|'[^']*'|"\$\w+"|"[^"$`\\]*")/;

/**
 * Matches a `billing-sim` command of plain words, which may follow variables, whose output or errors may be dropped, and
 * whose output may be piped to other commands.
 */
const plainCommand = new RegExp(
  `^(?<variables>(?:[A-Z_]+=\\w* )*)billing-sim(?<words>(?: +${plainWord.source})*)` +
    '(?<silent> > /dev/null)?(?<quiet> 2> /dev/null)?(?: \\| (?<filter>.+))?$',
);

interface CommandOutcome {
  /** Standard output and standard error. */
  readonly output: string;
  readonly code: number | null;
}

/**
 * Runs a command, or several after one another: `billing-sim` with plain words in this process, which is much faster
 * than starting Node, and anything else in a shell, which can stop at the first error of a script.
 */
export async function runCommand(
  command: string,
  shell: Shell,
  { stopsAtError = false } = {},
): Promise<CommandOutcome> {
  const expanded = await expandSubstitution(command, shell);
  const parts = expanded
    .trim()
    .replaceAll(/\\\n */g, '')
    .split('; ');
  if (!parts.every((part) => plainCommand.test(part)) || (stopsAtError && parts.length > 1))
    return run(stopsAtError ? `set -e\n${expanded}` : expanded, shell);
  const outcomes: CommandOutcome[] = [];
  for (const part of parts) outcomes.push(await runPlainCommand(part, shell));
  return { output: outcomes.map(({ output }) => output).join(''), code: outcomes.at(-1)?.code ?? 0 };
}

/** Replaces `"$(…)"` in a command with its output if it is a plain command, so that both can run in this process. */
async function expandSubstitution(command: string, shell: Shell): Promise<string> {
  const [substitution = '', inner = ''] = /"\$\(([^()]+)\)"/.exec(command) ?? [];
  if (!plainCommand.test(inner)) return command;
  const { output } = await runPlainCommand(inner, shell);
  return command.replace(substitution, () => `'${output.trimEnd()}'`);
}

/** Runs a command that `plainCommand` matches in this process. */
async function runPlainCommand(command: string, shell: Shell): Promise<CommandOutcome> {
  const { variables = '', words = '', silent, quiet, filter } = plainCommand.exec(command)?.groups ?? {};
  const assignments = [...variables.matchAll(/(\w+)=(\w*)/g)].map(([, name, value]) => [name, value]);
  const env = { ...shell.env, ...Object.fromEntries(assignments) };
  const args = argumentsOf(words, env);
  if (args[0] === 'clock') await waitForDeliveries(env);
  return inFolder(shell.folder, async () => {
    if (silent === undefined && quiet === undefined && filter === undefined) return runCliInTerminal(env, ...args);
    const { stdout, stderr, code } = await runCliWithOnlyEnv(env, ...args);
    const shown = silent === undefined ? stdout : '';
    const filtered = filter === undefined ? { output: shown, code } : await run(filter, shell, shown);
    return { ...filtered, output: (quiet === undefined ? stderr : '') + filtered.output };
  });
}

/**
 * Waits until the webhooks and emails that earlier commands caused are delivered. A reader of the page types so slowly
 * that they always are before the clock moves on.
 */
async function waitForDeliveries(env: NodeJS.ProcessEnv): Promise<void> {
  const readAgenda = async (): Promise<string> => (await runCliWithOnlyEnv(env, 'agenda')).stdout;
  await expect.poll(readAgenda).not.toContain('In progress');
}

/** Splits words as a shell does. */
function argumentsOf(words: string, env: NodeJS.ProcessEnv): string[] {
  return (words.match(new RegExp(plainWord, 'g')) ?? []).map((word) => expandWord(word, env));
}

/** Runs a `billing-sim` command of plain words in this process until it prints `Press Ctrl-C`, and interrupts it. */
export async function runAndStopWhenReady(
  command: string,
  { folder, env }: Shell,
): Promise<{ output: string; code: number | null }> {
  const { words = '' } = plainCommand.exec(command)?.groups ?? {};
  return inFolder(folder, () => runCliUntilShown('Ctrl-C', env, ...argumentsOf(words, env)));
}

/** Returns what a shell passes on for a plain word. */
function expandWord(word: string, env: NodeJS.ProcessEnv): string {
  const [, variable] = /^"\$(\w+)"$/.exec(word) ?? [];
  return variable === undefined ? word.replace(/^(['"])(.*)\1$/s, '$2') : (env[variable] ?? '');
}

/** Runs a command in a shell, with a text as its input. Its output includes standard error. */
export async function run(
  command: string,
  { folder, env }: Shell,
  input = '',
): Promise<{ output: string; code: number }> {
  try {
    const finished = promisify(execFile)('sh', ['-c', `exec 2>&1\n${command}`], { cwd: folder, env });
    // The command may exit without reading all of its input.
    finished.child.stdin?.on('error', () => undefined).end(input);
    const { stdout } = await finished;
    return { output: stdout, code: 0 };
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error) || !('code' in error) || typeof error.code !== 'number') {
      throw error;
    }
    return { output: String(error.stdout), code: error.code };
  }
}

/** A command that runs until it is interrupted. */
export class Terminal {
  #shown = '';
  readonly #child;
  readonly #exited: Promise<unknown>;

  private constructor(command: string, { folder, env }: Shell) {
    // `exec`, so that the signal reaches the command and not a shell around it.
    this.#child = spawn('sh', ['-c', `exec ${command} 2>&1`], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#exited = once(this.#child, 'exit');
  }

  /** Waits until the command is ready, which is when it prints `Press Ctrl-C`. @throws Error if it ends before that */
  static async open(command: string, shell: Shell): Promise<Terminal> {
    const terminal = new Terminal(command, shell);
    await new Promise<void>((resolve, reject) => {
      terminal.#child.stdout.on('data', (data) => {
        terminal.#shown += data;
        if (terminal.#shown.includes('Ctrl-C')) resolve();
      });
      void terminal.#exited.then(() => reject(new Error(`\`${command}\` has ended: ${terminal.#shown}`)));
    });
    return terminal;
  }

  /** The output so far. */
  get shown(): string {
    return this.#shown;
  }

  async close(): Promise<void> {
    this.#child.kill('SIGINT');
    await this.#exited;
  }
}
