import { isObject, type Json, type JsonObject } from '../json.js';
import type { EventName, Operation, ServiceResponse } from '../world.js';

/**
 * A fault that breaks one sentence of the specification. A fault that has only `breaks`, and perhaps `inferred`,
 * is implemented in the code whose behavior it changes: that code checks whether `world.fault` is the id of the fault,
 * which is its key in the list of faults.
 */
export interface Fault {
  /**
   * Section and sentence of the specification that the fault breaks. A quotation from a table has the form
   * `"id | integer"`: cells of a row, separated by `|`. Where it is not obvious, the faulty behavior follows in
   * parentheses.
   */
  readonly breaks: string;
  /**
   * True if the specification does not make the broken promise explicitly, and `breaks` quotes a sentence that implies
   * it.
   */
  readonly inferred?: true;
  /** Changes a correct response just before it is sent. */
  readonly change?: (response: ServiceResponse) => void;
  /** The operations to whose responses `change` is applied. Default: all responses, even those for unknown paths. */
  readonly operations?: readonly Operation[];
  /** A required field that the service treats as optional, such as `link-create amount`. */
  readonly makesOptional?: `${Operation} ${string}`;
  /** An optional field that the service requires, such as `link-create currency`. */
  readonly makesRequired?: `${Operation} ${string}`;
  /** An operation that needs no token. */
  readonly skipsAuthenticationOf?: Operation;
  /** An operation that does not check scopes. */
  readonly ignoresScopeOf?: Operation;
  /** An operation that finds the records of the first account even with the token of another one. */
  readonly ignoresAccountOf?: Operation;
  /** An operation that repeats its first response to a URL if the token can only read. */
  readonly isOutdatedForReadToken?: Operation;
  /** An operation whose changes are lost, and whose webhooks are not sent, if the token can only write. */
  readonly forgetsChangesOfWriteToken?: Operation;
  /** An operation whose webhooks are not sent if the token can only write. */
  readonly silencesWriteToken?: Operation;
  /** An event whose webhook is not sent. */
  readonly neverSends?: EventName;
}

/** Returns the records in a response: those of a list, or the only one. */
function recordsIn(response: ServiceResponse): JsonObject[] {
  const { data } = response.body;
  if (Array.isArray(data)) return data.filter(isObject);
  if (!isObject(data)) return [];
  const { data: listed } = data;
  return Array.isArray(listed) ? listed.filter(isObject) : [data];
}

/** Returns a function that changes each record in a response. */
export const inEachRecord =
  (change: (record: JsonObject) => void) =>
  (response: ServiceResponse): void =>
    recordsIn(response).forEach(change);

/** Returns a function that changes the `data` field of a response if it is an object, such as a record or a page. */
export const inData =
  (change: (data: JsonObject) => void) =>
  (response: ServiceResponse): void => {
    if (isObject(response.body['data'])) change(response.body['data']);
  };

/** Replaces the `data` of a response with an array that contains it. */
export const wrapDataInArray = ({ body }: ServiceResponse): void => {
  body['data'] = [body['data'] ?? null];
};

/** Returns true if a response reports an error for one of these fields or query parameters. */
export const hasErrorFor = ({ body: { errors } }: ServiceResponse, ...fields: string[]): boolean =>
  isObject(errors) && fields.some((field) => field in errors);

export const removeFields = (...fields: string[]): ((record: JsonObject) => void) => {
  return (record) => {
    for (const field of fields) delete record[field];
  };
};

export const convertFieldToString = (field: string): ((record: JsonObject) => void) => {
  return (record) => {
    record[field] = String(record[field]);
  };
};

/** Returns a function that changes an object nested in a record. */
export const inNested = (field: string, change: (nested: JsonObject) => void): ((record: JsonObject) => void) => {
  return (record) => {
    if (isObject(record[field])) change(record[field]);
  };
};

/** Returns a function that changes each object of an array nested in a record. */
export const inEachNested = (field: string, change: (nested: JsonObject) => void): ((record: JsonObject) => void) => {
  return (record) => {
    const list = record[field];
    if (Array.isArray(list)) list.filter(isObject).forEach(change);
  };
};

export const setField = (field: string, value: (record: JsonObject) => Json): ((record: JsonObject) => void) => {
  return (record) => {
    record[field] = value(record);
  };
};

/** Doubles an amount in dollars, as if it had been converted to another currency, but leaves `currency` unchanged. */
export const convertDollars = (record: JsonObject): void => {
  if (record['currency'] === 'USD') record['amount'] = Number(record['amount']) * 2;
};

/** If a page has no records, replaces its empty array with null. */
export const nullIfNoRecords = (page: JsonObject): void => {
  if (Array.isArray(page['data']) && page['data'].length === 0) page['data'] = null;
};

/** Returns a function that replaces each character of four bytes in UTF-8, such as an emoji, with a question mark. */
export const replaceEmoji = (field: string): ((record: JsonObject) => void) =>
  setField(field, (record) => String(record[field]).replace(/[\u{10000}-\u{10FFFF}]/gu, '?'));

/** Replaces each character that is not printable ASCII with a question mark. */
export const toAscii = (text: string): string => text.replace(/[^ -~]/gu, '?');

/** Returns a fault that changes the successful responses of an operation. */
export const faultOnSuccess = (
  operation: Operation,
  breaks: string,
  change: (response: ServiceResponse) => void,
): Fault => ({
  breaks,
  operations: [operation],
  change: (response) => {
    if (response.body['success'] === true) change(response);
  },
});
