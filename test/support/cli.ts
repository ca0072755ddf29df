import { type ChildProcess, spawn } from 'node:child_process';
import { Console } from 'node:console';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
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

/** Like `runCli`, with additional environment variables. */
export function runCliWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished> {
  return runCliIn({ ...process.env, ...env }, ...args);
}

/** Like `runCli`, with only these environment variables. */
export async function runCliIn(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Finished> {
  const running = await startHere(env, args);
  return running.finished;
}

/** A command that runs in this process until it is signalled. */
export interface RunningHere {
  readonly output: { stdout: string; stderr: string };
  /** Signals it, and settles once it has ended. */
  end(signal?: 'SIGINT' | 'SIGTERM'): Promise<Finished>;
}

/** Runs a command in this process, and waits for the first that it prints; it is ended after the test. */
export async function startCliHere(...args: string[]): Promise<RunningHere> {
  const { output, printed, finished, signal: send } = await startHere({ ...process.env }, args);
  const end = (signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): Promise<Finished> => {
    send(signal);
    return finished;
  };
  onTestFinished(() => void end());
  await Promise.race([printed, finished]);
  return { output, end };
}

interface Here {
  readonly output: { stdout: string; stderr: string };
  readonly printed: Promise<void>;
  readonly finished: Promise<Finished>;
  signal(name: 'SIGINT' | 'SIGTERM'): void;
}

// Commands use global state of the process (standard output, signals, exit), so only one runs at a time.
let lastRun: Promise<unknown> = Promise.resolve();

async function startHere(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Here> {
  const before = lastRun;
  const turn = openPromise();
  lastRun = turn.promise;
  await before;
  const output = { stdout: '', stderr: '' };
  const printed = openPromise();
  const { process: own, release } = borrowProcess(env, (name, text) => {
    output[name] += text;
    printed.resolve();
  });
  const finished = runProgram(args)
    .catch((error: unknown) => {
      if (!(error instanceof Exited)) throw error;
    })
    .then(() => ({ code: own.exitCode(), ...output }))
    .finally(() => {
      release();
      turn.resolve();
    });
  return { output, printed: printed.promise, finished, signal: own.signal };
}

function openPromise(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Thrown where a command ends the process. */
class Exited extends Error {}

/** Has this process look to a command as if it were its own, until it is released. */
function borrowProcess(env: NodeJS.ProcessEnv, onOutput: (name: 'stdout' | 'stderr', text: string) => void) {
  let exited: number | undefined;
  const { exit, exitCode, env: ownEnv, stdout, stderr } = process;
  const ownConsole = globalThis.console;
  const newListeners = rememberListeners();
  const streamTo = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        if (exited === undefined) onOutput(name, String(chunk));
        done();
      },
    });
  replaceStreams(streamTo('stdout'), streamTo('stderr'));
  globalThis.console = new Console(process.stdout, process.stderr);
  process.exit = (code) => {
    exited ??= Number(code ?? process.exitCode ?? 0);
    throw new Exited();
  };
  process.exitCode = undefined;
  process.env = env;
  return {
    process: {
      exitCode: () => exited ?? Number(process.exitCode ?? 0),
      signal(name: 'SIGINT' | 'SIGTERM') {
        for (const { event, listener } of newListeners()) if (event === name) listener();
      },
    },
    release() {
      replaceStreams(stdout, stderr);
      globalThis.console = ownConsole;
      process.exit = exit;
      process.exitCode = exitCode;
      process.env = ownEnv;
      for (const { remove } of newListeners()) remove();
    },
  };
}

function replaceStreams(stdout: Writable, stderr: Writable): void {
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => stdout });
  Object.defineProperty(process, 'stderr', { configurable: true, enumerable: true, get: () => stderr });
}

interface Listening {
  readonly event: string;
  listener(): void;
  remove(): void;
}

/** @returns what tells who listens since then to signals and to errors that nobody has caught */
function rememberListeners(): () => Listening[] {
  const signals = (['SIGINT', 'SIGTERM'] as const).map((event) => ({ event, known: process.listeners(event) }));
  const uncaught = process.listeners('uncaughtException');
  return () => [
    ...signals.flatMap(({ event, known }) =>
      process
        .listeners(event)
        .filter((listener) => !known.includes(listener))
        .map((listener) => ({
          event,
          listener: () => listener(event),
          remove: () => void process.off(event, listener),
        })),
    ),
    ...process
      .listeners('uncaughtException')
      .filter((listener) => !uncaught.includes(listener))
      .map((listener) => ({
        event: 'uncaughtException',
        listener: () => undefined,
        remove: () => void process.off('uncaughtException', listener),
      })),
  ];
}

/** Runs the built command to its end, in a process of its own. */
export async function spawnCli(...args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
