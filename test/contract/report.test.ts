import { describe, expect, test } from 'vitest';
import { missingEarlierStep, missingResponse } from '../../src/contract/engine/check-clauses.js';
import type { ClauseReport, Evidence, Waiver } from '../../src/contract/report/clause-report.js';
import { explainExitCode, type RunFacts } from '../../src/contract/report/report.js';
import { combineResults, type RunReport, runReport } from '../../src/contract/report/run-report.js';
import { sampleClause, sampleExchange, sampleReport, sampleRun } from './sample-report.js';

const passed = sampleClause();
const failed = sampleClause({ id: 'INV-STATS-02', status: 'failed', detail: 'expected 1, got 2' });
const skipped = sampleClause({ id: 'INV-STATS-03', status: 'skipped', missing: '--write' });
const warned = sampleClause({ id: 'INV-STATS-17', level: 'inferred', status: 'warned' });
const observed = sampleClause({ id: 'INV-STATS-30', level: 'open', status: 'observed', detail: 'number' });
const brokenByDriver = sampleClause({
  id: 'INV-STATS-04',
  status: 'broken',
  detail: "the driver's payLink() failed: card refused",
});
const brokenBySuite = sampleClause({ id: 'INV-STATS-05', status: 'broken', detail: 'the suite failed: TypeError: x' });

const waiver: Waiver = { clause: 'INV-STATS-02', reason: 'known', until: '2026-03-01' };

describe('the result of a run', () => {
  test.each<[what: string, code: number, meaning: string, ClauseReport[], Partial<RunFacts>?, Waiver[]?]>([
    ['a pass', 0, 'all verified clauses hold', [passed, skipped, warned, observed]],
    ['a violation', 1, '1 clause is violated', [passed, failed]],
    ['two violations', 1, '2 clauses are violated', [failed, { ...failed, id: 'INV-STATS-06' }]],
    [
      'a violation, even if the driver and the suite failed too',
      1,
      '1 clause is violated',
      [failed, brokenByDriver, brokenBySuite],
      { problems: ['x'], hasSuiteFailed: true },
    ],
    ['all clauses skipped', 2, 'no documented clause was verified', [skipped]],
    [
      'a documented clause skipped, and only others checked',
      2,
      'no documented clause was verified',
      [skipped, warned, observed],
    ],
    ['no documented clause selected, only an inferred one', 0, 'no documented clause was selected', [warned]],
    ['a driver that failed', 2, 'the driver failed, so some clauses could not be checked', [passed, brokenByDriver]],
    [
      'requests without a response',
      2,
      'some clauses could not be checked properly',
      [passed],
      { problems: ['no response'] },
    ],
    [
      'a suite that failed in a clause',
      4,
      'the suite itself failed, which says nothing about the target',
      [passed, brokenBySuite],
    ],
    [
      'a suite that failed outside of the clauses',
      4,
      'the suite itself failed, which says nothing about the target',
      [passed],
      { hasSuiteFailed: true, problems: ['x'] },
    ],
    ['a waived violation', 0, 'all verified clauses hold, except waived ones', [passed, failed], {}, [waiver]],
    ['an expired waiver', 1, '1 clause is violated', [passed, failed], {}, [{ ...waiver, until: '2026-02-28' }]],
    [
      'a waiver for a clause that passes',
      3,
      '1 waiver is stale and must be removed',
      [passed],
      {},
      [{ ...waiver, clause: 'INV-STATS-01' }],
    ],
    [
      'an expired waiver for a clause that passes',
      3,
      '1 waiver is stale and must be removed',
      [passed],
      {},
      [{ ...waiver, clause: 'INV-STATS-01', until: '2026-02-28' }],
    ],
    [
      'an expired waiver for a skipped clause',
      3,
      '1 waiver is stale and must be removed',
      [passed, skipped],
      {},
      [{ ...waiver, clause: 'INV-STATS-03', until: '2026-02-28' }],
    ],
    [
      'a waiver for an open clause',
      3,
      '1 waiver is stale and must be removed',
      [passed, observed],
      {},
      [{ ...waiver, clause: 'INV-STATS-30' }],
    ],
    [
      'a waiver for a skipped clause',
      0,
      'all verified clauses hold',
      [passed, skipped],
      {},
      [{ ...waiver, clause: 'INV-STATS-03' }],
    ],
    ['a waiver for a clause that was not selected', 0, 'all verified clauses hold', [passed], {}, [waiver]],
    [
      'a waiver for a clause that only warns',
      0,
      'all verified clauses hold',
      [passed, warned],
      {},
      [{ ...waiver, clause: 'INV-STATS-17' }],
    ],
  ])('%s: exit code %i, %s', (_what, code, meaning, clauses, runChanges = {}, waivers = []) => {
    const builtReport = sampleReport(clauses, runChanges, waivers);
    expect(builtReport.exitCode).toBe(code);
    expect(explainExitCode(builtReport)).toBe(meaning);
  });
});

