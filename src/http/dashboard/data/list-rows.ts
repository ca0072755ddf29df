import { newestFirst } from '../../../simulation/state/newest-first.js';
import { type ListPage, type ListSearch, lastPage, pageSize } from '../components/list.js';
import { rankedPositions } from './ranked-positions.js';
import { readSearch, textMatcher } from './read-search.js';

/** The value of a field, for sorting and for exports. */
export type FieldValue = string | number | null;

/** The rows of a list, and how to search, sort and export them. */
export interface ListSource<Row> {
  /** In order of insertion. */
  readonly rows: readonly Row[];
  /** Returns the positions in `rows` sorted by time of creation, earliest first. Omitted if `rows` has this order. */
  readonly rowPositionsInTimeOrder?: () => readonly number[];
  /** The texts of a row that a search looks through. */
  readonly searchTextsOf: (row: Row) => readonly (string | null)[];
  /** The status of a row, for the status filter; left out for lists without statuses. */
  readonly statusOf?: (row: Row) => string;
  /** Groups of rows that the status filter offers besides the statuses, by name. */
  readonly statusGroups?: ReadonlyMap<string, (row: Row) => boolean>;
  /**
   * Creates a function that tests whether a record related to the row, such as the customer of an invoice, matches the
   * search. Called once for each search, so that the related records are searched once and not again for every row.
   * @param isFound tests whether one of the texts of a related record contains the search text
   */
  readonly createRelatedMatcher?: (isFound: (texts: readonly (string | null)[]) => boolean) => (row: Row) => boolean;
  /** The fields of an exported row, keyed by name. The list can be sorted by each of them (see `Column.sort`). */
  readonly exportedFields: Readonly<Record<string, (row: Row) => FieldValue>>;
}

/** Returns a getter for each of the named fields, keyed by the name. */
export function ownFields<Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<string, (row: Readonly<Record<Name, FieldValue>>) => FieldValue>> {
  return Object.fromEntries(names.map((name) => [name, (row: Readonly<Record<Name, FieldValue>>) => row[name]]));
}

/** The rows that a search finds. */
interface Matches {
  readonly total: number;
  /** Has a 1 at the position of each row that was found; undefined if all rows were found. */
  readonly marks: Uint8Array | undefined;
}

/** The requested page of a list, newest first unless the query sorts it; the last page if the list has fewer pages. */
export function listPageOf<Row>(query: URLSearchParams, source: ListSource<Row>): ListPage<Row> {
  const search = readListSearch(query, source);
  const matches = findRows(source, search);
  const page = Math.min(search.page, lastPage(matches.total));
  const first = (page - 1) * pageSize;
  const rows = orderedRows(source, matches, search, first, first + pageSize);
  return { rows, total: matches.total, search: { ...search, page } };
}

/** The newest of some rows, at most one page of them. */
export function newestRows<Row extends { readonly created_at: string }>(rows: readonly Row[]): Row[] {
  return newestFirst(rows, ({ created_at }) => created_at).slice(0, pageSize);
}

/** The first rows that a query finds, in the order of the query. */
export function firstRows<Row>(query: URLSearchParams, source: ListSource<Row>, maximum: number): readonly Row[] {
  const search = readListSearch(query, source);
  return orderedRows(source, findRows(source, search), search, 0, maximum);
}

function readListSearch<Row>(query: URLSearchParams, { exportedFields }: ListSource<Row>): ListSearch {
  const sort = query.get('sort') ?? '';
  const isKnown = Object.hasOwn(exportedFields, sort);
  return { ...readSearch(query), sort: isKnown ? sort : '', isDescending: isKnown && query.get('order') === 'desc' };
}

/** Creates a function that tests whether a row or a related record contains a text. */
export function rowMatcher<Row>(
  { searchTextsOf, createRelatedMatcher }: ListSource<Row>,
  text: string,
): (row: Row) => boolean {
  const isFound = textMatcher(text);
  const isFoundIndirectly = createRelatedMatcher?.(isFound);
  return (row) => isFound(searchTextsOf(row)) || isFoundIndirectly?.(row) === true;
}

