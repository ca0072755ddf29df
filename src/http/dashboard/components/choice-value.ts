import { html, type SafeHtml } from '@remix-run/html-template';
import type { DescribedChoice } from '../../../domain/choices.js';
import { memberOf } from '../../../lib/json.js';
import type { FormFields } from './form-fields.js';

type ValueSchema = NonNullable<DescribedChoice['takes']>;

/** Number of additional empty fields of a list. */
const extraFields = 3;

/**
 * Form fields for the value of an account's choice for a gap, built from the JSON Schema of the value. In the names of
 * the fields, a dot stands for a member of an object, `[]` for a list, and `:number` for a number (routing/form.ts).
 * @param value the current value
 */
export function valueFields(fields: FormFields, gap: string, schema: ValueSchema, value: unknown): SafeHtml {
  const { type, properties, items } = schema;
  if (type === 'object') {
    return html`${Object.entries(properties ?? {}).map(([name, propertySchema]) => valueField(fields, `value.${name}`, name, propertySchema, memberOf(value, name)))}`;
  }
  if (type !== 'array') return valueField(fields, 'value', `Value for ${gap}`, schema, value);
  const currentValues = Array.isArray(value) ? value.map(String) : [];
  const enumValues = memberOf(items, 'enum');
  if (Array.isArray(enumValues)) {
    const options = enumValues.map((enumValue) => ({ value: String(enumValue) }));
    return fields.checkboxes({ name: 'value[]', label: `Values for ${gap}`, options, checked: currentValues });
  }
  return fields.list({ name: 'value[]', label: `Values for ${gap}`, values: currentValues, extraFields });
}

function valueField({ text }: FormFields, name: string, label: string, schema: unknown, value: unknown): SafeHtml {
  const type = memberOf(schema, 'type');
  const isNumber = type === 'integer' || type === 'number';
  const placeholder = memberOf(schema, 'x-duration') === true ? html`placeholder="8d"` : html``;
  return text({
    name: `${name}${isNumber ? ':number' : ''}`,
    label,
    value: value === undefined ? '' : String(value),
    attributes: html`required ${isNumber ? html`inputmode="decimal"` : placeholder}`,
  });
}
