import { hash } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { truncate } from '../../lib/messages.js';
import { groupByMissing, notCheckedHeading, shownIds } from './clause-groups.js';
import {
  type ClauseReport,
  driverCallsText,
  type Evidence,
  type ReceivedWebhook,
  waiverText,
} from './clause-report.js';
import { headingsOf } from './headings.js';
import { pageScript } from './page-script.js';
import { pageStyle } from './page-style.js';
import { explainExitCode, type Report } from './report.js';

const cspHash = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Allows only the style and script of the page itself, so that nothing in a response of a target can run or load. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${cspHash(pageStyle)}`,
  `script-src ${cspHash(pageScript)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Renders a report as a self-contained page. The `html` tag escapes every inserted text. */
export function htmlReport(report: Report): string {
  const sections = headingsOf(report.clauses);
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Contract of ${report.target}</title>
${html.raw`<style>${pageStyle}</style>`}
</head>
<body>
${pageHeader(report)}
<main>
${missingTable(report.clauses)}
${filterForm(report.clauses, sections)}
${sections.map((section) =>
  sectionHtml(
    section,
    report.clauses.filter(({ spec: heading }) => heading === section),
  ),
)}
${gapTable(report)}
</main>
${html.raw`<script>${pageScript}</script>`}
</body>
</html>
`;
  return document.toString();
}

function pageHeader(report: Report): SafeHtml {
  const { target, driver, startedAt, durationMs, requests, exitCode, summary, staleWaivers, problems } = report;
  const { verified, documented } = summary;
  const share = `${verified} of ${documented} documented clauses verified`;
  const notes = [...staleWaivers.map(({ clause, why }) => `Remove the waiver of ${clause}: ${why}.`), ...problems];
  return html`<header>
<h1>Billing Service contract</h1>
<p>${target}</p>
<p class="verdict ${exitCode === 0 ? 'good' : 'bad'}">${explainExitCode(report)} (exit code ${exitCode})</p>
<p>${share}</p>
<meter min="0" max="${Math.max(1, documented)}" value="${verified}" aria-label="${share}"></meter>
${failureList(report.clauses)}
${notes.length === 0 ? null : html`<div class="notes"><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul></div>`}
<dl>
<dt>Driver</dt><dd>${driver}</dd>
<dt>Started</dt><dd>${startedAt}</dd>
<dt>Took</dt><dd>${(durationMs / 1_000).toFixed(1)} s, ${requests} requests</dd>
</dl>
</header>`;
}

/**
 * Renders links to the clauses that failed or are broken (the suite or the driver had an error), which may be far down
 * the page.
 */
function failureList(clauses: readonly ClauseReport[]): SafeHtml | null {
  const failures = clauses.filter(isFailure);
  if (failures.length === 0) return null;
  return html`<ul class="problems">
${failures.map(({ id, title }) => html`<li><a href="#${id}">${id}</a> ${withCode(title)}</li>\n`)}</ul>`;
}

/** Renders what the skipped clauses lack, such as options to add. */
function missingTable(clauses: readonly ClauseReport[]): SafeHtml | null {
  const groups = groupByMissing(clauses.filter(({ status }) => status === 'skipped'));
  if (groups.length === 0) return null;
  // `shownIds` ends a shortened list with `…`.
  const idLink = (id: string): SafeHtml | string => (id === '…' ? id : html`<a href="#${id}">${id}</a>`);
  return html`<h2>${notCheckedHeading}</h2>
<table>
<tr><th scope="col">Clauses</th><th scope="col">Missing</th><th scope="col">Ids</th></tr>
${groups.map(
  (group) =>
    html`<tr><td>${group.ids.length}</td><td>${withCode(group.reason)}</td><td>${shownIds(group).map((id, index) => [index === 0 ? '' : ', ', idLink(id)])}</td></tr>\n`,
)}</table>`;
}

function isFailure({ status }: ClauseReport): boolean {
  return status === 'failed' || status === 'broken';
}

const statuses: readonly ClauseReport['status'][] = [
  'failed',
  'broken',
  'warned',
  'waived',
  'skipped',
  'observed',
  'passed',
];

const problemStatuses: readonly ClauseReport['status'][] = ['failed', 'broken', 'warned', 'waived'];

/** Counts the clauses of each status that occurs. */
function countStatuses(clauses: readonly ClauseReport[]) {
  return statuses
    .map((status) => ({ status, count: clauses.filter((clause) => clause.status === status).length }))
    .filter(({ count }) => count > 0);
}

function filterForm(clauses: readonly ClauseReport[], sections: readonly string[]): SafeHtml {
  const levels = [...new Set(clauses.map(({ level }) => level))];
  const option = (value: string): SafeHtml => html`<option>${value}</option>`;
  return html`<form hidden>
<fieldset><legend>Status</legend>
${countStatuses(clauses).map(
  ({ status, count }) =>
    html`<label class="${status}"><input type="checkbox" name="status" value="${status}" checked> ${status} ${count}</label>\n`,
)}</fieldset>
<label>Level <select name="level"><option value="">all</option>${levels.map(option)}</select></label>
<label>Section <select name="section"><option value="">all</option>${sections.map(option)}</select></label>
<label>Text <input type="search" name="text" autocomplete="off"></label>
<output aria-live="polite"></output>
</form>`;
}

/** Renders a section. It is expanded only if one of its clauses has a problem. */
function sectionHtml(name: string, clauses: readonly ClauseReport[]): SafeHtml {
  const counted = countStatuses(clauses);
  const hasProblem = counted.some(({ status }) => problemStatuses.includes(status));
  const passed = clauses.filter(({ status }) => status === 'passed').length;
  const others = counted.filter(({ status }) => status !== 'passed').map(({ status, count }) => `, ${count} ${status}`);
  return html`<details class="section" data-section="${name}"${hasProblem ? html` open` : null}>
<summary><h2>${name}</h2> <small>${passed} of ${clauses.length} passed${others}</small></summary>
${clauses.map(clauseHtml)}</details>
`;
}

function clauseHtml(clause: ClauseReport): SafeHtml {
  const { id, level, operation, title, quote, status, missing } = clause;
  const facts = [
    level,
    ...(operation === null ? [] : [operation]),
    ...(missing === undefined ? [] : [`missing: ${missing}`]),
  ];
  return html`<details id="${id}" data-status="${status}" data-level="${level}"${isFailure(clause) ? html` open` : null}>
<summary><b class="${status}">${status}</b> <code>${id}</code> <span>${withCode(title)}</span></summary>
<div>
${quote === undefined ? null : html`<blockquote>${withCode(quote)}</blockquote>\n`}${detailHtml(clause)}<p>${facts.join(' · ')}${evidenceLinks(clause)}</p>
${evidenceSections(clause)}</div>
</details>
`;
}

/** Renders text in backticks as code. */
function withCode(text: string): (SafeHtml | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function detailHtml(clause: ClauseReport): SafeHtml | null {
  const { detail, expected, got } = clause;
  if (expected === undefined) return detail === '' ? null : html`<div class="detail"><p>${detail}</p></div>\n`;
  const remarks = [waiverText(clause), driverCallsText(clause)].filter((remark) => remark !== undefined);
  return html`<div class="detail"><dl><dt>Expected</dt><dd>${withCode(expected)}</dd><dt>Got</dt><dd>${got ?? 'nothing'}</dd></dl>${remarks.map((remark) => html`<p>${remark}</p>`)}</div>\n`;
}

/** Renders the evidence of a clause; for a passed or skipped clause only the last exchange and webhook, shortened. */
function evidenceSections(clause: ClauseReport): SafeHtml[] {
  const { status, evidence, deliveries } = clause;
  const isShortened = status === 'passed' || status === 'skipped';
  const maxShown = isShortened ? 1 : 5;
  const maxBodyCharacters = isShortened ? 500 : 4_000;
  return [
    ...evidence
      .slice(-maxShown)
      .map((exchange, index) => exchangeHtml(exchange, maxBodyCharacters, isFailure(clause) && index === 0)),
    ...deliveries.slice(-maxShown).map((webhook) => webhookHtml(webhook, maxBodyCharacters)),
  ];
}

/** Renders links to the clauses in `evidenceIn`, which list the rest of the evidence. */
function evidenceLinks({ evidenceIn = [] }: ClauseReport): SafeHtml | null {
  if (evidenceIn.length === 0) return null;
  return html` · evidence at ${evidenceIn.map((id, index) => html`${index === 0 ? '' : ', '}<a href="#${id}">${id}</a>`)}`;
}

function exchangeHtml({ request, response }: Evidence, maxBodyCharacters: number, isOpen: boolean): SafeHtml {
  const { status, headers, body } = response;
  return html`<details class="exchange"${isOpen ? html` open` : null}>
<summary>${request.method} ${request.url} → ${status}</summary>
${preformattedHtml(request.curl)}
${preformattedHtml(`${status}\n${messageText(headers, body, maxBodyCharacters)}`)}
</details>
`;
}

function webhookHtml(
  { method, path, headers, body, receivedAt }: ReceivedWebhook,
  maxBodyCharacters: number,
): SafeHtml {
  return html`<details class="exchange">
<summary>Webhook ${method} ${path}, received ${receivedAt}</summary>
${preformattedHtml(messageText(headers, body, maxBodyCharacters))}
</details>
`;
}

/**
 * Renders a `pre` element. Escapes only the characters that must be escaped, because escaped quotes would make the page
 * a tenth larger.
 */
function preformattedHtml(text: string): SafeHtml {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // An HTML parser drops a newline directly after `<pre>`, so this one protects a newline at the beginning of the text.
  return html.raw`<pre>\n${escaped}</pre>`;
}

function messageText(headers: Readonly<Record<string, string>>, body: string, maxBodyCharacters: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join('\n')}\n\n${truncate(body, maxBodyCharacters)}`;
}

function gapTable({ gaps }: Report): SafeHtml | null {
  if (gaps.length === 0) return null;
  return html`<h2>Observed where the specification is silent</h2>
<dl>${gaps.map(({ id, observed }) => html`<dt>${id}</dt><dd>${typeof observed === 'string' ? observed : JSON.stringify(observed)}</dd>\n`)}</dl>`;
}
