import { html, type SafeHtml } from '@remix-run/html-template';
import { countsOf, scopeOf } from '../domain/fault-words.js';
import type { components } from '../generated/control-validated-types.js';
import { action, addressOf, dashboardPage, live, type Place } from './dashboard.js';
import { form } from './form.js';
import { table } from './list.js';
import { statusBadge } from './status.js';

type Fault = components['schemas']['Fault'];
type Effect = components['schemas']['DescribedEffect'];

/** A fault, with its effects in the short form. */
interface ListedFault {
  readonly fault: Fault;
  readonly short: string;
}

interface Faults {
  readonly faults: readonly ListedFault[];
  readonly effects: readonly Effect[];
  readonly operations: readonly string[];
  readonly events: readonly string[];
  /** In the short form: what the form begins with. */
  readonly picked: string;
}

const stages: Readonly<Record<Effect['stage'], string>> = {
  call: 'in place of carrying a request out',
  answer: 'on the answer to a request',
  message: 'on a webhook',
  attempt: 'on an attempt to send a webhook',
};

/** What goes wrong on purpose, and what can. */
export function faultsPage(place: Place, { faults, effects, operations, events, picked }: Faults): string {
  return dashboardPage(
    place,
    'Faults',
    html`${live(place, 'faults', html`<div class="sheet">${listOf(place, faults)}</div>`)}
<section class="sheet" id="new">
<h2>New fault</h2>
${form({ ...place, path: addressOf(place.account, 'faults') }, 'addFault', fields({ operations, events, picked }))}
</section>
<section class="sheet">
<h2>What can go wrong</h2>
${table<Effect>(
  [
    { label: 'Effect', show: ({ name }) => html`<code>${name}</code>` },
    { label: 'What happens', show: ({ summary, stage }) => html`${summary} <small>(${stages[stage]})</small>` },
    { label: 'Options', show: ({ options }) => Object.keys(options).join(', ') },
    {
      label: 'Such as',
      show: ({ example }) => html`<a href="${withEffect(place, example)}"><code>${example}</code></a>`,
    },
  ],
  effects,
  'Effects; an example puts itself into the form',
)}
</section>`,
  );
}

function withEffect({ account }: Place, example: string): string {
  return `${addressOf(account, 'faults')}?${new URLSearchParams({ effect: example })}#new`;
}

function fields({ operations, events, picked }: Pick<Faults, 'operations' | 'events' | 'picked'>): SafeHtml {
  const options = (names: readonly string[]): SafeHtml[] => names.map((name) => html`<option>${name}</option>`);
  return html`<label>Effect <input name="effect" required value="${picked}" placeholder="status=503" aria-describedby="effect-form"></label>
<p id="effect-form" class="hint">As in the examples below: <code>name=value;option=value</code>, several with commas between them.</p>
<label>On requests of <select name="match.operation"><option value="">every operation</option>${options(operations)}</select></label>
<label>Or on webhooks of <select name="match.event"><option value="">every event</option>${options(events)}</select></label>
<label>How often at the most <input name="times:number" inputmode="numeric" placeholder="any number of times"></label>
<details><summary>Narrower still</summary>
<div class="fields">
<label>With the token named <input name="match.token" placeholder="any"></label>
<label>The nth alone <input name="match.nth:number" inputmode="numeric"></label>
<label>Every nth <input name="match.every:number" inputmode="numeric"></label>
<label>With a probability of <input name="match.probability:number" inputmode="decimal" placeholder="0.2"></label>
<label>For so long, by the account's clock <input name="for" placeholder="1h"></label>
</div>
</details>
<button>Add</button>`;
}

function listOf(place: Place, faults: readonly ListedFault[]): SafeHtml {
  if (faults.length === 0) return html`<p class="empty">Nothing goes wrong on purpose. Add a fault below.</p>`;
  return html`${table<ListedFault>(
    [
      { label: 'Effect', show: ({ short }) => html`<code>${short}</code>` },
      { label: 'On', show: ({ fault }) => scopeOf(fault) },
      { label: 'So far', show: ({ fault }) => countsOf(fault) },
      { label: 'Status', show: ({ fault }) => statusBadge(fault.status) },
      { label: 'Actions', show: ({ fault }) => action(place, 'clearFault', 'Clear', fault) },
    ],
    faults,
    'Faults that have not been cleared',
  )}
<div class="actions">${action(place, 'clearFaults', 'Clear all')}</div>`;
}
