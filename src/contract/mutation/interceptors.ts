import { isRecord } from '../../lib/json.js';
import type { JsonObject } from '../engine/json.js';
import type { InterceptedRequest, InterceptedResponse, Interceptor } from './interceptor.js';

type Method = 'GET' | 'POST';
/** Path below the base URL, or a pattern for several paths. */
type Path = string | RegExp;

/** Changes a record in place. */
export type RecordChange = (record: JsonObject) => unknown;

/** Creates an interceptor that changes the responses that a predicate selects, whatever their status. */
export function onResponse(
  isSelected: (request: InterceptedRequest, response: InterceptedResponse) => boolean,
  change: (response: InterceptedResponse, request: InterceptedRequest) => unknown,
): Interceptor {
  return {
    response(response, request) {
      if (isSelected(request, response)) change(response, request);
    },
  };
}

/** Creates an interceptor that changes successful responses of an operation. */
export function onSuccess(
  method: Method,
  path: Path,
  change: (response: InterceptedResponse, request: InterceptedRequest) => unknown,
): Interceptor {
  return onResponse((request, { status }) => matchesOperation(request, method, path) && status < 300, change);
}

/**
 * Creates an interceptor that changes the object in `data` of successful responses: a record, a page of records, or the
 * statistics.
 */
export function onData(
  method: Method,
  path: Path,
  change: (data: JsonObject, request: InterceptedRequest) => unknown,
): Interceptor {
  return onSuccess(method, path, ({ body }, request) => changeField(body, 'data', (data) => change(data, request)));
}

/** Returns the records of a page. */
export function recordsOf(page: JsonObject): unknown[] {
  return Array.isArray(page['data']) ? page['data'] : [];
}

/** Creates an interceptor that changes each record of a paged list. */
export function onRecords(
  path: string,
  change: (record: JsonObject, request: InterceptedRequest) => unknown,
): Interceptor {
  return onList(path, (records, request) => {
    for (const record of records) change(record, request);
    return records;
  });
}

/**
 * Creates an interceptor that replaces the records on a page of a list, and adjusts the list's total by the number of
 * records added or removed.
 */
export function onList(
  path: string,
  change: (records: JsonObject[], request: InterceptedRequest) => JsonObject[],
): Interceptor {
  return onData('GET', path, (page, request) => {
    const records = recordsOf(page).filter(isRecord);
    const changedRecords = change(
      records.map((record) => ({ ...record })),
      request,
    );
    page['data'] = changedRecords;
    page['total'] = Number(page['total']) + changedRecords.length - records.length;
  });
}

/**
 * Creates an interceptor that lists a record although its creation was refused.
 * @param field field with the text by which the suite finds the record
 * @param isSelected selects the requests whose refused records are listed
 */
export function listRefusedRecord(
  path: string,
  field: string,
  isSelected: (request: InterceptedRequest) => boolean,
): Interceptor {
  let text: unknown;
  return combine(
    onResponse(
      (request, response) =>
        request.method === 'POST' && request.path === path && isSelected(request) && isRefused(response),
      (_response, { body }) => {
        text = body[field];
      },
    ),
    onList(path, (records) => (text === undefined ? records : [...records, { id: 1, [field]: text }])),
  );
}

/** Creates an interceptor that changes the list of overdue invoices, which is not paged. */
export function onOverdue(change: (records: JsonObject[]) => JsonObject[]): Interceptor {
  return onSuccess('GET', '/invoices/overdue', (response) => {
    const { data } = response.body;
    if (Array.isArray(data)) response.body['data'] = change(data.map((record) => ({ ...record })));
  });
}

/** Creates an interceptor that changes each record of the list of overdue invoices. */
export function onOverdueRecords(change: RecordChange): Interceptor {
  return onOverdue((records) => {
    for (const record of records) change(record);
    return records;
  });
}

/** Creates an interceptor that changes the requests of an operation. */
export function onRequest(method: Method, path: Path, change: (request: InterceptedRequest) => void): Interceptor {
  return {
    request(request) {
      if (matchesOperation(request, method, path)) change(request);
    },
  };
}

/** True if a request has the token with both scopes. */
export const hasFullToken = ({ token }: InterceptedRequest): boolean => token === 'full';

/** True for the response to a refused request. */
export const isRefused = ({ status }: InterceptedResponse): boolean => status >= 400;

/** Changes a response into an error. */
export function replaceWithError(response: InterceptedResponse, status = 422): void {
  response.status = status;
  response.body = { success: false, error: 'Not possible' };
}

