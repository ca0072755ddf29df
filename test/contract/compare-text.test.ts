import { expect, test } from 'vitest';
import { formatComparison } from '../../src/commands/contract/compare-text.js';
import type { UnpairedRequest } from '../../src/contract/compare/pairs.js';
import { reportOf } from '../../src/contract/report/report.js';
import { sampleRun } from './sample-report.js';

/** Returns the line about requests that got a response from only one of the two targets. */
function unpairedLine(...unpaired: UnpairedRequest[]): string | undefined {
  const side = reportOf(sampleRun, [], [], '2026-03-01');
  const facts = { startedAt: '', durationMs: 0, exitCode: 0, differences: [], gaps: [], pairs: 0 };
  const text = formatComparison({ ...facts, a: side, b: side, unpaired }, { showsNoise: false });
  return text.split('\n').find((line) => line.includes('only one of the two'));
}

const list: UnpairedRequest = { side: 'a', operation: 'GET /payments', step: 'payment pages' };
const read: UnpairedRequest = { side: 'b', operation: 'GET /invoices/{invoice}', step: 'INV-DETAIL-46' };

test.each<[unpaired: UnpairedRequest[], line: string | undefined]>([
  [[], undefined],
  [[list], '1 request with a response from only one of the two: A GET /payments (payment pages)'],
  [
    [list, list, read, list],
    '4 requests with a response from only one of the two: A GET /payments (payment pages)  ×3, B GET /invoices/{invoice} (INV-DETAIL-46)',
  ],
  [
    [list, list, list, read, { ...read, side: 'a' }, { ...list, step: 'PAY-LIST-06' }],
    '6 requests with a response from only one of the two: A GET /payments (payment pages)  ×3, B GET /invoices/{invoice} (INV-DETAIL-46), A GET /invoices/{invoice} (INV-DETAIL-46), …',
  ],
])('requests without a counterpart are listed once each: %#', (unpaired, line) => {
  expect(unpairedLine(...unpaired)).toBe(line);
});
