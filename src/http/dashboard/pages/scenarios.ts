import { html, type SafeHtml } from '@remix-run/html-template';
import type { Run, Scenario, ScenarioStep } from '../../../domain/scenario.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { eligibleIds, getRun } from '../../../simulation/scenarios/scenarios.js';
import { scenariosOf } from '../../../simulation/scenarios/triggered-runs.js';
import { formatDuration, resourceName } from '../../../text/format.js';
import { dangerButton } from '../components/danger-button.js';
import {
  actionButton,
  backLink,
  type DashboardLocation,
  dashboardPage,
  liveSection,
} from '../components/dashboard-page.js';
import { facts } from '../components/facts.js';
import { form } from '../components/form.js';
import { type FormFields, fieldId } from '../components/form-fields.js';
import { table } from '../components/list.js';
import { recordLink, sectionByResource } from '../components/record-link.js';
import { relatedActivity } from '../components/related-activity.js';
import { runPath, sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { showNewScenario } from './new-scenario.js';

/** Maximum number of runs shown. */
const maxRuns = 25;

/** Maximum number of records that are suggested for a scenario. */
const maxSuggestedRecords = 10;

/** The scenarios and their runs. */
const showScenarios: PageHandler = ({ account, location }) =>
  dashboardPage(
    location,
    'Scenarios',
    html`<p><a class="button" href="${sectionPath(location.account, 'scenarios', 'new')}">New scenario</a></p>
${liveSection(location, 'runs', html`<div class="sheet"><h2>Runs</h2>${runsTable(location, account.runs.rows)}</div>`)}
<div class="beside">${scenariosOf(account).map((scenario) => scenarioSheet(location, account, scenario))}</div>
<p class="hint">You can also add a scenario with <code>PUT /_sim/accounts/${location.account}/scenarios/{scenario}</code>.</p>`,
  );

/** The page of a run of a scenario. */
const showRun: PageHandler = ({ account, location, idOrName }) => {
  const run = getRun(account, integerOrText(idOrName));
  const { id, scenario, subject, status, reason, due_at } = run;
  return dashboardPage(
    location,
    `Run ${id} of ${scenario}`,
    html`${backLink(location, 'All scenarios and runs')}
${liveSection(
  location,
  'run',
  html`<div class="sheet">
${facts([
  ['Record', recordLink(location.account, subject)],
  ['Status', statusBadge(status)],
  ['Reason', reason],
  ['Completed steps', progress(run)],
  ['Next step (UTC)', due_at === null ? null : timestamp(due_at)],
])}
${status === 'running' ? html`<div class="actions">${actionButton(location, 'cancelRun', 'Cancel', run)}</div>` : ''}
</div>
${relatedActivity(account, location, `run:${id}`)}`,
)}`,
  );
};

function progress({ completed_steps, steps }: Run): SafeHtml {
  return html`<progress max="${steps.length}" value="${completed_steps}" aria-label="Completed steps"></progress> ${completed_steps} of ${steps.length}`;
}

function runsTable(location: DashboardLocation, allRuns: readonly Run[]): SafeHtml {
  if (allRuns.length === 0) {
    return html`<p class="empty">No runs yet. Run one of the scenarios below, then
<a href="${sectionPath(location.account, 'clock')}">advance the clock</a>.</p>`;
  }
  const runs = allRuns.slice(-maxRuns).reverse();
  return table<Run>(
    [
      {
        label: 'Run',
        show: ({ id, scenario }) => html`<a href="${runPath(location.account, id)}">${id}, ${scenario}</a>`,
      },
      { label: 'Record', show: ({ subject }) => recordLink(location.account, subject) },
      {
        label: 'Status',
        show: ({ status, reason }) => html`${statusBadge(status)}${reason === null ? '' : html` ${reason}`}`,
      },
      {
        label: 'Completed steps',
        show: progress,
      },
      { label: 'Next step (UTC)', show: ({ due_at }) => due_at && timestamp(due_at) },
      {
        label: 'Actions',
        show: (run) => (run.status === 'running' ? actionButton(location, 'cancelRun', 'Cancel', run) : ''),
      },
    ],
    runs,
    runs.length === allRuns.length ? 'Newest first' : `The newest ${runs.length} of ${allRuns.length}`,
  );
}

function scenarioSheet(location: DashboardLocation, account: Account, scenario: Scenario): SafeHtml {
  const { name, description, for: resource, trigger, steps } = scenario;
  const own = account.scenarios.has(name);
  const ids = eligibleIds(account, scenario).slice(0, maxSuggestedRecords);
  const noun = resourceName(resource);
  const datalistId = fieldId('records', name);
  const runFields = ({ text }: FormFields): SafeHtml => html`${text({
    // The suffix makes the form parser convert the value. Ids of deposits may be strings.
    name: `${resource}:${resource === 'deposit' ? 'id' : 'number'}`,
    label: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
    value: ids[0] ?? '',
    attributes: html`required list="${datalistId}" size="8"`,
  })}<datalist id="${datalistId}">${ids.map((id) => html`<option value="${id}"></option>`)}</datalist>
<button>Run scenario</button>`;
  return html`<section class="sheet" id="${fieldId('scenario', name)}">
<h2>${name}${own ? html` <small>added to this account</small>` : ''}</h2>
<p>${description}</p>
<ol class="steps">${steps.map((step) => html`<li>${stepText(step)}</li>`)}</ol>
<p><a href="${sectionPath(location.account, 'scenarios', 'new')}?from=${encodeURIComponent(name)}">${own ? 'Edit' : 'Edit a copy of'} ${name}</a></p>
${trigger ? html`<p class="hint">Starts automatically: <code>${JSON.stringify(trigger)}</code></p>` : ''}
${
  ids.length === 0
    ? html`<p class="empty">No ${noun} is in a status that the first step can act on. <a href="${sectionPath(location.account, sectionByResource[resource])}">Create one</a></p>`
    : form(location, 'runScenario', runFields, { id: name, className: 'actions' })
}
${own ? dangerButton(location, 'deleteScenario', 'Delete scenario', { id: name }) : ''}
</section>\n`;
}

/** A step as text: `8 d later: capture {"amount":50}`. */
function stepText({ after, do: verb, with: options }: ScenarioStep): SafeHtml {
  const when = after === 0 ? 'Immediately' : `${formatDuration(after, Infinity)} later`;
  return html`${when}: <strong>${verb}</strong>${Object.keys(options).length === 0 ? '' : html` <code>${JSON.stringify(options)}</code>`}`;
}

export const scenarioPages: readonly PageRoute[] = [
  ['/scenarios', showScenarios],
  ['/scenarios/new', showNewScenario],
  ['/scenarios/runs/:idOrName', showRun],
];
