import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SimulatorTarget, startSimulatorTarget } from '../../src/commands/contract/simulator-target.js';
import type { KillMatrix } from '../../src/contract/mutation/kill-matrix.js';
import { canFail, prove } from '../../src/contract/mutation/prove.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { mutants } from '../../src/contract/sections/mutants.js';
import { isRecord } from '../../src/lib/json.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { isFullRun, sampleUnlessFull } from '../support/sample.js';

/** Checks every clause against a target that violates it: the simulator behind a proxy that changes one thing. */

const clausesThatCanFail = clauses.filter(canFail);
const testableIds = clausesThatCanFail.map(({ id }) => id);

const sections = fileURLToPath(new URL('../../src/contract/sections/', import.meta.url));

interface ExportedItem {
  /** Folder of `sections` with the module that exports the item. */
  readonly folder: string;
  /** A clause, the row of a mutant or something else. */
  readonly item: unknown;
}

/** Returns the items of all arrays, such as lists of clauses, that the modules in folders of `sections` export. */
async function readExportedItems(): Promise<ExportedItem[]> {
  const items: ExportedItem[] = [];
  for (const { name: folder } of readdirSync(sections, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    for (const file of readdirSync(join(sections, folder))) {
      const module: object = await import(join(sections, folder, file));
      items.push(
        ...Object.values(module)
          .filter(Array.isArray)
          .flat()
          .map((item) => ({ folder, item })),
      );
    }
  return items;
}

let simulator: SimulatorTarget;
beforeAll(async () => {
  simulator = await startSimulatorTarget();
});
afterAll(() => simulator.close());

describe('the list of mutants', () => {
  test('has exactly one mutant for every testable clause', () => {
    expect(mutants.map(({ clause }) => clause).sort()).toEqual([...testableIds].sort());
  });

  test('takes each mutant from the folder of its clause', async () => {
    const items = await readExportedItems();
    const foldersWith = (isSelected: (item: unknown) => boolean): string => {
      const folders = new Set(items.filter(({ item }) => isSelected(item)).map(({ folder }) => folder));
      return [...folders].join(' and ') || 'no folder';
    };
    const misplaced = mutants
      .map(({ clause: id }) => ({
        id,
        clauseFolder: foldersWith((item) => isRecord(item) && item['id'] === id && 'check' in item),
        mutantFolder: foldersWith((item) => Array.isArray(item) && item[0] === id),
      }))
      .filter(({ clauseFolder, mutantFolder }) => clauseFolder !== mutantFolder || clauseFolder === 'no folder');
    expect(
      misplaced.map(
        ({ id, clauseFolder, mutantFolder }) => `${id}: clause in ${clauseFolder}, mutant in ${mutantFolder}`,
      ),
    ).toEqual([]);
  });

  test('names only testable clauses as prerequisites', () => {
    expect(mutants.flatMap(({ runsAfter }) => runsAfter ?? []).filter((id) => !testableIds.includes(id))).toEqual([]);
  });

  test('gives each mutant a unique title, which is a sentence', () => {
    const titles = mutants.map(({ title }) => title);
    expect(titles.filter((title) => !/^[`A-Z].*\.$/.test(title))).toEqual([]);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});

const problemsOf = ({ clauses: verdicts }: KillMatrix): string[] =>
  verdicts
    .filter(({ verdict, detail }) => verdict !== 'killed' || !detail.startsWith('failed: expected '))
    .map(({ id, verdict, detail }) => `${id} ${verdict}: ${detail}`);

test('every clause detects its own mutant', async () => {
  const matrix = await prove({
    clauses,
    mutants,
    clausesToProve: sampleUnlessFull(clausesThatCanFail, { oneIn: 40 }),
    runsWholeSuite: false,
    createImplementation: simulator.open,
  });
  expect(problemsOf(matrix)).toEqual([]);
});

/** All mutants against the whole suite take a quarter of an hour on an idle machine. */
const wholeSuiteTimeoutMs = 20 * hangTimeoutMs;

test('in a run of all clauses, every clause detects its own mutant', {
  timeout: wholeSuiteTimeoutMs,
}, async (context) => {
  // prove-command.test.ts runs all clauses against two mutants.
  context.skip(!isFullRun, '`npm run test:full` runs it');
  const matrix = await prove({
    clauses,
    mutants,
    clausesToProve: clausesThatCanFail,
    runsWholeSuite: true,
    createImplementation: simulator.open,
  });
  expect(matrix.clauses).not.toEqual([]);
  expect(problemsOf(matrix)).toEqual([]);
});