test('skipped or broken clauses are not verified; waived ones are', () => {
  const { summary } = sampleReport([passed, failed, skipped, warned, observed, brokenByDriver], {}, [waiver]);
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
  expect(sampleReport([failed], {}, [waiver]).clauses[0]).toMatchObject({
    status: 'waived',
    detail: 'expected 1, got 2; waived until 2026-03-01: known',
    waiver: { until: '2026-03-01', reason: 'known' },
  });
});

test('a stale waiver says why it is stale', () => {
  const expiredWaiver = { ...waiver, until: '2026-02-28' };
  expect(
    sampleReport([failed, passed], {}, [expiredWaiver, { ...waiver, clause: 'INV-STATS-01' }]).staleWaivers,
  ).toEqual([
    { clause: 'INV-STATS-02', why: 'it expired on 2026-02-28' },
    { clause: 'INV-STATS-01', why: 'the clause passes now' },
  ]);
});

describe('evidence shared by several clauses', () => {
  const evidenceWith = (body: string): Evidence => ({
    ...sampleExchange,
    response: { ...sampleExchange.response, body },
  });
  const [one, two, three] = [evidenceWith('one'), evidenceWith('two'), evidenceWith('three')];
  const bodies = ({ evidence }: ClauseReport): string[] => evidence.map(({ response }) => response.body);
  const evidenceByClause = (...clauses: ClauseReport[]) =>
    sampleReport(clauses).clauses.map((clauseReport) => [
      clauseReport.id,
      bodies(clauseReport),
      clauseReport.evidenceIn,
    ]);

  test('is kept with the first clause, to which the other clauses refer', () => {
    expect(
      evidenceByClause(
        sampleClause({ id: 'A-1', evidence: [one, two] }),
        sampleClause({ id: 'A-2', evidence: [two, three] }),
        sampleClause({ id: 'A-3', status: 'observed', evidence: [one, three] }),
      ),
    ).toEqual([
      ['A-1', ['one', 'two'], undefined],
      ['A-2', ['three'], ['A-1']],
      ['A-3', [], ['A-1', 'A-2']],
    ]);
  });

  test.each(['failed', 'warned'] as const)('is preferably kept with a clause that %s', (status) => {
    expect(
      evidenceByClause(
        sampleClause({ id: 'A-1', evidence: [one, two] }),
        sampleClause({ id: 'A-2', status, evidence: [one, two] }),
      ),
    ).toEqual([
      ['A-1', [], ['A-2']],
      ['A-2', ['one', 'two'], undefined],
    ]);
  });

  test('is preferably kept with a clause that has a final result, since a resumed run checks the others again', () => {
    // A broken clause keeps what the holder has only in a shortened form.
    expect(
      evidenceByClause(
        sampleClause({ id: 'A-1', status: 'broken', evidence: [one, two] }),
        sampleClause({ id: 'A-2', status: 'skipped', missing: missingResponse, evidence: [one, two] }),
        sampleClause({ id: 'A-3', evidence: [one, two] }),
      ),
    ).toEqual([
      ['A-1', ['one', 'two'], undefined],
      ['A-2', [], ['A-3']],
      ['A-3', ['one', 'two'], undefined],
    ]);
  });

  test('can refer to clauses of an earlier report that the run resumes', () => {
    const clauseOfEarlierReport = sampleClause({ id: 'A-2', evidence: [one], evidenceIn: ['A-0'] });
    expect(evidenceByClause(sampleClause({ id: 'A-1', evidence: [one] }), clauseOfEarlierReport)).toEqual([
      ['A-1', ['one'], undefined],
      ['A-2', [], ['A-0', 'A-1']],
    ]);
  });

  test('is kept only once, but each violation keeps its first exchange, which shows the violation', () => {
    expect(
      evidenceByClause(
        sampleClause({ id: 'A-1', status: 'failed', evidence: [one, two] }),
        sampleClause({ id: 'A-2', status: 'failed', evidence: [one, two] }),
        sampleClause({ id: 'A-3', status: 'failed', evidence: [two, one] }),
      ),
    ).toEqual([
      ['A-1', ['one', 'two'], undefined],
      ['A-2', ['one'], ['A-1']],
      ['A-3', ['two'], ['A-1']],
    ]);
  });

  test('may consist of webhooks', () => {
    const webhook = { method: 'POST', path: '/', headers: {}, body: '{}', receivedAt: '2026-03-01T09:00:00.000Z' };
    const builtReport = sampleReport([
      sampleClause({ id: 'A-1', deliveries: [webhook] }),
      sampleClause({ id: 'A-2', deliveries: [webhook] }),
    ]);
    expect(builtReport.clauses.map(({ deliveries, evidenceIn }) => [deliveries.length, evidenceIn])).toEqual([
      [1, undefined],
      [0, ['A-1']],
    ]);
  });
});

