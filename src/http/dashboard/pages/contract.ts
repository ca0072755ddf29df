import { html, type SafeHtml } from '@remix-run/html-template';
import { ServiceError } from '../../../domain/service-error.js';
import { asSentence, formatCount } from '../../../text/format.js';
import type { CheckedClause, ContractRun } from '../../contract-runs.js';
import { tokenFieldName } from '../actions/contract-actions.js';
import { actionButton, type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { form } from '../components/form.js';
import { lastPage, pageLinks, pageSize, type Search, table } from '../components/list.js';
import { prose } from '../components/prose.js';
import { sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { readSearch } from '../data/read-search.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { download } from '../routing/responses.js';

/**
 * The statuses of clauses, in the order of the table: problems first, skipped clauses last. `broken`: not checked,
 * since the driver or the suite failed. `warned`: differs from what the specification suggests. `observed`: shows the
 * choice for a gap in the specification.
 */
const statuses = ['failed', 'broken', 'warned', 'observed', 'passed', 'skipped'];

/** The run of the contract suite that is in progress; otherwise the forms that start one, and the last run. */
const showContract: PageHandler = ({ account, location, contractRuns, query }) => {
  const run = contractRuns.last(account);
  const filter = readSearch(query);
  return dashboardPage(
    location,
    'Contract',
    html`<p>Check whether an implementation of the service does what the specification promises.</p>
${
  run?.status === 'running'
    ? runInProgress(location, run, filter)
    : html`<div id="contract">${startForms(location)}
${run ? runSection(location, run, filter) : ''}</div>`
}`,
  );
};

const downloadReport: PageHandler = async ({ account, contractRuns }) => {
  const content = await contractRuns.report(account);
  if (content === undefined) throw new ServiceError('route-not-found', { hint: 'no clause has been checked yet' });
  return download(content, `contract-${account.id}.html`, 'text/html; charset=utf-8');
};

const changesLabel = 'Changes';

const clausesField = {
  name: 'only',
  label: 'Clauses',
  hint: 'Ids or prefixes of ids, such as INV or DEP-CAPTURE. Leave empty for all.',
};

function startForms(location: DashboardLocation): SafeHtml {
  return html`<div class="beside">
<section class="sheet" aria-labelledby="own"><h2 id="own">This simulator</h2>
<p>Uses a new account with the profile of the current one, and removes it afterwards. The run also sends requests without a valid token. They belong to no account, so they are logged and counted for <code>demo</code>.</p>
${form(
  location,
  'checkThisSimulator',
  ({ text }) => html`${text(clausesField)}
<button>Check this simulator</button>`,
)}
</section>
<section class="sheet" aria-labelledby="other"><h2 id="other">Another implementation</h2>
${form(
  location,
  'checkAnotherImplementation',
  ({ text, checkboxes }) => html`${text({
    name: 'base_url',
    label: 'Base URL',
    attributes: html`type="url" required placeholder="http://127.0.0.1:8080/api/v1"`,
  })}
${text({
  name: tokenFieldName,
  label: 'Token',
  hint: 'It needs both scopes. It is used for this run only.',
  attributes: html`type="password" required autocomplete="off"`,
})}
${text(clausesField)}
${checkboxes({
  name: 'write',
  label: changesLabel,
  options: [{ value: 'yes', label: 'Create and change records even if the service is on another machine' }],
  checked: [],
  hint: 'On this machine, the run always creates and changes records. They remain; most have a description or reference that begins with contract-.',
})}
<button>Check this service</button>`,
)}
</section>
</div>`;
}

/** A run that is in progress. The section reloads every second. */
function runInProgress(location: DashboardLocation, run: ContractRun, filter: Search): SafeHtml {
  return html`<div id="contract" hx-get="${location.path}" hx-sync="this:replace" hx-trigger="every 1s" hx-select="#contract" hx-swap="outerHTML" hx-disinherit="hx-select hx-swap hx-sync">
${runSection(location, run, filter)}
</div>`;
}

function runSection(location: DashboardLocation, run: ContractRun, filter: Search): SafeHtml {
  return html`<section class="sheet" aria-labelledby="run"><h2 id="run">${run.target} ${statusBadge(run.status)}</h2>
${run.status === 'running' ? progress(location, run) : html`<p>${asSentence(run.outcome)}</p>`}
${run.checked.length === 0 ? '' : clauseTable(location, run, filter)}
</section>`;
}

function progress(location: DashboardLocation, { checked, clauseCount, requestCount }: ContractRun): SafeHtml {
  const label = `${checked.length} of ${formatCount(clauseCount, 'clause')} checked, ${formatCount(requestCount, 'request')}`;
  return html`<p><progress max="${clauseCount}" value="${checked.length}" aria-label="Clauses checked"></progress> ${label}</p>
<noscript><p><a href="${location.path}">Show the progress</a></p></noscript>
<div class="actions">${actionButton(location, 'stopContractRun', 'Stop run')}</div>`;
}

function clauseTable(location: DashboardLocation, { checked, status }: ContractRun, filter: Search): SafeHtml {
  const address = sectionPath(location.account, 'contract');
  const counts = statuses.map((name) => [name, checked.filter((clause) => clause.status === name).length] as const);
  const links = [['', checked.length] as const, ...counts.filter(([, count]) => count > 0)].map(([name, count]) => {
    const current = name === filter.status ? html` aria-current="true"` : '';
    return html`<a href="${address}${name === '' ? '' : `?status=${name}`}"${current}>${name === '' ? 'all' : name} ${count}</a>\n`;
  });
  const matchingClauses = checked
    .filter((clause) => filter.status === '' || clause.status === filter.status)
    .sort((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));
  const page = Math.min(filter.page, lastPage(matchingClauses.length));
  const pageClauses = matchingClauses.slice((page - 1) * pageSize, page * pageSize);
  const report =
    status === 'running'
      ? ''
      : html`<p><a href="${address}/report.html" download hx-boost="false">Download report</a></p>`;
  return html`${report}
<nav class="pages" aria-label="Clauses by result">${links}</nav>
${table<CheckedClause>(
  [
    { label: 'Clause', show: ({ id }) => html`<code>${id}</code>` },
    { label: 'Result', show: (clause) => statusBadge(clause.status) },
    {
      label: 'Requirement',
      show: ({ title, quote, spec }) =>
        html`${prose(title)}${quote === undefined ? '' : html`<br><small>${spec}: <q>${prose(quote)}</q></small>`}`,
    },
    { label: 'Detail', show: (clause) => prose(detailOf(clause)) },
  ],
  pageClauses,
  `${matchingClauses.length} of ${formatCount(checked.length, 'clause')}, problems first`,
)}
${pageLinks(location, { status: filter.status }, { page, total: matchingClauses.length })}`;
}

/**
 * The detail of a clause. If it was skipped because the run lacks an option of the `contract` command, the detail names
 * the checkbox for that option; if this page has no such checkbox, it names the command. A detail that begins with
 * `--write: ` then begins with `needs the Changes checkbox: `.
 */
function detailOf({ detail, missing }: CheckedClause): string {
  if (missing === undefined || !missing.startsWith('--')) return detail;
  const need =
    missing === '--write'
      ? `the ${changesLabel} checkbox`
      : `the \`${missing}\` option of the \`billing-sim contract\` command`;
  return detail.replace(missing, `needs ${need}`);
}

export const contractPages: readonly PageRoute[] = [
  ['/contract', showContract],
  ['/contract/report.html', downloadReport],
];
