import { html, type SafeHtml } from '@remix-run/html-template';
import { type DashboardLocation, dashboardPage } from './dashboard-page.js';
import { returnToField } from './form-fields.js';
import { actionPath } from './sections.js';

/** A question that is asked before an action that cannot be undone. */
export interface Confirmation {
  /** The question: `Delete account hotel?` */
  readonly title: string;
  /** Describes what the action deletes or changes. */
  readonly consequences: SafeHtml;
  /** The label of the button that confirms. */
  readonly button: string;
}

/** A question, and the operation to call if the user confirms. */
interface ConfirmationView extends Confirmation {
  readonly operation: string;
  /** The id or name of the record; empty if the operation has none. */
  readonly idOrName: string;
  /** The page to show after confirming, without the host. */
  readonly next: string;
  /** The page to return to on cancel, without the host. */
  readonly back: string;
  /** True if the next page belongs to another account. That page is loaded without htmx, to reconnect the live updates. */
  readonly switchesAccount: boolean;
  /** True if a script shows the question in a dialog. */
  readonly isDialog: boolean;
}

/** The page or dialog that asks for confirmation. */
export function confirmationPage(location: DashboardLocation, view: ConfirmationView): string {
  const { title, consequences, button, operation, idOrName, next, back, switchesAccount, isDialog } = view;
  const cancel = isDialog
    ? html`<form method="dialog" class="action"><button class="quiet" autofocus>Cancel</button></form>`
    : html`<a class="button quiet" href="${back}">Cancel</a>`;
  return dashboardPage(
    location,
    title,
    html`<section class="sheet" id="confirmation">
${isDialog ? html`<h2 id="confirmation-title">${title}</h2>` : ''}
${consequences}
<p>This cannot be undone.</p>
<div class="actions">
<form method="post" action="${actionPath(location.account, operation, idOrName === '' ? undefined : idOrName)}" class="action"${switchesAccount ? html` hx-boost="false"` : ''}>
${returnToField(next)}<button class="danger">${button}</button></form>
${cancel}
</div>
</section>`,
  );
}