test('a pass keeps only its last two exchanges, with shortened bodies; a violation keeps all exchanges unchanged', () => {
  const longEvidence = (letter: string): Evidence => ({
    ...sampleExchange,
    response: { ...sampleExchange.response, body: letter.repeat(4_000) },
  });
  const evidence = ['a', 'b', 'c', 'd', 'e'].map(longEvidence);
  const keptEvidence = (status: 'passed' | 'failed'): string[] =>
    sampleReport([sampleClause({ status, evidence })]).clauses.flatMap(({ evidence }) =>
      evidence.map(({ response: { body } }) => `${body.slice(0, 1)} ${body.length}`),
    );
  expect(keptEvidence('passed')).toEqual(['d 1000', 'e 1000']);
  expect(keptEvidence('failed')).toEqual(['a 4000', 'b 4000', 'c 4000', 'd 4000', 'e 4000']);
});

const { target, version, options } = sampleReport([]);
/** Target, version and options of the runs below. */
const header = { target, version, options };

describe('the report of a run that resumes another', () => {
  const validWaiver = { ...waiver, until: '2026-12-31' };
  const violation = { ...failed, expected: '1', got: '2' };
  const chosen = ['INV-STATS-01', 'INV-STATS-02', 'INV-STATS-03'].map((id) => ({ id }));
  const unansweredClause = sampleClause({
    id: 'INV-STATS-03',
    status: 'skipped',
    missing: missingResponse,
    detail: 'GET /: gone',
  });
  const earlierReport = runReport(
    header,
    { ...sampleRun, problems: ['1 request got no response'], gaps: [{ id: 'auth.scope', observed: '401' }] },
    { chosen, results: [sampleClause(), violation, unansweredClause], waivers: [validWaiver] },
    undefined,
  );

  test('is complete once every clause has a final result', () => {
    const results = [sampleClause({ id: 'INV-STATS-03' })];
    const laterRun = { ...sampleRun, startedAt: new Date('2026-03-02'), requests: 5, durationMs: 79 };
    const laterReport = runReport(header, laterRun, { chosen, results, waivers: [validWaiver] }, earlierReport);
    expect([earlierReport.complete, earlierReport.exitCode]).toEqual([false, 2]);
    expect(laterReport).toMatchObject({
      complete: true,
      exitCode: 0,
      problems: [],
      requests: sampleRun.requests + 5,
      durationMs: sampleRun.durationMs + 79,
    });
    expect(laterReport.startedAt).toBe(earlierReport.startedAt);
    expect(laterReport.gaps).toEqual(earlierReport.gaps);
    expect(laterReport.clauses.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'INV-STATS-01 passed',
      'INV-STATS-02 waived',
      'INV-STATS-03 passed',
    ]);
  });

  test('applies its own waivers, not those of the earlier report', () => {
    const laterReport = runReport(header, sampleRun, { chosen, results: [], waivers: [] }, earlierReport);
    expect(laterReport.clauses[1]).toMatchObject({ status: 'failed', detail: violation.detail });
    expect(laterReport.exitCode).toBe(1);
  });

  test('can replace the observation of a gap', () => {
    const laterRun = { ...sampleRun, gaps: [{ id: 'auth.scope', observed: '403' }] };
    expect(runReport(header, laterRun, { chosen, results: [], waivers: [] }, earlierReport).gaps).toEqual(
      laterRun.gaps,
    );
  });

  test.each<[earlier: Partial<ClauseReport>, later: Partial<ClauseReport>, combined: Partial<ClauseReport>]>([
    // A violation in either run counts. If it was in the earlier run, it is final, so its clause is not checked again.
    [{ status: 'passed' }, { status: 'failed' }, { status: 'failed' }],
    [{ status: 'passed' }, { status: 'warned' }, { status: 'warned' }],
    [{ status: 'skipped' }, { status: 'failed' }, { status: 'failed' }],
    [{ status: 'passed' }, { status: 'passed' }, { status: 'passed' }],
    [{ status: 'skipped' }, { status: 'passed' }, { status: 'passed' }],
    [{ status: 'skipped' }, { status: 'skipped' }, { status: 'skipped' }],
    [
      { status: 'observed', detail: 'a' },
      { status: 'observed', detail: 'b' },
      { status: 'observed', detail: 'b' },
    ],
    // Nothing was left to examine.
    [{ status: 'passed' }, { status: 'skipped', missing: 'a record' }, { status: 'passed' }],
    [{ status: 'observed' }, { status: 'skipped', missing: 'a record' }, { status: 'observed' }],
    // The target stopped again.
    [{ status: 'passed' }, { status: 'skipped', missing: missingResponse }, { status: 'passed', provisional: true }],
    [
      { status: 'skipped' },
      { status: 'skipped', missing: missingResponse },
      { status: 'skipped', missing: missingResponse },
    ],
    // The driver failed, which must not be hidden.
    [{ status: 'passed' }, { status: 'broken' }, { status: 'broken' }],
  ])('combines the provisional result %j with %j to %j', (earlier, later, combined) => {
    expect(combineResults(sampleClause({ ...earlier, provisional: true }), sampleClause(later))).toEqual(
      sampleClause(combined),
    );
  });
});

