import { html, type SafeHtml } from '@remix-run/html-template';
import { type Scenario, type ScenarioSubject, verbNames } from '../../../domain/scenario.js';
import { ServiceError } from '../../../domain/service-error.js';
import { dayMs, minuteMs } from '../../../lib/durations.js';
import type { Account } from '../../../simulation/account.js';
import { scenariosOf } from '../../../simulation/scenarios/triggered-runs.js';
import { verbs } from '../../../simulation/scenarios/verbs.js';
import { resourceName } from '../../../text/format.js';
import { errorText } from '../../service/errors.js';
import { parseScenarioText, scenarioText } from '../actions/scenario-text.js';
import { backLink, dashboardPage } from '../components/dashboard-page.js';
import { form, formKey } from '../components/form.js';
import { redisplayButtonName } from '../components/form-rows.js';
import { type TimelineEntry, timeline } from '../components/timeline.js';
import type { PageHandler } from '../routing/page.js';

const example: Scenario = {
  name: 'my-scenario',
  description: 'The guest authorizes, and part of the hold is captured.',
  for: 'deposit',
  steps: [
    { after: 2 * minuteMs, do: 'authorize', with: {} },
    { after: dayMs, do: 'capture', with: { amount: 50 } },
  ],
};

/** The verbs that a step can have in a scenario for a kind of record: `pay, fail, fault`. */
function verbsFor(subject: ScenarioSubject): string {
  return verbNames.filter((name) => verbs[name][subject]).join(', ');
}

/**
 * The page for writing a scenario, with a preview of its steps. Initially it shows an example, or the scenario that the
 * query parameter `from` names.
 */
export const showNewScenario: PageHandler = async ({ account, query, location }) => {
  const enteredText =
    location.notice?.form?.key === formKey('saveScenarioText') ? location.notice.form.values.get('text') : undefined;
  const original = scenariosOf(account).find(({ name }) => name === query.get('from')) ?? example;
  const text = enteredText ?? scenarioText(original);
  const { scenario, error } = await parseScenario(account, text);
  return dashboardPage(
    location,
    'New scenario',
    html`${backLink(location, 'All scenarios')}
<section class="sheet" aria-label="Scenario as YAML">
${form(
  location,
  'saveScenarioText',
  ({ textArea }) => html`${textArea({
    name: 'text',
    label: 'Scenario (YAML or JSON)',
    value: text,
    rows: Math.min(30, Math.max(12, text.split('\n').length + 2)),
    error,
    hint: html`Steps for a deposit: ${verbsFor('deposit')}; for an invoice: ${verbsFor('invoice')}; for a payment_link:
${verbsFor('payment_link')}. A scenario with the name of an existing one replaces it in this account.`,
  })}
<div class="actions"><button name="${redisplayButtonName}" value="check" class="quiet">Check and preview</button>
<button>Save scenario</button></div>`,
  { className: 'fields wide' },
)}
</section>
${scenario === undefined ? '' : preview(scenario, location.status.now)}`,
  );
};

/** Parses a scenario. Invalid text results in an error message. */
async function parseScenario(
  account: Account,
  text: string,
): Promise<{ readonly scenario: Scenario | undefined; readonly error: string | undefined }> {
  try {
    return { scenario: await parseScenarioText(text, account), error: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { error: message, errors } = errorText(error, account.profile);
    return { scenario: undefined, error: errors?.['text']?.join(' ') ?? message };
  }
}

/** A timeline of the steps of a scenario, as if it were started now. */
function preview({ name, for: resource, steps }: Scenario, now: string): SafeHtml {
  let stepTime = Date.parse(now);
  const entries = steps.map((step): TimelineEntry => {
    stepTime += step.after;
    const options = Object.keys(step.with).length === 0 ? '' : ` ${JSON.stringify(step.with)}`;
    return { at: new Date(stepTime).toISOString(), lane: 'Steps', variant: 'planned', text: `${step.do}${options}` };
  });
  return html`<p>If the scenario ${name} is run on ${resource === 'invoice' ? 'an' : 'a'} ${resourceName(resource)} now:</p>
${timeline('scenario', entries, now)}`;
}
