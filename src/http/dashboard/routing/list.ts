import { type ListSearch, pageSize } from '../components/list.js';
import { rankedPositions } from './ranked-positions.js';
import { readSearch, textMatcher } from './search.js';

/** A value of a field, by which rows are sorted and which is exported. */
export type FieldValue = string | number | null;

/** The rows of a list, and what is searched, sorted and exported of them. */
export interface ListSource<Row> {
  /** In order of insertion. */
  readonly rows: readonly Row[];
  /** Positions of the rows by time, earliest first. Rows without a time are listed in order of insertion. */
  readonly byTime?: () => readonly number[];
  readonly searchTextsOf: (row: Row) => readonly (string | null)[];
  readonly statusOf?: (row: Row) => string;
  /** Creates a further condition that finds a row, once for each search, so that shared data is searched only once. */
  readonly alsoFoundBy?: (isFound: (texts: readonly (string | null)[]) => boolean) => (row: Row) => boolean;
  /** The exported fields by name. The list can be sorted by those that its columns name. */
  readonly fields: Readonly<Record<string, (row: Row) => FieldValue>>;
}

/** The rows that a search finds. */
interface Found {
  readonly total: number;
  /** Is 1 at the position of each row that is found; undefined if all are. */
  readonly marks: Uint8Array | undefined;
}

/** The rows of a page, and the search. */
export interface SearchResult<Row> {
  readonly rows: readonly Row[];
  /** Number of rows on all pages. */
  readonly total: number;
  readonly search: ListSearch;
}

/** The requested page of a list, newest first unless it is sorted; the last page if the requested one is beyond the end. */
export function pageOf<Row>(query: URLSearchParams, source: ListSource<Row>): SearchResult<Row> {
  const search = readListSearch(query, source);
  const found = findRows(source, search);
  const page = Math.min(search.page, Math.max(1, Math.ceil(found.total / pageSize)));
  const first = (page - 1) * pageSize;
  const rows = orderedRows(source, found, search, first, first + pageSize);
  return { rows, total: found.total, search: { ...search, page } };
}

/** The first rows of the whole list that a query finds, in its order. */
export function firstRows<Row>(query: URLSearchParams, source: ListSource<Row>, maximum: number): readonly Row[] {
  const search = readListSearch(query, source);
  return orderedRows(source, findRows(source, search), search, 0, maximum);
}

function readListSearch<Row>(query: URLSearchParams, { fields }: ListSource<Row>): ListSearch {
  const sort = query.get('sort') ?? '';
  const isKnown = Object.hasOwn(fields, sort);
  return { ...readSearch(query), sort: isKnown ? sort : '', isDescending: isKnown && query.get('order') === 'desc' };
}

/** Marks the rows that are found by their position; undefined if all are. */
function findRows<Row>(
  { rows, searchTextsOf, statusOf, alsoFoundBy }: ListSource<Row>,
  { text, status }: ListSearch,
): Found {
  if (text === '' && status === '') return { total: rows.length, marks: undefined };
  const isFound = textMatcher(text);
  const isFoundAlso = text === '' ? undefined : alsoFoundBy?.(isFound);
  const marks = new Uint8Array(rows.length);
  let total = 0;
  for (let position = 0; position < rows.length; position++) {
    const row = rows[position];
    if (row === undefined) continue;
    if (status !== '' && statusOf?.(row) !== status) continue;
    if (text !== '' && !isFound(searchTextsOf(row)) && isFoundAlso?.(row) !== true) continue;
    marks[position] = 1;
    total += 1;
  }
  return { total, marks };
}

/** A part of the rows that were found, in the order of a search. */
function orderedRows<Row>(source: ListSource<Row>, found: Found, search: ListSearch, from: number, to: number): Row[] {
  const { rows, fields } = source;
  const keyOf = fields[search.sort];
  const positions = keyOf
    ? sortedPositions(rows, found, keyOf, search.isDescending ? -1 : 1, from, to)
    : newestPositions(source, found, from, to);
  return positions.flatMap((position) => rows[position] ?? []);
}

/** Reads the rows from the newest on, and no more than needed. */
function newestPositions<Row>({ rows, byTime }: ListSource<Row>, { marks }: Found, from: number, to: number): number[] {
  const order = byTime?.();
  const positions: number[] = [];
  // Without a condition the first pages need not be counted.
  let rank = marks ? 0 : from;
  for (let index = rows.length - 1 - rank; index >= 0 && rank < to; index--) {
    const position = order?.[index] ?? index;
    if (marks && marks[position] !== 1) continue;
    if (rank >= from) positions.push(position);
    rank += 1;
  }
  return positions;
}

/** The positions of the rows with some ranks by a field; of equal rows the one that was added last comes first. */
function sortedPositions<Row>(
  rows: readonly Row[],
  { total, marks }: Found,
  keyOf: (row: Row) => FieldValue,
  direction: 1 | -1,
  from: number,
  to: number,
): number[] {
  const positions = new Uint32Array(total);
  const values: FieldValue[] = [];
  for (let position = 0; position < rows.length; position++) {
    const row = rows[position];
    if (row === undefined || (marks && marks[position] !== 1)) continue;
    positions[values.length] = position;
    values.push(keyOf(row));
  }
  const compareValues = comparison(values, direction);
  const compare = (a: number, b: number): number => compareValues(a, b) * direction || b - a;
  return rankedPositions(total, compare, from, to).map((index) => positions[index] ?? 0);
}

/** Maximum number of different texts that are replaced by their rank: numbers are compared faster. */
const maxRankedTexts = 5_000;

type SortKey = number | string;

/**
 * Compares values by their index: texts without case, or their ranks if they are few. Rows without a value come last in the
 * direction of the list.
 */
function comparison(values: readonly FieldValue[], direction: 1 | -1): (a: number, b: number) => number {
  const last = direction * Number.POSITIVE_INFINITY;
  const ranks = ranksOf(values);
  if (!ranks) {
    const keys = values.map((value): SortKey => (typeof value === 'string' ? value.toLowerCase() : (value ?? last)));
    return (a, b) => compareKeys(keys[a] ?? last, keys[b] ?? last);
  }
  const keys = new Float64Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? last;
    keys[index] = typeof value === 'string' ? (ranks.get(value) ?? last) : value;
  }
  return (a, b) => {
    const left = keys[a] ?? last;
    const right = keys[b] ?? last;
    return left === right ? 0 : left < right ? -1 : 1;
  };
}

/** The rank of each text, the same whatever its case; undefined if there are too many. */
function ranksOf(values: readonly FieldValue[]): Map<string, number> | undefined {
  const texts = new Set<string>();
  for (const value of values) {
    if (typeof value === 'string') texts.add(value);
    if (texts.size > maxRankedTexts) return undefined;
  }
  const sorted = [...new Set([...texts].map((text) => text.toLowerCase()))].sort(compareKeys);
  const ranks = new Map(sorted.map((text, rank) => [text, rank] as const));
  return new Map([...texts].map((text) => [text, ranks.get(text.toLowerCase()) ?? 0] as const));
}

/** Compares two keys. Of ids that are either, numbers come first; an infinite number stands for a missing value. */
function compareKeys(a: SortKey, b: SortKey): number {
  if (a === b) return 0;
  if (typeof a === typeof b) return a < b ? -1 : 1;
  const isFirst = typeof a === 'number' ? a !== Number.POSITIVE_INFINITY : b === Number.POSITIVE_INFINITY;
  return isFirst ? -1 : 1;
}
