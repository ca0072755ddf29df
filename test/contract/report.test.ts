import { describe, expect, test } from 'vitest';
import { missingResponse } from '../../src/contract/engine/run.js';
import type { Waiver } from '../../src/contract/engine/waivers.js';
import type { ClauseReport, Evidence } from '../../src/contract/report/clause-report.js';
import { meaningOf, type Run } from '../../src/contract/report/report.js';
import { checkedOptions, runReport } from '../../src/contract/report/run-report.js';
import { clause, exchange, report, run } from './sample.js';

const passed = clause();
const failed = clause({ id: 'INV-STATS-02', status: 'failed', detail: 'expected 1, got 2' });
const skipped = clause({ id: 'INV-STATS-03', status: 'skipped', missing: '--write' });
const warned = clause({ id: 'INV-STATS-17', level: 'inferred', status: 'warned' });
const observed = clause({ id: 'INV-STATS-30', level: 'open', status: 'observed', detail: 'number' });
const driverBroke = clause({ id: 'INV-STATS-04', status: 'broken', detail: 'payLink of the driver failed: no' });
const suiteBroke = clause({ id: 'INV-STATS-05', status: 'broken', detail: 'the suite failed: TypeError: x' });

const waiver: Waiver = { clause: 'INV-STATS-02', reason: 'known', until: '2026-03-01' };

describe('the result of a run', () => {
  test.each<[what: string, code: number, meaning: string, ClauseReport[], Partial<Run>?, Waiver[]?]>([
    ['a pass', 0, 'all verified clauses hold', [passed, skipped, warned, observed]],
    ['a violation', 1, '1 clause is violated', [passed, failed]],
    ['several', 1, '2 clauses are violated', [failed, { ...failed, id: 'INV-STATS-06' }]],
    [
      'a violation, whatever else went wrong',
      1,
      '1 clause is violated',
      [failed, driverBroke, suiteBroke],
      { problems: ['x'], hasCrashed: true },
    ],
    ['nothing verified', 2, 'no documented clause was verified', [skipped]],
    [
      'nothing verified, by what is not documented',
      2,
      'no documented clause was verified',
      [skipped, warned, observed],
    ],
    ['nothing documented asked for', 0, 'no documented clause was selected', [warned]],
    ['a driver that failed', 2, 'the driver failed, so some clauses could not be checked', [passed, driverBroke]],
    [
      'requests without an answer',
      2,
      'some clauses could not be checked properly',
      [passed],
      { problems: ['no answer'] },
    ],
    [
      'a suite that failed in a clause',
      4,
      'the suite itself failed, which says nothing about the target',
      [passed, suiteBroke],
    ],
    [
      'a suite that failed elsewhere',
      4,
      'the suite itself failed, which says nothing about the target',
      [passed],
      { hasCrashed: true, problems: ['x'] },
    ],
    ['a waived violation', 0, 'all verified clauses hold', [passed, failed], {}, [waiver]],
    [
      'a waiver that has run out',
      1,
      '1 clause is violated',
      [passed, failed],
      {},
      [{ ...waiver, until: '2026-02-28' }],
    ],
    [
      'a waiver of what passes',
      3,
      '1 waiver is stale and must be removed',
      [passed],
      {},
      [{ ...waiver, clause: 'INV-STATS-01' }],
    ],
    [
      'a waiver that has run out, of what passes',
      3,
      '1 waiver is stale and must be removed',
      [passed],
      {},
      [{ ...waiver, clause: 'INV-STATS-01', until: '2026-02-28' }],
    ],
    [
      'a waiver that has run out, of what is skipped',
      3,
      '1 waiver is stale and must be removed',
      [passed, skipped],
      {},
      [{ ...waiver, clause: 'INV-STATS-03', until: '2026-02-28' }],
    ],
    [
      'a waiver of what is open',
      3,
      '1 waiver is stale and must be removed',
      [passed, observed],
      {},
      [{ ...waiver, clause: 'INV-STATS-30' }],
    ],
    [
      'a waiver of what is skipped',
      0,
      'all verified clauses hold',
      [passed, skipped],
      {},
      [{ ...waiver, clause: 'INV-STATS-03' }],
    ],
    ['a waiver of what was not asked for', 0, 'all verified clauses hold', [passed], {}, [waiver]],
    [
      'a waiver of what only warns',
      0,
      'all verified clauses hold',
      [passed, warned],
      {},
      [{ ...waiver, clause: 'INV-STATS-17' }],
    ],
  ])('%s: %i, %s', (_what, code, meaning, clauses, run = {}, waivers = []) => {
    const made = report(clauses, run, waivers);
    expect(made.exitCode).toBe(code);
    expect(meaningOf(made)).toBe(meaning);
  });
});

