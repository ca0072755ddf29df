import { html, type SafeHtml } from '@remix-run/html-template';
import { actionAddress, type DashboardLocation } from './dashboard.js';
import { formKey } from './form.js';
import { advanceTimeoutField, type FormFields, formFields, formKeyField } from './form-fields.js';

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

/** A form on one line that calls an operation. @param fields the fields of the operation's body */
export function actionForm(
  location: DashboardLocation,
  action: FormAction,
  fields: SafeHtml | ((fields: FormFields) => SafeHtml) = html``,
): SafeHtml {
  const { operation, id, label, isSecondary = false } = action;
  const { account, path } = location;
  // The id lets the button keep the focus when the page is reloaded.
  const buttonId = `do-${label.toLowerCase().replace(/\W+/g, '-')}`;
  const key = formKey(operation, id === undefined ? {} : { id });
  const content = typeof fields === 'function' ? fields(formFields(location, key)) : fields;
  return html`<form method="post" action="${actionAddress({ account }, operation, id)}" class="action">
<input type="hidden" name="then" value="${path}"><input type="hidden" name="${formKeyField}" value="${key}">${content}<button id="${buttonId}"${isSecondary ? html` class="quiet"` : ''}>${label}</button></form>
`;
}

/** A button that advances the clock of the account. @param target a duration such as `8d`, or a time in ISO 8601 */
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
