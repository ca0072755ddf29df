import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { runCliInTerminal } from '../support/cli.js';

/** Where the commands of a page run. */
export interface Shell {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Matches a word that a shell passes on as it is, or without its quotes. */
const plainWord = /(?:[\w./:@,=%+-]+|'[^']*'|"[^"$`\\]*")/;

/**
 * Matches a `billing-sim` command of plain words: without pipes, variables, redirections and the like. Commands that move
 * the clock are left to a shell, since its start takes the moment in which the webhooks of the previous command arrive.
 */
const plainCommand = new RegExp(`^billing-sim(?! clock)(?: +${plainWord.source})*$`);

/**
 * Runs a command: `billing-sim` with plain words in this process, which is much faster than starting Node, and any other
 * command in a shell. Its output includes standard error.
 */
export async function runCommand(
  command: string,
  { folder, env }: Shell,
): Promise<{ output: string; code: number | null }> {
  if (!plainCommand.test(command.trim())) return run(command, { folder, env });
  const [, ...words] = command.match(new RegExp(plainWord, 'g')) ?? [];
  const args = words.map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'));
  const previousFolder = process.cwd();
  process.chdir(folder);
  try {
    return await runCliInTerminal(env, ...args);
  } finally {
    process.chdir(previousFolder);
  }
}

/** Runs a command in a shell. Its output includes standard error. */
export async function run(command: string, { folder, env }: Shell): Promise<{ output: string; code: number }> {
  try {
    const { stdout } = await promisify(execFile)('sh', ['-c', `exec 2>&1\n${command}`], { cwd: folder, env });
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

  /** Waits until the command prints `Press Ctrl-C`, which it does when it is ready. Fails if the command ends before. */
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
