import type { OperationId } from '../../generated/billing-document.js';
import type { Clause, Level } from '../engine/clause.js';
import type { Exchange } from '../engine/exchange.js';
import { expectField, isSuccess, type Matcher, requireSuccess, valueAt } from '../engine/expect.js';
import type { ClauseContext, Setup } from '../engine/session.js';
import type { Heading } from '../report/headings.js';
import { rowOf } from './field-rows.js';
import { responsesSoFar } from './responses.js';

/** Where a record is in a response. */
export interface RecordLocation {
  /** Exchange whose response contains the record: a page of a list, or the response to a creation or a read. */
  readonly page: Exchange;
  /** Dotted path of the record in the body. */
  readonly path: string;
}

/**
 * Returns the location of the record in `data` of a response. It need not be an object: otherwise, the clauses about
 * its fields fail.
 * @throws Blocked unless the response is a success
 */
export function dataLocation(exchange: Exchange): RecordLocation {
  return { page: requireSuccess(exchange), path: 'data' };
}

/** Finds the records that a clause checks. */
export type FindRecords = (context: ClauseContext) => Promise<readonly RecordLocation[]>;

/**
 * Creates a function that finds all records of an operation: those at the locations of a setup, and those in the same
 * place in all earlier responses, such as further pages of a list.
 */
export function allRecords(
  operation: OperationId,
  location: Setup<RecordLocation | readonly RecordLocation[]>,
): FindRecords {
  return async (context) => {
    const known = [await context.use(location)].flat();
    const pages = new Set([...known.map(({ page }) => page), ...responsesSoFar(context, operation).filter(isSuccess)]);
    return known.slice(0, 1).flatMap(({ path }) => [...pages].flatMap((page) => recordsInPlaceOf(path, page)));
  };
}

/** Locates the records in the place of a known one: after `data.data.3`, all elements of `data.data`; else one record. */
function recordsInPlaceOf(path: string, page: Exchange): RecordLocation[] {
  const listPath = /^(.+)\.\d+$/.exec(path)?.[1];
  if (listPath === undefined) return [{ page, path }];
  const records = valueAt(page.json, listPath);
  return Array.isArray(records) ? records.map((_record, index) => ({ page, path: `${listPath}.${index}` })) : [];
}

/**
 * Creates a clause for each field of a record: in every record, the value of the field must match. Some matchers allow a
 * missing field.
 */
export function fieldClauses(common: {
  readonly prefix: string;
  /** Default: `documented`. */
  readonly level?: Level;
  readonly operation: OperationId;
  readonly spec: Heading;
  /** Rows of the specification that describe the fields. */
  readonly rows: Readonly<Record<string, string>>;
  /** Name of the record in titles: `an invoice of the list`. */
  readonly recordName: string;
  readonly records: FindRecords;
  /** Fields, keyed by the number that ends their clause id: `07`. */
  readonly fields: Readonly<Record<string, readonly [field: string, matcher: Matcher]>>;
}): Clause[] {
  const { prefix, level = 'documented', operation, spec, rows, recordName, records, fields } = common;
  return Object.entries(fields).map(([number, [field, matcher]]) => ({
    id: `${prefix}-${number}`,
    level,
    operation,
    spec,
    quote: rowOf(rows, field),
    title: `\`${field}\` of ${recordName} is ${matcher.description}.`,
    readsAllResponses: true,
    check: async (context) => {
      for (const { page, path } of await records(context)) expectField(page, `${path}.${field}`, matcher);
    },
  }));
}
