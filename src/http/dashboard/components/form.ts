import { html, type SafeHtml } from '@remix-run/html-template';
import { actionAddress, type DashboardLocation } from './dashboard.js';
import { type FormFields, fieldId, formFields, keyField } from './form-fields.js';

interface FormOptions {
  /** The id of the record in the path of the operation. */
  readonly id?: number | string;
  /** Distinguishes forms of the page with the same operation and record. */
  readonly part?: string;
  readonly look?: 'fields' | 'fields row' | 'fields invoice' | 'actions' | 'action';
  /** Whether a field is a file, so that its content is sent. */
  readonly hasFile?: boolean;
  /** The fragment of the page to return to. */
  readonly fragment?: string;
}

/** The key of a form on its page. */
export function formKey(operation: string, { id = '', part = '' }: Pick<FormOptions, 'id' | 'part'> = {}): string {
  return fieldId(...[operation, id, part].filter((name) => name !== ''));
}

/** A form that calls an operation with its fields as the body, and returns to its page. */
export function form(
  location: Pick<DashboardLocation, 'account' | 'path' | 'notice'>,
  operation: string,
  content: SafeHtml | ((fields: FormFields) => SafeHtml),
  { id, part, look = 'fields', hasFile = false, fragment }: FormOptions = {},
): SafeHtml {
  const key = formKey(operation, { ...(id === undefined ? {} : { id }), ...(part === undefined ? {} : { part }) });
  const anchor = fragment === undefined ? '' : `#${fragment}`;
  const fields = typeof content === 'function' ? content(formFields(location, key)) : content;
  // The URL has the fragment, too: htmx scrolls to the fragment of the URL that the form was sent to.
  return html`<form method="post" action="${actionAddress(location, operation, id)}${anchor}" class="${look}"${hasFile ? html` enctype="multipart/form-data"` : ''}>
<input type="hidden" name="then" value="${location.path}${anchor}">
<input type="hidden" name="${keyField}" value="${key}">
${fields}
</form>`;
}
