import { describe, expect, test } from 'vitest';
import type { Result, Status } from '../../src/contract/engine/check-clauses.js';
import type { Exchange } from '../../src/contract/engine/exchange.js';
import { clauseReport } from '../../src/contract/report/clause-report.js';
import { clauses } from '../../src/contract/sections/clauses.js';

const numbers = [1, 2, 3, 4, 5, 6, 7];

/** Returns a result with seven exchanges, whose bodies are their numbers, and a driver call for each. */
function resultWith(status: Status): Result {
  const [clause] = clauses;
  if (!clause) throw new Error('the suite has no clauses');
  const evidence = numbers.map(
    (number): Exchange => ({
      call: { method: 'GET', path: '/invoices/stats' },
      url: 'http://localhost/api/v1/invoices/stats',
      status: 200,
      headers: {},
      text: String(number),
      json: number,
      milliseconds: 1,
    }),
  );
  const driverCalls = numbers.map((number) => `payLink (id ${number})`);
  return { clause, status, detail: '', evidence, deliveries: [], driverCalls, milliseconds: 1 };
}

describe.each<[Status, bodies: string[], driverCalls: string[] | undefined]>([
  ['failed', ['1', '2', '3', '4', '5'], ['payLink (id 5)', 'payLink (id 6)', 'payLink (id 7)']],
  ['warned', ['1', '2', '3', '4', '5'], ['payLink (id 5)', 'payLink (id 6)', 'payLink (id 7)']],
  ['passed', ['3', '4', '5', '6', '7'], undefined],
  ['observed', ['3', '4', '5', '6', '7'], undefined],
])('a report on a clause that is %s', (status, bodies, driverCalls) => {
  const report = clauseReport(resultWith(status), (text) => text);

  test(`has the exchanges ${bodies.join(', ')} of seven`, () => {
    expect(report.evidence.map(({ response }) => response.body)).toEqual(bodies);
  });

  test(`has ${driverCalls === undefined ? 'no driver calls' : 'the last three driver calls'}`, () => {
    expect(report.driverCalls).toEqual(driverCalls);
  });
});
