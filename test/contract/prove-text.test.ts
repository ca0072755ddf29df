import { expect, test } from 'vitest';
import { formatProof, type Proof } from '../../src/commands/contract/prove-text.js';
import type { ClauseProof } from '../../src/contract/mutation/kill-matrix.js';

const clause = (id: string, overrides: Partial<ClauseProof>): ClauseProof => ({
  id,
  level: 'documented',
  title: `${id} holds.`,
  mutant: `${id} is broken.`,
  verdict: 'killed',
  detail: 'failed: expected this, got that',
  alsoDetectedBy: [],
  alsoDetects: [],
  ...overrides,
});

const proof: Proof = {
  depth: 'whole suite',
  share: '3/20',
  startedAt: '2026-03-01T09:00:00.000Z',
  durationMs: 61_000,
  requests: 1_234,
  exitCode: 1,
  clauses: [
    clause('A-1', { alsoDetectedBy: ['B-1', 'C-1'] }),
    clause('B-1', { verdict: 'survived', detail: 'passed', alsoDetects: ['A-1'] }),
    clause('C-1', { verdict: 'no-effect', detail: 'passed', alsoDetects: ['A-1'] }),
    clause('D-1', { verdict: 'no mutant', mutant: null, detail: '' }),
    clause('E-1', {}),
  ],
  survivors: ['B-1'],
  noEffect: ['C-1'],
  withoutMutant: ['D-1'],
  detectedOnlyElsewhere: ['B-1', 'C-1'],
  detectedByOne: ['E-1'],
};

test('a proof is shown as one line for each clause, then the problems, then the summary', () => {
  expect(formatProof(proof)).toBe(`✓  A-1  killed     caught by 2 more           A-1 is broken.
✗  B-1  survived                              B-1 is broken.
○  C-1  no-effect                             C-1 is broken.
?  D-1  no mutant
✓  E-1  killed     caught by no other clause  E-1 is broken.

Not caught by their clauses:
  B-1  passed
  C-1  no effect: the mutant changed nothing

Clauses without a mutant:
  D-1

Clauses whose mutant was detected only by other clauses:
  B-1
  C-1

Caught only by their own clause: 1 mutant

2 of 5 clauses caught their mutants, share 3/20; 1 survivor, 1 without effect, 1 without a mutant, 2 detected only by other clauses
each mutant run against the whole suite, in 1234 requests and 1 min 1 s
exit code 1: not every clause caught a mutant of its own`);
});

test('with --quick, other clauses are not mentioned', () => {
  const [first] = proof.clauses;
  const text = formatProof({
    ...proof,
    depth: 'own clause',
    share: null,
    clauses: first ? [first] : [],
    exitCode: 0,
  });
  expect(text).toContain('A-1  killed  A-1 is broken.\n');
  expect(text).not.toContain('caught by');
  expect(text).toMatch(/\nexit code 0: every clause caught its mutant$/);
});
