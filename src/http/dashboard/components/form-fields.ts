import { html, type SafeHtml } from '@remix-run/html-template';

/** A form that was sent and refused, to be shown again as it was filled in. */
export interface RefusedForm {
  /** Which form of the page it is. */
  readonly key: string;
  /** What leads to it while somebody corrects it. */
  readonly notice: string;
  /** What was typed, without secrets. */
  readonly values: URLSearchParams;
  /** Messages by field; what is nested has its levels parted by dots. */
  readonly errors: ReadonlyMap<string, string>;
}

/** Names the form among all forms in the field that is sent with it; no field of an operation has such a name. */
export const keyField = 'form-key';

interface Field {
  /** As it is sent: with its levels parted by dots, and its type. */
  readonly name: string;
  readonly label: string;
  readonly hint?: SafeHtml | string;
}

interface TextField extends Field {
  readonly value?: string | number;
  /** Further attributes, such as `required`. */
  readonly attributes?: SafeHtml;
  /**
   * Keeps what is being typed while the part of the page around it is fetched anew, as long as this stays the same: the
   * version of the record. The id of the form names the record.
   */
  readonly keptFor?: string | number;
}

interface Choice {
  readonly value: string;
  readonly label?: string;
}

interface SelectField extends Field {
  readonly options: readonly Choice[];
}

/** Makes the fields of a form: with what was typed and what is wrong with it, where the form was refused. */
export interface FormFields {
  readonly isRefused: boolean;
  text(field: TextField): SafeHtml;
  select(field: SelectField): SafeHtml;
  /** Boxes of which several can be checked. @param checked the values of those that are at first */
  boxes(field: Field & { readonly options: readonly Choice[]; readonly checked: readonly string[] }): SafeHtml;
  /** One text a line. @param spare how many empty lines there are besides */
  list(field: Field & { readonly values: readonly string[]; readonly spare: number }): SafeHtml;
  /** Whether something was typed into one of these fields, or is wrong with it. */
  has(...names: readonly string[]): boolean;
}

/** @param key tells the form from every other one of the page */
export function formFields(
  { notice }: { readonly notice?: { readonly form?: RefusedForm } | undefined },
  key: string,
): FormFields {
  const form = notice?.form?.key === key ? notice.form : undefined;
  const errorOf = ({ name }: Pick<Field, 'name'>): string | undefined =>
    form && [...form.errors].find(([path]) => isWithin(path, pathOf(name)))?.[1];

  /** The attributes that tie a field to its hint and its error, and these two. */
  const described = (field: Field, id: string): { readonly attributes: SafeHtml; readonly texts: SafeHtml } => {
    const error = errorOf(field);
    const ids = [...(field.hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
    return {
      attributes: html`${ids.length === 0 ? '' : html` aria-describedby="${ids.join(' ')}"`}${error === undefined ? '' : html` aria-invalid="true"`}`,
      texts: html`${field.hint === undefined ? '' : html`<p id="${id}-hint" class="hint">${field.hint}</p>`}${error === undefined ? '' : html`<p id="${id}-error" class="error">${error}</p>`}`,
    };
  };

  return {
    isRefused: form !== undefined,

    text(field) {
      const { name, label, value = '', attributes = html``, keptFor } = field;
      const id = fieldId(key, pathOf(name));
      const ties = described(field, id);
      // A form that was refused has another id, so that what was kept before does not take the place of what is wrong.
      const kept = keptFor === undefined ? '' : html` id="${fieldId(id, keptFor, form?.notice ?? '')}" hx-preserve`;
      const typed = form?.values.get(name) ?? value;
      return html`<div class="field"${kept}><label>${label} <input id="${id}" name="${name}" value="${typed}"${ties.attributes} ${attributes}></label>${ties.texts}</div>\n`;
    },

    select(field) {
      const { name, label, options } = field;
      const id = fieldId(key, pathOf(name));
      const ties = described(field, id);
      const chosen = form?.values.get(name);
      const shown = options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === chosen ? ' selected' : ''}>${option.label ?? option.value}</option>`,
      );
      return html`<div class="field"><label>${label} <select id="${id}" name="${name}"${ties.attributes}>${shown}</select></label>${ties.texts}</div>\n`;
    },

    boxes(field) {
      const { name, label, options, checked } = field;
      const id = fieldId(key, pathOf(name));
      const ties = described(field, id);
      const isChecked = form ? form.values.getAll(name) : checked;
      const boxes = options.map(
        ({ value, label: text = value }) =>
          html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${isChecked.includes(value) ? ' checked' : ''}> ${text}</label>\n`,
      );
      return html`<fieldset class="field" id="${id}" tabindex="-1"${ties.attributes}><legend>${label}</legend>\n${boxes}${ties.texts}</fieldset>\n`;
    },

    list(field) {
      const { name, label, values, spare } = field;
      const id = fieldId(key, pathOf(name));
      const ties = described(field, id);
      const typed = form ? form.values.getAll(name).filter((text) => text !== '') : values;
      const lines = [...typed, ...Array.from({ length: spare }, () => '')].map(
        (text, place) => html`<input name="${name}" value="${text}" aria-label="${label}, number ${place + 1}">\n`,
      );
      return html`<fieldset class="field" id="${id}" tabindex="-1"${ties.attributes}><legend>${label}</legend>\n${lines}${ties.texts}</fieldset>\n`;
    },

    has: (...names) =>
      form !== undefined && names.some((name) => form.values.get(name) || errorOf({ name }) !== undefined),
  };
}

/** The messages of a refused form, each leading to its field where the page has it. @param content of the page */
export function errorSummary({ key, errors }: RefusedForm, content: string): SafeHtml {
  const items = [...errors].map(([path, message]) => {
    const id = idWithin(content, key, path.split('.'));
    return html`<li>${id === undefined ? message : html`<a href="#${id}">${message}</a>`}</li>\n`;
  });
  return html`<ul>\n${items}</ul>`;
}

/** The id of the field that a path leads to, or of the one around it: `scopes.0` is in `scopes`. */
function idWithin(content: string, key: string, path: readonly string[]): string | undefined {
  if (path.length === 0) return undefined;
  const id = fieldId(key, path.join('.'));
  return content.includes(` id="${id}"`) ? id : idWithin(content, key, path.slice(0, -1));
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

/** The path of a field by its name: `match.nth:number` and `scopes[]` are `match.nth` and `scopes`. */
function pathOf(name: string): string {
  return name.replace(/(?:\[\])?(?::\w+)?$/, '');
}

/** An id that an address can lead to: whatever is no word character is written as its number. */
export function fieldId(...parts: readonly (string | number)[]): string {
  return parts
    .map((part) => String(part).replace(/[^\w-]/g, (character) => `.${character.charCodeAt(0).toString(16)}`))
    .join('-');
}
