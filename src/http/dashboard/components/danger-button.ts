import { html, type SafeHtml } from '@remix-run/html-template';
import { returnToField } from './form-fields.js';
import { confirmationPath } from './sections.js';

interface DangerButtonOptions {
  /** The id or name of the record that the operation acts on. */
  readonly id?: number | string;
  /** The HTML id of the button. Only needed if the page has another button for the same operation and record. */
  readonly buttonId?: string;
}

/**
 * A button for an action that cannot be undone. It asks for confirmation: in a dialog if JavaScript is enabled, otherwise
 * on a page.
 * @param operation the id of an operation of the control API
 * @param location the account, and the path of the page to return to
 */
export function dangerButton(
  location: { readonly account: string; readonly path: string },
  operation: string,
  label: string,
  { id, buttonId }: DangerButtonOptions = {},
): SafeHtml {
  const address = confirmationPath(location.account, operation, id);
  return html`<form method="get" action="${address}" class="action" hx-target="#dialog" hx-select="#confirmation" hx-swap="innerHTML show:none ignoreTitle:true" hx-push-url="false">
${returnToField(location.path)}<button id="${buttonId ?? address.replace(/\W+/g, '-')}" class="quiet danger">${label}</button></form>`;
}
