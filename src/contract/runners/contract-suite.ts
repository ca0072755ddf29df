import type { ContractOptions } from '../engine/open-session.js';
import { checkTimeoutMs, clauses, type TestClause } from './clauses.js';
import { runningVitest } from './vitest.js';

/**
 * Defines the contract suite in your own vitest run, with one test for each clause.
 *
 *     import { contractSuite } from 'billing-sim/contract';
 *     contractSuite({ baseUrl: 'http://127.0.0.1:4010/api/v1', token });
 *
 * @throws UserError outside of a vitest run, or for an unknown option
 */
export function contractSuite(options: ContractOptions): void {
  const { afterAll, beforeAll, describe, test } = runningVitest();
  const suite = clauses(options);
  beforeAll(suite.open, checkTimeoutMs);
  afterAll(suite.close, checkTimeoutMs);
  for (const section of groupBySection(suite)) {
    describe(section[0].section, () => {
      for (const { title, timeout, check } of section) test(title, { timeout }, check);
    });
  }
}

/** Consecutive clauses under the same heading of the specification. */
type Section = [TestClause, ...TestClause[]];

/** Groups consecutive clauses of the same section. To keep all clauses in order, a section may occur several times. */
function groupBySection(testClauses: readonly TestClause[]): Section[] {
  const sections: Section[] = [];
  for (const clause of testClauses) {
    const last = sections.at(-1);
    if (last?.[0].section === clause.section) last.push(clause);
    else sections.push([clause]);
  }
  return sections;
}
