import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import { type ClauseReport, clauseReport } from '../report/clause-report.js';
import type { Observation } from '../report/report.js';
import type { Clause } from './clause.js';
import { type ContractOptions, openSession } from './open-session.js';
import type { OnWait } from './pace.js';
import { checkClause } from './run.js';
import { selected } from './select.js';
import type { Session } from './session.js';

/** What is known once a clause was checked: plain data, so that it can leave its process. */
export interface Progress {
  readonly clause: ClauseReport;
  /** Of the run so far, as all that follows. */
  readonly requests: number;
  readonly unanswered: readonly string[];
  readonly gaps: readonly Observation[];
  readonly driver: string;
}

/** Listens to a run as it goes on. */
export interface SuiteListener {
  /** The target has answered, and the clauses follow; how many requests a minute there are to be, if that is limited. */
  readonly onOpen?: (requestsPerMinute: number | undefined) => void;
  readonly onClause?: (progress: Progress, task: TestContext['task']) => void;
  readonly onWait?: OnWait;
}

/**
 * Defines the contract suite in a vitest run of your own: a test a clause.
 *
 *     import { contractSuite } from 'billing-sim/contract';
 *     contractSuite({ baseUrl: 'http://127.0.0.1:4010/api/v1', token });
 */
export function contractSuite(options: ContractOptions): void {
  defineSuite(options);
}

/** Defines the suite, and tells of its run. */
export function defineSuite(options: ContractOptions, { onOpen, onClause, onWait }: SuiteListener = {}): void {
  let opened: Session | undefined;
  beforeAll(async () => {
    opened = await openSession(options, onWait);
    onOpen?.(opened.options.requestsPerMinute);
  }, patience);
  afterAll(() => opened?.close(), patience);

  for (const run of runsOf(selected(options.only))) {
    describe(run[0].spec, () => {
      for (const clause of run) {
        test(`${clause.id} ${clause.title}`, { timeout: patience }, async ({ task, skip }) => {
          if (!opened) throw new Error('the session was not opened');
          const report = await reportOn(opened, clause, options.strict ?? false);
          onClause?.(progressOf(opened, report), task);
          if (report.status === 'skipped') skip(report.detail);
          if (report.status === 'failed' || report.status === 'broken') throw new Error(inFull(report));
        });
      }
    });
  }
}

async function reportOn(session: Session, clause: Clause, strict: boolean): Promise<ClauseReport> {
  return clauseReport(await checkClause(session, clause, strict), (text) => session.target.redact(text));
}

function progressOf({ target, gaps, driverName }: Session, clause: ClauseReport): Progress {
  return {
    clause,
    requests: target.requests,
    unanswered: [...target.unanswered],
    gaps: [...gaps].map(([id, observed]) => ({ id, observed: target.redactDeep(observed) })),
    driver: driverName,
  };
}

/** What was wrong, with the exchange that shows it, for those who see no report. */
function inFull({ detail, evidence: [first], status }: ClauseReport): string {
  if (!first || status === 'broken') return detail;
  const { request, response } = first;
  return `${detail}\n${request.curl}\n${response.status} ${response.body.slice(0, 1_000)}`;
}

type Run = [Clause, ...Clause[]];

/** Clauses in runs of one heading each. Their order stays: the last ones look at all that was answered before. */
function runsOf(chosen: readonly Clause[]): Run[] {
  const runs: Run[] = [];
  for (const clause of chosen) {
    const last = runs.at(-1);
    if (last?.[0].spec === clause.spec) last.push(clause);
    else runs.push([clause]);
  }
  return runs;
}

/** Waits for rate windows and webhooks are part of a clause. */
const patience = 600_000;
