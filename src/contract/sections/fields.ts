import type { OperationId } from '../../generated/billing-document.js';
import type { Clause, Level } from '../engine/clause.js';
import type { Exchange } from '../engine/exchange.js';
import { expectField, type Matcher, requireSuccess } from '../engine/expect.js';
import type { Setup } from '../engine/session.js';
import type { Heading } from '../report/headings.js';
import { rowOf } from './field-rows.js';

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

/**
 * Creates a clause for each field of a record: in every record at the given locations, the value of the field must
 * match. Some matchers allow a missing field.
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
  /** Setup that finds the records. */
  readonly location: Setup<RecordLocation | readonly RecordLocation[]>;
  /** Fields, keyed by the number that ends their clause id: `07`. */
  readonly fields: Readonly<Record<string, readonly [field: string, matcher: Matcher]>>;
}): Clause[] {
  const { prefix, level = 'documented', operation, spec, rows, recordName, location, fields } = common;
  return Object.entries(fields).map(([number, [field, matcher]]) => ({
    id: `${prefix}-${number}`,
    level,
    operation,
    spec,
    quote: rowOf(rows, field),
    title: `\`${field}\` of ${recordName} is ${matcher.description}.`,
    check: async (context) => {
      for (const { page, path } of [await context.use(location)].flat()) {
        expectField(page, path === '' ? field : `${path}.${field}`, matcher);
      }
    },
  }));
}
