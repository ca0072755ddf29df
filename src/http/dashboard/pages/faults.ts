import { html, type SafeHtml } from '@remix-run/html-template';
import { type Fault, faultStatus } from '../../../domain/faults.js';
import { eventNames } from '../../../domain/records.js';
import { operationIds } from '../../../generated/billing-document.js';
import type { components } from '../../../generated/control-validated-types.js';
import type { Account } from '../../../simulation/account.js';
import { unclearedFaultsOf } from '../../../simulation/faults/faults.js';
import { describeFaultCounts, describeFaultScope } from '../../../text/fault-text.js';
import { describeEffects } from '../../control/faults.js';
import { dangerButton } from '../components/danger-button.js';
import { type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { form, formKey } from '../components/form.js';
import type { FormFields } from '../components/form-fields.js';
import { table } from '../components/list.js';
import { sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { presetForms } from './fault-presets.js';

type Effect = components['schemas']['DescribedEffect'];

/** Descriptions of the stages at which effects apply. */
const stageDescriptions: Readonly<Record<Effect['stage'], string>> = {
  request: 'instead of handling a request',
  response: 'on the response to a request',
  message: 'on a webhook',
  attempt: 'on an attempt to send a webhook',
};

/** The page of the account's faults, with presets, a form for any other fault, and a list of the effects. */
const showFaults: PageHandler = async ({ account, location, query }) => {
  const effects = await describeEffects();
  const { shortFormOf } = await import('../../../faults/describe-fault.js');
  // The effect that the form for a new fault initially shows, in the short form; empty for none.
  const initialEffect = query.get('effect') ?? '';
  // The forms return to the page without `?effect=…`, which would fill in the same effect again.
  const formLocation = { ...location, path: sectionPath(location.account, 'faults') };
  const isOpen = initialEffect !== '' || location.notice?.form?.key === formKey('addFault');
  return dashboardPage(
    location,
    'Faults',
    html`${liveSection(location, 'faults', html`<div class="sheet">${faultsTable(location, account, shortFormOf)}</div>`)}
<section class="sheet" id="new">
<h2>New fault</h2>
${presetForms(formLocation)}
<details${isOpen ? ' open' : ''}><summary>Advanced</summary>
${form(formLocation, 'addFault', (fields) => faultFields(fields, initialEffect))}
<h3>Effects</h3>
${table<Effect>(
  [
    { label: 'Effect', show: ({ name }) => html`<code>${name}</code>` },
    {
      label: 'Description',
      show: ({ summary, stage }) => html`${summary} <small>(${stageDescriptions[stage]})</small>`,
    },
    { label: 'Options', show: ({ options }) => Object.keys(options).join(', ') },
    {
      label: 'Example',
      show: ({ example }) => html`<a href="${addressWithEffect(location, example)}"><code>${example}</code></a>`,
    },
  ],
  effects,
  'Select an example to fill in the form.',
)}
</details>
</section>`,
  );
};

function addressWithEffect({ account }: DashboardLocation, example: string): string {
  return `${sectionPath(account, 'faults')}?${new URLSearchParams({ effect: example })}#new`;
}

function faultFields({ text, select, hasInput }: FormFields, initialEffect: string): SafeHtml {
  const options = (labelForAll: string, names: readonly string[]) => [
    { value: '', label: labelForAll },
    ...names.map((value) => ({ value })),
  ];
  const numberAttributes = (mode: 'numeric' | 'decimal', example = ''): SafeHtml =>
    html`inputmode="${mode}" placeholder="${example}"`;
  const conditionFields = ['match.token', 'match.nth:number', 'match.every:number', 'match.probability:number', 'for'];
  return html`${text({
    name: 'effect',
    label: 'Effect',
    value: initialEffect,
    attributes: html`required placeholder="status=503"`,
    hint: html`As in the examples below: <code>name=value;option=value</code>. Separate several effects with commas.`,
  })}
${select({ name: 'match.operation', label: 'Requests of', options: options('every operation', operationIds) })}
${select({ name: 'match.event', label: 'Webhooks of', options: options('every event', eventNames) })}
${text({ name: 'times:number', label: 'Maximum number of times', attributes: numberAttributes('numeric', 'unlimited') })}
<details${hasInput(...conditionFields) ? ' open' : ''}><summary>More conditions</summary>
<div class="fields">
${text({ name: 'match.token', label: 'Name of the token', attributes: html`placeholder="any"` })}
${text({ name: 'match.nth:number', label: 'Only the nth', attributes: numberAttributes('numeric') })}
${text({ name: 'match.every:number', label: 'Every nth', attributes: numberAttributes('numeric') })}
${text({ name: 'match.probability:number', label: 'Probability', attributes: numberAttributes('decimal', '0.2') })}
${text({ name: 'for', label: "Duration, on the account's clock", attributes: html`placeholder="1h"` })}
</div>
</details>
<button>Inject fault</button>`;
}

function faultsTable(location: DashboardLocation, account: Account, shortFormOf: (fault: Fault) => string): SafeHtml {
  const faults = unclearedFaultsOf(account);
  if (faults.length === 0) return html`<p class="empty">No faults active. Inject one below.</p>`;
  return html`${table<Fault>(
    [
      { label: 'Effect', show: (fault) => html`<code>${shortFormOf(fault)}</code>` },
      { label: 'Applies to', show: describeFaultScope },
      { label: 'Count', show: describeFaultCounts },
      { label: 'Status', show: (fault) => statusBadge(faultStatus(fault, account.now())) },
      { label: 'Actions', show: (fault) => dangerButton(location, 'clearFault', 'Clear', fault) },
    ],
    faults,
    'Faults that are not cleared',
  )}
<div class="actions">${dangerButton(location, 'clearFaults', 'Clear all')}</div>`;
}

export const faultPages: readonly PageRoute[] = [['/faults', showFaults]];
