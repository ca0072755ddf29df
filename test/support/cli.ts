import { type ChildProcess, spawn } from 'node:child_process';
import { Console } from 'node:console';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runProgram } from '../../src/commands/program.js';
import { createDeferred } from './deferred.js';
import { killAfterTest } from './kill-after-test.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command until it exits, inside this process, which is twenty times as fast as in a new process. The `spawn…`
 * functions are for tests that need a real process: for signals, pipes, and the built program.
 */
export function runCli(...args: string[]): Promise<CommandResult> {
  return runCliWith({}, ...args);
}

/** Like `runCli`, with additional environment variables. */
export function runCliWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<CommandResult> {
  return runCliWithOnlyEnv({ ...process.env, ...env }, ...args);
}

/** Like `runCli`, with only these environment variables. */
export async function runCliWithOnlyEnv(env: NodeJS.ProcessEnv, ...args: string[]): Promise<CommandResult> {
  const running = await startInProcess(env, args);
  return running.ended;
}

/** Like `runCliWithOnlyEnv`, but returns all output as a terminal shows it: standard output and error in order. */
export async function runCliInTerminal(
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const running = await startInProcess(env, args);
  const { code } = await running.ended;
  return { code, output: running.shownText() };
}

/** Like `runCliInTerminal`, for a command that runs until it is interrupted. Interrupts it once it prints `text`. */
export async function runCliUntilShown(
  text: string,
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const running = await startInProcess(env, args, text);
  await Promise.race([running.shown, running.ended]);
  running.signal('SIGINT');
  const { code } = await running.ended;
  return { code, output: running.shownText() };
}

/** A command that runs in this process until it receives a signal. */
export interface InProcessCommand {
  readonly output: { stdout: string; stderr: string };
  /** Resolves once the command has exited. */
  readonly ended: Promise<CommandResult>;
  /** Sends a signal, and resolves once the command has exited. */
  end(signal?: 'SIGINT' | 'SIGTERM'): Promise<CommandResult>;
}

/** Starts a command in this process, and waits for its first output. The command is stopped after the test. */
export function startCliInProcess(...args: string[]): Promise<InProcessCommand> {
  return startUntilShown('', args);
}

/** Starts a command in this process, and waits until it prints `text`. The command is stopped after the test. */
async function startUntilShown(text: string, args: readonly string[]): Promise<InProcessCommand> {
  const { output, shown, ended, signal: send } = await startInProcess({ ...process.env }, args, text);
  const end = (signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): Promise<CommandResult> => {
    send(signal);
    return ended;
  };
  onTestFinished(async () => {
    await end();
  });
  await Promise.race([shown, ended]);
  return { output, ended, end };
}

/** Like `spawnSimulator`, but in this process. Until it ends, no other command can run in this process. */
export async function startSimulatorInProcess(
  ...args: string[]
): Promise<InProcessCommand & Pick<SpawnedSimulator, 'ready'>> {
  const command = await startUntilShown('"baseUrl":', ['start', '--json', '--port', '0', ...args]);
  if (command.output.stdout === '') throw new Error(`the simulator did not start: ${command.output.stderr}`);
  return { ...command, ready: JSON.parse(command.output.stdout) };
}

interface InProcessRun {
  readonly output: { stdout: string; stderr: string };
  /** Returns the output so far, standard output and error in order. */
  shownText(): string;
  /** Resolves once the command has printed the awaited text. */
  readonly shown: Promise<void>;
  /** Resolves once the command has exited. */
  readonly ended: Promise<CommandResult>;
  signal(name: 'SIGINT' | 'SIGTERM'): void;
}

// Commands use global state of the process (standard output, signals, exit), so only one runs at a time.
let lastRun: Promise<unknown> = Promise.resolve();

/** @param awaitedText text that resolves `shown`; by default the first output does */
async function startInProcess(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  awaitedText = '',
): Promise<InProcessRun> {
  const previousRun = lastRun;
  const thisRun = createDeferred();
  lastRun = thisRun.promise;
  await previousRun;
  const output = { stdout: '', stderr: '' };
  let shownText = '';
  const shown = createDeferred();
  const { process: borrowed, release } = borrowProcess(env, (name, text) => {
    output[name] += text;
    shownText += text;
    if (shownText.includes(awaitedText)) shown.resolve();
  });
  const ended = runProgram(args)
    .catch((error: unknown) => {
      if (!(error instanceof Exited)) throw error;
    })
    .then(() => ({ code: borrowed.exitCode(), ...output }))
    .finally(() => {
      release();
      thisRun.resolve();
    });
  return { output, shownText: () => shownText, shown: shown.promise, ended, signal: borrowed.signal };
}

/** Thrown in place of ending the process when a command calls `process.exit`. */
class Exited extends Error {}

/**
 * Replaces the environment, output, `process.exit` and exit code of this process, so that a command can run in it.
 * `release` restores them.
 */
