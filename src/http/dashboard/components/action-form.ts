import { html, type SafeHtml } from '@remix-run/html-template';
import type { DashboardLocation } from './dashboard-page.js';
import { form } from './form.js';
import { advanceTimeoutField, type FormFields } from './form-fields.js';

/** An action that a form performs. */
interface FormAction {
  readonly operation: string;
  /** The id of the record that the operation acts on. */
  readonly id?: number | string | undefined;
  /** The label of the button. */
  readonly label: string;
  /** True for a secondary action, which gets a less prominent button. */
  readonly isSecondary?: boolean;
}

/** An inline form that calls an operation. @param fields the fields of the operation's body */
export function actionForm(
  location: DashboardLocation,
  { operation, id, label, isSecondary = false }: FormAction,
  fields: SafeHtml | ((fields: FormFields) => SafeHtml) = html``,
): SafeHtml {
  // The id lets the button keep the focus when the page is reloaded.
  const button = html`<button id="do-${label.toLowerCase().replace(/\W+/g, '-')}"${isSecondary ? html` class="quiet"` : ''}>${label}</button>`;
  const content = (formFields: FormFields): SafeHtml =>
    html`${typeof fields === 'function' ? fields(formFields) : fields}${button}`;
  return form(location, operation, content, { id, className: 'action' });
}

/** A button that advances the clock of the account. @param target `by` a duration such as `8d`, or `to` an ISO 8601 time */
export function advanceForm(
  location: DashboardLocation,
  target: { readonly by: string } | { readonly to: string },
  label: string,
  { isSecondary = false }: Pick<FormAction, 'isSecondary'> = {},
): SafeHtml {
  const [name, value] = 'by' in target ? ['by', target.by] : ['to', target.to];
  const fields = html`<input type="hidden" name="${name}" value="${value}">${advanceTimeoutField}`;
  return actionForm(location, { operation: 'advanceClock', label, isSecondary }, fields);
}
