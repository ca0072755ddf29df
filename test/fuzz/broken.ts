import fc from 'fast-check';
import { isRecord, type Schema } from './document.js';
import { character, numbered, steps, typesOf } from './valid.js';

type Path = readonly (string | number)[];

/** A value with exactly one error. */
interface Broken {
  readonly value: unknown;
  /** Where the error is. */
  readonly path: Path;
}

/** A way to make a valid value violate exactly one rule. */
export interface Breakage {
  /** The keyword of the rule. */
  readonly rule: string;
  readonly broken: fc.Arbitrary<Broken>;
}

/** Lists every way to make a valid value violate one rule of its schema. */
export function breakagesOf(schema: Schema, value: unknown): Breakage[] {
  return [...localBreakages(schema, value), ...(isRecord(value) ? memberBreakages(schema, value) : [])].concat(
    innerBreakages(schema, value),
  );
}

/** Breaks a rule of the value itself. */
function localBreakages(schema: Schema, value: unknown): Breakage[] {
  const breakageOf = (rule: string, values: fc.Arbitrary<unknown>): Breakage => ({
    rule,
    broken: values.map((wrong) => ({ value: wrong, path: [] })),
  });
  const found = [breakageOf('type', fc.constantFrom(...valuesOfOtherTypes(schema)))];
  const allowed = schema.enum;
  if (allowed)
    found.push(
      breakageOf(
        'enum',
        fc.string().filter((text) => !allowed.includes(text)),
      ),
    );
  if (typeof value === 'string')
    found.push(...brokenTexts(schema, value).map(([rule, texts]) => breakageOf(rule, texts)));
  if (typeof value === 'number')
    found.push(...brokenNumbers(schema).map(([rule, numbers]) => breakageOf(rule, numbers)));
  if (Array.isArray(value) && (schema.minItems ?? 0) > 0) found.push(breakageOf('minItems', fc.constant([])));
  const { maxProperties } = schema;
  if (isRecord(value) && maxProperties !== undefined) {
    const more = Object.fromEntries(numbered(maxProperties + 1, 1));
    found.push(breakageOf('maxProperties', fc.constant({ ...value, ...more })));
  }
  return found;
}

/** Removes a member, adds one with a wrong name, or makes one inconsistent with another. */
function memberBreakages(schema: Schema, value: Record<string, unknown>): Breakage[] {
  const breakageOf = (rule: string, places: fc.Arbitrary<[string, unknown]>): Breakage => ({
    rule,
    broken: places.map(([name, wrong]) => ({ value: wrong, path: [name] })),
  });
  const found: Breakage[] = [];
  for (const name of schema.required ?? []) {
    found.push(breakageOf('required', fc.constant([name, without(value, name)])));
  }
  if (schema.additionalProperties === false) {
    found.push(breakageOf('additionalProperties', fc.constant(['unknown', { ...value, unknown: 1 }])));
  }
  for (const [rule, names] of schema.propertyNames ? brokenTexts(schema.propertyNames, 'name') : []) {
    // Removes a member first, so that the maximum is not exceeded as well.
    const others = Object.fromEntries(Object.entries(value).slice(1));
    found.push(
      breakageOf(
        rule,
        names.map((name) => [name, { ...others, [name]: 1 }]),
      ),
    );
  }
  for (const [name, { 'x-not-before': sibling }] of Object.entries(schema.properties ?? {})) {
    const [date, limit] = [value[name], sibling === undefined ? undefined : value[sibling]];
    if (typeof date !== 'string' || typeof limit !== 'string' || limit <= '0001') continue;
    found.push(
      breakageOf(
        'x-not-before',
        earlierDates(limit).map((early) => [name, { ...value, [name]: early }]),
      ),
    );
  }
  return found;
}

/** Breaks a rule of a nested value. */
function innerBreakages(schema: Schema, value: unknown): Breakage[] {
  const within = (inner: Schema | undefined, name: string | number, member: unknown): Breakage[] =>
    (inner ? breakagesOf(inner, member) : []).map(({ rule, broken }) => ({
      rule,
      broken: broken.map((wrong) => ({ value: replaced(value, name, wrong.value), path: [name, ...wrong.path] })),
    }));
  if (Array.isArray(value)) return value.flatMap((item, index) => within(schema.items, index, item));
  if (!isRecord(value)) return [];
  const { properties = {}, additionalProperties: rest } = schema;
  const schemaOf = (name: string): Schema | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : typeof rest === 'object' ? rest : undefined;
  return Object.entries(value).flatMap(([name, member]) => within(schemaOf(name), name, member));
}

