import fc from 'fast-check';
import { unicodeCharacter } from '../support/unicode-character.js';
import { isRecord, type Schema } from './document.js';

/** Generates values that match a schema, including its bounds. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  return fc.oneof(...typesOf(schema).map((type) => valuesOfType(type, schema)));
}

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
      return fc.array(valuesOf(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 3, size: 'max' });
    case 'object':
      return objects(schema);
    default:
      throw new Error(`no values of the type ${type}`);
  }
}

/** Weight of small numbers, which the service accepts more often than others. */
const mostly = 12;

function integers(schema: Schema): fc.Arbitrary<number> {
  const min = schema.minimum ?? Number.MIN_SAFE_INTEGER;
  const max = schema.maximum ?? Number.MAX_SAFE_INTEGER;
  const small = Math.max(min, 0);
  return fc.oneof(
    { weight: mostly, arbitrary: fc.integer({ min: small, max: Math.min(max, small + 5) }) },
    { weight: 1, arbitrary: fc.integer({ min, max }) },
  );
}

function numbers(schema: Schema): fc.Arbitrary<number> {
  const places = schema['x-decimal-places'];
  if (places === undefined) return fc.double({ noNaN: true, noDefaultInfinity: true });
  const unit = 10 ** places;
  const { min, max } = steps(schema, unit);
  return fc
    .oneof(
      { weight: mostly, arbitrary: fc.integer({ min, max: Math.min(max, min + 10 * unit) }) },
      { weight: 1, arbitrary: fc.integer({ min, max }) },
    )
    .map((count) => count / unit);
}

/** The bounds of a decimal, counted in its smallest step. */
export function steps(schema: Schema, unit: number): { min: number; max: number } {
  const min =
    schema.exclusiveMinimum === undefined
      ? Math.round((schema.minimum ?? -1e6) * unit)
      : Math.round(schema.exclusiveMinimum * unit) + 1;
  return { min, max: Math.round((schema.maximum ?? 1e6) * unit) };
}

/** Any character except a lone surrogate. */
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
  const matches = new RegExp(schema.pattern ?? '', 'u');
  return fc
    .oneof(
      { weight: 20, arbitrary: fc.string({ unit: character, minLength: min, maxLength: Math.min(max, min + 20) }) },
      {
        weight: 1,
        arbitrary: fc.tuple(character, fc.constantFrom(min, max)).map(([one, length]) => one.repeat(length)),
      },
    )
    .filter((value) => matches.test(value));
}

const day = 86_400_000;

/** Mostly dates near those of the seed, sometimes any date with a four-digit year. */
const dates: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: -40, max: 40 }).map((days) => Date.UTC(2026, 3, 1) + days * day) },
    { weight: 1, arbitrary: fc.integer({ min: -719_528, max: 2_932_896 }).map((days) => days * day) },
  )
  .map((at) => new Date(at).toISOString().slice(0, 10));

function objects(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const known = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const value = valuesOf(inner).map((made): [string, unknown][] => [[name, made]]);
    return schema.required?.includes(name) ? value : fc.oneof(value, fc.constant<[string, unknown][]>([]));
  });
  return fc
    .tuple(fc.tuple(...known), others(schema))
    .map(([entries, more]) => inOrder(Object.fromEntries([...entries.flat(), ...more]), schema));
}

/** Property names with a meaning in JavaScript, which the service must treat like any other. */
const oddNames = [
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

/** Members that the schema does not name. */
function others(schema: Schema): fc.Arbitrary<[string, unknown][]> {
  const { additionalProperties: rest, propertyNames, maxProperties, properties = {} } = schema;
  const none = fc.constant<[string, unknown][]>([]);
  if (rest === false) return none;
  const name = fc
    .oneof(fc.constantFrom(...oddNames), valuesOf(propertyNames ?? { type: 'string' }))
    .map(String)
    .filter((candidate) => !Object.hasOwn(properties, candidate));
  const value = typeof rest === 'object' ? valuesOf(rest) : fc.jsonValue({ maxDepth: 2 });
  const some = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 3, size: 'max' });
  if (maxProperties === undefined) return fc.oneof({ weight: 4, arbitrary: none }, { weight: 1, arbitrary: some });
  const full = value.map((one) => numbered(maxProperties, one));
  return fc.oneof({ weight: 10, arbitrary: some }, { weight: 1, arbitrary: full });
}

/** Creates a number of members that differ only in name. */
export function numbered(count: number, value: unknown): [string, unknown][] {
  return Array.from({ length: count }, (_, index) => [`key ${index}`, value]);
}

/** Swaps dates that are in the wrong order, and rounds amounts in currencies without decimal places. */
function inOrder(object: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  const swapped = { ...object };
  for (const [name, { 'x-not-before': sibling }] of Object.entries(schema.properties ?? {})) {
    if (sibling === undefined || !isRecord(object)) continue;
    const [first, second] = [object[sibling], object[name]];
    if (typeof first === 'string' && typeof second === 'string' && second < first) {
      swapped[name] = first;
      swapped[sibling] = second;
    }
  }
  const { amount, currency } = swapped;
  if (typeof amount === 'number' && minorUnitsOf(currency) === 0) swapped['amount'] = Math.max(1, Math.floor(amount));
  return swapped;
}

/** Decimal places of amounts in a currency; 2 if the currency is unknown. */
export function minorUnitsOf(currency: unknown): number {
  if (typeof currency !== 'string') return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}
