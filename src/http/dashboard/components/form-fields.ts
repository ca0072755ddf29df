import { html, type SafeHtml } from '@remix-run/html-template';

/**
 * A form as the user filled it in, to be shown again: after an error, or after a button that only changes the form,
 * such as `Add row`.
 */
export interface FilledForm {
  /** The key of the form on its page. */
  readonly key: string;
  /** The id of the notice with which the form is stored until it is shown again (see `Notices`). */
  readonly noticeId: string;
  /** The values that the user entered, without secrets. */
  readonly values: URLSearchParams;
  /** Errors, keyed by the path of the field: `items.0.quantity`. */
  readonly errors: ReadonlyMap<string, BuildErrorMessage>;
  /** Labels of fields and groups, keyed by path. Rendering the form adds them. */
  readonly labels: Map<string, string>;
}

/**
 * Builds the error message of a field.
 * @param label the label of the field; undefined if the page has no such field
 * @param labels the labels of other fields that have been rendered, keyed by path
 */
export type BuildErrorMessage = (label: string | undefined, labels: ReadonlyMap<string, string>) => string;

/** The name of the hidden field with the key of its form. No operation has a field of this name. */
export const formKeyName = 'form-key';

/** The name of the field that holds the page to show after an action. No operation has a field of this name. */
export const returnToName = 'return_to';

/** A hidden field, in every form, that holds the page to show after the action. @param path without the host */
export function returnToField(path: string): SafeHtml {
  return html`<input type="hidden" name="${returnToName}" value="${path}">`;
}

/**
 * The hidden field of every form that advances the clock: the maximum time to wait for webhook receivers. It is shorter
 * than the default of the control API, since a person waits for the page.
 */
export const advanceTimeoutField = html`<input type="hidden" name="timeout" value="5s">`;

interface Field {
  /** The name that is sent, with dots for nested objects and a suffix for the type: `match.nth:number`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: SafeHtml | string;
}

interface TextField extends Field {
  readonly value?: string | number;
  /** Further attributes, such as `required`. */
  readonly attributes?: SafeHtml;
}

interface TextAreaField extends Field {
  readonly value: string;
  readonly rows: number;
  /** An error that was found while the page was rendered. */
  readonly error?: string | undefined;
}

interface Option {
  readonly value: string;
  readonly label?: string;
}

interface SelectField extends Field {
  /** The option that is selected initially. */
  readonly value?: string;
  readonly options: readonly Option[];
}

/** Renders the fields of a form. If the form is shown again, they have the entered values and the error messages. */
export interface FormFields {
  /** True if the form is shown again with the input of the user. */
  readonly isShownAgain: boolean;
  text(field: TextField): SafeHtml;
  /** A text field with several lines. */
  textArea(field: TextAreaField): SafeHtml;
  select(field: SelectField): SafeHtml;
  /** A group of fields with a common label, and with the errors that are about the whole group. */
  group(field: Omit<Field, 'hint'> & { readonly content: SafeHtml }): SafeHtml;
  /** @param checked the values of the boxes that are checked initially */
  checkboxes(field: Field & { readonly options: readonly Option[]; readonly checked: readonly string[] }): SafeHtml;
  /** A text field for each value of a list. @param extraFields the number of additional empty fields */
  list(field: Field & { readonly values: readonly string[]; readonly extraFields: number }): SafeHtml;
  /** Returns true if the form is shown again, and one of the named fields has a value or an error. */
  hasInput(...names: readonly string[]): boolean;
}

