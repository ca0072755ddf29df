import type { OpenAPIV3_1 } from 'openapi-types';
import { memberOf, parseJson } from '../lib/json.js';
import type { Check } from './schemas.js';
import { forEachNode, listOf, type Node } from './tree.js';

/** Dates from 2024 to 2029. The days end at 28, so that the date exists in every month. */
const datePattern = '20(2[4-9])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])';
const timePattern = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';

/** Patterns by format, to generate dates from: by itself, prism-http generates dates before 1970. */
const patterns: Readonly<Record<string, string>> = {
  date: `^${datePattern}$`,
  'date-time': `^${datePattern}T${timePattern}\\+00:00$`,
};

/** From 1.00 to 999.99. */
const decimalPattern = '^[1-9][0-9]{0,2}[.][0-9]{2}$';

/**
 * Copies a document so that prism-http generates plausible data. By default it generates undocumented fields, and
 * negative ids and amounts.
 */
export function copyForGeneration(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  const copy = structuredClone(document);
  forEachNode(copy, (node) => {
    if (isSchema(node)) restrict(node);
  });
  return copy;
}

function isSchema({ type, properties }: Node): boolean {
  return typeof type === 'string' || Array.isArray(type) || properties !== undefined;
}

/** Changes a schema, in place, so that plausible values are generated from it. */
function restrict(schema: Node): void {
  const { type, format, pattern, properties, additionalProperties, minimum = 1, maximum = 1000 } = schema;
  const types = [type, ...listOf(type)];
  if (types.includes('integer') || types.includes('number')) Object.assign(schema, { minimum, maximum });
  const datePatternOfFormat = typeof format === 'string' ? patterns[format] : undefined;
  if (datePatternOfFormat !== undefined) {
    Reflect.deleteProperty(schema, 'format');
    Object.assign(schema, { pattern: datePatternOfFormat });
  }
  // Only decimals that a profile changes to strings have a pattern that allows a minus sign.
  if (typeof pattern === 'string' && pattern.startsWith('^-?')) Object.assign(schema, { pattern: decimalPattern });
  // For a field that may have a value of any type, a string is generated.
  if (additionalProperties === true) Object.assign(schema, { additionalProperties: { type: 'string' } });
  else if (properties !== undefined && additionalProperties === undefined)
    Object.assign(schema, { additionalProperties: false });
}

/**
 * Adapts a generated body to its schema: prism-http does not know the `x-not-before` keyword for the order of dates,
 * and examples have amounts as numbers even if the profile says that the service sends them as strings.
 * @throws Error if the adapted value still does not match the schema
 */
export function adaptToSchema(generated: unknown, check: Check): unknown {
  const value: unknown = structuredClone(generated);
  for (const { path, rule, schema } of check(value)) {
    const field = path.at(-1) ?? '';
    const record = path.slice(0, -1).reduce<unknown>(memberOf, value);
    if (typeof record !== 'object' || record === null) continue;
    const currentValue = memberOf(record, field);
    if (rule === 'type' && typeof currentValue === 'number') {
      // Of the fields whose type a profile changes to string, only amounts have a pattern.
      Reflect.set(record, field, schema['pattern'] === undefined ? String(currentValue) : currentValue.toFixed(2));
    }
    if (rule === 'x-not-before') {
      Reflect.set(record, field, memberOf(record, String(schema['x-not-before'])));
    }
  }
  const [violation] = check(value);
  if (violation)
    throw new Error(
      `the generated value does not match the document: ${violation.path.join('.')} ${violation.message}`,
    );
  return value;
}

/** Rounds all numbers to two decimal places. */
export function roundNumbers(value: unknown): unknown {
  return parseJson(JSON.stringify(value), (_name, part) =>
    typeof part === 'number' ? Math.round(part * 100) / 100 : part,
  );
}
