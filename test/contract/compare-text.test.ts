import { expect, test } from 'vitest';
import { formatComparison } from '../../src/commands/contract/compare-text.js';
import type { Comparison } from '../../src/contract/compare/compare.js';
import type { LabeledDifference } from '../../src/contract/compare/compare-runs.js';
import type { UnpairedRequest } from '../../src/contract/compare/pairs.js';
import { reportOf } from '../../src/contract/report/report.js';
import { sampleRun } from './sample-report.js';

function linesOf(overrides: Partial<Comparison>): string[] {
  const side = reportOf(sampleRun, [], [], '2026-03-01');
  const emptyComparison = {
    startedAt: '',
    durationMs: 0,
    exitCode: 0,
    differences: [],
    gaps: [],
    unpaired: [],
    pairs: 0,
  };
  return formatComparison({ ...emptyComparison, a: side, b: side, ...overrides }, { showsNoise: false }).split('\n');
}

const list: UnpairedRequest = { side: 'a', operation: 'GET /payments', step: 'payment pages' };
const read: UnpairedRequest = { side: 'b', operation: 'GET /invoices/{invoice}', step: 'INV-DETAIL-46' };

test.each<[what: string, unpaired: UnpairedRequest[], line: string | undefined]>([
  ['none', [], undefined],
  ['one', [list], '1 request with a response from only one of the two: A GET /payments (payment pages)'],
  [
    'equal ones, which are counted',
    [list, list, read, list],
    '4 requests with a response from only one of the two: A GET /payments (payment pages)  ×3, B GET /invoices/{invoice} (INV-DETAIL-46)',
  ],
  [
    'more than three different ones',
    [list, list, list, read, { ...read, side: 'a' }, { ...list, step: 'PAY-LIST-06' }],
    '6 requests with a response from only one of the two: A GET /payments (payment pages)  ×3, B GET /invoices/{invoice} (INV-DETAIL-46), A GET /invoices/{invoice} (INV-DETAIL-46), …',
  ],
])('requests without a counterpart are listed in one line: %s', (_what, unpaired, expectedLine) => {
  expect(linesOf({ unpaired }).find((line) => line.includes('only one of the two'))).toBe(expectedLine);
});

test('differences that the same gaps may explain are in one block, whatever the order of their gaps', () => {
  const difference = (place: string, gaps: readonly string[]): LabeledDifference => ({
    label: 'gap',
    operation: 'GET /payments',
    place,
    a: '200',
    b: '422',
    clauses: [],
    gaps,
    wrongTypes: [],
    count: 1,
    example: { step: 'payments', a: null, b: null },
  });
  const differences = [
    difference('status', ['page.invalid', 'list.order']),
    difference('data', ['list.order', 'page.invalid']),
  ];
  expect(linesOf({ differences }).filter((line) => line.startsWith('? '))).toEqual(['? list.order or page.invalid']);
});

test.each([
  [{ wrongTypes: ['b'] }, 'a value of a wrong type', '1 value of a wrong type'],
  [{ serverErrors: ['b'] }, 'a server error', '1 server error'],
] as const)('a violation of one side that no clause detected is explained: %o', (defect, line, reason) => {
  const difference: LabeledDifference = {
    label: 'violation',
    operation: 'POST /invoices',
    place: '/data',
    a: '{}',
    b: '[]',
    clauses: [],
    gaps: [],
    ...defect,
    count: 1,
    example: { step: 'an invoice', a: null, b: null },
  };
  const lines = linesOf({ exitCode: 1, differences: [difference] });
  expect(lines).toEqual(expect.arrayContaining(['✗ POST /invoices  /data', `    B has ${line}`]));
  expect(lines.at(-1)).toBe(`exit code 1: B has ${reason}`);
});

test('the exit code is explained without the inferred clauses whose violation is only a warning', () => {
  const side = reportOf(sampleRun, [], [], '2026-03-01');
  const clause = { title: 'The amount is a decimal.', side: 'b' } as const;
  const difference: LabeledDifference = {
    label: 'violation',
    operation: 'GET /payments',
    place: '/data/data/*/amount',
    a: '5',
    b: 'nothing',
    clauses: [
      { ...clause, id: 'PAY-FIELD-01', level: 'documented' },
      { ...clause, id: 'PAY-FIELD-02', level: 'inferred' },
    ],
    gaps: [],
    count: 1,
    example: { step: 'payments', a: null, b: null },
  };
  const b = { ...side, summary: { ...side.summary, failed: 1, warned: 1 } };
  expect(linesOf({ exitCode: 1, differences: [difference], b }).at(-1)).toBe('exit code 1: B violates 1 clause');
});

test('a violation that no difference explains says what each side did', () => {
  const difference: LabeledDifference = {
    label: 'violation',
    operation: 'POST /payment-links',
    place: 'expected a client error (4xx)',
    a: 'as expected',
    b: 'status 201',
    clauses: [{ id: 'AUTH-SCOPE-08', level: 'documented', title: 'It is refused.', side: 'b' }],
    gaps: [],
    count: 1,
    example: { step: 'AUTH-SCOPE-08', a: null, b: null },
  };
  const lines = linesOf({ exitCode: 1, differences: [difference] });
  expect(lines).toEqual(expect.arrayContaining(['    A: as expected', '    B: status 201']));
});
