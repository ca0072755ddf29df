import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { jsonOf } from './support/json.js';
import { loadedModules } from './support/loaded-modules.js';

// To start fast, the built simulator loads some modules only when they are needed.

const root = fileURLToPath(new URL('..', import.meta.url));

/** The first step of the program below. The program writes no line for it. */
const firstStep = 'startup and ordinary requests';

/** The bundle of prism-http, which has no source map. */
const prismBundle = join(root, 'dist/deferred/prism.cjs');

/**
 * Modules and packages that are not loaded at startup. The value is the step of the program below that loads the module
 * or package.
 */
const deferredModules = {
  'src/faults/index.ts': 'a fault',
  'src/faults/options.ts': 'a fault',
  'src/http/service/faults/write-faulty-reply.ts': 'a faulty response',
  nodemailer: 'an email',
  'src/http/guest/texts/german.ts': 'a guest page',
  [prismBundle]: 'a stateless response',
} as const;

/**
 * Packages that the program never loads. Only the contract suite and the command `seed`, which generates records, need
 * them.
 */
const neverLoaded = ['vitest', 'vite', 'supertest', '@faker-js/faker'];

/**
 * Program that starts a simulator and sends ordinary requests, which load no deferred module. Each later step loads one
 * or more of them. Before a step begins, the program writes its name into the list of loaded modules. Nothing listens
 * on ports 9 and 1.
 */
const program = `
import { appendFileSync } from 'node:fs';
import { startSimulator } from ${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)};
const step = (name) => appendFileSync(process.env.LOADED, '# ' + name + '\\n');
const sim = await startSimulator({
  now: '2026-03-01T09:00:00Z', webhookUrl: 'http://127.0.0.1:9/', smtp: 'smtp://127.0.0.1:1', log: () => undefined,
});
const request = async (path, { status, body, headers = {} }) => {
  const response = await fetch(sim.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: 'Bearer demo_full', 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status !== status) throw new Error(path + ': ' + response.status + ' ' + await response.text());
};
await request('/api/v1/deposits', { status: 201, body: { booking_reference: 'BK-1', amount: 1 } });
await request('/api/v1/payment-links', { status: 422, body: { amount: 1 } });
await request('/api/v1/invoices', { status: 200 });
await request('/api/v1/invoices', { status: 200, headers: { Prefer: 'return=minimal' } });
await request('/api/v1/invoices/999', { status: 404 });
await sim.account.clock.advance('8d');
await sim.account.trigger('deposit.captured');
await request('/_sim/accounts', { status: 200 });
await request('/_sim/accounts/demo/faults', { status: 200 });
step('a fault');
await request('/_sim/accounts/demo/faults', { status: 201, body: { effect: 'status=503', match: { operation: 'listPayments' } } });
step('a faulty response');
await request('/api/v1/payments', { status: 503 });
step('an email');
await request('/api/v1/invoices/2/reminder', { status: 200, body: {} });
// An email is sent after the response.
while ((await sim.account.mails.all()).every(({ attempts }) => attempts.length === 0)) await new Promise((resolve) => setTimeout(resolve, 5));
step('a guest page');
await request('/pay/inv_2', { status: 200 });
step('a stateless response');
await request('/api/v1/invoices', { status: 404, headers: { Prefer: 'code=404' } });
await sim.close();
`;

/**
 * Names of the packages and modules that are bundled into a file of the build, according to its source map. For a file
 * without a source map, the name of its package, or else its path.
 */
function namesIn(file: string): string[] {
  const map = `${file}.map`;
  const packageOf = (path: string): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (!existsSync(map)) return [packageOf(file) ?? file];
  const sources = jsonOf(readFileSync(map, 'utf8')).list('sources').map(String);
  return sources.map((source) => packageOf(source) ?? source.replace(/^.*\/src\//, 'src/'));
}

test('startup and ordinary requests load no deferred module; each is loaded when it is first needed', async () => {
  /** The step that loads a module or package, by its name. */
  const loadedBy = new Map<string, string>();
  let step: string = firstStep;
  for (const line of await loadedModules('--input-type=module', '-e', program)) {
    if (line.startsWith('# ')) step = line.slice(2);
    else if (line.startsWith('file:')) {
      for (const name of namesIn(fileURLToPath(line))) if (!loadedBy.has(name)) loadedBy.set(name, step);
    }
  }
  // Shows that modules are recorded: otherwise, the last expectation could not fail.
  expect(loadedBy.get('src/app/server.ts')).toBe(firstStep);
  expect(Object.fromEntries(Object.keys(deferredModules).map((name) => [name, loadedBy.get(name)]))).toEqual(
    deferredModules,
  );
  expect(neverLoaded.filter((name) => loadedBy.has(name))).toEqual([]);
});