/** Creates the renderer of a form's fields. @param key identifies the form on its page */
export function formFields(
  { notice }: { readonly notice?: { readonly form?: FilledForm } | undefined },
  key: string,
): FormFields {
  const form = notice?.form?.key === key ? notice.form : undefined;
  const hasError = (name: string): boolean =>
    form !== undefined && [...form.errors.keys()].some((path) => isWithin(path, pathOf(name)));
  const errorOf = ({ name, label }: Pick<Field, 'name' | 'label'>): string | undefined => {
    const [, buildMessage] = [...(form?.errors ?? [])].find(([path]) => isWithin(path, pathOf(name))) ?? [];
    return form && buildMessage?.(label, form.labels);
  };

  /** The id of a field, its hint and its error, and the attributes that refer to them. */
  const describe = (
    field: Field,
    error = errorOf(field),
  ): { readonly id: string; readonly attributes: SafeHtml; readonly texts: SafeHtml } => {
    const path = pathOf(field.name);
    const id = fieldId(key, path);
    form?.labels.set(path, field.label);
    const ids = [...(field.hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
    return {
      id,
      attributes: html`${ids.length === 0 ? '' : html` aria-describedby="${ids.join(' ')}"`}${error === undefined ? '' : html` aria-invalid="true"`}`,
      texts: html`${field.hint === undefined ? '' : html`<p id="${id}-hint" class="hint">${field.hint}</p>`}${error === undefined ? '' : html`<p id="${id}-error" class="error">${error}</p>`}`,
    };
  };

  return {
    isShownAgain: form !== undefined,

    text(field) {
      const { name, label, value = '', attributes: furtherAttributes = html`` } = field;
      const { id, attributes, texts } = describe(field);
      const enteredValue = form?.values.get(name) ?? value;
      return html`<div class="field"><label>${label} <input id="${id}" name="${name}" value="${enteredValue}"${attributes} ${furtherAttributes}></label>${texts}</div>\n`;
    },

    textArea(field) {
      const { name, label, value, rows, error } = field;
      const { id, attributes, texts } = describe(field, error);
      // HTML parsers drop one line break after the tag, so one is added.
      return html`<div class="field"><label>${label} <textarea id="${id}" name="${name}" rows="${rows}" class="mono" spellcheck="false" autocapitalize="off" autocomplete="off"${attributes}>\n${form?.values.get(name) ?? value}</textarea></label>${texts}</div>\n`;
    },

    select(field) {
      const { name, label, options, value } = field;
      const { id, attributes, texts } = describe(field);
      const selectedValue = form?.values.get(name) ?? value;
      const optionElements = options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === selectedValue ? ' selected' : ''}>${option.label ?? option.value}</option>`,
      );
      return html`<div class="field"><label>${label} <select id="${id}" name="${name}"${attributes}>${optionElements}</select></label>${texts}</div>\n`;
    },

    group({ name, label, content }) {
      const id = fieldId(key, name);
      // Shows only errors of the group itself: its fields show their own errors.
      const error = form?.errors.get(name)?.(label, form.labels);
      form?.labels.set(name, label);
      const describedBy = error === undefined ? '' : html` aria-describedby="${id}-error"`;
      const text = error === undefined ? '' : html`<p id="${id}-error" class="error">${error}</p>`;
      return html`<fieldset class="field" id="${id}" tabindex="-1"${describedBy}><legend>${label}</legend>\n${content}${text}</fieldset>\n`;
    },

    checkboxes(field) {
      const { name, label, options, checked } = field;
      const { id, attributes, texts } = describe(field);
      const checkedValues = form ? form.values.getAll(name) : checked;
      const boxes = options.map(
        ({ value, label: text = value }) =>
          html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${checkedValues.includes(value) ? ' checked' : ''}> ${text}</label>\n`,
      );
      return html`<fieldset class="field" id="${id}" tabindex="-1"${attributes}><legend>${label}</legend>\n${boxes}${texts}</fieldset>\n`;
    },

    list(field) {
      const { name, label, values, extraFields } = field;
      const { id, attributes, texts } = describe(field);
      const enteredValues = form ? form.values.getAll(name).filter((text) => text !== '') : values;
      const inputs = [...enteredValues, ...Array.from({ length: extraFields }, () => '')].map(
        (text, index) => html`<input name="${name}" value="${text}" aria-label="${label}, number ${index + 1}">\n`,
      );
      return html`<fieldset class="field" id="${id}" tabindex="-1"${attributes}><legend>${label}</legend>\n${inputs}${texts}</fieldset>\n`;
    },

    hasInput: (...names) => form !== undefined && names.some((name) => form.values.get(name) || hasError(name)),
  };
}

/**
 * The error messages of a form that has been rendered. Each one is a link to its field, if the page has the field. The
 * label of a field's group comes first, as in `Item 1: The Quantity field is required.`
 * @param content the HTML of the page
 */
export function errorSummary({ key, errors, labels }: FilledForm, content: string): SafeHtml {
  const items = [...errors].map(([path, buildMessage]) => {
    const parts = path.split('.');
    const groupLabel = labels.has(path) ? labels.get(parts.slice(0, -1).join('.')) : undefined;
    const message = `${groupLabel === undefined ? '' : `${groupLabel}: `}${buildMessage(closestLabel(labels, parts), labels)}`;
    const id = closestFieldId(content, key, parts);
    return html`<li>${id === undefined ? message : html`<a href="#${id}">${message}</a>`}</li>\n`;
  });
  return html`<ul>\n${items}</ul>`;
}

/** The id of the field at a path, or else of the closest field that contains it: `scopes` for `scopes.0`. */
function closestFieldId(content: string, key: string, path: readonly string[]): string | undefined {
  if (path.length === 0) return undefined;
  const id = fieldId(key, path.join('.'));
  return content.includes(` id="${id}"`) ? id : closestFieldId(content, key, path.slice(0, -1));
}

/** The label of the field at a path, or else of the closest field that contains it. */
function closestLabel(labels: ReadonlyMap<string, string>, path: readonly string[]): string | undefined {
  if (path.length === 0) return undefined;
  return labels.get(path.join('.')) ?? closestLabel(labels, path.slice(0, -1));
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

/**
 * The path of a field, which is its name without the type: `match.nth` for `match.nth:number`, `scopes` for `scopes[]`.
 */
export function pathOf(name: string): string {
  return name.replace(/(?:\[\])?(?::\w+)?$/, '');
}

/** An HTML id for a form or a field, safe in URL fragments: unsafe characters are replaced by their codes. */
export function fieldId(...parts: readonly (string | number)[]): string {
  return parts
    .map((part) => String(part).replace(/[^\w-]/g, (character) => `.${character.charCodeAt(0).toString(16)}`))
    .join('-');
}
