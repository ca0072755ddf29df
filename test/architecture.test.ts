import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** Who may import whom, besides what lies in the same folder and what is generated from the documents. */
const allowed: Record<string, string[]> = {
  domain: [],
  simulation: ['domain'],
  clock: ['simulation/world'],
  webhooks: ['domain', 'simulation/world'],
  mail: ['domain', 'simulation/world'],
  store: ['simulation/world'],
  faults: ['domain', 'misfit', 'simulation/world'],
  pages: ['domain'],
  misfit: ['domain'],
  http: ['domain', 'faults', 'misfit', 'pages', 'simulation'],
  'scenario-files': ['domain', 'faults/rule', 'fixtures', 'misfit', 'simulation/scenario'],
  library: [
    'domain',
    'faults/rule',
    'http/control/views',
    'http/coverage',
    'http/views',
    'scenario-files',
    'simulation',
    'webhooks/signature',
  ],
  commands: [
    'contract',
    'domain',
    'faults/grammar',
    'fixtures',
    'http/profile',
    'http/profiles',
    // A run of the suite is rehearsed on a simulator of one's own.
    'index',
    'misfit',
    'proxy',
    'scenario-files',
    'server',
    'simulation',
    'store/inspect-folder',
    'store/journal',
    'store/problem',
    'webhooks',
  ],
  // These stay blind to the simulator: they are to judge it, too.
  contract: [],
  proxy: ['contract/predicates'],
  fixtures: ['http/profile', 'simulation/seed'],
  forms: ['domain', 'faults/rule', 'fixtures', 'http/control/forms', 'scenario-files'],
  server: [
    'clock',
    'domain',
    'faults/messages',
    'forms',
    'http',
    'mail',
    'proxy/stateless',
    'simulation',
    'store',
    'webhooks',
  ],
  index: [
    'domain/faults',
    'faults/rule',
    'fixtures',
    'http/profile',
    'library',
    'scenario-files',
    'server',
    'simulation',
    'store/journal',
  ],
  cli: [
    'commands',
    'contract/cannot-run',
    'fixtures',
    'http/origins',
    'http/profile',
    'mail/smtp-url',
    'scenario-files',
    'server',
    'simulation/seed',
    'simulation/stored-data-error',
    'store/data-folder-error',
  ],
  // Types only: they are what the generated data is of.
  generated: ['domain', 'simulation/scenario', 'simulation/seed'],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

const imports: Import[] = files.flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) => ({
    from: file.replace(/\.ts$/, ''),
    to: relative(src, join(src, dirname(file), target)).replace(/\.js$/, ''),
  })),
);

const folderOf = (module: string): string => module.split('/')[0] ?? '';

test('every folder keeps to the table of who may import whom', () => {
  const offences = imports.filter(({ from, to }) => {
    const folder = folderOf(from);
    if (folderOf(to) === folder || folderOf(to) === 'generated') return false;
    return !allowed[folder]?.some((target) => to === target || to.startsWith(`${target}/`));
  });
  expect(offences).toEqual([]);
});

test('the table has no row and no entry that nothing uses', () => {
  const unused = Object.entries(allowed).flatMap(([folder, targets]) =>
    targets
      .filter(
        (target) =>
          !imports.some(({ from, to }) => folderOf(from) === folder && (to === target || to.startsWith(`${target}/`))),
      )
      .map((target) => `${folder} → ${target}`),
  );
  expect(unused).toEqual([]);
});

describe.each(files.filter((file) => file.startsWith('domain/') || file.startsWith('simulation/')))('%s', (file) => {
  const text = readFileSync(join(src, file), 'utf8');

  test('takes time and chance from the world, not from the machine', () => {
    expect(text).not.toMatch(
      /Date\.now|new Date\(\)|performance\.|Math\.random|random(?:Bytes|UUID|Int)|setTimeout|setInterval/,
    );
  });

  test('knows nothing of HTTP, files or processes', () => {
    expect(text).not.toMatch(/from '(?:express|node:(?:http|net|fs|process|os))/);
  });
});

test('only the one writer writes answers', () => {
  const writers = files.filter((file) => /\.(?:writeHead|json|send)\(/.test(readFileSync(join(src, file), 'utf8')));
  expect(writers.filter((file) => file.startsWith('http/')).sort()).toEqual([
    'http/answer.ts',
    // Has Express parse JSON, which is no writing.
    'http/body.ts',
    // Sends its own pages, which are no answers of the service.
    'http/docs.ts',
    // Writes what a fault has made of an answer, which no other answer is to pay for.
    'http/faults.ts',
    // Server-sent events have no end that they could be handed over at: they are written as things come about.
    'http/stream.ts',
  ]);
  // The contract kit is a client: what it sends are requests.
  expect(writers.filter((file) => !/^(?:http|contract)\//.test(file))).toEqual([
    // Passes on what others have answered.
    'proxy/forward.ts',
  ]);
});

test('no file but a table is longer than 400 lines', () => {
  const long = files.filter(
    (file) => !file.startsWith('generated/') && readFileSync(join(src, file), 'utf8').split('\n').length > 400,
  );
  expect(long).toEqual([]);
});