/** Finds the rows that match the text and the status of a search. */
function findRows<Row>(source: ListSource<Row>, { text, status }: ListSearch): Matches {
  const { rows, statusOf, statusGroups } = source;
  if (text === '' && status === '') return { total: rows.length, marks: undefined };
  const hasStatus = statusGroups?.get(status) ?? ((row: Row) => statusOf?.(row) === status);
  const isMatch = text === '' ? undefined : rowMatcher(source, text);
  const marks = new Uint8Array(rows.length);
  let total = 0;
  for (let position = 0; position < rows.length; position++) {
    const row = rows[position];
    if (row === undefined) continue;
    if (status !== '' && !hasStatus(row)) continue;
    if (isMatch?.(row) === false) continue;
    marks[position] = 1;
    total += 1;
  }
  return { total, marks };
}

/** The matching rows with the ranks `from` to `to` (exclusive) in the order of a search. */
function orderedRows<Row>(
  source: ListSource<Row>,
  matches: Matches,
  search: ListSearch,
  from: number,
  to: number,
): Row[] {
  const { rows, exportedFields } = source;
  const keyOf = exportedFields[search.sort];
  const positions = keyOf
    ? sortedPositions(rows, matches, keyOf, search.isDescending ? -1 : 1, from, to)
    : newestPositions(source, matches, from, to);
  return positions.flatMap((position) => rows[position] ?? []);
}

/** The positions of the matching rows from newest to oldest. Reads no more rows than needed. */
function newestPositions<Row>(
  { rows, rowPositionsInTimeOrder }: ListSource<Row>,
  { marks }: Matches,
  from: number,
  to: number,
): number[] {
  const order = rowPositionsInTimeOrder?.();
  const positions: number[] = [];
  // If every row matches, the rows of earlier pages can be skipped without counting them.
  let rank = marks ? 0 : from;
  for (let index = rows.length - 1 - rank; index >= 0 && rank < to; index--) {
    const position = order?.[index] ?? index;
    if (marks && marks[position] !== 1) continue;
    if (rank >= from) positions.push(position);
    rank += 1;
  }
  return positions;
}

/**
 * The positions of the matching rows sorted by a field. Among rows with the same value, those that were added last come
 * first.
 */
function sortedPositions<Row>(
  rows: readonly Row[],
  { total, marks }: Matches,
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
  const compareValues = createComparison(values, direction);
  const compare = (a: number, b: number): number => compareValues(a, b) * direction || b - a;
  return rankedPositions(total, compare, from, to).map((index) => positions[index] ?? 0);
}

/**
 * If there are more distinct strings than this, they get no ranks. Ranks are numbers, which are compared faster than
 * strings, but the strings have to be sorted first to rank them.
 */
const maxRankedTexts = 5_000;

type SortKey = number | string;

/**
 * Creates a function that compares two values, given their indexes. Strings are compared regardless of case, and by
 * their ranks if there are few distinct ones and no numbers. Missing values come last, whether the list is ascending or
 * descending.
 */
function createComparison(values: readonly FieldValue[], direction: 1 | -1): (a: number, b: number) => number {
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
    // The difference of two infinite keys would be NaN.
    return left === right ? 0 : left - right;
  };
}

/**
 * The rank of each string, ignoring case; undefined if there are too many distinct strings, or strings and numbers,
 * since a rank cannot be compared with a number.
 */
function ranksOf(values: readonly FieldValue[]): Map<string, number> | undefined {
  const texts = new Set<string>();
  let hasNumbers = false;
  for (const value of values) {
    if (typeof value === 'string') texts.add(value);
    else if (value !== null) hasNumbers = true;
    if (texts.size > (hasNumbers ? 0 : maxRankedTexts)) return undefined;
  }
  const sorted = [...new Set([...texts].map((text) => text.toLowerCase()))].sort(compareKeys);
  const ranks = new Map(sorted.map((text, rank) => [text, rank] as const));
  return new Map([...texts].map((text) => [text, ranks.get(text.toLowerCase()) ?? 0] as const));
}

/**
 * Compares two keys. Numbers come before strings: a column of ids may have both. A missing value is Infinity and comes
 * last. In a descending list it is -Infinity and comes first, since the caller reverses the result.
 */
function compareKeys(a: SortKey, b: SortKey): number {
  if (a === b) return 0;
  if (typeof a === typeof b) return a < b ? -1 : 1;
  const isFirst = typeof a === 'number' ? a !== Number.POSITIVE_INFINITY : b === Number.POSITIVE_INFINITY;
  return isFirst ? -1 : 1;
}
