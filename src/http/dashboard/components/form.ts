import { html, type SafeHtml } from '@remix-run/html-template';
import type { DashboardLocation } from './dashboard-page.js';
import { type FormFields, fieldId, formFields, formKeyName, returnToField } from './form-fields.js';
import { actionPath } from './sections.js';

interface FormOptions {
  /** The id of the record in the path of the operation. */
  readonly id?: number | string | undefined;
  /** Distinguishes forms on the same page that have the same operation and record. */
  readonly part?: string | undefined;
  /** The class attribute of the form. */
  readonly className?: 'fields' | 'fields row' | 'fields wide' | 'actions' | 'action';
  /** True if the form has a file field, which needs another encoding. */
  readonly hasFile?: boolean;
  /** The id of the element to scroll to when the page is shown again. */
  readonly fragment?: string;
}

/** The key that identifies a form on its page. */
export function formKey(operation: string, { id = '', part = '' }: Pick<FormOptions, 'id' | 'part'> = {}): string {
  return fieldId(...[operation, id, part].filter((name) => name !== ''));
}

/** A form that sends its fields as the body of an operation, and then shows the same page again. */
export function form(
  location: Pick<DashboardLocation, 'account' | 'path' | 'notice'>,
  operation: string,
  content: SafeHtml | ((fields: FormFields) => SafeHtml),
  { id, part, className = 'fields', hasFile = false, fragment }: FormOptions = {},
): SafeHtml {
  const key = formKey(operation, { id, part });
  const anchor = fragment === undefined ? '' : `#${fragment}`;
  const fields = typeof content === 'function' ? content(formFields(location, key)) : content;
  // The action URL has the fragment, too, since htmx scrolls to the fragment of the URL that it sends the form to.
  return html`<form method="post" action="${actionPath(location.account, operation, id)}${anchor}" class="${className}"${hasFile ? html` enctype="multipart/form-data"` : ''}>
${returnToField(`${location.path}${anchor}`)}
<input type="hidden" name="${formKeyName}" value="${key}">
${fields}
</form>`;
}
