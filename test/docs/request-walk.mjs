// Prints the source files that handle a `POST /deposits` request, in the order in which they first run, from the socket to the
// store and back. The simulator has a data folder and has handled such requests before. A test compares the list with
// docs/architecture.md. The script runs src directly: hooks of Node's module loader compile each file, and make every
// function in it report its file. Code that runs only when a module is loaded does not count.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { register, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import timers from 'node:timers';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

import { parseSync, transformSync, Visitor } from 'rolldown/utils';

const src = new URL('../../src/', import.meta.url).href;

/** Loader hook: makes imports within `src` load the .ts file. */
export function resolve(specifier, context, next) {
  const isWithinSrc = specifier.startsWith('.') && context.parentURL?.startsWith(src);
  return next(isWithinSrc ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

/** Loader hook: compiles a file of `src`. */
export function load(url, context, next) {
  if (!url.startsWith(src) || !url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code, errors } = transformSync(path, withReports(path, readFileSync(path, 'utf8')));
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return { format: 'module', shortCircuit: true, source: code };
}

/** Inserts a call into every function of a file; the call reports that the file runs. */
function withReports(path, text) {
  const report = `reportRun(${JSON.stringify(relative(fileURLToPath(src), path))})`;
  const insertions = [];
  const addReport = ({ body }) => {
    if (body?.type === 'BlockStatement') insertions.push([body.start + 1, `${report};`]);
    else if (body) insertions.push([body.start, `(${report}, `], [body.end, ')']);
  };
  new Visitor({
    FunctionDeclaration: addReport,
    FunctionExpression: addReport,
    ArrowFunctionExpression: addReport,
  }).visit(parseSync(path, text).program);
  let result = text;
  for (const [at, inserted] of insertions.sort(([a], [b]) => b - a)) {
    result = result.slice(0, at) + inserted + result.slice(at);
  }
  return result;
}

async function filesOfRequest() {
  const files = new Set();
  let isRecording = false;
  globalThis.reportRun = (file) => {
    if (isRecording) files.add(file);
  };
  // Node loads this file in a second thread, too, and calls its exports `resolve` and `load` there.
  register(import.meta.url);
  const { startSimulator } = await import('../../src/index.ts');
  // Otherwise, the heartbeat of the folder's lock may run during the request, and count as an earlier part of it.
  timers.setInterval = () => ({ unref: () => undefined });
  syncBuiltinESMExports();
  const dataFolder = mkdtempSync(join(tmpdir(), 'billing-sim-walk-'));
  const simulator = await startSimulator({ data: dataFolder, now: '2026-03-01T09:00:00Z', randomSeed: 'walk' });
  const create = async (name) => {
    const response = await fetch(`${simulator.baseUrl}/deposits`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${simulator.account.tokens.full}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': name,
      },
      body: JSON.stringify({ booking_reference: name, amount: 300 }),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`the deposit was not created: ${text}`);
  };
  try {
    for (const name of ['first', 'second']) await create(name);
    isRecording = true;
    await create('third');
    isRecording = false;
    return [...files];
  } finally {
    await simulator.close();
    rmSync(dataFolder, { recursive: true });
  }
}

// The thread of the loader hooks must not start a simulator.
if (isMainThread) for (const file of await filesOfRequest()) console.log(file);
