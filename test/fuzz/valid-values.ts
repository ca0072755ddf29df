import fc from 'fast-check';
import { unicodeCharacter } from '../support/unicode-character.js';
import type { Schema } from './document.js';

/** Generates values that match a schema, including values at its bounds. */
export function validValues(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  return fc.oneof(...typesOf(schema).map((type) => valuesOfType(type, schema)));
}

/** Lists the types that a schema allows. */
export function typesOf(schema: Schema): readonly string[] {
  return typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
}

function valuesOfType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'number':
      return numbers(schema);
    case 'string':
      return strings(schema);
    case 'array':
      return fc.array(validValues(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 3, size: 'max' });
    case 'object':
      return objects(schema);
    default:
      throw new Error(`the generators do not support the type ${type}`);
  }
}

/** Weight of small numbers, which the service accepts more often; numbers of any size have weight 1. */
const smallNumberWeight = 12;

function integers(schema: Schema): fc.Arbitrary<number> {
  const min = schema.minimum ?? Number.MIN_SAFE_INTEGER;
  const max = schema.maximum ?? Number.MAX_SAFE_INTEGER;
  const smallMin = Math.max(min, 0);
  return fc.oneof(
    { weight: smallNumberWeight, arbitrary: fc.integer({ min: smallMin, max: Math.min(max, smallMin + 5) }) },
    { weight: 1, arbitrary: fc.integer({ min, max }) },
  );
}

function numbers(schema: Schema): fc.Arbitrary<number> {
  const decimalPlaces = schema['x-decimal-places'];
  if (decimalPlaces === undefined) return fc.double({ noNaN: true, noDefaultInfinity: true });
  const unitsPerOne = 10 ** decimalPlaces;
  const { min, max } = boundsInUnits(schema, unitsPerOne);
  return fc
    .oneof(
      { weight: smallNumberWeight, arbitrary: fc.integer({ min, max: Math.min(max, min + 10 * unitsPerOne) }) },
      { weight: 1, arbitrary: fc.integer({ min, max }) },
    )
    .map((count) => count / unitsPerOne);
}

/** Returns the bounds of a decimal number, counted in its smallest units, such as cents. */
export function boundsInUnits(schema: Schema, unitsPerOne: number): { min: number; max: number } {
  const min =
    schema.exclusiveMinimum === undefined
      ? Math.round((schema.minimum ?? -1e6) * unitsPerOne)
      : Math.round(schema.exclusiveMinimum * unitsPerOne) + 1;
  return { min, max: Math.round((schema.maximum ?? 1e6) * unitsPerOne) };
}

/** Generates any character except a lone surrogate; mostly ASCII, and often those that programs treat specially. */
export const character = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'é',
      'ß',
      'İ',
      'Ω',
      '中',
      '🚀',
      '\u0301',
      '\u200d',
      '\ufeff',
      '\n',
      '\u007f',
      '/',
      '~',
      '%',
    ),
  },
  { weight: 1, arbitrary: unicodeCharacter },
);

function strings(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'date') return dates;
  if (schema.format === 'email')
    return fc.emailAddress().filter((address) => address.length <= (schema.maxLength ?? 255));
  const min = schema.minLength ?? 0;
  const max = schema.maxLength ?? min + 30;
  const pattern = new RegExp(schema.pattern ?? '', 'u');
  const repeated = fc.tuple(character, fc.constantFrom(min, max)).map(([char, length]) => char.repeat(length));
  return fc
    .oneof(
      { weight: 20, arbitrary: fc.string({ unit: character, minLength: min, maxLength: Math.min(max, min + 20) }) },
      { weight: 1, arbitrary: repeated },
    )
    .filter((value) => pattern.test(value));
}

export const dayMs = 86_400_000;

/** Days from 1970-01-01 to 0000-01-01 and to 9999-12-31. */
const [firstDay, lastDay] = [-719_528, 2_932_896];

/**
 * Mostly dates around 2026-04-01, the date to which the clock of the service is set, and sometimes any date up to the
 * year 9999.
 */
const dates: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: -40, max: 40 }).map((days) => Date.UTC(2026, 3, 1) + days * dayMs) },
    { weight: 1, arbitrary: fc.integer({ min: firstDay, max: lastDay }).map((days) => days * dayMs) },
  )
  .map((time) => new Date(time).toISOString().slice(0, 10));

function objects(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries(schema.properties ?? {}).map(([name, propertySchema]) => {
    const present = validValues(propertySchema).map((value): [string, unknown][] => [[name, value]]);
    return schema.required?.includes(name) ? present : fc.oneof(present, fc.constant<[string, unknown][]>([]));
  });
  return fc
    .tuple(fc.tuple(...properties), additionalMembers(schema))
    .map(([members, additional]) => makeConsistent(Object.fromEntries([...members.flat(), ...additional]), schema));
}

/**
 * Names that have a meaning in JavaScript, in records of the service or in JSON pointers. As names of members, the
 * service must treat them like any other.
 */
const specialNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'id',
  'status',
  '',
  '0',
  '007',
  'a/b',
  '~1',
];

/** Generates members that the schema does not name. */
function additionalMembers(schema: Schema): fc.Arbitrary<[string, unknown][]> {
  const { additionalProperties, propertyNames, maxProperties, properties = {} } = schema;
  const none = fc.constant<[string, unknown][]>([]);
  if (additionalProperties === false) return none;
  const name = fc
    .oneof(fc.constantFrom(...specialNames), validValues(propertyNames ?? { type: 'string' }))
    .map(String)
    .filter((candidate) => !Object.hasOwn(properties, candidate));
  const value =
    typeof additionalProperties === 'object' ? validValues(additionalProperties) : fc.jsonValue({ maxDepth: 2 });
  const some = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 3, size: 'max' });
  if (maxProperties === undefined) return fc.oneof({ weight: 4, arbitrary: none }, { weight: 1, arbitrary: some });
  const maximum = value.map((sameValue) => numberedMembers(maxProperties, sameValue));
  return fc.oneof({ weight: 10, arbitrary: some }, { weight: 1, arbitrary: maximum });
}

/** Creates members with generated names and the same value. */
export function numberedMembers(count: number, value: unknown): [string, unknown][] {
  return Array.from({ length: count }, (_, index) => [`key ${index}`, value]);
}

/** Swaps dates that are in the wrong order, and rounds amounts in currencies without decimal places. */
function makeConsistent(object: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  const consistent = { ...object };
  for (const [name, { 'x-not-before': sibling }] of Object.entries(schema.properties ?? {})) {
    if (sibling === undefined) continue;
    const [earliest, date] = [object[sibling], object[name]];
    if (typeof earliest === 'string' && typeof date === 'string' && date < earliest) {
      consistent[name] = earliest;
      consistent[sibling] = date;
    }
  }
  const { amount, currency } = object;
  if (typeof amount === 'number' && decimalPlacesOf(currency) === 0) {
    consistent['amount'] = Math.max(1, Math.floor(amount));
  }
  return consistent;
}

/** Returns the number of decimal places of amounts in a currency, or 2 without a currency. */
export function decimalPlacesOf(currency: unknown): number {
  if (typeof currency !== 'string') return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}
