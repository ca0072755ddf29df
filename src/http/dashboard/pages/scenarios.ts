import { html, type SafeHtml } from '@remix-run/html-template';
import type { Subject } from '../../../domain/records.js';
import type { components } from '../../../generated/control-validated-types.js';
import { eligibleIds } from '../../../simulation/scenarios/scenarios.js';
import { scenariosOf } from '../../../simulation/scenarios/triggered-runs.js';
import { formatDuration } from '../../../text/format.js';
import { dangerButton } from '../components/danger-button.js';
import {
  actionButton,
  addressOf,
  type DashboardLocation,
  dashboardPage,
  liveSection,
  runAddress,
} from '../components/dashboard-page.js';
import { facts } from '../components/facts.js';
import { form } from '../components/form.js';
import { type FormFields, fieldId } from '../components/form-fields.js';
import { table } from '../components/list.js';
import { recordLink, sectionByResource } from '../components/record-link.js';
import { statusBadge } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { relatedSection } from '../routing/related-section.js';
import { showNewScenario } from './new-scenario.js';

type Scenario = components['schemas']['Scenario'];
type Run = components['schemas']['Run'];
type Step = Scenario['steps'][number];

/** Maximum number of runs shown. */
const maxRuns = 25;

/** Maximum number of records that are suggested for a scenario. */
const maxSuggestedRecords = 10;

/** The scenarios and their runs. */
const showScenarios: PageHandler = async (context) => {
  const { account, controlApi, location } = context;
  const { data: scenarios } = await controlApi.listScenarios(operationInput(context));
  const runs = await controlApi.listRuns({ ...operationInput(context), query: { page: 1, per_page: maxRuns } });
  const idsByScenario = new Map(
    scenariosOf(account).map((scenario) => [
      scenario.name,
      eligibleIds(account, scenario).slice(0, maxSuggestedRecords),
    ]),
  );
  return dashboardPage(
    location,
    'Scenarios',
    html`<p><a class="button" href="${addressOf(location.account, 'scenarios', 'new')}">New scenario</a></p>
${liveSection(location, 'runs', html`<div class="sheet"><h2>Runs</h2>${runsTable(location, runs.data, runs.total)}</div>`)}
<div class="beside">${scenarios.map((scenario) => scenarioSheet(location, scenario, idsByScenario.get(scenario.name) ?? []))}</div>
<p class="hint">You can also add a scenario with <code>PUT /_sim/accounts/${location.account}/scenarios/{scenario}</code>.</p>`,
  );
};

/** The page of a run of a scenario. */
const showRun: PageHandler = async (context) => {
  const { account, location } = context;
  const run = await context.controlApi.getRun(operationInput(context));
  const { id, scenario, subject, status, reason, due_at } = run;
  return dashboardPage(
    location,
    `Run ${id} of ${scenario}`,
    html`<p class="back-link"><a href="${addressOf(location.account, 'scenarios')}">All scenarios and runs</a></p>
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
${relatedSection(account, location, `run:${id}`)}`,
)}`,
  );
};

function progress({ completed_steps, steps }: Run): SafeHtml {
  return html`<progress max="${steps}" value="${completed_steps}" aria-label="Completed steps"></progress> ${completed_steps} of ${steps}`;
}

function runsTable(location: DashboardLocation, runs: readonly Run[], total: number): SafeHtml {
  if (runs.length === 0) {
    return html`<p class="empty">No runs yet. Run one of the scenarios below, then
<a href="${addressOf(location.account, 'clock')}">advance the clock</a>.</p>`;
  }
  return table<Run>(
    [
      {
        label: 'Run',
        show: ({ id, scenario }) => html`<a href="${runAddress(location.account, id)}">${id}, ${scenario}</a>`,
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
    runs.length === total ? 'Newest first' : `The newest ${runs.length} of ${total}`,
  );
}

function scenarioSheet(location: DashboardLocation, scenario: Scenario, ids: readonly Subject['id'][]): SafeHtml {
  const { name, description, for: resource, own, trigger, steps } = scenario;
  const noun = resource.replace('_', ' ');
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
<p><a href="${addressOf(location.account, 'scenarios', 'new')}?from=${encodeURIComponent(name)}">${own ? 'Edit' : 'Edit a copy of'} ${name}</a></p>
${trigger ? html`<p class="hint">Starts automatically: <code>${JSON.stringify(trigger)}</code></p>` : ''}
${
  ids.length === 0
    ? html`<p class="empty">No ${noun} is in a status that the first step can act on. <a href="${addressOf(location.account, sectionByResource[resource])}">Create one</a></p>`
    : form(location, 'runScenario', runFields, { id: name, className: 'actions' })
}
${own ? dangerButton(location, 'deleteScenario', 'Delete scenario', { id: name }) : ''}
</section>\n`;
}

/** A step as text: `8 d later: capture {"amount":50}`. */
function stepText({ after, do: verb, with: options }: Step): SafeHtml {
  const when = after === 0 ? 'Immediately' : `${formatDuration(after, Infinity)} later`;
  return html`${when}: <strong>${verb}</strong>${Object.keys(options).length === 0 ? '' : html` <code>${JSON.stringify(options)}</code>`}`;
}

export const scenarioPages: readonly PageRoute[] = [
  ['/scenarios', showScenarios],
  ['/scenarios/new', showNewScenario],
  ['/scenarios/runs/:idOrName', showRun],
];
