import { html, type SafeHtml } from '@remix-run/html-template';
import type { Scenario } from '../../../domain/scenario.js';
import { addressOf, type DashboardLocation, dashboardPage } from '../components/dashboard.js';
import { form } from '../components/form.js';
import { redisplayButtonName } from '../components/form-rows.js';
import { type TimelineEntry, timeline } from '../components/timeline.js';

export interface NewScenarioView {
  /** The scenario as YAML. */
  readonly text: string;
  /** Undefined if the text is invalid. */
  readonly scenario: Scenario | undefined;
  /** The reason why the text is invalid, with the line; undefined if it is valid. */
  readonly error: string | undefined;
}

/** The page for writing a scenario, with a preview of its steps. */
export function newScenarioPage(location: DashboardLocation, view: NewScenarioView): string {
  const { text, scenario, error } = view;
  return dashboardPage(
    location,
    'New scenario',
    html`<p class="back-link"><a href="${addressOf(location.account, 'scenarios')}">All scenarios</a></p>
<section class="sheet" aria-label="Scenario as YAML">
${form(
  location,
  'saveScenarioText',
  ({ area }) => html`${area({
    name: 'text',
    label: 'Scenario (YAML or JSON)',
    value: text,
    rows: Math.min(30, Math.max(12, text.split('\n').length + 2)),
    error,
    hint: html`Steps for a deposit: authorize, decline, capture, release, expire; for an invoice: finalize, send, view,
pay, fail, cancel; for a payment_link: pay, fail; for any of these: fault. A scenario with the name of an existing one replaces it in this account.`,
  })}
<div class="actions"><button name="${redisplayButtonName}" value="check" class="quiet">Check and preview</button>
<button>Save scenario</button></div>`,
  { className: 'fields wide' },
)}
</section>
${scenario === undefined ? '' : preview(scenario, location.status.now)}`,
  );
}

/** A timeline of the steps of a scenario, as if it were started now. */
function preview({ name, for: resource, steps }: Scenario, now: string): SafeHtml {
  let stepTime = Date.parse(now);
  const entries = steps.map((step): TimelineEntry => {
    stepTime += step.after;
    const options = Object.keys(step.with).length === 0 ? '' : ` ${JSON.stringify(step.with)}`;
    return { at: new Date(stepTime).toISOString(), lane: 'Steps', variant: 'planned', text: `${step.do}${options}` };
  });
  return html`<p>If the scenario ${name} is run on ${resource === 'invoice' ? 'an' : 'a'} ${resource.replace('_', ' ')} now:</p>
${timeline('scenario', entries, now)}`;
}
