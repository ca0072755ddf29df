import { html, type SafeHtml } from '@remix-run/html-template';
import { actionAddress, confirmationAddress, dashboardPage, type Place } from './dashboard.js';

/** What somebody is asked before data is lost. */
export interface Confirmation {
  /** A question: `Delete account hotel?` */
  readonly title: string;
  /** What is lost. */
  readonly loss: SafeHtml;
  /** What the button says that goes through with it. */
  readonly button: string;
}

interface Asked extends Confirmation {
  readonly operation: string;
  /** What it is done to; empty where the operation names nothing. */
  readonly name: string;
  /** Where to look afterwards, and where to go back to, without the host. */
  readonly next: string;
  readonly back: string;
  /** Whether another account is looked at afterwards, which has its own live updates. */
  readonly leadsElsewhere: boolean;
  /** Whether a script shows it in a dialog, over the page where it was asked for. */
  readonly isDialog: boolean;
}

/** A button for what cannot be undone: it leads to a question first, in a dialog where scripts run, else on a page. */
export function dangerButton(
  place: Pick<Place, 'account' | 'path'>,
  operation: string,
  label: string,
  target?: { readonly id: number | string },
): SafeHtml {
  const { account, path } = place;
  const address = confirmationAddress({ account }, operation, target?.id);
  return html`<form method="get" action="${address}" class="action" hx-target="#dialog" hx-select="#confirmation" hx-swap="innerHTML show:none ignoreTitle:true" hx-push-url="false">
<input type="hidden" name="then" value="${path}"><button id="${address.replace(/\W+/g, '-')}" class="danger">${label}</button></form>`;
}

/** Asks whether data may be lost. */
export function confirmationPage(place: Place, asked: Asked): string {
  const { title, loss, button, operation, name, next, back, leadsElsewhere, isDialog } = asked;
  const cancel = isDialog
    ? html`<form method="dialog" class="action"><button class="quiet" autofocus>Cancel</button></form>`
    : html`<a class="button quiet" href="${back}">Cancel</a>`;
  return dashboardPage(
    place,
    title,
    html`<section class="sheet" id="confirmation">
${isDialog ? html`<h2 id="confirmation-title">${title}</h2>` : ''}
${loss}
<div class="actions">
<form method="post" action="${actionAddress(place, operation, name === '' ? undefined : name)}" class="action"${leadsElsewhere ? html` hx-boost="false"` : ''}>
<input type="hidden" name="then" value="${next}"><button class="danger">${button}</button></form>
${cancel}
</div>
</section>`,
  );
}
