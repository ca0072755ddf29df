import { html, type SafeHtml } from '@remix-run/html-template';
import { actionAddress, type Place } from './dashboard.js';
import { formKey } from './form.js';
import { type FormFields, formFields, keyField } from './form-fields.js';

/** What a form has done. */
interface Asked {
  readonly operation: string;
  readonly id?: number | string | undefined;
  /** What the button says. */
  readonly label: string;
  /** Beside what else it could be. */
  readonly isQuiet?: boolean;
}

/** A form on one line that has an operation done, with fields of its body. */
export function actionForm(
  place: Place,
  asked: Asked,
  fields: SafeHtml | ((fields: FormFields) => SafeHtml) = html``,
): SafeHtml {
  const { operation, id, label, isQuiet = false } = asked;
  const { account, path } = place;
  // By its id the button keeps the focus when the page is loaded anew.
  const name = `do-${label.toLowerCase().replace(/\W+/g, '-')}`;
  const key = formKey(operation, id === undefined ? {} : { id });
  const content = typeof fields === 'function' ? fields(formFields(place, key)) : fields;
  return html`<form method="post" action="${actionAddress({ account }, operation, id)}" class="action">
<input type="hidden" name="then" value="${path}"><input type="hidden" name="${keyField}" value="${key}">${content}<button id="${name}"${isQuiet ? html` class="quiet"` : ''}>${label}</button></form>
`;
}

/** Moves the clock of the account on. */
export function letPass(
  place: Place,
  goal: { readonly by: string } | { readonly to: string },
  label: string,
  isQuiet = false,
): SafeHtml {
  const [name, value] = 'by' in goal ? ['by', goal.by] : ['to', goal.to];
  const fields = html`<input type="hidden" name="${name}" value="${value}"><input type="hidden" name="patience" value="5s">`;
  return actionForm(place, { operation: 'advanceClock', label, isQuiet }, fields);
}
