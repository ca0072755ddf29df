import fc from 'fast-check';
import { isRecord } from '../../src/lib/json.js';
import type { Schema } from './document.js';
import { boundsInUnits, character, dayMs, numberedMembers, typesOf } from './valid-values.js';

type Path = readonly (string | number)[];

/** A value that violates exactly one rule. */
interface InvalidValue {
  readonly value: unknown;
  /** Path to the invalid part of the value. */
  readonly path: Path;
}

/** A rule of a schema, and values that violate it and no other. */
export interface Violation {
  /** The keyword of the rule. */
  readonly rule: string;
  readonly invalidValues: fc.Arbitrary<InvalidValue>;
}

/** Lists ways to make a valid value violate one rule of its schema. */
export function violationsOf(schema: Schema, value: unknown): Violation[] {
  return [
    ...ownViolations(schema, value),
    ...(isRecord(value) ? memberViolations(schema, value) : []),
    ...nestedViolations(schema, value),
  ];
}

/** Lists ways to violate the rules for the value as a whole. */
function ownViolations(schema: Schema, value: unknown): Violation[] {
  const violationOf = (rule: string, values: fc.Arbitrary<unknown>): Violation => ({
    rule,
    invalidValues: values.map((invalid) => ({ value: invalid, path: [] })),
  });
  const violations = [violationOf('type', fc.constantFrom(...valuesOfOtherTypes(schema)))];
  const allowed = schema.enum;
  if (allowed) {
    const otherStrings = fc.string().filter((text) => !allowed.includes(text));
    violations.push(violationOf('enum', otherStrings));
  }
  if (typeof value === 'string')
    violations.push(...invalidStrings(schema, value).map(([rule, strings]) => violationOf(rule, strings)));
  if (typeof value === 'number')
    violations.push(...invalidNumbers(schema).map(([rule, numbers]) => violationOf(rule, numbers)));
  if (Array.isArray(value) && (schema.minItems ?? 0) > 0) violations.push(violationOf('minItems', fc.constant([])));
  const { maxProperties } = schema;
  if (isRecord(value) && maxProperties !== undefined) {
    const tooMany = Object.fromEntries(numberedMembers(maxProperties + 1, 1));
    violations.push(violationOf('maxProperties', fc.constant({ ...value, ...tooMany })));
  }
  return violations;
}

/**
 * Lists ways to violate the rules about the members of an object: which it has, their names, and the order of two
 * dates.
 */
function memberViolations(schema: Schema, value: Record<string, unknown>): Violation[] {
  const violationOf = (rule: string, objects: fc.Arbitrary<[name: string, object: unknown]>): Violation => ({
    rule,
    invalidValues: objects.map(([name, object]) => ({ value: object, path: [name] })),
  });
  const violations: Violation[] = [];
  for (const name of schema.required ?? []) {
    violations.push(violationOf('required', fc.constant([name, withoutMember(value, name)])));
  }
  if (schema.additionalProperties === false) {
    violations.push(violationOf('additionalProperties', fc.constant(['unknown', { ...value, unknown: 1 }])));
  }
  for (const [rule, names] of schema.propertyNames ? invalidStrings(schema.propertyNames, 'name') : []) {
    // Removes a member first, so that `maxProperties` is not violated as well.
    const allButOne = Object.fromEntries(Object.entries(value).slice(1));
    const objects = names.map((name): [string, unknown] => [name, { ...allButOne, [name]: 1 }]);
    violations.push(violationOf(rule, objects));
  }
  for (const [name, { 'x-not-before': sibling }] of Object.entries(schema.properties ?? {})) {
    const [date, earliest] = [value[name], sibling === undefined ? undefined : value[sibling]];
    // In year 0 there may be no earlier date with a four-digit year.
    if (typeof date !== 'string' || typeof earliest !== 'string' || earliest <= '0001') continue;
    const objects = datesBefore(earliest).map((early): [string, unknown] => [name, { ...value, [name]: early }]);
    violations.push(violationOf('x-not-before', objects));
  }
  return violations;
}

