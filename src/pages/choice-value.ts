import { html, type SafeHtml } from '@remix-run/html-template';
import type { DescribedChoice } from '../domain/choices.js';

type Schema = NonNullable<DescribedChoice['takes']>;

/** How many texts of a list there is room for, besides those that are in it. */
const spare = 3;

/** Fields for the value that a choice takes, which its JSON Schema describes. @param value the present one */
export function valueFields(gap: string, schema: Schema, value: unknown): SafeHtml {
  const { type, properties, items } = schema;
  if (type === 'object') {
    return html`${entriesOf(properties).map(([name, inner]) => field(`value.${name}`, name, inner, partOf(value, name)))}`;
  }
  if (type !== 'array') return field('value', `Value for ${gap}`, schema, value);
  const present = Array.isArray(value) ? value.map(String) : [];
  const names = partOf(items, 'enum');
  if (Array.isArray(names)) return html`${names.map((name) => box(String(name), present.includes(String(name))))}`;
  const rooms = [...present, ...Array.from({ length: spare }, () => '')];
  return html`${rooms.map((text, place) => html`<input name="value[]" value="${text}" aria-label="${gap}, number ${place + 1}">\n`)}`;
}

function box(name: string, isChecked: boolean): SafeHtml {
  return html`<label class="choice"><input type="checkbox" name="value[]" value="${name}"${isChecked ? ' checked' : ''}> ${name}</label>\n`;
}

function field(name: string, label: string, schema: unknown, value: unknown): SafeHtml {
  const type = partOf(schema, 'type');
  const isNumber = type === 'integer' || type === 'number';
  const hint = partOf(schema, 'x-duration') === true ? html` placeholder="8d"` : '';
  const mode = isNumber ? html` inputmode="decimal"` : hint;
  return html`<label>${label} <input name="${name}${isNumber ? ':number' : ''}" required value="${value === undefined ? '' : String(value)}"${mode}></label>\n`;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function partOf(value: unknown, name: string): unknown {
  return entriesOf(value).find(([key]) => key === name)?.[1];
}
