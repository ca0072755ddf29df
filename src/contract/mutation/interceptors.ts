import { isRecord } from '../../lib/is-record.js';

import type { InterceptedRequest, InterceptedResponse, Interceptor, Json } from './interceptor.js';

type Method = 'GET' | 'POST';
type Path = string | RegExp;

/** Changes any response to some requests. */
export function onAny(
  isMeant: (asked: InterceptedRequest, answered: InterceptedResponse) => boolean,
  change: (answered: InterceptedResponse, asked: InterceptedRequest) => unknown,
): Interceptor {
  return {
    answer(answered, asked) {
      if (isMeant(asked, answered)) change(answered, asked);
    },
  };
}

/** Changes successful responses of an operation. */
export function onAnswer(
  method: Method,
  path: Path,
  change: (answered: InterceptedResponse, asked: InterceptedRequest) => unknown,
): Interceptor {
  return onAny((asked, { status }) => isFor(asked, method, path) && status < 300, change);
}

/** Changes the record in `data`. */
export function onRecord(
  method: Method,
  path: Path,
  change: (record: Json, asked: InterceptedRequest) => void,
): Interceptor {
  return onAnswer(method, path, (answered, asked) => {
    answered.body = changed(answered.body, 'data', (data) => change(data, asked));
  });
}

/** Changes each record of a list. */
export function onRows(path: string, change: (row: Json, asked: InterceptedRequest) => void): Interceptor {
  return onList(path, (rows, asked) => {
    for (const row of rows) change(row, asked);
    return rows;
  });
}

/** Replaces the records of a list and adjusts the total by the number of records added or removed. */
export function onList(path: string, change: (rows: Json[], asked: InterceptedRequest) => Json[]): Interceptor {
  return onAnswer('GET', path, (answered, asked) => {
    answered.body = changed(answered.body, 'data', (page) => {
      const rows = Array.isArray(page['data']) ? page['data'].filter(isRecord) : [];
      const others = change(
        rows.map((row) => ({ ...row })),
        asked,
      );
      page['data'] = others;
      page['total'] = Number(page['total']) + others.length - rows.length;
    });
  });
}

/** Changes the list of overdue invoices, which is not paged. */
export function onOverdue(change: (rows: Json[]) => Json[]): Interceptor {
  return onAnswer('GET', '/invoices/overdue', (answered) => {
    const { data } = answered.body;
    if (Array.isArray(data)) answered.body['data'] = change(data.map((row) => ({ ...row })));
  });
}

/** Changes the requests of an operation. */
export function onRequest(method: Method, path: Path, change: (asked: InterceptedRequest) => void): Interceptor {
  return {
    request(asked) {
      if (isFor(asked, method, path)) change(asked);
    },
  };
}

/** Turns a response into an error. */
export function refuse(answered: InterceptedResponse, status = 422): void {
  answered.status = status;
  answered.body = { success: false, error: 'Not possible' };
}

/** Turns a response into a success. */
export function accept(answered: InterceptedResponse): void {
  answered.status = 200;
  answered.body = { success: true, data: {} };
}

/** Runs interceptors one after the other. */
export function inTurn(...interceptors: readonly Interceptor[]): Interceptor {
  return {
    request(asked) {
      for (const { request } of interceptors) request?.(asked);
    },
    answer(answered, asked) {
      for (const { answer } of interceptors) answer?.(answered, asked);
    },
  };
}

/** Copies an object and changes a copy of the object in one field. */
export function changed(outer: Json, field: string, change: (inner: Json) => void): Json {
  const inner = outer[field];
  if (!isRecord(inner)) return outer;
  const copy = { ...inner };
  change(copy);
  return { ...outer, [field]: copy };
}

/** Sets fields of a record. */
export function put(record: Json, fields: Json): void {
  Object.assign(record, fields);
}

/** Removes a field, or a field of a nested object. */
export function drop(record: Json, path: string): void {
  const [field = '', ...rest] = path.split('.');
  if (rest.length === 0) delete record[field];
  else
    Object.assign(
      record,
      changed(record, field, (inner) => drop(inner, rest.join('.'))),
    );
}

function isFor(asked: InterceptedRequest, method: Method, path: Path): boolean {
  return asked.method === method && (typeof path === 'string' ? asked.path === path : path.test(asked.path));
}

/** Formats a number as a string. */
export const asText =
  (field: string) =>
  (record: Json): void =>
    put(record, { [field]: String(record[field]) });

/** Keeps the first value of a number forever. */
export function stuck(field: string): (record: Json) => void {
  let first: unknown;
  return (record) => {
    first ??= record[field];
    record[field] = first;
  };
}
