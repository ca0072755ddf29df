import type { OpenAPIV3_1 } from 'openapi-types';
import type { Check } from './schemas.js';
import { listOf, type Node, nodeOf } from './tree.js';

const day = '20(2[4-9])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])';
const time = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';

/** Generators for formats: the library's own dates lie before 1970. */
const patterns: Readonly<Record<string, string>> = {
  date: `^${day}$`,
  'date-time': `^${day}T${time}\\+00:00$`,
};

/**
 * Copies a document so that prism-http generates plausible data. By default it generates undocumented fields, negative
 * ids and amounts, and unseeded numbers with two decimal places.
 */
export function forGeneration(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  return JSON.parse(JSON.stringify(document, (_name, value) => (isSchema(value) ? tuned(value) : value)));
}

function isSchema(value: unknown): boolean {
  const { type, properties } = nodeOf(value);
  return typeof type === 'string' || Array.isArray(type) || properties !== undefined;
}

function tuned(schema: Node): Node {
  const { format, ...rest } = schema;
  const pattern = typeof format === 'string' ? patterns[format] : undefined;
  const types = [schema['type'], ...listOf(schema['type'])];
  const isNumber = types.includes('integer') || types.includes('number');
  return {
    ...(isNumber ? { minimum: 1, maximum: 1000 } : {}),
    ...(schema['properties'] === undefined ? {} : { additionalProperties: false }),
    ...(pattern === undefined ? schema : { ...rest, pattern }),
    // A value of any type is generated as a string.
    ...(schema['additionalProperties'] === true ? { additionalProperties: { type: 'string' } } : {}),
  };
}

/**
 * Adapts a generated value to the schema: the generator ignores the order of dates, and examples ignore profiles with
 * amounts as strings.
 * @throws Error if that is not enough
 */
export function fitted(made: unknown, check: Check): unknown {
  const value: unknown = structuredClone(made);
  for (const { path, rule, schema } of check(value)) {
    const field = path.at(-1) ?? '';
    const record = path.slice(0, -1).reduce<unknown>((at, part) => Reflect.get(Object(at), part), value);
    const present: unknown = Reflect.get(Object(record), field);
    if (rule === 'type' && typeof present === 'number') {
      Reflect.set(Object(record), field, schema['pattern'] === undefined ? String(present) : present.toFixed(2));
    }
    if (rule === 'x-not-before') {
      Reflect.set(Object(record), field, Reflect.get(Object(record), String(schema['x-not-before'])));
    }
  }
  const [misfit] = check(value);
  if (misfit) throw new Error(`what was made is not as documented: ${misfit.path.join('.')} ${misfit.message}`);
  return value;
}

/** Rounds all numbers to two decimal places. */
export function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, part) =>
    typeof part === 'number' ? Math.round(part * 100) / 100 : part,
  );
}
