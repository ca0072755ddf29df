import { isRecord } from '../../lib/is-record.js';
import type { InterceptedRequest, InterceptedResponse, Interceptor, Json } from './interceptor.js';

type Method = 'GET' | 'POST';
type Path = string | RegExp;

/** Changes the responses that a predicate selects, whatever their status. */
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

/** Changes successful responses of an operation. */
export function onSuccess(
  method: Method,
  path: Path,
  change: (response: InterceptedResponse, request: InterceptedRequest) => unknown,
): Interceptor {
  return onResponse((request, { status }) => isFor(request, method, path) && status < 300, change);
}

/** Changes the record in `data`. */
export function onRecord(
  method: Method,
  path: Path,
  change: (record: Json, request: InterceptedRequest) => void,
): Interceptor {
  return onSuccess(method, path, (response, request) => {
    response.body = changed(response.body, 'data', (data) => change(data, request));
  });
}

/** Changes each record of a list. */
export function onRows(path: string, change: (row: Json, request: InterceptedRequest) => void): Interceptor {
  return onList(path, (rows, request) => {
    for (const row of rows) change(row, request);
    return rows;
  });
}

/** Replaces the records of a list and adjusts the total by the number of records added or removed. */
export function onList(path: string, change: (rows: Json[], request: InterceptedRequest) => Json[]): Interceptor {
  return onSuccess('GET', path, (response, request) => {
    response.body = changed(response.body, 'data', (page) => {
      const rows = Array.isArray(page['data']) ? page['data'].filter(isRecord) : [];
      const changedRows = change(
        rows.map((row) => ({ ...row })),
        request,
      );
      page['data'] = changedRows;
      page['total'] = Number(page['total']) + changedRows.length - rows.length;
    });
  });
}

/** Changes the list of overdue invoices, which is not paged. */
export function onOverdue(change: (rows: Json[]) => Json[]): Interceptor {
  return onSuccess('GET', '/invoices/overdue', (response) => {
    const { data } = response.body;
    if (Array.isArray(data)) response.body['data'] = change(data.map((row) => ({ ...row })));
  });
}

/** Changes the requests of an operation. */
export function onRequest(method: Method, path: Path, change: (request: InterceptedRequest) => void): Interceptor {
  return {
    request(request) {
      if (isFor(request, method, path)) change(request);
    },
  };
}

/** Turns a response into an error. */
export function refuse(response: InterceptedResponse, status = 422): void {
  response.status = status;
  response.body = { success: false, error: 'Not possible' };
}

/** Turns a response into a success. */
export function accept(response: InterceptedResponse): void {
  response.status = 200;
  response.body = { success: true, data: {} };
}

/** Runs interceptors of requests and responses one after the other. */
export function chain(...interceptors: readonly Interceptor[]): Interceptor {
  return {
    request(request) {
      for (const interceptor of interceptors) interceptor.request?.(request);
    },
    response(response, request) {
      for (const interceptor of interceptors) interceptor.response?.(response, request);
    },
  };
}

/** Returns a copy of an object in which the object in one field is a changed copy. */
export function changed(outer: Json, field: string, change: (inner: Json) => void): Json {
  const inner = outer[field];
  if (!isRecord(inner)) return outer;
  const copy = { ...inner };
  change(copy);
  return { ...outer, [field]: copy };
}

/** Sets fields of a record. */
export function setFields(record: Json, fields: Json): void {
  Object.assign(record, fields);
}

/** Removes a field, or a field of a nested object. */
export function removeField(record: Json, path: string): void {
  const [field = '', ...rest] = path.split('.');
  if (rest.length === 0) delete record[field];
  else
    Object.assign(
      record,
      changed(record, field, (inner) => removeField(inner, rest.join('.'))),
    );
}

function isFor(request: InterceptedRequest, method: Method, path: Path): boolean {
  return request.method === method && (typeof path === 'string' ? request.path === path : path.test(request.path));
}

/** Returns a change that turns a number into a string. */
export const numberAsString =
  (field: string) =>
  (record: Json): void =>
    setFields(record, { [field]: String(record[field]) });

/** Returns a change that repeats the first value of a field in all later records. */
export function keepFirst(field: string): (record: Json) => void {
  let first: unknown;
  return (record) => {
    first ??= record[field];
    record[field] = first;
  };
}