function borrowProcess(env: NodeJS.ProcessEnv, onOutput: (name: 'stdout' | 'stderr', text: string) => void) {
  let commandExitCode: number | undefined;
  const { exit, exitCode, env: originalEnv, stdout, stderr } = process;
  const originalConsole = globalThis.console;
  const newListeners = trackListeners();
  const streamTo = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        if (commandExitCode === undefined) onOutput(name, String(chunk));
        done();
      },
    });
  replaceStreams(streamTo('stdout'), streamTo('stderr'));
  globalThis.console = new Console(process.stdout, process.stderr);
  process.exit = (code) => {
    commandExitCode ??= Number(code ?? process.exitCode ?? 0);
    throw new Exited();
  };
  process.exitCode = undefined;
  process.env = env;
  return {
    process: {
      exitCode: () => commandExitCode ?? Number(process.exitCode ?? 0),
      signal(name: 'SIGINT' | 'SIGTERM') {
        for (const { event, listener } of newListeners()) if (event === name) listener();
      },
    },
    release() {
      replaceStreams(stdout, stderr);
      globalThis.console = originalConsole;
      process.exit = exit;
      process.exitCode = exitCode;
      process.env = originalEnv;
      for (const { remove } of newListeners()) remove();
    },
  };
}

function replaceStreams(stdout: Writable, stderr: Writable): void {
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => stdout });
  Object.defineProperty(process, 'stderr', { configurable: true, enumerable: true, get: () => stderr });
}

interface AddedListener {
  readonly event: string;
  listener(): void;
  remove(): void;
}

/** @returns a function that lists the listeners for signals and uncaught errors that were added after this call */
function trackListeners(): () => AddedListener[] {
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((event) => ({
    event,
    existing: process.listeners(event),
  }));
  const existingUncaught = process.listeners('uncaughtException');
  return () => [
    ...signals.flatMap(({ event, existing }) =>
      process
        .listeners(event)
        .filter((listener) => !existing.includes(listener))
        .map((listener) => ({
          event,
          listener: () => listener(event),
          remove: () => void process.off(event, listener),
        })),
    ),
    ...process
      .listeners('uncaughtException')
      .filter((listener) => !existingUncaught.includes(listener))
      .map((listener) => ({
        event: 'uncaughtException',
        listener: () => undefined,
        remove: () => void process.off('uncaughtException', listener),
      })),
  ];
}

/** Runs the built command in its own process until it exits. */
export async function spawnCli(...args: string[]): Promise<CommandResult> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collectOutput(child);
  const [code] = await once(child, 'close');
  return { code, ...output };
}

export interface SpawnedSimulator {
  readonly child: ChildProcess;
  /** The line that `--json` prints when the simulator is ready. */
  readonly ready: { url: string; baseUrl: string; account: string; tokens: { full: string } | null };
  readonly output: { stdout: string; stderr: string };
}

/** Starts `billing-sim start --json --port 0` and waits until it is ready; it is killed after the test. */
export function spawnSimulator(...args: string[]): Promise<SpawnedSimulator> {
  return spawnSimulatorWith({}, ...args);
}

/** Like `spawnSimulator`, in a working directory and with additional environment variables. */
export function spawnSimulatorWith(
  { cwd, env }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  ...args: string[]
): Promise<SpawnedSimulator> {
  return startProcess([], { env: { ...process.env, ...env }, ...(cwd === undefined ? {} : { cwd }) }, args);
}

/** Like `spawnSimulator`, with Node and V8 options, such as `--log-maps`. */
export function spawnSimulatorWithNodeOptions(
  nodeOptions: readonly string[],
  ...args: string[]
): Promise<SpawnedSimulator> {
  return startProcess(nodeOptions, {}, args);
}

async function startProcess(
  nodeOptions: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
  args: readonly string[],
): Promise<SpawnedSimulator> {
  const child = spawn(process.execPath, [...nodeOptions, cli, 'start', '--json', '--port', '0', ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAfterTest(child);
  const output = collectOutput(child);
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, ready: JSON.parse(line), output };
  }
  throw new Error(`the simulator did not start: ${output.stderr}`);
}

export interface SpawnedCommand {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Resolves to the exit code once the command has exited. */
  readonly ended: Promise<number | null>;
}

/** Starts `billing-sim listen` and waits for its first output; it is killed after the test. */
export async function spawnListen(...args: string[]): Promise<SpawnedCommand> {
  const listening = spawnLongRunning('listen', ...args);
  await Promise.race([once(listening.child.stdout, 'data'), listening.ended]);
  return listening;
}

/** Starts a command that runs until it is interrupted; it is killed after the test. */
export function spawnLongRunning(
  ...args: string[]
): SpawnedCommand & { readonly child: { readonly stdout: Readable } } {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  killAfterTest(child);
  const output = collectOutput(child);
  return { child, output, ended: once(child, 'close').then(([code]) => code) };
}

function collectOutput(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data) => {
    output.stdout += data;
  });
  child.stderr?.on('data', (data) => {
    output.stderr += data;
  });
  return output;
}