/** Lists ways to violate a rule inside one element of an array or one member of an object. */
function nestedViolations(schema: Schema, value: unknown): Violation[] {
  const violationsAt = (name: string | number, nestedSchema: Schema | undefined, nested: unknown): Violation[] =>
    (nestedSchema ? violationsOf(nestedSchema, nested) : []).map(({ rule, invalidValues }) => ({
      rule,
      invalidValues: invalidValues.map((invalid) => ({
        value: withMember(value, name, invalid.value),
        path: [name, ...invalid.path],
      })),
    }));
  if (Array.isArray(value)) return value.flatMap((item, index) => violationsAt(index, schema.items, item));
  if (!isRecord(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  const schemaOfOthers = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return Object.entries(value).flatMap(([name, member]) =>
    violationsAt(name, Object.hasOwn(properties, name) ? properties[name] : schemaOfOthers, member),
  );
}

/**
 * Lists the rules of a string, each with strings that violate it and no other.
 * @param valid a valid string; violations of a pattern insert forbidden characters into it
 */
export function invalidStrings(schema: Schema, valid: string): [rule: string, strings: fc.Arbitrary<string>][] {
  const violations: [string, fc.Arbitrary<string>][] = [];
  if (schema.format === 'date') violations.push(['format', invalidDates]);
  if (schema.format === 'email') violations.push(['format', invalidAddresses]);
  const { minLength, maxLength } = schema;
  if (minLength === 1) violations.push(['minLength', fc.constant('')]);
  if (maxLength !== undefined) violations.push(['maxLength', tooLongStrings(schema, maxLength)]);
  if (schema.pattern !== undefined && schema.format === undefined) {
    // Leaves room for the inserted characters, two at most.
    const characters = [...valid].slice(0, (maxLength ?? Infinity) - 2);
    // Every pattern of the document forbids NUL and lone surrogates.
    const forbidden = fc.constantFrom('\0', '\ud800', '\udfff', '\udc00\ud800');
    const position = fc.integer({ min: 0, max: characters.length });
    const insert = ([text, index]: [string, number]): string => characters.toSpliced(index, 0, text).join('');
    violations.push(['pattern', fc.tuple(forbidden, position).map(insert)]);
  }
  return violations;
}

function tooLongStrings(schema: Schema, maxLength: number): fc.Arbitrary<string> {
  const length = fc.oneof(fc.constant(maxLength + 1), fc.integer({ min: maxLength + 1, max: maxLength + 100 }));
  if (schema.format === 'email') return length.map((count) => `${'a'.repeat(count)}@inn.example`);
  const pattern = new RegExp(schema.pattern ?? '', 'u');
  const allowedCharacter = character.filter((candidate) => pattern.test(candidate));
  return fc.tuple(allowedCharacter, length).map(([repeated, count]) => repeated.repeat(count));
}

const invalidDates = fc.constantFrom(
  ...[
    '',
    'today',
    '2026',
    '2026-3-1',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '26-01-01',
  ],
  ...['2026-03-31T00:00:00Z', ' 2026-03-31', '2026-03-31 ', '2026/03/31', '20260331', '+2026-03-31', '2026-03-31\n'],
  ...['12026-03-31', '２０２６-03-31', '-001-01-01'],
);

const invalidAddresses = fc.constantFrom(
  ...['', 'ada', '@inn.example', 'ada@', 'ada@inn', 'ada@@inn.example', 'ada lovelace@inn.example', '.ada@inn.example'],
  ...['ada@inn..example', 'Ada <ada@inn.example>', 'ada@-inn.example', 'é@inn.example', 'ada@inn.example\n'],
);

/** Lists the rules of a number, each with numbers that violate it and no other. */
function invalidNumbers(schema: Schema): [rule: string, numbers: fc.Arbitrary<number>][] {
  const violations: [string, fc.Arbitrary<number>][] = [];
  const decimalPlaces = schema['x-decimal-places'] ?? 0;
  const unitsPerOne = 10 ** decimalPlaces;
  const { min, max } = boundsInUnits(schema, unitsPerOne);
  // How far beyond a bound the generated numbers may be: one million, counted in smallest units.
  const maxDistance = 1e6 * unitsPerOne;
  const between = (minCount: number, maxCount: number): fc.Arbitrary<number> =>
    fc.integer({ min: minCount, max: maxCount }).map((count) => count / unitsPerOne);
  if (schema.exclusiveMinimum !== undefined)
    violations.push(['exclusiveMinimum', between(min - 1 - maxDistance, min - 1)]);
  if (schema.minimum !== undefined) violations.push(['minimum', between(min - maxDistance, min - 1)]);
  if (schema.maximum !== undefined) violations.push(['maximum', between(max + 1, max + maxDistance)]);
  if (decimalPlaces > 0) {
    const wholeUnits = fc.integer({ min: min + 1, max: max - 2 });
    const fractionOfUnit = fc.constantFrom(0.01, 0.05, 0.99, 0.0001);
    violations.push([
      'x-decimal-places',
      fc.tuple(wholeUnits, fractionOfUnit).map(([whole, fraction]) => (whole + fraction) / unitsPerOne),
    ]);
    const smallestAllowed = Math.max(schema.minimum ?? 0, 0);
    const slightlyMore = fc.constantFrom(1e-4, 1e-7, 5e-324).map((difference) => smallestAllowed + difference);
    // The smallest differences are lost when they are added to a number other than 0, which then stays valid.
    const hasTooManyDecimalPlaces = (value: number): boolean => value !== Math.round(value * unitsPerOne) / unitsPerOne;
    violations.push(['x-decimal-places', slightlyMore.filter(hasTooManyDecimalPlaces)]);
  }
  return violations;
}

/** Generates the day before a date, and earlier days down to the year 0. */
function datesBefore(date: string): fc.Arbitrary<string> {
  const daysBefore = (days: number): string => {
    const time = Math.max(Date.parse(date) - days * dayMs, Date.parse('0000-01-01'));
    return new Date(time).toISOString().slice(0, 10);
  };
  // About 11,000 years.
  const maxDays = 4_000_000;
  return fc.oneof(fc.constant(1), fc.integer({ min: 1, max: maxDays })).map(daysBefore);
}

/** Lists values of the JSON types that a schema does not allow. */
function valuesOfOtherTypes(schema: Schema): unknown[] {
  const types = typesOf(schema);
  const candidates: [string, unknown][] = [
    ['null', null],
    ['boolean', true],
    ['boolean', false],
    ['string', 'text'],
    ['string', ''],
    ['string', '1'],
    ['number', 1.5],
    ['number', 0],
    ['array', []],
    ['array', [1]],
    ['object', {}],
    ['object', { name: 'x' }],
  ];
  const isOfType = (type: string, value: unknown): boolean =>
    types.includes(type) || (type === 'number' && types.includes('integer') && Number.isInteger(value));
  return candidates.filter(([type, value]) => !isOfType(type, value)).map(([, value]) => value);
}

function withoutMember(value: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** Copies a value with one member replaced. Copying entries treats the name `__proto__` like any other. */
function withMember(value: unknown, name: string | number, replacement: unknown): unknown {
  if (Array.isArray(value)) return value.with(Number(name), replacement);
  if (!isRecord(value)) throw new Error(`${JSON.stringify(value)} has no members`);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, key === name ? replacement : member]));
}
