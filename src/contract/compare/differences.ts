import { isRecord } from '../../lib/json.js';
import type { Exchange } from '../engine/exchange.js';
import { answeredOperation, isAboutOwnRecords, type WithRunId } from './exchanges.js';
import { haveDifferentStatusClasses, type Pair } from './pairs.js';

/** Kind of a difference: one value is missing, the types differ, or only the values differ. */
type Kind = 'missing' | 'type' | 'value';

/**
 * A place in a response where the two targets differ, with the values of both. A missing value is undefined. If one
 * array has more items than the other, the values are the numbers of items.
 */
export interface Difference {
  readonly part: 'status' | 'header' | 'body';
  /**
   * Path in the body, with `*` for array items and for members of `errors` and `metadata`; or the name of a header. Empty
   * for the status.
   */
  readonly path: readonly string[];
  readonly kind: Kind;
  readonly a: unknown;
  readonly b: unknown;
}

/** Headers that matter to clients. Other headers are not compared. */
const comparedHeaders = [
  'content-type',
  'allow',
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

/**
 * Finds all differences between the two responses of a pair. If their statuses are of different classes, such as 2xx
 * and 4xx, compares only the statuses.
 */
export function differencesOf(pair: Pair, runs: { readonly a: WithRunId; readonly b: WithRunId }): Difference[] {
  const { a, b } = pair;
  const status: Difference[] =
    a.status === b.status ? [] : [{ part: 'status', path: [], kind: 'value', a: a.status, b: b.status }];
  if (haveDifferentStatusClasses(pair)) return status;
  const areOwnRecords = isAboutOwnRecords(a, runs.a) && isAboutOwnRecords(b, runs.b);
  const areRecordsOfOthers = isSingleRecord(a) && isSingleRecord(b) && !areOwnRecords;
  return [
    ...status,
    ...compareHeaders(a, b),
    ...(areRecordsOfOthers ? compareRecordsOfOthers(a.json, b.json) : compareBodies(a, b)),
  ];
}

function compareHeaders(a: Exchange, b: Exchange): Difference[] {
  return comparedHeaders.flatMap((name) => {
    const [valueA, valueB] = [a, b].map(({ headers }) => comparableHeader(name, headers[name]));
    return compareValues(valueA, valueB, [name]).map((difference) => ({ ...difference, part: 'header' as const }));
  });
}

function comparableHeader(name: string, value: string | undefined): string | undefined {
  if (name === 'content-type') return value?.split(';')[0]?.trim().toLowerCase();
  return name === 'allow' ? comparableMethods(value) : value;
}

/** Sorts the methods in an `Allow` header, and removes HEAD and OPTIONS, which many servers add for every path. */
function comparableMethods(value: string | undefined): string | undefined {
  const methods = value?.split(',').map((method) => method.trim().toUpperCase());
  return methods
    ?.filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
    .sort()
    .join(', ');
}

function compareBodies(a: Exchange, b: Exchange): Difference[] {
  return compareValues(a.json, b.json, [], { onlyShapes: isList(a) && isList(b) });
}

/** True if a response is a list, which may include records that the suite did not create. */
function isList(exchange: Exchange): boolean {
  return exchange.status < 300 && answeredOperation(exchange)?.id.startsWith('list') === true;
}

/** True if a request has read a single record, which the suite may or may not have created. */
function isSingleRecord(exchange: Exchange): boolean {
  const operation = answeredOperation(exchange)?.id;
  return exchange.status < 300 && (operation === 'getInvoice' || operation === 'getDeposit');
}

/**
 * Compares two responses that contain a record, at least one of which the suite did not create. Of the records, compares only
 * the types of the fields that both have.
 */
function compareRecordsOfOthers(a: unknown, b: unknown): Difference[] {
  if (!isRecord(a) || !isRecord(b)) return compareValues(a, b, []);
  const { data: dataA, ...envelopeA } = a;
  const { data: dataB, ...envelopeB } = b;
  return [
    ...compareValues(envelopeA, envelopeB, []),
    ...(dataA === undefined || dataB === undefined
      ? compareValues(dataA, dataB, ['data'])
      : compareShapes([dataA], [dataB], ['data'], { areFieldsOptional: true })),
  ];
}

/**
 * Compares two values, and the values inside them.
 * @param path of both values in the body
 * @param onlyShapes true to compare only the shapes of array items, which may be records of other clients
 */
function compareValues(a: unknown, b: unknown, path: readonly string[], { onlyShapes = false } = {}): Difference[] {
  const differenceOfKind = (kind: Kind): Difference[] => [{ part: 'body', path, kind, a, b }];
  if (a === undefined && b === undefined) return [];
  if (a === undefined || b === undefined) return differenceOfKind('missing');
  if (typeOf(a) !== typeOf(b)) return differenceOfKind('type');
  if (Array.isArray(a) && Array.isArray(b)) {
    if (onlyShapes) return compareShapes(a, b, [...path, '*']);
    const length: Difference[] =
      a.length === b.length ? [] : [{ part: 'body', path: [...path, '*'], kind: 'missing', a: a.length, b: b.length }];
    const items = a.slice(0, b.length).flatMap((item, index) => compareValues(item, b[index], [...path, '*']));
    return [...length, ...items];
  }
  if (isRecord(a) && isRecord(b)) {
    return fieldNamesOf([a, b]).flatMap((name) =>
      compareValues(a[name], b[name], [...path, comparablePathSegment(path, name)], { onlyShapes }),
    );
  }
  return a === b ? [] : differenceOfKind('value');
}

/**
 * Compares the shapes of the values at the same place in two lists. Finds fields that every object in one list
 * has and no object in the other has, and places where no type occurs in both.
 * @param path of the values in the body
 * @param areFieldsOptional true if a field that only one side has is not a difference
 */
function compareShapes(
  a: readonly unknown[],
  b: readonly unknown[],
  path: readonly string[],
  { areFieldsOptional = false } = {},
): Difference[] {
  const [nonNullA, nonNullB] = [a.filter((value) => value !== null), b.filter((value) => value !== null)];
  if (nonNullA.length === 0 || nonNullB.length === 0) return [];
  const types = new Set(nonNullA.map(typeOf));
  if (!nonNullB.some((value) => types.has(typeOf(value)))) {
    return [{ part: 'body', path, kind: 'type', a: nonNullA[0], b: nonNullB[0] }];
  }
  const [itemsA, itemsB] = [nonNullA.filter(Array.isArray).flat(), nonNullB.filter(Array.isArray).flat()];
  return [
    ...compareShapesOfFields(nonNullA.filter(isRecord), nonNullB.filter(isRecord), path, areFieldsOptional),
    ...compareShapes(itemsA, itemsB, [...path, '*'], { areFieldsOptional }),
  ];
}

function compareShapesOfFields(
  a: readonly Readonly<Record<string, unknown>>[],
  b: readonly Readonly<Record<string, unknown>>[],
  path: readonly string[],
  areFieldsOptional: boolean,
): Difference[] {
  if (a.length === 0 || b.length === 0) return [];
  return fieldNamesOf([...a, ...b]).flatMap((name): Difference[] => {
    const [valuesA, valuesB] = [presentValues(a, name), presentValues(b, name)];
    const fieldPath = [...path, comparablePathSegment(path, name)];
    if (valuesA.length === 0 || valuesB.length === 0) {
      const isDifference = !areFieldsOptional && (valuesA.length === a.length || valuesB.length === b.length);
      return isDifference ? [{ part: 'body', path: fieldPath, kind: 'missing', a: valuesA[0], b: valuesB[0] }] : [];
    }
    return compareShapes(valuesA, valuesB, fieldPath, {
      areFieldsOptional: areFieldsOptional || mapFields.includes(name),
    });
  });
}

/** Returns the values of a field in the records that have it. */
function presentValues(records: readonly Readonly<Record<string, unknown>>[], name: string): unknown[] {
  return records.map((record) => record[name]).filter((value) => value !== undefined);
}

/** Fields that contain an object whose members can have any names. */
const mapFields = ['errors', 'metadata'];

/** Returns the name of a field as a part of a path; `*` for a member of an object whose members can have any names. */
function comparablePathSegment(path: readonly string[], name: string): string {
  return mapFields.includes(path.at(-1) ?? '') ? '*' : name;
}

function fieldNamesOf(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

/** Returns the JSON type of a value; `undefined` for a missing one. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  // Integers beyond 2^53 are parsed as bigints.
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
