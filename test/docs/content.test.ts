import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFullProgram } from '../../src/commands/program.js';
import { sectionsOf } from '../../src/commands/support/configuration.js';
import { verbNames } from '../../src/domain/scenario.js';
import { testCards } from '../../src/domain/test-cards.js';
import { startSimulator } from '../../src/index.js';
import { pagesWithCounts, withCounts } from './counts.js';
import { readPage, root } from './page.js';

test('README has at most 150 lines', () => {
  expect(readPage('README.md').split('\n').length).toBeLessThanOrEqual(150);
});

test.each(pagesWithCounts)('%s states the current numbers of contract clauses, mutants and planted faults', (name) => {
  expect(readPage(name), 'stale: run `npm run docs`').toBe(withCounts(name, readPage(name)));
});

test('docs/configuration.md lists the sections of a configuration file', async () => {
  const { sections } = sectionsOf(await createFullProgram());
  const [, list = ''] = /These commands have sections: ([^.]*)\./.exec(readPage('docs/configuration.md')) ?? [];
  expect([...list.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)).toEqual([...sections.keys()]);
});

test('docs/scenarios.md lists every verb of a step', () => {
  const [, table = ''] = /\| `for` \| `do` \| `with` \|\n((?:\|.*\n)*)/.exec(readPage('docs/scenarios.md')) ?? [];
  const verbColumns = table.split('\n').map((row) => row.split('|')[2] ?? '');
  const listedVerbs = verbColumns.flatMap((column) => [...column.matchAll(/`(\w+)`/g)].map(([, verb]) => verb));
  expect([...new Set(listedVerbs)].sort()).toEqual([...verbNames].sort());
});

test('docs/browser.md lists every test card', () => {
  const listedCards = [...readPage('docs/browser.md').matchAll(/^\| (\d{4} \d{4} \d{4} \d{4}) /gm)].map(
    ([, card]) => card,
  );
  expect(listedCards).toEqual(testCards.map(({ number }) => number));
});

/** Names of an object's methods, including those of nested objects, such as `agenda` and `clock.advance`. */
function methodsOf(object: object): string[] {
  return Object.entries(object).flatMap(([name, member]) => {
    if (typeof member === 'function') return [name];
    return typeof member === 'object' && member !== null ? methodsOf(member).map((inner) => `${name}.${inner}`) : [];
  });
}

/** The first cells of the rows of all tables on a page. */
function firstCells(page: string): string[] {
  return [...readPage(page).matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = '']) => cell);
}

/** Names of the methods in a cell of a table: `clock.freeze` and `clock.resume` for "`clock.freeze()`, `resume()`". */
function methodsInCell(cell: string): string[] {
  let group: string | undefined;
  return [...cell.matchAll(/`(?:(\w+)\.)?(\w+)\(/g)].map(([, ownGroup, name = '']) => {
    group = ownGroup ?? group;
    return group === undefined ? name : `${group}.${name}`;
  });
}

test('docs/library.md lists the methods of an account', async () => {
  const simulator = await startSimulator({ log: () => undefined });
  const methods = methodsOf(await simulator.createAccount());
  await simulator.close();
  const listedMethods = firstCells('docs/library.md').flatMap(methodsInCell);
  expect(methods).toEqual(expect.arrayContaining(['agenda', 'clock.advance']));
  expect(listedMethods.sort()).toEqual(methods.sort());
});

test('docs/library.md names every option of startSimulator', () => {
  const source = readFileSync(join(root, 'src/library/simulator.ts'), 'utf8');
  const [, options = ''] = /interface SimulatorOptions \{(.*?)^\}/ms.exec(source) ?? [];
  const names = [...options.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name);
  expect(names).toContain('port');
  const cells = firstCells('docs/library.md');
  expect(names.filter((name) => !cells.some((cell) => cell.includes(`\`${name}\``)))).toEqual([]);
});

test('docs/architecture.md names every folder of src', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const page = readPage('docs/architecture.md');
  expect(folders.map(({ name }) => `\`src/${name}\``).filter((folder) => !page.includes(folder))).toEqual([]);
});

test('docs/architecture.md names only files that exist', () => {
  const fileMatches = readPage('docs/architecture.md').matchAll(/`([a-z-]+\/[\w./-]+\.(?:ts|mjs|yaml))`/g);
  const files = [...fileMatches].map(([, file = '']) => file);
  expect(files).toEqual(expect.arrayContaining(['src/cli.ts', 'http/app.ts', 'test/domain/money.test.ts']));
  // Paths of most files in `src` are relative to that folder.
  expect(files.filter((file) => !existsSync(join(root, file)) && !existsSync(join(root, 'src', file)))).toEqual([]);
});
