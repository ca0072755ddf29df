import { type ChildProcess, spawn } from 'node:child_process';
import { Console } from 'node:console';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runProgram } from '../../src/commands/program.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command to its end in this process, which takes a twentieth of what a process of its own takes. `spawnCli` is for
 * what only a process shows: signals, pipes, and the built program.
 */
export function runCli(...args: string[]): Promise<Finished> {
  return runCliWith({}, ...args);
}

/** As `runCli`, with further environment variables. */
export function runCliWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished> {
  return runCliIn({ ...process.env, ...env }, ...args);
}

/** As `runCli`, with just these environment variables. */
export function runCliIn(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Finished> {
  // What a command uses of the process is there once, so that commands take turns.
  const finished = lastRun.then(() => runHere(env, args));
  lastRun = finished.catch(() => undefined);
  return finished;
}

let lastRun: Promise<unknown> = Promise.resolve();

/** Thrown where a command ends the process. */
class Exited extends Error {}

async function runHere(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  let exited: number | undefined;
  const writer = (name: keyof typeof output): typeof process.stdout.write =>
    function write(chunk: string | Uint8Array): boolean {
      if (exited === undefined) output[name] += chunk;
      return true;
    };
  const shown = { stdout: process.stdout.write, stderr: process.stderr.write, console: globalThis.console };
  const { exit, exitCode, env: ownEnv } = process;
  const forgetListeners = rememberListeners();
  process.stdout.write = writer('stdout');
  process.stderr.write = writer('stderr');
  globalThis.console = new Console(process.stdout, process.stderr);
  process.exit = (code) => {
    exited ??= Number(code ?? process.exitCode ?? 0);
    throw new Exited();
  };
  process.exitCode = undefined;
  process.env = { ...env };
  try {
    await runProgram(args);
    return { code: exited ?? Number(process.exitCode ?? 0), ...output };
  } finally {
    process.stdout.write = shown.stdout;
    process.stderr.write = shown.stderr;
    globalThis.console = shown.console;
    process.exit = exit;
    process.exitCode = exitCode;
    process.env = ownEnv;
    forgetListeners();
  }
}

/** @returns what removes all that listens since then to signals and to errors that nobody has caught */
function rememberListeners(): () => void {
  const signals = (['SIGINT', 'SIGTERM'] as const).map((signal) => ({ signal, known: process.listeners(signal) }));
  const uncaught = process.listeners('uncaughtException');
  return () => {
    for (const { signal, known } of signals) {
      for (const listener of process.listeners(signal)) if (!known.includes(listener)) process.off(signal, listener);
    }
    for (const listener of process.listeners('uncaughtException')) {
      if (!uncaught.includes(listener)) process.off('uncaughtException', listener);
    }
  };
}

/** Runs the built command to its end, in a process of its own. */
export function spawnCli(...args: string[]): Promise<Finished> {
  return spawnCliWith({}, ...args);
}

/** As `spawnCli`, with further environment variables. */
export async function spawnCliWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const output = collect(child);
  const [code] = await once(child, 'close');
  return { code, ...output };
}

export interface RunningCli {
  readonly child: ChildProcess;
  /** The line that `--json` prints. */
  readonly ready: { url: string; baseUrl: string; account: string; tokens: { full: string } | null };
  readonly output: { stdout: string; stderr: string };
}

/** Starts `billing-sim start --json --port 0` and waits until it is ready; it is killed after the test. */
export async function startCli(...args: string[]): Promise<RunningCli> {
  const child = spawn(process.execPath, [cli, 'start', '--json', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = collect(child);
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, ready: JSON.parse(line), output };
  }
  throw new Error(`the simulator did not start: ${output.stderr}`);
}

export interface ListeningCli {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Settles with the exit code once it has ended. */
  readonly ended: Promise<number | null>;
}

/** Starts `billing-sim listen` and waits for the first that it prints; it is killed after the test. */
export async function startListening(...args: string[]): Promise<ListeningCli> {
  const child = spawn(process.execPath, [cli, 'listen', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = collect(child);
  const ended = once(child, 'close').then(([code]) => code);
  await Promise.race([once(child.stdout, 'data'), ended]);
  return { child, output, ended };
}

/** Runs `billing-sim start` until it says that it can be stopped, stops it, and gives what it printed. */
export async function runUntilReady(...args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, [cli, 'start', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collect(child);
  child.stdout.on('data', () => {
    if (output.stdout.includes('Ctrl-C')) child.kill('SIGINT');
  });
  const [code] = await once(child, 'close');
  return { code, ...output };
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data) => {
    output.stdout += data;
  });
  child.stderr?.on('data', (data) => {
    output.stderr += data;
  });
  return output;
}
