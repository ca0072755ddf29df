import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Finished, runCliIn } from '../support/cli.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

interface Circumstances {
  readonly cwd?: string;
  /** Sends a signal as soon as this holds. */
  readonly until?: () => Promise<boolean>;
  /** SIGINT unless given. */
  readonly signal?: NodeJS.Signals;
}

/** Runs `billing-sim contract` to its end, in this process. */
export function runContractCli(env: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<Finished> {
  return runSuiteCli('contract', env, ...flags);
}

/** Runs a command of the suite to its end, in this process. */
export function runSuiteCli(
  command: string,
  env: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<Finished> {
  return runCliIn({ ...plainEnv(), ...env }, command, ...flags);
}

/** Without what this run of vitest has set in the environment. */
function plainEnv(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|BILLING|NODE_ENV|TEST$)/.test(name));
  return Object.fromEntries(own);
}

/** Runs the built `billing-sim contract` to its end, in a process of its own. */
export function spawnContractCli(
  env: Readonly<Record<string, string>>,
  ...words: readonly (string | Circumstances)[]
): Promise<Finished> {
  return spawnSuiteCli('contract', env, ...words);
}

/** Runs a built command of the suite to its end, in a process of its own. */
export async function spawnSuiteCli(
  command: string,
  env: Readonly<Record<string, string>>,
  ...words: readonly (string | Circumstances)[]
): Promise<Finished> {
  const flags = words.filter((word) => typeof word === 'string');
  const { cwd, until, signal = 'SIGINT' } = words.find((word) => typeof word === 'object') ?? {};
  const child = spawn(process.execPath, [cli, command, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...plainEnv(), ...env },
    cwd,
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  const ended = once(child, 'close');
  while (until && child.exitCode === null) {
    if (await until()) {
      child.kill(signal);
      break;
    }
    await sleep(50);
  }
  const [code] = await ended;
  return { code, ...output };
}