describe('the results of clauses after an undecided one', () => {
  const [undecided, reader, other] = ['INV-STATS-01', 'INV-STATS-02', 'INV-STATS-03'] as const;
  const clausesOfRun = [{ id: undecided }, { id: reader, readsEarlierResponses: true }, { id: other }];
  const reportWith = (first: Partial<ClauseReport>, status: ClauseReport['status'], previous?: RunReport) =>
    runReport(
      header,
      sampleRun,
      {
        chosen: clausesOfRun,
        results: [
          sampleClause({ id: undecided, ...first }),
          ...[reader, other].map((id) => sampleClause({ id, status })),
        ],
        waivers: [],
      },
      previous,
    );
  const unanswered = { status: 'skipped', missing: missingResponse } as const;

  test.each<[ClauseReport['status'], Partial<ClauseReport>, provisional: string[]]>([
    ['passed', unanswered, [reader]],
    ['observed', unanswered, [reader]],
    ['skipped', unanswered, [reader, other]],
    ['passed', { status: 'broken' }, [reader]],
    ['failed', unanswered, []],
    ['warned', unanswered, []],
    ['passed', { status: 'failed' }, []],
    // The run that resumes this one must see why the clause was blocked.
    ['broken', { status: 'skipped', missing: missingEarlierStep }, [undecided]],
  ])('are provisional if its final result may change them: %s after %j', (status, first, provisional) => {
    const { clauses, complete } = reportWith(first, status);
    expect(clauses.filter((clause) => clause.provisional).map(({ id }) => id)).toEqual(provisional);
    expect(complete).toBe(first.status === 'failed');
  });

  test('stay provisional until they are checked again', () => {
    const first = reportWith(unanswered, 'passed');
    const results = [sampleClause({ id: undecided })];
    const second = runReport(header, sampleRun, { chosen: clausesOfRun, results, waivers: [] }, first);
    expect(second.clauses.map(({ status, provisional }) => [status, provisional])).toEqual([
      ['passed', undefined],
      ['passed', true],
      ['passed', undefined],
    ]);
    expect(second.complete).toBe(false);
    expect(reportWith({}, 'passed', second).complete).toBe(true);
  });
});