test('skipped or broken clauses are not verified; waived ones are', () => {
  const { summary } = report([passed, failed, skipped, warned, observed, driverBroke], {}, [waiver]);
  expect(summary).toEqual({
    passed: 1,
    failed: 0,
    warned: 1,
    skipped: 1,
    observed: 1,
    waived: 1,
    broken: 1,
    documented: 4,
    verified: 2,
  });
});

test('a waived clause shows its waiver', () => {
  expect(report([failed], {}, [waiver]).clauses[0]).toMatchObject({
    status: 'waived',
    detail: 'expected 1, got 2; waived until 2026-03-01: known',
  });
});

test('a stale waiver says why', () => {
  const out = { ...waiver, until: '2026-02-28' };
  expect(report([failed, passed], {}, [out, { ...waiver, clause: 'INV-STATS-01' }]).staleWaivers).toEqual([
    { clause: 'INV-STATS-02', why: 'it expired on 2026-02-28' },
    { clause: 'INV-STATS-01', why: 'the clause passes now' },
  ]);
});

describe('evidence shared by several clauses', () => {
  const answer = (body: string): Evidence => ({ ...exchange, response: { ...exchange.response, body } });
  const [one, two, three] = [answer('one'), answer('two'), answer('three')];
  const bodies = ({ evidence }: ClauseReport): string[] => evidence.map(({ response }) => response.body);
  const shown = (...clauses: ClauseReport[]) =>
    report(clauses).clauses.map((each) => [each.id, bodies(each), each.evidenceIn]);

  test('is kept with the first of them, and the others refer to it', () => {
    expect(
      shown(
        clause({ id: 'A-1', evidence: [one, two] }),
        clause({ id: 'A-2', evidence: [two, three] }),
        clause({ id: 'A-3', status: 'observed', evidence: [one, three] }),
      ),
    ).toEqual([
      ['A-1', ['one', 'two'], undefined],
      ['A-2', ['three'], ['A-1']],
      ['A-3', [], ['A-1', 'A-2']],
    ]);
  });

  test.each(['failed', 'warned'] as const)('is preferably kept with one that is %s', (status) => {
    expect(
      shown(clause({ id: 'A-1', evidence: [one, two] }), clause({ id: 'A-2', status, evidence: [one, two] })),
    ).toEqual([
      ['A-1', [], ['A-2']],
      ['A-2', ['one', 'two'], undefined],
    ]);
  });

  test('is not kept only with a clause that a resumed run checks again', () => {
    expect(
      shown(
        clause({ id: 'A-1', status: 'broken', evidence: [one, two] }),
        clause({ id: 'A-2', status: 'skipped', missing: missingResponse, evidence: [one, two] }),
        clause({ id: 'A-3', evidence: [one, two] }),
      ),
    ).toEqual([
      ['A-1', ['one'], ['A-3']],
      ['A-2', [], ['A-3']],
      ['A-3', ['one', 'two'], undefined],
    ]);
  });

  test('can refer to clauses of the resumed report', () => {
    const kept = clause({ id: 'A-2', evidence: [one], evidenceIn: ['A-0'] });
    expect(shown(clause({ id: 'A-1', evidence: [one] }), kept)).toEqual([
      ['A-1', ['one'], undefined],
      ['A-2', [], ['A-0', 'A-1']],
    ]);
  });

  test('is kept with each violation that it shows', () => {
    expect(
      shown(
        clause({ id: 'A-1', status: 'failed', evidence: [one, two] }),
        clause({ id: 'A-2', status: 'failed', evidence: [one, two] }),
        clause({ id: 'A-3', status: 'failed', evidence: [two, one] }),
      ),
    ).toEqual([
      ['A-1', ['one', 'two'], undefined],
      ['A-2', ['one'], ['A-1']],
      ['A-3', ['two'], ['A-1']],
    ]);
  });

  test('may be webhooks', () => {
    const webhook = { method: 'POST', path: '/', headers: {}, body: '{}', receivedAt: '2026-03-01T09:00:00.000Z' };
    const made = report([clause({ id: 'A-1', deliveries: [webhook] }), clause({ id: 'A-2', deliveries: [webhook] })]);
    expect(made.clauses.map(({ deliveries, evidenceIn }) => [deliveries.length, evidenceIn])).toEqual([
      [1, undefined],
      [0, ['A-1']],
    ]);
  });
});

