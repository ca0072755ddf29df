import { html, type SafeHtml } from '@remix-run/html-template';
import type { Subject } from '../../../domain/records.js';
import type { components } from '../../../generated/control-validated-types.js';
import { formatDuration } from '../../../text/format.js';
import { action, addressOf, dashboardPage, live, type Place, type Section } from '../components/dashboard.js';
import { form } from '../components/form.js';
import { type FormFields, fieldId } from '../components/form-fields.js';
import { table } from '../components/list.js';
import { moment } from '../components/moment.js';
import { statusBadge } from '../components/status.js';
import { subjectLink } from '../components/subject.js';

type Scenario = components['schemas']['Scenario'];
type Run = components['schemas']['Run'];
type Step = Scenario['steps'][number];

interface Scenarios {
  readonly scenarios: readonly Scenario[];
  /** The latest runs. */
  readonly runs: readonly Run[];
  readonly total: number;
  /** Ids of records that a scenario can run on, newest first, by the name of the scenario. */
  readonly playableIds: ReadonlyMap<string, readonly Subject['id'][]>;
}

const sectionOf: Readonly<Record<Scenario['for'], Section>> = {
  deposit: 'deposits',
  invoice: 'invoices',
  payment_link: 'payment-links',
};

/** The scenarios and their runs. */
export function scenariosPage(place: Place, { scenarios, runs, total, playableIds }: Scenarios): string {
  return dashboardPage(
    place,
    'Scenarios',
    html`${live(place, 'runs', html`<div class="sheet"><h2>Runs</h2>${runsOf(place, runs, total)}</div>`)}
<div class="beside">${scenarios.map((scenario) => scenarioSheet(place, scenario, playableIds.get(scenario.name) ?? []))}</div>
<p class="hint"><code>PUT /_sim/accounts/${place.account}/scenarios/{scenario}</code> adds a scenario to the account.</p>`,
  );
}

function runsOf(place: Place, runs: readonly Run[], total: number): SafeHtml {
  if (runs.length === 0) {
    return html`<p class="empty">No runs yet. Run one of the scenarios below, then
<a href="${addressOf(place.account, 'clock')}">advance the clock</a>.</p>`;
  }
  return table<Run>(
    [
      { label: 'Run', show: ({ id, scenario }) => `${id}, ${scenario}` },
      { label: 'On', show: ({ subject }) => subjectLink(place.account, subject) },
      {
        label: 'Status',
        show: ({ status, reason }) => html`${statusBadge(status)}${reason === null ? '' : html` ${reason}`}`,
      },
      {
        label: 'Steps played',
        show: ({ played, steps }) =>
          html`<progress max="${steps}" value="${played}" aria-label="Steps played"></progress> ${played} of ${steps}`,
      },
      { label: 'Next step (UTC)', show: ({ due_at }) => due_at && moment(due_at) },
      {
        label: 'Actions',
        show: (run) => (run.status === 'running' ? action(place, 'cancelRun', 'Cancel', run) : ''),
      },
    ],
    runs,
    runs.length === total ? 'Newest first' : `The newest ${runs.length} of ${total}`,
  );
}

function scenarioSheet(place: Place, scenario: Scenario, ids: readonly Subject['id'][]): SafeHtml {
  const { name, description, for: resource, own, trigger, steps } = scenario;
  const noun = resource.replace('_', ' ');
  const list = fieldId('records', name);
  const field = ({ text }: FormFields): SafeHtml => html`${text({
    name: resource === 'deposit' ? resource : `${resource}:number`,
    label: `On the ${noun}`,
    value: ids[0] ?? '',
    attributes: html`required list="${list}" size="8"`,
  })}<datalist id="${list}">${ids.map((id) => html`<option value="${id}"></option>`)}</datalist>
<button>Run scenario</button>`;
  return html`<section class="sheet">
<h2>${name}${own ? html` <small>added to this account</small>` : ''}</h2>
<p>${description}</p>
<ol class="steps">${steps.map((step) => html`<li>${stepOf(step)}</li>`)}</ol>
${trigger ? html`<p class="hint">Starts automatically: <code>${JSON.stringify(trigger)}</code></p>` : ''}
${
  ids.length === 0
    ? html`<p class="empty">No ${noun} is in a status that the first step can act on. <a href="${addressOf(place.account, sectionOf[resource])}">Create one</a></p>`
    : form(place, 'runScenario', field, { id: name, look: 'actions' })
}
</section>\n`;
}

/** `8 d later: capture {"amount":50}` */
function stepOf({ after, do: verb, with: options }: Step): SafeHtml {
  const when = after === 0 ? 'At once' : `${formatDuration(after)} later`;
  return html`${when}: <strong>${verb}</strong>${Object.keys(options).length === 0 ? '' : html` <code>${JSON.stringify(options)}</code>`}`;
}
