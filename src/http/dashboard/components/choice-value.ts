import { html, type SafeHtml } from '@remix-run/html-template';
import type { DescribedChoice } from '../../../domain/choices.js';
import { memberOf } from '../../../lib/json.js';
import type { FormFields } from './form-fields.js';

type ValueSchema = NonNullable<DescribedChoice['takes']>;

/** Number of additional empty fields of a list. */
const extraFields = 3;

/**
 * Form fields for the value of an account's choice for a gap, built from the JSON Schema of the value. In the names of
 * the fields, a dot stands for a member of an object, `[]` for a list, and a suffix such as `:number` for the type
 * (`actions/parse-form.ts`).
 * @param value the current value
 */
export function valueFields(fields: FormFields, gap: string, schema: ValueSchema, value: unknown): SafeHtml {
  const { type, properties, items, required } = schema;
  if (type === 'object') {
    const requiredNames = Array.isArray(required) ? required : [];
    return html`${Object.entries(properties ?? {}).map(([name, propertySchema]) =>
      valueField(fields, {
        name: `value.${name}`,
        label: name,
        schema: propertySchema,
        value: memberOf(value, name),
        isRequired: requiredNames.includes(name),
      }),
    )}`;
  }
  if (type !== 'array') {
    return valueField(fields, { name: 'value', label: `Value for ${gap}`, schema, value, isRequired: true });
  }
  const currentValues = Array.isArray(value) ? value.map(String) : [];
  const enumValues = memberOf(items, 'enum');
  if (Array.isArray(enumValues)) {
    const options = enumValues.map((enumValue) => ({ value: String(enumValue) }));
    return fields.checkboxes({ name: 'value[]', label: `Values for ${gap}`, options, checked: currentValues });
  }
  return fields.list({ name: 'value[]', label: `Values for ${gap}`, values: currentValues, extraFields });
}

interface ValueField {
  readonly name: string;
  readonly label: string;
  /** The JSON Schema of the value. */
  readonly schema: unknown;
  readonly value: unknown;
  readonly isRequired: boolean;
}

function valueField({ text, select }: FormFields, { name, label, schema, value, isRequired }: ValueField): SafeHtml {
  const enumValues = memberOf(schema, 'enum');
  if (Array.isArray(enumValues)) {
    // As JSON, since some of the values may be numbers and others strings.
    const options = enumValues.map((enumValue) => ({ value: JSON.stringify(enumValue), label: String(enumValue) }));
    return select({
      name: `${name}:json`,
      label,
      options,
      ...(value !== undefined && { value: JSON.stringify(value) }),
    });
  }
  const type = memberOf(schema, 'type');
  const isNumber = type === 'integer' || type === 'number';
  const placeholder = memberOf(schema, 'x-duration') === true ? html`placeholder="8d"` : html``;
  return text({
    name: `${name}${isNumber ? ':number' : ''}`,
    label,
    value: value === undefined ? '' : String(value),
    attributes: html`${isRequired ? 'required ' : ''}${isNumber ? html`inputmode="decimal"` : placeholder}`,
  });
}
