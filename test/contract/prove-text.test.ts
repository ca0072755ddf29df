import { expect, test } from 'vitest';
import { formatProveResult, type ProveResult } from '../../src/commands/contract/prove-text.js';
import type { ClauseVerdict } from '../../src/contract/mutation/kill-matrix.js';

const clause = (id: string, overrides: Partial<ClauseVerdict>): ClauseVerdict => ({
  id,
  level: 'documented',
  title: `${id} holds.`,
  mutant: `${id} is broken.`,
  verdict: 'killed',
  detail: 'failed: expected this, got that',
  otherDetectingClauses: [],
  alsoDetects: [],
  ...overrides,
});

const result: ProveResult = {
  depth: 'whole suite',
  shard: '3/20',
  startedAt: '2026-03-01T09:00:00.000Z',
  durationMs: 61_000,
  requests: 1_234,
  exitCode: 1,
  clauses: [
    clause('A-1', { otherDetectingClauses: ['B-1', 'C-1'] }),
    clause('B-1', { verdict: 'survived', detail: 'passed', alsoDetects: ['A-1'] }),
    clause('C-1', { verdict: 'no effect', detail: 'passed', alsoDetects: ['A-1'] }),
    clause('D-1', { verdict: 'no mutant', mutant: null, detail: '' }),
    clause('E-1', {}),
  ],
  survivors: ['B-1'],
  noEffect: ['C-1'],
  withoutMutant: ['D-1'],
  detectedOnlyOtherMutants: ['B-1', 'C-1'],
  detectedOnlyByOwnClause: ['E-1'],
};

test('the result of a mutation test is shown as one line for each clause, then the problems, then the summary', () => {
  expect(formatProveResult(result)).toBe(`✓  A-1  killed     detected by 2 more           A-1 is broken.
✗  B-1  survived                                B-1 is broken.
○  C-1  no effect                               C-1 is broken.
?  D-1  no mutant
✓  E-1  killed     detected by no other clause  E-1 is broken.

Clauses that did not detect their mutants:
  B-1  passed
  C-1  no effect: the mutant changed nothing

Clauses without a mutant:
  D-1

Clauses that failed only on mutants of other clauses:
  B-1
  C-1

Mutants detected only by their own clause: 1

2 of 5 clauses detected their mutants, shard 3/20; 1 survivor, 1 without effect, 1 without a mutant, 2 failed only on other mutants
each mutant was checked by the whole suite, in 1234 requests and 1 min 1 s
exit code 1: not every clause detected its mutant`);
});

test('if each mutant ran against its own clause only (--quick), other clauses are not mentioned', () => {
  const [first] = result.clauses;
  const text = formatProveResult({
    ...result,
    depth: 'own clause',
    shard: null,
    clauses: first ? [first] : [],
    exitCode: 0,
  });
  expect(text).toContain('A-1  killed  A-1 is broken.\n');
  expect(text).not.toContain('detected by');
  expect(text).toMatch(/\nexit code 0: every clause detected its mutant$/);
});
