import { html, type SafeHtml } from '@remix-run/html-template';
import { actionAddress, type Place } from './dashboard.js';
import { type FormFields, fieldId, formFields, keyField } from './form-fields.js';

interface Look {
  /** What the operation is done to. */
  readonly id?: number | string;
  /** Tells the form from others on the page that have the same operation done to the same. */
  readonly part?: string;
  readonly look?: 'fields' | 'fields row' | 'actions' | 'action';
  /** Where on the page to come back to. */
  readonly at?: string;
}

/** What names a form on its page. */
export function formKey(operation: string, { id = '', part = '' }: Pick<Look, 'id' | 'part'> = {}): string {
  return fieldId(...[operation, id, part].filter((name) => name !== ''));
}

/** A form that has an operation done with its fields as the body, and comes back to where it was sent from. */
export function form(
  place: Pick<Place, 'account' | 'path' | 'notice'>,
  operation: string,
  content: SafeHtml | ((fields: FormFields) => SafeHtml),
  { id, part, look = 'fields', at }: Look = {},
): SafeHtml {
  const key = formKey(operation, { ...(id === undefined ? {} : { id }), ...(part === undefined ? {} : { part }) });
  const anchor = at === undefined ? '' : `#${at}`;
  const fields = typeof content === 'function' ? content(formFields(place, key)) : content;
  // The anchor is part of the address, too: a page that is loaded by a script is scrolled to where the form was sent.
  return html`<form method="post" action="${actionAddress(place, operation, id)}${anchor}" class="${look}">
<input type="hidden" name="then" value="${place.path}${anchor}">
<input type="hidden" name="${keyField}" value="${key}">
${fields}
</form>`;
}
