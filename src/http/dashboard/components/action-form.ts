import { html, type SafeHtml } from '@remix-run/html-template';
import { actionAddress, type DashboardLocation } from './dashboard.js';
import { formKey } from './form.js';
import { type FormFields, formFields, keyField } from './form-fields.js';

/** The action of a form. */
interface FormAction {
  readonly operation: string;
  readonly id?: number | string | undefined;
  /** The label of the button. */
  readonly label: string;
  /** True for secondary actions. */
  readonly isQuiet?: boolean;
}

/** A form on one line that calls an operation, with fields of its body. */
export function actionForm(
  location: DashboardLocation,
  action: FormAction,
  fields: SafeHtml | ((fields: FormFields) => SafeHtml) = html``,
): SafeHtml {
  const { operation, id, label, isQuiet = false } = action;
  const { account, path } = location;
  // With an id the button keeps the focus when the page is reloaded.
  const name = `do-${label.toLowerCase().replace(/\W+/g, '-')}`;
  const key = formKey(operation, id === undefined ? {} : { id });
  const content = typeof fields === 'function' ? fields(formFields(location, key)) : fields;
  return html`<form method="post" action="${actionAddress({ account }, operation, id)}" class="action">
<input type="hidden" name="then" value="${path}"><input type="hidden" name="${keyField}" value="${key}">${content}<button id="${name}"${isQuiet ? html` class="quiet"` : ''}>${label}</button></form>
`;
}

/** A button that advances the clock of the account. */
export function advanceForm(
  location: DashboardLocation,
  goal: { readonly by: string } | { readonly to: string },
  label: string,
  isQuiet = false,
): SafeHtml {
  const [name, value] = 'by' in goal ? ['by', goal.by] : ['to', goal.to];
  const fields = html`<input type="hidden" name="${name}" value="${value}"><input type="hidden" name="timeout" value="5s">`;
  return actionForm(location, { operation: 'advanceClock', label, isQuiet }, fields);
}
