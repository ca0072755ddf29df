import { html, type SafeHtml } from '@remix-run/html-template';
import type { DescribedChoice } from '../../../domain/choices.js';
import type { FormFields } from './form-fields.js';

type Schema = NonNullable<DescribedChoice['takes']>;

/** Number of additional empty fields of a list. */
const spare = 3;

/** Fields for the value of a choice, by its JSON Schema. @param value the current value */
export function valueFields(fields: FormFields, gap: string, schema: Schema, value: unknown): SafeHtml {
  const { type, properties, items } = schema;
  if (type === 'object') {
    return html`${entriesOf(properties).map(([name, inner]) => field(fields, `value.${name}`, name, inner, partOf(value, name)))}`;
  }
  if (type !== 'array') return field(fields, 'value', `Value for ${gap}`, schema, value);
  const present = Array.isArray(value) ? value.map(String) : [];
  const names = partOf(items, 'enum');
  if (Array.isArray(names)) {
    const options = names.map((name) => ({ value: String(name) }));
    return fields.boxes({ name: 'value[]', label: `Values for ${gap}`, options, checked: present });
  }
  return fields.list({ name: 'value[]', label: `Values for ${gap}`, values: present, spare });
}

function field({ text }: FormFields, name: string, label: string, schema: unknown, value: unknown): SafeHtml {
  const type = partOf(schema, 'type');
  const isNumber = type === 'integer' || type === 'number';
  const hint = partOf(schema, 'x-duration') === true ? html`placeholder="8d"` : html``;
  return text({
    name: `${name}${isNumber ? ':number' : ''}`,
    label,
    value: value === undefined ? '' : String(value),
    attributes: html`required ${isNumber ? html`inputmode="decimal"` : hint}`,
  });
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function partOf(value: unknown, name: string): unknown {
  return entriesOf(value).find(([key]) => key === name)?.[1];
}
