import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Clause } from '../engine/clause.js';
import { type ContractOptions, openSession } from '../engine/open-session.js';
import { checkClause } from '../engine/run.js';
import { selected } from '../engine/select.js';
import type { Session } from '../engine/session.js';
import { type ClauseReport, clauseReport } from '../report/clause-report.js';

/** Test timeout: a clause may wait for rate windows and webhooks. */
const testTimeoutMs = 600_000;

/**
 * Defines the contract suite in a vitest run of your own: one test for each clause.
 *
 *     import { contractSuite } from 'billing-sim/contract';
 *     contractSuite({ baseUrl: 'http://127.0.0.1:4010/api/v1', token });
 */
export function contractSuite(options: ContractOptions): void {
  let opened: Session | undefined;
  beforeAll(async () => {
    opened = await openSession(options);
  }, testTimeoutMs);
  afterAll(() => opened?.close(), testTimeoutMs);

  for (const clauses of bySection(selected(options.only))) {
    describe(clauses[0].spec, () => {
      for (const clause of clauses) {
        test(`${clause.id} ${clause.title}`, { timeout: testTimeoutMs }, async ({ skip }) => {
          if (!opened) throw new Error('the session was not opened');
          const { target } = opened;
          const result = await checkClause(opened, clause, options.strict ?? false);
          const report = clauseReport(result, (text) => target.redact(text));
          if (report.status === 'skipped') skip(report.detail);
          if (report.status === 'failed' || report.status === 'broken') throw new Error(formatViolation(report));
        });
      }
    });
  }
}

/** Formats a violation with the exchange that shows it, since vitest prints no report. */
function formatViolation({ detail, spec, quote, evidence: [first], status }: ClauseReport): string {
  if (status === 'broken') return detail;
  const violated = quote === undefined ? detail : `${detail}\nspecification, ${spec}: ${quote}`;
  if (!first) return violated;
  const { request, response } = first;
  return `${violated}\n${request.curl}\n${response.status} ${response.body.slice(0, 1_000)}`;
}

type Section = [Clause, ...Clause[]];

/** Groups consecutive clauses of a section. Keeps their order, since the last clauses read all earlier responses. */
function bySection(clauses: readonly Clause[]): Section[] {
  const sections: Section[] = [];
  for (const clause of clauses) {
    const last = sections.at(-1);
    if (last?.[0].spec === clause.spec) last.push(clause);
    else sections.push([clause]);
  }
  return sections;
}
