import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command to its end. */
export function runCli(...args: string[]): Promise<Finished> {
  return runCliWith({}, ...args);
}

/** As `runCli`, with further environment variables. */
export async function runCliWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished> {
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
