import { isRecord } from '../../lib/is-record.js';

import type { InterceptedRequest, InterceptedResponse, Interceptor, Json } from './interceptor.js';

type Method = 'GET' | 'POST';
type Path = string | RegExp;

/** Changes whatever is answered to some requests. */
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

/** Changes the answers of an operation, if they are successes. */
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

/** Puts other records in the place of those of a list; the total is what it was, but for those left out or added. */
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

/** Changes the overdue invoices, which come all at once. */
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

/** Turns an answer into a refusal. */
export function refuse(answered: InterceptedResponse, status = 422): void {
  answered.status = status;
  answered.body = { success: false, error: 'Not possible' };
}

/** Turns an answer into a success. */
export function accept(answered: InterceptedResponse): void {
  answered.status = 200;
  answered.body = { success: true, data: {} };
}

/** Interceptors of requests and answers, one after the other. */
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

/** A copy of an object, in which the object in a field is a copy, too, that was changed. */
export function changed(outer: Json, field: string, change: (inner: Json) => void): Json {
  const inner = outer[field];
  if (!isRecord(inner)) return outer;
  const copy = { ...inner };
  change(copy);
  return { ...outer, [field]: copy };
}

/** Gives a record other fields. */
export function put(record: Json, fields: Json): void {
  Object.assign(record, fields);
}

/** Leaves a field out, or the field of an object in a field. */
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

/** Writes a figure as a text. */
export const asText =
  (field: string) =>
  (record: Json): void =>
    put(record, { [field]: String(record[field]) });

/** A figure that stays what it was at first. */
export function stuck(field: string): (record: Json) => void {
  let first: unknown;
  return (record) => {
    first ??= record[field];
    record[field] = first;
  };
}
