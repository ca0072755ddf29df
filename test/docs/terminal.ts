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
 * Matches a `billing-sim` command of plain words, whose errors may be dropped and whose output may be piped to other
 * commands.
 */
const plainCommand = new RegExp(
  `^billing-sim(?<words>(?: +${plainWord.source})*)(?<quiet> 2> /dev/null)?(?: \\| (?<filter>.+))?$`,
);

/**
 * Runs a command: `billing-sim` with plain words in this process, which is much faster than starting Node, and anything
 * else in a shell, which can stop at the first error of a script. Its output includes standard error.
 */
export async function runCommand(
  command: string,
  shell: Shell,
  { stopsAtError = false } = {},
): Promise<{ output: string; code: number | null }> {
  const { words, quiet, filter } = plainCommand.exec(command.trim().replaceAll(/\\\n */g, ''))?.groups ?? {};
  if (words === undefined) return run(stopsAtError ? `set -e\n${command}` : command, shell);
  const args = argumentsOf(words, shell.env);
  if (args[0] === 'clock') await waitForDeliveries(shell.env);
  return inFolder(shell.folder, async () => {
    if (quiet === undefined && filter === undefined) return runCliInTerminal(shell.env, ...args);
    const { stdout, stderr, code } = await runCliWithOnlyEnv(shell.env, ...args);
    const filtered = filter === undefined ? { output: stdout, code } : await run(filter, shell, stdout);
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