/**
 * Creates an interceptor that makes an operation seem to refuse the token with both scopes: the target handles the
 * request, and its successful response becomes an error.
 */
export function refuseFullToken(method: Method, path: Path, status: number): Interceptor {
  return onSuccess(method, path, (response, request) => {
    if (hasFullToken(request)) replaceWithError(response, status);
  });
}

/** Changes a response into a success. */
export function replaceWithSuccess(response: InterceptedResponse): void {
  response.status = 200;
  response.body = { success: true, data: {} };
}

/**
 * Combines interceptors of requests, responses and authorizations into one that runs them one after the other. Ignores
 * their other hooks.
 */
export function combine(...interceptors: readonly Interceptor[]): Interceptor {
  return {
    request(request) {
      for (const interceptor of interceptors) interceptor.request?.(request);
    },
    response(response, request) {
      for (const interceptor of interceptors) interceptor.response?.(response, request);
    },
    onAuthorize(deposit) {
      for (const interceptor of interceptors) interceptor.onAuthorize?.(deposit);
    },
  };
}

/** Replaces the object in a field of a record with a changed copy. Does nothing if the field does not hold an object. */
export function changeField(record: JsonObject, field: string, change: RecordChange): void {
  const inner = record[field];
  if (!isRecord(inner)) return;
  const copy = { ...inner };
  change(copy);
  record[field] = copy;
}

/** Returns a function that sets fields of a record. */
export const fieldSetter =
  (fields: JsonObject) =>
  (record: JsonObject): JsonObject =>
    Object.assign(record, fields);

/** Returns a function that sets a field of a record to a value computed from its current one. */
export const fieldConverter =
  (field: string, convert: (value: unknown) => unknown) =>
  (record: JsonObject): JsonObject =>
    Object.assign(record, { [field]: convert(record[field]) });

/** Returns a function that sets a field of a record to the value of another field. */
export const fieldCopier =
  (from: string, to: string): RecordChange =>
  (record) =>
    Object.assign(record, { [to]: record[from] });

/** Returns a function that adds 1 to a field of a record. */
export const fieldIncrementer = (field: string): RecordChange => fieldConverter(field, (value) => Number(value) + 1);

/** Returns a function that removes the field at a dotted path of a record, such as `email` or `customer.email`. */
export const fieldRemover =
  (path: string) =>
  (record: JsonObject): void =>
    removeField(record, path);

/** Added to an id to get one that no record has. */
const unusedIdOffset = 100_000;

/** Gives a record an id that no record has. */
export function setUnusedId(record: JsonObject): void {
  record['id'] = Number(record['id']) + unusedIdOffset;
}

/** Creates an interceptor that replaces the last record of a page with a copy of the first selected one, under another id. */
export function replaceLastWithCopy(path: string, isSelected: (record: JsonObject) => boolean): Interceptor {
  return onList(path, (records) => {
    const selected = records.slice(0, -1).find(isSelected);
    if (!selected) return records;
    const copy = { ...selected };
    setUnusedId(copy);
    return [...records.slice(0, -1), copy];
  });
}

/** Removes the field at a dotted path, such as `email` or `customer.email`. */
export function removeField(record: JsonObject, path: string): void {
  const [field = '', ...rest] = path.split('.');
  if (rest.length === 0) delete record[field];
  else changeField(record, field, (inner) => removeField(inner, rest.join('.')));
}

function matchesOperation(request: InterceptedRequest, method: Method, path: Path): boolean {
  return request.method === method && (typeof path === 'string' ? request.path === path : path.test(request.path));
}

/** Returns a function that remembers the first non-null value of a field, and sets it on every record after that. */
export function firstValueRepeater(field: string): (record: JsonObject) => void {
  let first: unknown;
  return (record) => {
    first ??= record[field];
    record[field] = first;
  };
}

/** True for text that the suite has chosen: it begins with the prefix of a run (see `Session.prefix`). */
export function isSuiteText(text: unknown): boolean {
  return /^contract/i.test(String(text));
}

/** Formats amounts of 1,000 and more with a thousands separator, and returns other values as they are. */
export function withThousandsSeparator(amount: unknown): unknown {
  return Number(amount) >= 1_000 ? Number(amount).toLocaleString('en-US') : amount;
}

/** Replaces characters that take four bytes in UTF-8, such as emoji, with question marks. */
export function replaceFourByteCharacters(text: unknown): string {
  return String(text).replace(/[\u{10000}-\u{10FFFF}]/gu, '?');
}
