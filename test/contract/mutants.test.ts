import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProofSubjects, startProofSubjects } from '../../src/commands/contract/proof-subjects.js';
import type { KillMatrix } from '../../src/contract/mutation/kill-matrix.js';
import { isTestable, prove } from '../../src/contract/mutation/prove.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { mutants } from '../../src/contract/sections/mutants.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { isFullRun, sample } from '../support/sample.js';

/** Checks every clause against a target that violates it: the simulator behind a proxy that changes one thing. */

const testable = clauses.filter(isTestable);
const ids = testable.map(({ id }) => id);

let subjects: ProofSubjects;
beforeAll(async () => {
  subjects = await startProofSubjects();
});
afterAll(() => subjects.close());

describe('there is', () => {
  test('exactly one mutant for every testable clause', () => {
    expect(mutants.map(({ clause }) => clause).sort()).toEqual([...ids].sort());
  });

  test('only existing clauses in `after`', () => {
    expect(mutants.flatMap(({ after }) => after ?? []).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('a unique sentence for each mutant', () => {
    const titles = mutants.map(({ title }) => title);
    expect(titles.filter((title) => !/^[`A-Z].*\.$/.test(title))).toEqual([]);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});

const problems = ({ clauses: proofs }: KillMatrix): string[] =>
  proofs
    .filter(({ verdict, detail }) => verdict !== 'killed' || !detail.startsWith('failed: expected '))
    .map(({ id, verdict, detail }) => `${id} ${verdict}: ${detail}`);

test('every clause detects its own mutant', async () => {
  const matrix = await prove({
    clauses,
    mutants,
    chosen: sample(testable, 10),
    runsWholeSuite: false,
    createSubject: subjects.open,
  });
  expect(problems(matrix)).toEqual([]);
});

/** Testing all mutants against the whole suite takes a quarter of an hour on an idle machine. */
const wholeSuiteLimitMs = isFullRun ? 20 * hangTimeoutMs : hangTimeoutMs;

test('in a run of all clauses, every clause detects its own mutant', { timeout: wholeSuiteLimitMs }, async () => {
  const chosen = sample(testable, 150);
  const matrix = await prove({ clauses, mutants, chosen, runsWholeSuite: true, createSubject: subjects.open });
  expect(matrix.clauses).not.toEqual([]);
  expect(problems(matrix)).toEqual([]);
});