test('a pass keeps the last evidence, shortened; a violation keeps everything', () => {
  const long = (letter: string): Evidence => ({
    ...exchange,
    response: { ...exchange.response, body: letter.repeat(4_000) },
  });
  const all = ['a', 'b', 'c', 'd', 'e'].map(long);
  const kept = (status: 'passed' | 'failed'): string[] =>
    report([clause({ status, evidence: all })]).clauses.flatMap(({ evidence }) =>
      evidence.map(({ response: { body } }) => `${body.slice(0, 1)} ${body.length}`),
    );
  expect(kept('passed')).toEqual(['d 1000', 'e 1000']);
  expect(kept('failed')).toEqual(['a 4000', 'b 4000', 'c 4000', 'd 4000', 'e 4000']);
});

describe('a report that resumes another', () => {
  const target = 'http://127.0.0.1:4010/api/v1';
  const about = { target, version: '0.1.0', options: checkedOptions({ baseUrl: target, token: 'a-token' }, true) };
  const standing = { ...waiver, until: '2026-12-31' };
  const breach = { ...failed, expected: '1', got: '2' };
  const ids = ['INV-STATS-01', 'INV-STATS-02', 'INV-STATS-03'];
  const lost = clause({ id: 'INV-STATS-03', status: 'skipped', missing: missingResponse, detail: 'GET /: gone' });
  const first = runReport(
    about,
    { ...run, problems: ['1 request got no response'], gaps: [{ id: 'auth.scope', observed: '401' }] },
    { ids, results: [clause(), breach, lost], waivers: [standing] },
    undefined,
  );

  test('is complete once every clause is decided', () => {
    const results = [clause({ id: 'INV-STATS-03' })];
    const again = { ...run, startedAt: new Date('2026-03-02'), requests: 5, durationMs: 79 };
    const second = runReport(about, again, { ids, results, waivers: [standing] }, first);
    expect([first.complete, first.exitCode]).toEqual([false, 2]);
    expect(second).toMatchObject({ complete: true, exitCode: 0, problems: [], requests: 210, durationMs: 4_400 });
    expect(second.startedAt).toBe(first.startedAt);
    expect(second.gaps).toEqual(first.gaps);
    expect(second.clauses.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'INV-STATS-01 passed',
      'INV-STATS-02 waived',
      'INV-STATS-03 passed',
    ]);
  });

  test('applies its own waivers, not those of the resumed report', () => {
    const second = runReport(about, run, { ids, results: [], waivers: [] }, first);
    expect(second.clauses[1]).toMatchObject({ status: 'failed', detail: breach.detail });
    expect(second.exitCode).toBe(1);
  });

  test('can replace the observation of a gap', () => {
    const own = { ...run, gaps: [{ id: 'auth.scope', observed: '403' }] };
    expect(runReport(about, own, { ids, results: [], waivers: [] }, first).gaps).toEqual(own.gaps);
  });
});
