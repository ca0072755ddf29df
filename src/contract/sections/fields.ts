import type { OperationId } from '../../generated/billing-document.js';
import type { Clause, Level } from '../engine/clause.js';
import type { Exchange } from '../engine/exchange.js';
import { expectField, type Kind } from '../engine/expect.js';
import type { Setup } from '../engine/session.js';
import type { Heading } from '../report/headings.js';
import { rowOf } from './field-rows.js';

/** A record in a response: `at` is its dotted path in the body. */
export interface Place {
  readonly page: Exchange;
  readonly at: string;
}

/**
 * Clauses about the fields of one or several records, one for each field: that it is present, and of which kind.
 * @param fields by the last number of the clause id: the field and its kind
 */
export function fieldClauses(common: {
  readonly prefix: string;
  /** Default: `documented`. */
  readonly level?: Level;
  readonly operation: OperationId;
  readonly spec: Heading;
  /** Rows of the specification that describe the fields. */
  readonly rows: Readonly<Record<string, string>>;
  /** The record with the fields: `an invoice of the list`. */
  readonly of: string;
  readonly place: Setup<Place | readonly Place[]>;
  readonly fields: Readonly<Record<string, readonly [field: string, kind: Kind]>>;
}): Clause[] {
  const { prefix, level = 'documented', operation, spec, rows, of, place, fields } = common;
  return Object.entries(fields).map(([number, [field, kind]]) => ({
    id: `${prefix}-${number}`,
    level,
    operation,
    spec,
    quote: rowOf(rows, field),
    title: `\`${field}\` of ${of} is ${kind.description}.`,
    check: async (context) => {
      for (const { page, at } of [await context.use(place)].flat()) {
        expectField(page, at === '' ? field : `${at}.${field}`, kind);
      }
    },
  }));
}
