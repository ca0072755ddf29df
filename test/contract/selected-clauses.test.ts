import { describe, expect, test } from 'vitest';
import { isFullRun } from '../support/sample.js';
import { nonOpenClauses } from './clauses-by-topic.js';
import { checkClauses, type Outcome, openSecondImplementation } from './support.js';

const sections = nonOpenClauses.map(({ id }) => id.replace(/-.*/, ''));
const topics = nonOpenClauses.map(({ id }) => id.replace(/-\d+$/, ''));
const ids = nonOpenClauses.map(({ id }) => id);

/** Selections that only a full run tests. */
const otherSelections: [name: string, names: readonly string[]][] = [
  ['with only those of their topic', topics],
  ['alone', ids],
];

/** Checks the clauses whose ids begin with a prefix, as `contract --only` does, against the second implementation. */
const check = async (prefix: string): Promise<Outcome> =>
  checkClauses(
    await openSecondImplementation(),
    nonOpenClauses.filter(({ id }) => `${id}-`.startsWith(prefix)),
    { eventuallyTimeoutMs: 1_000 },
  );

describe('clauses that pass in a whole run also pass', () => {
  test.each<[name: string, names: readonly string[]]>([
    ['with only those of their section', sections],
    ...(isFullRun ? otherSelections : []),
  ])('%s', { timeout: 120_000 }, async (_name, names) => {
    const passedInWholeRun = new Set((await check('')).idsWithStatus('passed'));
    const notPassed: string[] = [];
    for (const name of new Set(names)) {
      const { results } = await check(`${name}-`);
      notPassed.push(...results.filter(({ status }) => status !== 'passed').map(({ clause }) => clause.id));
    }
    expect(notPassed.filter((id) => passedInWholeRun.has(id))).toEqual([]);
  });
});