/** Strings that each break one rule, based on a valid string. */
export function brokenTexts(schema: Schema, value: string): [string, fc.Arbitrary<string>][] {
  const found: [string, fc.Arbitrary<string>][] = [];
  if (schema.format === 'date') found.push(['format', invalidDates]);
  if (schema.format === 'email') found.push(['format', invalidAddresses]);
  const { minLength, maxLength } = schema;
  if (minLength === 1) found.push(['minLength', fc.constant('')]);
  if (maxLength !== undefined) found.push(['maxLength', tooLong(schema, maxLength)]);
  if (schema.pattern !== undefined && schema.format === undefined) {
    const characters = [...value].slice(0, (maxLength ?? 255) - 2);
    const forbidden = fc.constantFrom('\0', '\ud800', '\udfff', '\udc00\ud800');
    const place = fc.integer({ min: 0, max: characters.length });
    const insert = ([wrong, at]: [string, number]): string => characters.toSpliced(at, 0, wrong).join('');
    found.push(['pattern', fc.tuple(forbidden, place).map(insert)]);
  }
  return found;
}

function tooLong(schema: Schema, limit: number): fc.Arbitrary<string> {
  const length = fc.oneof(fc.constant(limit + 1), fc.integer({ min: limit + 1, max: limit + 100 }));
  if (schema.format === 'email') return length.map((count) => `${'a'.repeat(count)}@inn.example`);
  const matches = new RegExp(schema.pattern ?? '', 'u');
  return fc
    .tuple(
      character.filter((one) => matches.test(one)),
      length,
    )
    .map(([one, count]) => one.repeat(count));
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

function brokenNumbers(schema: Schema): [string, fc.Arbitrary<number>][] {
  const found: [string, fc.Arbitrary<number>][] = [];
  const places = schema['x-decimal-places'] ?? 0;
  const unit = 10 ** places;
  const { min, max } = steps(schema, unit);
  const far = 1e6 * unit;
  const counted = (from: number, to: number): fc.Arbitrary<number> =>
    fc.integer({ min: from, max: to }).map((count) => count / unit);
  if (schema.exclusiveMinimum !== undefined) found.push(['exclusiveMinimum', counted(min - 1 - far, min - 1)]);
  if (schema.minimum !== undefined) found.push(['minimum', counted(min - far, min - 1)]);
  if (schema.maximum !== undefined) found.push(['maximum', counted(max + 1, max + far)]);
  if (places > 0) {
    const between = fc.integer({ min: min + 1, max: max - 2 });
    const rest = fc.constantFrom(0.01, 0.05, 0.99, 0.0001);
    found.push(['x-decimal-places', fc.tuple(between, rest).map(([count, part]) => (count + part) / unit)]);
    const base = Math.max(schema.minimum ?? 0, 0);
    const tiny = fc.constantFrom(1e-4, 1e-7, 5e-324).map((part) => base + part);
    found.push(['x-decimal-places', tiny.filter((value) => value !== Math.round(value * unit) / unit)]);
  }
  return found;
}

function earlierDates(limit: string): fc.Arbitrary<string> {
  const day = 86_400_000;
  const before = (days: number): string => {
    const at = Math.max(Date.parse(limit) - days * day, Date.parse('0000-01-01'));
    return new Date(at).toISOString().slice(0, 10);
  };
  return fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4_000_000 })).map(before);
}

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

function without(value: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** Copies a value with one member replaced. Copying entries treats the name `__proto__` like any other. */
function replaced(value: unknown, name: string | number, wrong: unknown): unknown {
  if (Array.isArray(value)) return value.with(Number(name), wrong);
  if (!isRecord(value)) throw new Error(`nothing to replace in ${JSON.stringify(value)}`);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, key === name ? wrong : member]));
}
