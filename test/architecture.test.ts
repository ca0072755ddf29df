import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** Imports allowed to each folder besides itself. `a/b` allows only that part of a folder. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  // Only modules that are pure and know nothing about billing.
  domain: ['lib/decimals', 'lib/durations', 'lib/json'],
  lib: [],
  // Only the types of the generated data.
  generated: ['domain'],
  // From `generated`, only the types of the control API's responses.
  text: ['lib/decimals', 'lib/messages', 'domain', 'generated/control-validated-types'],
  openapi: ['lib', 'domain', 'generated'],
  simulation: ['lib', 'domain', 'openapi', 'generated'],
  // These five implement ports of the simulation, such as its clock. From the simulation they may import only `state`,
  // which has the types of the ports.
  // The store checks the effects of stored faults.
  store: ['lib', 'domain', 'openapi', 'faults/read-effects', 'simulation/state', 'generated'],
  clock: ['simulation/state'],
  mail: ['lib', 'domain', 'text', 'simulation/state'],
  // Webhooks have the version in their User-Agent header.
  webhooks: ['lib', 'domain', 'simulation/state', 'generated/version'],
  // The activity log describes faults.
  faults: ['lib', 'domain', 'text/fault-text', 'simulation/state', 'generated'],
  files: ['lib', 'domain', 'openapi', 'faults', 'generated'],
  http: ['lib', 'domain', 'text', 'openapi', 'simulation', 'faults', 'files', 'generated'],
  // The contract suite and the proxy also check the simulator, so they must not depend on it.
  contract: ['lib', 'generated'],
  proxy: ['lib', 'generated', 'contract/predicates'],
  app: ['*'],
  library: [
    'app',
    'lib',
    'domain',
    // A failed test prints the activity of its account.
    'text',
    'files',
    'openapi',
    'webhooks',
    'generated',
    'simulation',
    'faults',
    'clock',
    // It calls operations of the control API without HTTP, logs them alike, and returns the same JSON and error texts.
    'http/control/invoke-operation',
    'http/control/coverage',
    'http/control/error-messages',
    'http/control/operations',
    'http/control/request-details',
    'http/control/trace',
    'http/control/views',
    'http/service/errors',
    'http/service/validation',
    // It imports exported snapshots.
    'store/snapshot-file',
  ],
  index: ['library'],
  commands: [
    'app',
    'library',
    'contract',
    'proxy',
    'lib',
    'domain',
    'text',
    'files',
    'openapi',
    'webhooks',
    'generated',
  ],
  cli: ['commands', 'lib'],
  executable: ['commands', 'lib'],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

const imports: Import[] = files.flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(
    ([, target = '']) => ({
      from: file.replace(/\.ts$/, ''),
      to: relative(src, join(src, dirname(file), target)).replace(/\.js$/, ''),
    }),
  ),
);

/** The top folder of a module, or its name if it lies directly in `src`. */
const folderOf = (module: string): string => module.split('/')[0] ?? '';

test('folders import only what the table above allows', () => {
  // If no imports were found, nothing could be forbidden.
  expect(imports.length).toBeGreaterThan(files.length);
  const forbidden = imports.filter(({ from, to }) => {
    if (folderOf(to) === folderOf(from)) return false;
    const allowed = allowedImports[folderOf(from)] ?? [];
    return !allowed.some((module) => module === '*' || to === module || to.startsWith(`${module}/`));
  });
  expect([...new Set(forbidden.map(({ from, to }) => `${from} -> ${to}`))].sort()).toEqual([]);
});

test('the table lists every folder, and allows nothing that no file imports', () => {
  expect(Object.keys(allowedImports).sort()).toEqual(
    [...new Set(files.map((file) => folderOf(file.replace(/\.ts$/, ''))))].sort(),
  );
  const unused = Object.entries(allowedImports).flatMap(([folder, allowed]) =>
    allowed
      .filter(
        (module) =>
          module !== '*' &&
          !imports.some(({ from, to }) => folderOf(from) === folder && (to === module || to.startsWith(`${module}/`))),
      )
      .map((module) => `${folder} -> ${module}`),
  );
  expect(unused).toEqual([]);
});

test('cyclesIn finds a cycle of imports', () => {
  const chain: Import[] = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ];
  expect(cyclesIn(chain)).toEqual([]);
  expect(cyclesIn([...chain, { from: 'c', to: 'a' }])).toEqual([['a', 'b', 'c']]);
});

test('no files import each other in a cycle', () => {
  expect(cyclesIn(imports)).toEqual([]);
});

test('simulation/state imports nothing from the rest of the simulation', () => {
  const isState = (module: string): boolean => module.startsWith('simulation/state/');
  const importsOfState = imports.filter(({ from }) => isState(from));
  expect(importsOfState).not.toEqual([]);
  expect(importsOfState.filter(({ to }) => folderOf(to) === 'simulation' && !isState(to))).toEqual([]);
});

/** Groups of modules that all import each other, directly or indirectly (Tarjan's strongly connected components). */
function cyclesIn(edges: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const indexes = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  /** @returns the lowest index of the modules on the stack that a module imports, directly or indirectly */
  const visit = (module: string): number => {
    const index = indexes.size;
    indexes.set(module, index);
    stack.push(module);
    let lowest = index;
    for (const target of targets.get(module) ?? []) {
      if (!indexes.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, indexes.get(target) ?? index);
    }
    if (lowest === index) {
      const cycle = stack.splice(stack.indexOf(module));
      if (cycle.length > 1) cycles.push(cycle.sort());
    }
    return lowest;
  };
  for (const module of [...targets.keys()].sort()) if (!indexes.has(module)) visit(module);
  return cycles.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

describe.each(files.filter((file) => file.startsWith('domain/') || file.startsWith('simulation/')))('%s', (file) => {
  const text = readFileSync(join(src, file), 'utf8');

  test('gets the time and random numbers from its caller, not from the machine', () => {
    expect(text).not.toMatch(
      /Date\.now|new Date\(\)|performance\.|Math\.random|random(?:Bytes|UUID|Int)|setTimeout|setInterval/,
    );
  });

  test('knows nothing about HTTP, files or processes', () => {
    expect(text).not.toMatch(/from '(?:express|node:(?:http|net|fs|process|os))/);
  });
});

test('only service/response.ts writes responses, with the exceptions in these lists', () => {
  const writers = files.filter((file) => /\.(?:writeHead|json|send)\(/.test(readFileSync(join(src, file), 'utf8')));
  expect(writers.filter((file) => file.startsWith('http/')).sort()).toEqual([
    // Server-sent events are written as they happen.
    'http/control/stream.ts',
    // Sends pages, which are not responses of the service.
    'http/document/docs.ts',
    // Sends style sheets, scripts and icons.
    'http/package-folder.ts',
    // Writes faulty responses. It is a separate module, since most simulators never load it.
    'http/service/faults/write-faulty-reply.ts',
    'http/service/response.ts',
  ]);
  // The contract suite is a client: it sends requests, not responses.
  expect(writers.filter((file) => !/^(?:http|contract)\//.test(file))).toEqual([
    // Passes on responses of other servers.
    'proxy/forward.ts',
  ]);
});

test('no file of src, except generated ones, is longer than 400 lines', () => {
  const longFiles = files.filter(
    (file) => !file.startsWith('generated/') && readFileSync(join(src, file), 'utf8').split('\n').length > 400,
  );
  expect(longFiles).toEqual([]);
});
