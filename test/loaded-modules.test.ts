import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { jsonOf } from './support/json.js';
import { loadedModules } from './support/loaded-modules.js';

/** Modules that the built simulator loads only when needed, for a fast start. */

const root = fileURLToPath(new URL('..', import.meta.url));

/** prism-http. It has no source map. */
const prismBundle = join(root, 'dist/deferred/prism.cjs');

/** Modules and packages that no start loads, and the step of the program below that loads each. */
const deferred = {
  'src/faults/index.ts': 'a fault',
  'src/faults/options.ts': 'a fault',
  'src/http/service/faults/write-faulty-reply.ts': 'a faulty response',
  nodemailer: 'a mail',
  'src/http/guest/texts/german.ts': 'a guest page',
  [prismBundle]: 'a preferred response',
} as const;

/** Packages that only commands of the contract kit and generated records need. */
const unneeded = ['vitest', 'vite', 'supertest', '@faker-js/faker'];

/** Starts a simulator, uses what does not count as special, and then takes the steps, each noted before it begins. */
const program = `
import { appendFileSync } from 'node:fs';
import { startSimulator } from ${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)};
const step = (name) => appendFileSync(process.env.LOADED, '# ' + name + '\\n');
const sim = await startSimulator({
  now: '2026-03-01T09:00:00Z', webhookUrl: 'http://127.0.0.1:9/', smtp: 'smtp://127.0.0.1:1', log: () => undefined,
});
const ask = async (path, { status, body, headers = {} }) => {
  const response = await fetch(sim.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: 'Bearer demo_full', 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status !== status) throw new Error(path + ': ' + response.status + ' ' + await response.text());
};
await ask('/api/v1/deposits', { status: 201, body: { booking_reference: 'BK-1', amount: 1 } });
await ask('/api/v1/payment-links', { status: 422, body: { amount: 1 } });
await ask('/api/v1/invoices', { status: 200 });
await ask('/api/v1/invoices', { status: 200, headers: { Prefer: 'return=minimal' } });
await ask('/api/v1/invoices/999', { status: 404 });
await sim.account.clock.advance('8d');
await sim.account.trigger('deposit.captured');
await ask('/_sim/accounts', { status: 200 });
await ask('/_sim/accounts/demo/faults', { status: 200 });
step('a fault');
await ask('/_sim/accounts/demo/faults', { status: 201, body: { effect: 'status=503', match: { operation: 'listPayments' } } });
step('a faulty response');
await ask('/api/v1/payments', { status: 503 });
step('a mail');
await ask('/api/v1/invoices/2/reminder', { status: 200, body: {} });
// A mail is sent after the response.
while ((await sim.account.mails.all()).every(({ attempts }) => attempts.length === 0)) await new Promise((resolve) => setTimeout(resolve, 5));
step('a guest page');
await ask('/pay/inv_2', { status: 200 });
step('a preferred response');
await ask('/api/v1/invoices', { status: 404, headers: { Prefer: 'code=404' } });
await sim.close();
`;

/** Origin of a file: a package, or the modules bundled into it. */
function namesIn(file: string): string[] {
  const map = `${file}.map`;
  const sources = existsSync(map) ? jsonOf(readFileSync(map, 'utf8')).list('sources').map(String) : [file];
  return sources.map((source) => {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
    return name ?? source.replace(/^.*?\/src\//, 'src/');
  });
}

test('a start and ordinary requests load no deferred module, and each is loaded on first use', async () => {
  /** The step that loads each module or package. */
  const loadedBy = new Map<string, string>();
  let step = 'a start';
  for (const line of await loadedModules('--input-type=module', '-e', program)) {
    if (line.startsWith('# ')) step = line.slice(2);
    else if (line.startsWith('file:')) {
      for (const name of namesIn(fileURLToPath(line))) if (!loadedBy.has(name)) loadedBy.set(name, step);
    }
  }
  // Otherwise nothing has been noted.
  expect(loadedBy.get('src/app/server.ts')).toBe('a start');
  expect(Object.fromEntries(Object.keys(deferred).map((name) => [name, loadedBy.get(name)]))).toEqual(deferred);
  expect(unneeded.filter((name) => loadedBy.has(name))).toEqual([]);
});
