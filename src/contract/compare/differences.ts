import { isRecord } from '../../lib/is-record.js';
import type { Exchange } from '../engine/exchange.js';

import { operationOf } from '../engine/operations.js';
import { isOwn, type Marked } from './own.js';
import type { Pair } from './pairs.js';

/** Kind of a difference: a missing value, another type, or another value. */
type Kind = 'missing' | 'type' | 'value';

/** A place of a response where the two differ, with both values; undefined where there is none. */
export interface Difference {
  readonly part: 'status' | 'header' | 'body';
  /** Path in the body, with `*` for array items; or the name of a header. */
  readonly way: readonly string[];
  readonly kind: Kind;
  readonly a: unknown;
  readonly b: unknown;
}

/** Headers that matter to clients; the values of others are not compared. */
const telling = [
  'content-type',
  'allow',
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

/** All differences between two responses. If only one is an error, the bodies are not compared. */
export function differencesOf({ a, b }: Pair, marks: { readonly a: Marked; readonly b: Marked }): Difference[] {
  const status: Difference[] =
    a.status === b.status ? [] : [{ part: 'status', way: [], kind: 'value', a: a.status, b: b.status }];
  const isLike = Math.floor(a.status / 100) === Math.floor(b.status / 100);
  if (!isLike) return status;
  const areOwn = isOwn(a, marks.a) && isOwn(b, marks.b);
  const areOthers = isRecordAnswer(a) && isRecordAnswer(b) && !areOwn;
  return [...status, ...headersOf(a, b), ...(areOthers ? othersOf(a.json, b.json) : bodiesOf(a, b))];
}

function headersOf(a: Exchange, b: Exchange): Difference[] {
  return telling.flatMap((name) => {
    const [one, other] = [a, b].map(({ headers }) => headerOf(name, headers[name]));
    return valuesOf(one, other, [name]).map((difference) => ({ ...difference, part: 'header' as const }));
  });
}

function headerOf(name: string, value: string | undefined): string | undefined {
  if (name === 'content-type') return value?.split(';')[0]?.trim().toLowerCase();
  return name === 'allow' ? documentedMethods(value) : value;
}

/** The methods of `Allow`, sorted, without those that any server may add. */
function documentedMethods(value: string | undefined): string | undefined {
  const methods = value?.split(',').map((method) => method.trim().toUpperCase());
  return methods
    ?.filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
    .sort()
    .join(', ');
}

function bodiesOf(a: Exchange, b: Exchange): Difference[] {
  return valuesOf(a.json, b.json, [], isList(a) && isList(b));
}

/** Whether a response is a list that includes records of others. */
function isList({ call, status }: Exchange): boolean {
  return status < 300 && operationOf(call)?.id.startsWith('list') === true;
}

/** Whether a response contains one record. */
function isRecordAnswer({ call, status }: Exchange): boolean {
  const operation = operationOf(call)?.id;
  return status < 300 && (operation === 'getInvoice' || operation === 'getDeposit');
}

/** Differences between two responses with records that others created: only their shape is compared. */
function othersOf(a: unknown, b: unknown): Difference[] {
  if (!isRecord(a) || !isRecord(b)) return valuesOf(a, b, []);
  const { data: one, ...rest } = a;
  const { data: other, ...remainder } = b;
  return [...valuesOf(rest, remainder, []), ...formsOf([one], [other], ['data'], true)];
}

/** @param areRows whether array items are records of the target itself, of which only the shape can be equal */
function valuesOf(a: unknown, b: unknown, way: readonly string[], areRows = false): Difference[] {
  const differ = (kind: Kind): Difference[] => [{ part: 'body', way, kind, a, b }];
  if (a === undefined && b === undefined) return [];
  if (a === undefined || b === undefined) return differ('missing');
  if (typeOf(a) !== typeOf(b)) return differ('type');
  if (Array.isArray(a) && Array.isArray(b)) {
    if (areRows) return formsOf(a, b, [...way, '*']);
    const length: Difference[] =
      a.length === b.length ? [] : [{ part: 'body', way: [...way, '*'], kind: 'missing', a: a.length, b: b.length }];
    const items = a.slice(0, b.length).flatMap((item, index) => valuesOf(item, b[index], [...way, '*']));
    return [...length, ...items];
  }
  if (isRecord(a) && isRecord(b)) {
    return namesOf([a, b]).flatMap((name) => valuesOf(a[name], b[name], [...way, nameAt(way, name)], areRows));
  }
  return a === b ? [] : differ('value');
}

/**
 * Compares the shape of two sets of rows: the fields that all rows have, and their types.
 * @param mayLack whether a field may be missing on one side
 */
function formsOf(
  a: readonly unknown[],
  b: readonly unknown[],
  way: readonly string[],
  mayLack = maps.includes(way.at(-1) ?? ''),
): Difference[] {
  const [rows, others] = [a.filter(isRecord), b.filter(isRecord)];
  if (rows.length === 0 || others.length === 0) return [];
  return namesOf([...rows, ...others]).flatMap((name): Difference[] => {
    const [one, other] = [rows, others].map((some) => some.map((row) => row[name]).filter((it) => it !== undefined));
    if (!one || !other) return [];
    const at = [...way, nameAt(way, name)];
    if (one.length === 0 || other.length === 0) {
      const isGeneral = !mayLack && (one.length === rows.length || other.length === others.length);
      return isGeneral ? [{ part: 'body', way: at, kind: 'missing', a: one[0], b: other[0] }] : [];
    }
    const [some, more] = [one, other].map((values) => values.filter((value) => value !== null));
    if (!some || !more || some.length === 0 || more.length === 0) return [];
    const types = new Set(some.map(typeOf));
    if (!more.some((value) => types.has(typeOf(value)))) {
      return [{ part: 'body', way: at, kind: 'type', a: some[0], b: more[0] }];
    }
    const isMap = mayLack || maps.includes(name);
    return types.has('array') ? formsOf(some.flat(), more.flat(), [...at, '*'], isMap) : formsOf(some, more, at, isMap);
  });
}

/** Objects whose members can have any name. */
const maps = ['errors', 'metadata'];

function nameAt(way: readonly string[], name: string): string {
  return maps.includes(way.at(-1) ?? '') ? '*' : name;
}

function namesOf(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  // Any number.
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
