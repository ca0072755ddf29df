import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { describeFaultCounts } from '../../../text/fault-text.js';
import { formatCount } from '../../../text/format.js';
import type { HandledOperationId, ResultOf } from '../../control/operations.js';
import { advanceReportList } from '../components/advance-report.js';
import type { Notice } from '../components/dashboard-page.js';
import { form } from '../components/form.js';
import { customerLink, recordLink } from '../components/record-link.js';
import { sectionPath } from '../components/sections.js';
import { timestamp } from '../components/timestamp.js';

/** Messages after successful operations. Operations that are not listed get `Done.` */
type Messages = {
  readonly [Id in HandledOperationId]?: (result: ResultOf<Id>, context: ActionContext) => SafeHtml;
};

/** The context of an operation that succeeded. */
interface ActionContext {
  readonly account: string;
  /** The page that shows the message, without the host. */
  readonly returnTo: string;
  /** The name of the snapshot that undoes the operation; undefined if the operation cannot be undone. */
  readonly undoSnapshot: string | undefined;
}

function undoForm({ account, returnTo, undoSnapshot }: ActionContext): SafeHtml {
  if (undoSnapshot === undefined) return html``;
  return form({ account, path: returnTo }, 'restoreSnapshot', html`<button>Undo</button>`, {
    id: undoSnapshot,
    className: 'action',
  });
}

/** The new status of a record, which the account's profile may leave out (gap deposit.fields). */
const statusNotice = ({ status }: components['schemas']['ServiceRecord']): SafeHtml =>
  status === undefined ? html`<p>Done.</p>` : html`<p>Done. Status: ${status}.</p>`;

const messages: Messages = {
  createCustomer: (customer, { account }) =>
    html`<p>Customer ${customerLink(account, customer)} created, with id ${customer.id}.</p>`,
  authorizeDeposit: ({ deposit }) => statusNotice(deposit),
  declineDeposit: ({ deposit }) => statusNotice(deposit),
  expireDeposit: ({ deposit }) => statusNotice(deposit),
  payPaymentLink: ({ payment: { id, status } }, { account }) =>
    html`<p>${recordLink(account, { resource: 'payment', id })} is ${status}.</p>`,
  startPayment: ({ payment }) => statusNotice(payment),
  succeedPayment: ({ payment }) => statusNotice(payment),
  failPayment: ({ payment }) => statusNotice(payment),
  finalizeInvoice: ({ invoice }) => statusNotice(invoice),
  sendInvoice: ({ invoice }) => statusNotice(invoice),
  viewInvoice: ({ invoice }) => statusNotice(invoice),
  payInvoice: ({ invoice }) => statusNotice(invoice),
  cancelInvoice: ({ invoice }) => statusNotice(invoice),
  createToken: ({ name, token }) =>
    html`<p>Token <strong>${name}</strong> created: <code data-copy>${token}</code>. It is shown only once.</p>`,
  rotateWebhookSecret: ({ webhook_secret }) =>
    html`<p>New webhook secret: <code data-copy>${webhook_secret}</code>. The dashboard shows it only once.</p>`,
  createAccount: ({
    id,
    tokens,
    webhook_secret,
  }) => html`<p>Account <a href="${sectionPath(id, '')}" hx-boost="false">${id}</a> created.
Its tokens are shown only once.</p>
<dl class="pairs"><dt>Full</dt><dd><code data-copy>${tokens.full}</code></dd><dt>Read</dt><dd><code data-copy>${tokens.read}</code></dd>
<dt>Write</dt><dd><code data-copy>${tokens.write}</code></dd><dt>Webhook secret</dt><dd><code data-copy>${webhook_secret}</code></dd></dl>`,
  deleteAccount: ({ id }) => html`<p>Account ${id} deleted.</p>`,
  revokeToken: () => html`<p>Token revoked.</p>`,
  changeSettings: () => html`<p>Saved.</p>`,
  chooseForGap: () => html`<p>Saved.</p>`,
  advanceClock: (report, { account }) => advanceReportList(account, report),
  triggerEvent: ({ subject, deliveries }, { account }) => html`<p>Triggered on ${recordLink(account, subject)}:
${formatCount(deliveries.length, 'event')}.</p>`,
  replayRequest: ({ id, status }, { account }) =>
    html`<p>Replayed as <a href="${sectionPath(account, 'requests', id)}">${id}</a>: ${status ?? 'no response'}.</p>`,
  resendDelivery: ({ attempts }) =>
    html`<p>Sent: ${attempts.at(-1)?.status ?? attempts.at(-1)?.error ?? 'nothing'}.</p>`,
  addFault: ({ id }) => html`<p>Fault ${id} added.</p>`,
  clearFault: (fault) => html`<p>Fault ${fault.id} cleared (${describeFaultCounts(fault)}).</p>`,
  clearFaults: ({ cleared }) => html`<p>${formatCount(cleared, 'fault')} cleared.</p>`,
  resetCoverage: () => html`<p>Coverage reset.</p>`,
  runScenario: ({ id, scenario }) => html`<p>Run ${id} of ${scenario} started. Advance the clock to continue.</p>`,
  deleteScenario: ({ name }) => html`<p>Scenario ${name} deleted.</p>`,
  cancelRun: () => html`<p>Scenario cancelled.</p>`,
  saveSnapshot: ({ name }) => html`<p>Snapshot <strong>${name}</strong> saved.</p>`,
  restoreSnapshot: ({ now }, context) =>
    html`<p>Snapshot restored. The account is back in its state of ${timestamp(now)}.</p>${undoForm(context)}`,
  importSnapshot: ({ name }) => html`<p>Snapshot <strong>${name}</strong> imported.</p>`,
  removeSnapshot: ({ name }) => html`<p>Snapshot ${name} removed.</p>`,
  resetAccount: (_result, context) => html`<p>Account reset.</p>${undoForm(context)}`,
};

/**
 * URLs of the pages that show the result of an operation, for operations that do not return to the page of their form.
 */
const resultUrls: { readonly [Id in HandledOperationId]?: (result: ResultOf<Id>, account: string) => string } = {
  replayRequest: ({ id }, account) => sectionPath(account, 'requests', id),
};

/** The URL of the page that shows the result of an operation; undefined for the page of the form. */
export function resultUrlOf<Id extends HandledOperationId>(
  id: Id,
  result: ResultOf<Id>,
  account: string,
): string | undefined {
  return resultUrls[id]?.(result, account);
}

/** The notice after an operation that succeeded. */
export function successNotice<Id extends HandledOperationId>(
  id: Id,
  result: ResultOf<Id>,
  context: ActionContext,
): Notice {
  return { kind: 'done', content: messages[id]?.(result, context) ?? html`<p>Done.</p>` };
}
