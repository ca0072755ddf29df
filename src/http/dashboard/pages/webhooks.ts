import { html, type SafeHtml } from '@remix-run/html-template';
import { type Delivery, eventNames } from '../../../domain/records.js';
import type { components } from '../../../generated/control-validated-types.js';
import type { Account } from '../../../simulation/account.js';
import { deliveryStatus } from '../../../simulation/delivery/deliveries.js';
import { deliveryDueAt } from '../../../simulation/state/apply-changes.js';
import { subjectName } from '../../../text/format.js';
import { deliverySummary } from '../../control/deliveries.js';
import { failedDeliveries, maxResendsPerClick } from '../actions/resend-deliveries.js';
import { dangerButton } from '../components/danger-button.js';
import { type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { form } from '../components/form.js';
import { returnToField } from '../components/form-fields.js';
import { createdColumn, list } from '../components/list.js';
import { pageCommand } from '../components/page-command.js';
import { recordLink } from '../components/record-link.js';
import { actionPath, sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { relativeTime } from '../components/timestamp.js';
import { createExportRoutes } from '../data/list-export.js';
import { type ListSource, listPageOf, ownFields } from '../data/list-rows.js';
import type { PageContext, PageHandler, PageRoute } from '../routing/page.js';
import { showDelivery, showSignatureCheck } from './delivery.js';

type Status = components['schemas']['DeliverySummary']['status'];

/** The statuses of deliveries, in the order in which filters and charts list them. */
export const deliveryStatuses: readonly Status[] = ['delivered', 'retrying', 'waiting', 'failed', 'unsent'];

export const deliveryList = (account: Account): ListSource<Delivery> => ({
  rows: account.deliveries.rows,
  rowPositionsInTimeOrder: () => account.deliveries.rowPositionsInTimeOrder(),
  searchTextsOf: ({ id, event, subject }) => [id, event, subjectName(subject)],
  statusOf: (delivery) => deliveryStatus(account, delivery),
  exportedFields: {
    ...ownFields('id', 'event'),
    record: ({ subject }) => subjectName(subject),
    status: (delivery) => deliveryStatus(account, delivery),
    attempts: ({ id }) => account.attemptsOfDelivery.all(id).length,
    ...ownFields('url', 'created_at'),
    next_attempt_at: (delivery) => deliveryDueAt(account, delivery),
  },
});

/** The webhook URL, a form to trigger events, and the deliveries. */
const showWebhooks: PageHandler = (context) => {
  const { account, location, query } = context;
  const { now } = location.status;
  const { rows, ...listPage } = listPageOf(query, deliveryList(account));
  return dashboardPage(
    location,
    'Webhooks',
    html`<div class="beside">
${urlSheet(context)}
<section class="sheet">
<h2>Trigger an event</h2>
<p>Triggers the event on a real record: a new one, or the one given here.</p>
${form(
  location,
  'triggerEvent',
  ({
    text,
    select,
  }) => html`${select({ name: 'event', label: 'Event', options: eventNames.map((value) => ({ value })) })}
${text({ name: 'deposit:id', label: 'Deposit', attributes: html`placeholder="a new one"` })}
${text({ name: 'payment_link:number', label: 'Payment link', attributes: html`inputmode="numeric" placeholder="a new one"` })}
<button>Trigger event</button>`,
)}
</section>
</div>
<h2>Deliveries</h2>
${account.deliveries.size === 0 ? '' : liveSection(location, 'resend', resendForm(location, failedDeliveries(account).length))}
${list(location, {
  ...listPage,
  rows: rows.map((delivery) => deliverySummary(account, delivery)),
  noun: 'delivery',
  statuses: deliveryStatuses,
  searchPlaceholder: 'event, record, or id',
  empty: html`<p>No events yet. Trigger one above, or authorize a deposit and
<a href="${sectionPath(account.id, 'clock')}">advance the clock</a>.</p>`,
  columns: [
    {
      label: 'Select',
      isSelection: true,
      show: ({ id, event }) =>
        html`<input type="checkbox" id="select-${id}" name="ids[]" value="${id}" form="resend-form" hx-preserve aria-label="Select ${event} ${id}">`,
    },
    {
      label: 'Event',
      sort: 'event',
      show: ({ id, event }) => html`<a href="${sectionPath(account.id, 'webhooks', id)}">${event}</a>`,
    },
    { label: 'Record', sort: 'record', show: ({ subject }) => recordLink(account.id, subject) },
    { label: 'Status', show: ({ status }) => statusBadge(status) },
    { label: 'Attempts', isNumeric: true, show: ({ attempts }) => attempts },
    createdColumn(now),
    { label: 'Next attempt', show: ({ next_attempt_at }) => next_attempt_at && relativeTime(next_attempt_at, now) },
    { label: 'Faults', show: ({ faults }) => faults.join(', ') },
  ],
})}`,
  );
};

/** A form that resends the deliveries that are selected in the list, or all that failed. */
function resendForm(location: DashboardLocation, failedCount: number): SafeHtml {
  const limit = failedCount > maxResendsPerClick ? ` At most ${maxResendsPerClick} are sent per click.` : '';
  const failed = html`<button id="resend-failed" name="which" value="failed" class="quiet">Resend all failed (${failedCount.toLocaleString('en')})</button>
<p class="hint">Includes deliveries that wait for a retry.${limit}</p>`;
  return html`<form method="post" action="${actionPath(location.account, 'resendDeliveries')}" id="resend-form" class="actions">
${returnToField(location.path)}
<button id="resend-selected" name="which" value="selected" class="quiet">Resend selected</button>
${failedCount === 0 ? '' : failed}
</form>`;
}

function urlSheet(context: PageContext): SafeHtml {
  const { account, location } = context;
  const { webhook_url: url } = account.record;
  return html`<section class="sheet">
<h2>Destination</h2>
${form(
  location,
  'changeSettings',
  ({ text }) => html`${text({
    name: 'webhook_url',
    label: 'Webhook URL',
    value: url ?? '',
    attributes: html`inputmode="url" required placeholder="localhost:3000/webhooks"`,
  })}
<button>Save webhook URL</button>`,
  { part: 'url' },
)}
${
  url === null
    ? html`<p class="hint">Events are not sent anywhere. <code>${pageCommand(context, 'listen')}</code> shows them in a terminal.</p>`
    : form(
        location,
        'changeSettings',
        html`<input type="hidden" name="webhook_url:json" value="null"><button class="quiet">Remove webhook URL</button>`,
        { className: 'actions', part: 'remove-url' },
      )
}
<h3>Secret</h3>
<p>Webhooks are signed with a secret, which <code>${pageCommand(context, 'settings show')}</code> prints.</p>
${dangerButton(location, 'rotateWebhookSecret', 'Rotate secret')}
</section>`;
}

export const webhookPages: readonly PageRoute[] = [
  ['/webhooks', showWebhooks],
  ['/webhooks/:idOrName', showDelivery],
  ['/webhooks/:idOrName', showSignatureCheck, 'post'],
  ...createExportRoutes('webhooks', deliveryList),
];
