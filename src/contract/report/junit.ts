import { html, type SafeHtml } from '@remix-run/html-template';
import { type ClauseReport, firstEvidenceLines } from './clause-report.js';
import { headingsOf } from './headings.js';
import { exitCodes, explainExitCode, type Report } from './report.js';

/**
 * Formats a report as JUnit XML: a test suite for the run, one for each heading of the specification, and a test case
 * for each clause. A failed clause is a failure; a broken one is an error; a skipped or waived one is skipped. Warnings
 * and observations are in the output of the case. If a run fails for another reason, the suite of the run has an error.
 */
export function junitReport(report: Report): string {
  const { clauses, startedAt, durationMs } = report;
  const suites = headingsOf(clauses).map((heading) =>
    suiteElement(
      heading,
      clauses.filter(({ spec }) => spec === heading),
      startedAt,
    ),
  );
  const { tests, failures, errors } = countsOf(clauses);
  const runErrors = report.exitCode !== exitCodes.conforms && failures + errors === 0 ? 1 : 0;
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Billing Service contract" tests="${tests + runErrors}" failures="${failures}" errors="${errors + runErrors}" time="${inSeconds(durationMs)}">
${[runSuiteElement(report, runErrors), ...suites]}</testsuites>
`;
  return document.toString();
}

/**
 * Renders a test suite for the whole run. It lists stale waivers, and problems other than violations.
 * @param errors 1 to add a test case with an error, because no clause shows that the run failed; otherwise 0
 */
function runSuiteElement(report: Report, errors: 0 | 1): SafeHtml {
  const { target, driver, startedAt, requests, exitCode, summary } = report;
  const facts = { target, driver, requests, exitCode, documented: summary.documented, verified: summary.verified };
  const remarks = [...report.staleWaivers.map(({ clause, why }) => `waiver of ${clause}: ${why}`), ...report.problems];
  return html`<testsuite name="the run" tests="${errors}" failures="0" errors="${errors}" skipped="0" time="0.000" timestamp="${xmlTimestamp(startedAt)}">
${propertiesElement(facts)}${errors === 0 ? null : runErrorElement(report)}${remarks.length === 0 ? null : outputElement('system-err', remarks.join('\n'))}</testsuite>
`;
}

function runErrorElement(report: Report): SafeHtml {
  return html`<testcase name="exit code" classname="the run" time="0.000">
<error type="exit code ${report.exitCode}" message="${explainExitCode(report)}"/>
</testcase>
`;
}

function suiteElement(name: string, clauses: readonly ClauseReport[], startedAt: string): SafeHtml {
  const { tests, failures, errors, skipped, milliseconds } = countsOf(clauses);
  return html`<testsuite name="${replaceInvalidCharacters(name)}" tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${inSeconds(milliseconds)}" timestamp="${xmlTimestamp(startedAt)}">
${propertiesElement({ specification: name })}${clauses.map(testCaseElement)}</testsuite>
`;
}

function testCaseElement(clause: ClauseReport): SafeHtml {
  const { id, title, spec, milliseconds } = clause;
  return html`<testcase name="${replaceInvalidCharacters(`${id} ${title}`)}" classname="${replaceInvalidCharacters(spec)}" time="${inSeconds(milliseconds)}">
${outcomeElement(clause)}${outputElement('system-out', describeClause(clause))}</testcase>
`;
}

function outcomeElement(clause: ClauseReport): SafeHtml | null {
  const { status, level, detail, missing, spec, quote } = clause;
  const shown = [
    ...(quote === undefined ? [] : [`specification, ${spec}: ${quote}`]),
    ...firstEvidenceLines(clause),
  ].join('\n');
  switch (status) {
    case 'failed':
      return html`<failure type="${level}" message="${replaceInvalidCharacters(detail)}">${replaceInvalidCharacters(shown)}</failure>
`;
    case 'broken':
      return html`<error type="broken" message="${replaceInvalidCharacters(detail)}"/>
`;
    case 'skipped':
      return html`<skipped type="${replaceInvalidCharacters(missing ?? 'skipped')}" message="${replaceInvalidCharacters(detail)}"/>
`;
    case 'waived':
      return html`<skipped type="waived" message="${replaceInvalidCharacters(detail)}"/>
`;
    default:
      return null;
  }
}

/** Lists the facts about a clause for which the JUnit schema has no attribute. */
function describeClause({ id, level, operation, spec, quote, status, detail }: ClauseReport): string {
  const lines = [`clause: ${id}`, `level: ${level}`, `specification: ${spec}`];
  if (quote !== undefined) lines.push(`quote: ${quote}`);
  if (operation !== null) lines.push(`operation: ${operation}`);
  if (status === 'warned' || status === 'observed') lines.push(`${status}: ${detail}`);
  return lines.join('\n');
}

function propertiesElement(values: Readonly<Record<string, string | number>>): SafeHtml {
  return html`<properties>
${Object.entries(values).map(
  ([name, value]) => html`<property name="${name}" value="${replaceInvalidCharacters(String(value))}"/>
`,
)}</properties>
`;
}

function outputElement(tag: 'system-out' | 'system-err', text: string): SafeHtml {
  return html`<${tag}>${replaceInvalidCharacters(text)}</${tag}>\n`;
}

function countsOf(clauses: readonly ClauseReport[]) {
  const count = (...statuses: ClauseReport['status'][]): number =>
    clauses.filter(({ status }) => statuses.includes(status)).length;
  return {
    tests: clauses.length,
    failures: count('failed'),
    errors: count('broken'),
    skipped: count('skipped', 'waived'),
    milliseconds: clauses.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
  };
}

function inSeconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

/** Removes the fractions of a second and the time zone, which the JUnit schema does not allow. */
function xmlTimestamp(iso: string): string {
  return iso.slice(0, 19);
}

/** Replaces characters that XML cannot contain, even escaped, and unpaired surrogates. */
function replaceInvalidCharacters(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '�');
}
