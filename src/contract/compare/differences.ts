import { isRecord } from '../../lib/is-record.js';
import type { Exchange } from '../engine/exchange.js';

import { operationOf } from '../engine/operations.js';
import { isOwn, type WithRunId } from './own.js';
import type { Pair } from './pairs.js';

/** Kind of a difference: a missing value, another type, or another value. */
type Kind = 'missing' | 'type' | 'value';

/** A place of a response where the two differ, with both values; undefined where there is none. */
export interface Difference {
  readonly part: 'status' | 'header' | 'body';
  /** Path in the body, with `*` for array items; or the name of a header. */
  readonly path: readonly string[];
  readonly kind: Kind;
  readonly a: unknown;
  readonly b: unknown;
}

/** Headers that matter to clients; the values of others are not compared. */
const comparedHeaders = [
  'content-type',
  'allow',
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

/** All differences between two responses. If only one is an error, the bodies are not compared. */
export function differencesOf({ a, b }: Pair, runs: { readonly a: WithRunId; readonly b: WithRunId }): Difference[] {
  const status: Difference[] =
    a.status === b.status ? [] : [{ part: 'status', path: [], kind: 'value', a: a.status, b: b.status }];
  const sameClass = Math.floor(a.status / 100) === Math.floor(b.status / 100);
  if (!sameClass) return status;
  const areOwn = isOwn(a, runs.a) && isOwn(b, runs.b);
  const areOfOthers = isRecordAnswer(a) && isRecordAnswer(b) && !areOwn;
  return [
    ...status,
    ...compareHeaders(a, b),
    ...(areOfOthers ? compareRecordsOfOthers(a.json, b.json) : compareBodies(a, b)),
  ];
}

function compareHeaders(a: Exchange, b: Exchange): Difference[] {
  return comparedHeaders.flatMap((name) => {
    const [one, other] = [a, b].map(({ headers }) => headerOf(name, headers[name]));
    return compareValues(one, other, [name]).map((difference) => ({ ...difference, part: 'header' as const }));
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

function compareBodies(a: Exchange, b: Exchange): Difference[] {
  return compareValues(a.json, b.json, [], isList(a) && isList(b));
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
function compareRecordsOfOthers(a: unknown, b: unknown): Difference[] {
  if (!isRecord(a) || !isRecord(b)) return compareValues(a, b, []);
  const { data: one, ...rest } = a;
  const { data: other, ...remainder } = b;
  return [...compareValues(rest, remainder, []), ...compareShapes([one], [other], ['data'], true)];
}

/** @param areRows whether array items are records of the target itself, of which only the shape can be equal */
function compareValues(a: unknown, b: unknown, path: readonly string[], areRows = false): Difference[] {
  const differ = (kind: Kind): Difference[] => [{ part: 'body', path, kind, a, b }];
  if (a === undefined && b === undefined) return [];
  if (a === undefined || b === undefined) return differ('missing');
  if (typeOf(a) !== typeOf(b)) return differ('type');
  if (Array.isArray(a) && Array.isArray(b)) {
    if (areRows) return compareShapes(a, b, [...path, '*']);
    const length: Difference[] =
      a.length === b.length ? [] : [{ part: 'body', path: [...path, '*'], kind: 'missing', a: a.length, b: b.length }];
    const items = a.slice(0, b.length).flatMap((item, index) => compareValues(item, b[index], [...path, '*']));
    return [...length, ...items];
  }
  if (isRecord(a) && isRecord(b)) {
    return namesOf([a, b]).flatMap((name) => compareValues(a[name], b[name], [...path, nameAt(path, name)], areRows));
  }
  return a === b ? [] : differ('value');
}

/**
 * Compares the shape of two sets of rows: the fields that all rows have, and their types.
 * @param mayLack whether a field may be missing on one side
 */
function compareShapes(
  a: readonly unknown[],
  b: readonly unknown[],
  path: readonly string[],
  mayLack = mapFields.includes(path.at(-1) ?? ''),
): Difference[] {
  const [rows, others] = [a.filter(isRecord), b.filter(isRecord)];
  if (rows.length === 0 || others.length === 0) return [];
  return namesOf([...rows, ...others]).flatMap((name): Difference[] => {
    const [one, other] = [rows, others].map((some) => some.map((row) => row[name]).filter((it) => it !== undefined));
    if (!one || !other) return [];
    const at = [...path, nameAt(path, name)];
    if (one.length === 0 || other.length === 0) {
      const isGeneral = !mayLack && (one.length === rows.length || other.length === others.length);
      return isGeneral ? [{ part: 'body', path: at, kind: 'missing', a: one[0], b: other[0] }] : [];
    }
    const [some, more] = [one, other].map((values) => values.filter((value) => value !== null));
    if (!some || !more || some.length === 0 || more.length === 0) return [];
    const types = new Set(some.map(typeOf));
    if (!more.some((value) => types.has(typeOf(value)))) {
      return [{ part: 'body', path: at, kind: 'type', a: some[0], b: more[0] }];
    }
    const isMap = mayLack || mapFields.includes(name);
    return types.has('array')
      ? compareShapes(some.flat(), more.flat(), [...at, '*'], isMap)
      : compareShapes(some, more, at, isMap);
  });
}

/** Objects whose members can have any name. */
const mapFields = ['errors', 'metadata'];

function nameAt(path: readonly string[], name: string): string {
  return mapFields.includes(path.at(-1) ?? '') ? '*' : name;
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
