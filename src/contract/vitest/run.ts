import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { createVitest, type Reporter, type Vitest } from 'vitest/node';
import type { OnWait } from '../engine/pace.js';
import type { Progress } from '../engine/suite.js';
import type { News, PlainOptions } from './context.js';

/** What went wrong beside the clauses. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

interface Listener {
  readonly signal: AbortSignal | undefined;
  readonly onOpen: (requestsPerMinute: number | undefined) => void;
  readonly onClause: (progress: Progress) => void;
  readonly onWait: OnWait | undefined;
  readonly onPrint: (text: string) => void;
}

/** Has vitest run the suite in a thread, silently; what it knows of the folder that it is called in is nothing. */
export async function runByVitest(options: PlainOptions, listener: Listener): Promise<Failure[]> {
  const { signal, onOpen, onClause, onWait, onPrint } = listener;
  const channelName = `billing-sim contract ${randomUUID()}`;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: { readonly data: News }) => {
    if ('opened' in data) onOpen(data.opened.requestsPerMinute);
    else onWait?.(data.waiting);
  };
  const reporter: Reporter = {
    onTestCaseResult(testCase) {
      const { contract } = testCase.meta();
      if (contract) onClause(contract);
    },
    onUserConsoleLog: ({ content }) => onPrint(content),
  };
  const keepProcess = guardProcess();
  let vitest: Vitest | undefined;
  try {
    vitest = await createVitest(
      'test',
      {
        root: fileURLToPath(new URL('.', import.meta.url)),
        include: ['contract.suite.{js,ts}'],
        // The suite may lie in node_modules, which vitest leaves out unless told not to.
        exclude: [],
        // Loaded by node itself, wherever it lies: a driver, too.
        server: { deps: { external: [/\.js$/] } },
        config: false,
        watch: false,
        cache: false,
        pool: 'threads',
        isolate: false,
        fileParallelism: false,
        reporters: [reporter],
        provide: { contractOptions: options, contractChannel: channelName },
      },
      // Vite would look for the settings of PostCSS in every folder above.
      { logLevel: 'silent', css: { postcss: {} } },
      { stdout: nowhere(), stderr: nowhere() },
    );
    keepProcess();
    const cancel = (): void => void vitest?.cancelCurrentRun('keyboard-input');
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) return [];
    const { testModules, unhandledErrors } = await vitest.start();
    signal?.removeEventListener('abort', cancel);
    return [...testModules.flatMap((module) => module.errors()), ...unhandledErrors].map(failureOf);
  } finally {
    await vitest?.close();
    channel.close();
    keepProcess();
  }
}

/**
 * Vitest takes a process for its own: it ends it at signals and unhandled rejections, and sets the exit code.
 * @returns what undoes that
 */
function guardProcess(): () => void {
  const { exitCode } = process;
  const signals = (['SIGINT', 'SIGTERM'] as const).map((signal) => ({ signal, own: process.listeners(signal) }));
  const own = process.listeners('unhandledRejection');
  return () => {
    process.exitCode = exitCode;
    for (const { signal, own } of signals) {
      for (const added of process.listeners(signal)) if (!own.includes(added)) process.off(signal, added);
    }
    for (const added of process.listeners('unhandledRejection')) {
      if (!own.includes(added)) process.off('unhandledRejection', added);
    }
  };
}

function failureOf(error: unknown): Failure {
  const text = (name: string): string => String(Reflect.get(Object(error), name) ?? '');
  return { name: text('name') || 'Error', message: text('message') || String(error), stack: text('stack') };
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
