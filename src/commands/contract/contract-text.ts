import {
  type ClauseGroup,
  groupByMissing,
  groupByReason,
  notCheckedHeading,
  shownIds,
} from '../../contract/report/clause-groups.js';
import {
  type ClauseReport,
  driverCallsText,
  type ReportedStatus,
  waiverText,
} from '../../contract/report/clause-report.js';
import { headingsOf } from '../../contract/report/headings.js';
import { explainExitCode, type Report } from '../../contract/report/report.js';
import { truncate } from '../../lib/messages.js';
import { formatCount, formatDuration } from '../../text/format.js';
import { columns, printable, titledTable } from '../support/output.js';

/** Maximum number of clauses that are printed for a status; the report files list all of them. */
const maxClauses = 30;

/** Maximum number of printed characters of a response. */
const maxResponseCharacters = 600;

/** Formats a report: a table of the sections, the clauses that did not pass, problems of the run, and a summary. */
export function formatReport(report: Report): string {
  const { clauses, summary, staleWaivers, problems } = report;
  const withStatus = (status: ReportedStatus): ClauseReport[] => clauses.filter((clause) => clause.status === status);
  const blocks = [
    `${report.target}, with ${report.driver}`,
    sectionTable(clauses),
    ...clauseBlocks('Violated', withStatus('failed'), '✗'),
    ...clauseBlocks('Different from what the specification suggests (fails with --strict)', withStatus('warned'), '!'),
    ...clauseBlocks('Violated and waived', withStatus('waived'), '~'),
    ...titledTable(
      'Not checked because the driver or the suite failed',
      groupByReason(withStatus('broken'), ({ detail }) => detail).map(groupRow),
    ),
    ...titledTable(
      'Gaps in the specification, as observed',
      withStatus('observed').map(({ id, title, detail }) => [id, title, detail]),
    ),
    ...skippedTable(withStatus('skipped')),
    ...titledTable(
      'Stale waivers',
      staleWaivers.map(({ clause, why }) => [clause, why]),
    ),
    ...titledTable(
      'Problems',
      problems.map((problem) => [problem]),
    ),
    `verified ${formatVerifiedShare(summary)}, in ${formatCount(report.requests, 'request')} and ${formatDuration(report.durationMs)}\n` +
      `exit code ${report.exitCode}: ${explainExitCode(report)}`,
  ];
  return printable(blocks.join('\n\n'));
}

/**
 * Formats the share of verified clauses: `290 of 302 documented clauses (96%)`. Rounds down, so that 100% means all.
 */
function formatVerifiedShare({ verified, documented }: Report['summary']): string {
  const percent = documented === 0 ? '' : ` (${Math.floor((verified / documented) * 100)}%)`;
  return `${verified} of ${formatCount(documented, 'documented clause')}${percent}`;
}

const statuses: readonly ReportedStatus[] = ['passed', 'failed', 'warned', 'waived', 'skipped', 'observed', 'broken'];

/** Statuses that always have a column. */
const alwaysShown: readonly ReportedStatus[] = ['passed', 'failed', 'warned', 'skipped', 'observed'];

function sectionTable(clauses: readonly ClauseReport[]): string {
  const shown = statuses.filter(
    (status) => alwaysShown.includes(status) || clauses.some((clause) => clause.status === status),
  );
  const row = (name: string, clausesInRow: readonly ClauseReport[]): string[] => [
    name,
    ...shown.map((status) => {
      const count = clausesInRow.filter((clause) => clause.status === status).length;
      return (count === 0 ? '·' : String(count)).padStart(status.length);
    }),
  ];
  return columns([
    ['section', ...shown],
    ...headingsOf(clauses).map((section) =>
      row(
        section,
        clauses.filter(({ spec }) => spec === section),
      ),
    ),
    row('all', clauses),
  ]);
}

/** Formats clauses, each with the exchange that explains its status. */
function clauseBlocks(title: string, clauses: readonly ClauseReport[], mark: string): string[] {
  if (clauses.length === 0) return [];
  const omittedCount = clauses.length - maxClauses;
  return [
    `${title}:`,
    ...clauses.slice(0, maxClauses).map((clause) => clauseBlock(clause, mark)),
    ...(omittedCount > 0 ? [`… and ${omittedCount} more; use --html FILE or --json FILE to see all`] : []),
  ];
}

function clauseBlock(clause: ClauseReport, mark: string): string {
  const { id, title, spec, quote, level, detail, expected, got, evidence, deliveries } = clause;
  const [exchange] = evidence;
  const [webhook] = deliveries;
  const lines = [`specification: ${spec} (${level})`, ...(quote === undefined ? [] : [`quote: ${quote}`])];
  if (exchange) {
    const { request, response } = exchange;
    lines.push(request.curl, `→ ${response.status} ${truncate(response.body, maxResponseCharacters)}`);
  } else if (webhook) {
    lines.push(`webhook ${webhook.method} ${webhook.path}`, truncate(webhook.body, maxResponseCharacters));
  }
  if (expected === undefined) lines.push(detail);
  else lines.push(`expected ${expected}`, `got      ${got ?? 'nothing'}`);
  for (const remark of [waiverText(clause), driverCallsText(clause)]) if (remark !== undefined) lines.push(remark);
  return [`${mark} ${id}  ${title}`, ...lines.map((line) => `    ${line.replace(/[\r\n]+/g, ' ')}`)].join('\n');
}

/** Formats a table of skipped clauses, grouped by what is missing, with the largest group first. */
export function skippedTable(clauses: readonly Pick<ClauseReport, 'id' | 'missing' | 'detail'>[]): string[] {
  return titledTable(notCheckedHeading, groupByMissing(clauses).map(groupRow));
}

/** Returns a row with the number of clauses, why they were not checked, and the first ids. */
function groupRow(group: ClauseGroup): string[] {
  return [String(group.ids.length).padStart(4), group.reason, shownIds(group).join(', ')];
}
