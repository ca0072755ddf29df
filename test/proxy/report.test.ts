import { expect, test } from 'vitest';
import type { Deviation } from '../../src/proxy/deviation.js';
import { Report } from '../../src/proxy/report.js';

const deviation: Deviation = {
  severity: 'error',
  operation: 'GET /invoices',
  status: 200,
  side: 'response',
  part: 'body',
  at: 'data.total',
  rule: 'type',
  message: 'must be integer, but is string',
  gaps: [],
};
const note: Deviation = { ...deviation, severity: 'note', gaps: ['decimal.encoding'] };

test('a thousand equal deviations are reported once, and counted', () => {
  const report = new Report();
  const reported = Array.from({ length: 1_000 }, () => report.add([deviation, note]));
  expect(reported.flat()).toEqual([deviation, note]);
  expect(report.summary()).toEqual({
    requests: 1_000,
    unanswered: 0,
    errors: [{ ...deviation, count: 1_000 }],
    notes: [{ ...note, count: 1_000 }],
    unlisted: 0,
  });
});

test('every distinct deviation is reported', () => {
  const report = new Report();
  const otherDeviations = [
    { ...deviation, status: 201 },
    { ...deviation, at: 'data.per_page' },
    { ...deviation, rule: 'minimum' },
    { ...deviation, operation: 'GET /payments' },
  ];
  const deviations = [deviation, ...otherDeviations];
  expect(report.add(deviations)).toEqual(deviations);
});

test('after 1,000 distinct deviations, new ones are not listed, and listed ones are still counted', () => {
  const report = new Report();
  for (let number = 0; number < 1_500; number += 1) report.add([{ ...deviation, operation: `GET /${number}` }]);
  const { errors, unlisted } = report.summary();
  expect([errors.length, unlisted]).toEqual([1_000, 500]);
  report.add([{ ...deviation, operation: 'GET /7' }]);
  expect(report.summary().errors).toContainEqual({ ...deviation, operation: 'GET /7', count: 2 });
});
