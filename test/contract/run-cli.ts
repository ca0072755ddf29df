import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type CommandResult, runCliWithOnlyEnv } from '../support/cli.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Options of the process. Callers pass them after the flags of the command. */
interface SpawnOptions {
  readonly cwd?: string;
  /** Polled until it resolves to true; then the process gets the signal. If missing, the process gets no signal. */
  readonly until?: () => Promise<boolean>;
  /** The signal to send, by default SIGINT. */
  readonly signal?: NodeJS.Signals;
}

/** Runs `billing-sim contract` to its end, in this process. */
export function runContractCli(
  env: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<CommandResult> {
  return runSuiteCli('contract', env, ...flags);
}

/** Runs a command of the contract suite, such as `compare`, to its end, in this process. */
export function runSuiteCli(
  command: string,
  env: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<CommandResult> {
  return runCliWithOnlyEnv({ ...envWithoutTestVariables(), ...env }, command, ...flags);
}

/** Returns the environment without the variables that vitest or a user of billing-sim may have set. */
export function envWithoutTestVariables(): Record<string, string | undefined> {
  const variables = Object.entries(process.env).filter(([name]) => !/^(VITEST|BILLING|NODE_ENV|TEST$)/.test(name));
  return Object.fromEntries(variables);
}

/** Runs the built `billing-sim contract` to its end, in another process. */
export function spawnContractCli(
  env: Readonly<Record<string, string>>,
  ...flagsAndOptions: readonly (string | SpawnOptions)[]
): Promise<CommandResult> {
  return spawnSuiteCli('contract', env, ...flagsAndOptions);
}

/** Runs a built command of the suite to its end, in another process. */
export async function spawnSuiteCli(
  command: string,
  env: Readonly<Record<string, string>>,
  ...flagsAndOptions: readonly (string | SpawnOptions)[]
): Promise<CommandResult> {
  const flags = flagsAndOptions.filter((item) => typeof item === 'string');
  const { cwd, until, signal = 'SIGINT' } = flagsAndOptions.find((item) => typeof item === 'object') ?? {};
  const child = spawn(process.execPath, [cli, command, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...envWithoutTestVariables(), ...env },
    cwd,
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  const closed = once(child, 'close');
  while (until && child.exitCode === null) {
    if (await until()) {
      child.kill(signal);
      break;
    }
    await sleep(50);
  }
  const [code] = await closed;
  return { code, ...output };
}
