import type { OperationId } from '../../generated/billing-document.js';
import { Skip } from '../engine/check-errors.js';
import type { Clause, Level } from '../engine/clause.js';
import type { Exchange } from '../engine/exchange.js';
import { expectField, isSuccess, type Matcher, requireSuccess, valueAt } from '../engine/expect.js';
import type { ClauseContext, Setup } from '../engine/session.js';
import { isSameId } from '../predicates/matchers.js';
import type { Heading } from '../report/headings.js';
import { quoteOf } from './field-quotes.js';
import { successesSoFar } from './responses.js';

/** Where a record is in a response. */
export interface RecordLocation {
  /** Exchange whose response contains the record, which may be one of a list. */
  readonly exchange: Exchange;
  /** Dotted path of the record in the body. */
  readonly path: string;
}

/**
 * Returns the location of the record in `data` of a response. Does not check that `data` is an object: if it is not,
 * the clauses about its fields fail.
 * @throws Blocked unless the response is a success
 */
export function dataLocation(exchange: Exchange): RecordLocation {
  return { exchange: requireSuccess(exchange), path: 'data' };
}

/** Value at a dotted path in a record, such as `customer.id`; undefined if there is none. */
export function fieldOf({ exchange, path }: RecordLocation, field: string): unknown {
  return valueAt(exchange.json, `${path}.${field}`);
}

/** The record itself; undefined if there is none. */
export function recordOf({ exchange, path }: RecordLocation): unknown {
  return valueAt(exchange.json, path);
}

/** Finds the records that a clause checks. */
export type FindRecords = (context: ClauseContext) => Promise<readonly RecordLocation[]>;

/** Locates the elements of an array in a response; none if there is no array at the dotted path. */
export function elementsAt(exchange: Exchange, path: string): RecordLocation[] {
  const value = valueAt(exchange.json, path);
  return Array.isArray(value) ? value.map((_element, index) => ({ exchange, path: `${path}.${index}` })) : [];
}

/**
 * Dotted paths of the lists in the responses of operations. The list of deposits has none: the specification does not
 * say where its records are, so `depositsIn` searches for them.
 */
const listPaths: Readonly<Partial<Record<OperationId, string>>> = {
  listInvoices: 'data.data',
  listOverdueInvoices: 'data',
  listPaymentLinks: 'data.data',
  listPayments: 'data.data',
};

/**
 * Locates the records in a response: those of the list or, if the operation has no list, the one in `data`. Not for the
 * list of deposits, see `listPaths`.
 */
export function recordsIn(exchange: Exchange, operation: OperationId): RecordLocation[] {
  const listPath = listPaths[operation];
  return listPath === undefined ? [{ exchange, path: 'data' }] : elementsAt(exchange, listPath);
}

/**
 * Creates a function that finds all records in the responses of an operation so far, except those that the target
 * created from invalid bodies. The function throws Skip if it finds none.
 * @param locationSetup runs first, so that there is a response with a record
 */
export function allRecords(
  operation: OperationId,
  locationSetup: Setup<RecordLocation | readonly RecordLocation[]>,
): FindRecords {
  return async (context) => {
    const setupExchanges = [await context.use(locationSetup)].flat().map(({ exchange }) => exchange);
    const invalidCreations = context.session.target.exchanges
      .filter((exchange) => exchange.call.isInvalid && isSuccess(exchange))
      .map(({ call, json }) => ({ path: call.path, id: valueAt(json, 'data.id') }));
    const records = [...new Set([...setupExchanges, ...successesSoFar(context, operation)])]
      .flatMap((exchange) => recordsIn(exchange, operation))
      .filter((record) => !invalidCreations.some((creation) => isCreatedBy(record, creation)));
    if (records.length === 0) throw new Skip({ missing: 'a valid record', reason: 'no response shows one' });
    return records;
  };
}

/** @param creation the path of a create request, and the id in its response */
function isCreatedBy(record: RecordLocation, creation: { readonly path: string; readonly id: unknown }): boolean {
  // The path of a create request, such as `/invoices`, is the beginning of the path of every request for its records.
  return record.exchange.call.path.startsWith(creation.path) && isSameId(creation.id, fieldOf(record, 'id'));
}

/**
 * Creates a clause for each field of a record: in every record, the value of the field must match. Some matchers allow
 * a missing field.
 */
export function fieldClauses(common: {
  readonly prefix: string;
  /** Default: `documented`. */
  readonly level?: Level;
  readonly operation: OperationId;
  readonly spec: Heading;
  /** Rows of the specification that describe the fields, keyed by field. */
  readonly quotes: Readonly<Record<string, string>>;
  /** Name of the record in titles: `an invoice in the list`. */
  readonly recordName: string;
  readonly records: FindRecords;
  /** Fields, keyed by the number that ends their clause id: `07`. */
  readonly fields: Readonly<Record<string, readonly [field: string, matcher: Matcher]>>;
}): Clause[] {
  const { prefix, level = 'documented', operation, spec, quotes, recordName, records, fields } = common;
  return Object.entries(fields).map(([number, [field, matcher]]) => ({
    id: `${prefix}-${number}`,
    level,
    operation,
    spec,
    quote: quoteOf(quotes, field),
    title: `\`${field}\` of ${recordName} is ${matcher.description}.`,
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { exchange, path } of await records(context)) expectField(exchange, `${path}.${field}`, matcher);
    },
  }));
}
