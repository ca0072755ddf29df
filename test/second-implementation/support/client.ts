import { isObject, type Json, type JsonObject, parseJson } from '../json.js';
import type { SecondImplementation } from '../server.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty if the text is not a JSON object. */
  readonly body: JsonObject;
}

export interface RequestOptions {
  /** The `Authorization` header, by default with the full token; `undefined` sends no such header. */
  readonly authorization?: string | undefined;
  readonly cookie?: string;
  readonly body?: Json;
  readonly idempotencyKey?: string;
}

/** Sends a request and reads the response. @param path relative to `/api/v1`, with the query */
export async function sendRequest(
  service: SecondImplementation,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Reply> {
  const { authorization, cookie, body, idempotencyKey } = {
    authorization: `Bearer ${service.tokens.full}`,
    ...options,
  };
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      Accept: 'application/json',
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(cookie === undefined ? {} : { Cookie: cookie }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parseObject(text) };
}

export const get = (service: SecondImplementation, path: string): Promise<Reply> => sendRequest(service, 'GET', path);

export const post = (
  service: SecondImplementation,
  path: string,
  body?: Json,
  idempotencyKey?: string,
): Promise<Reply> =>
  sendRequest(service, 'POST', path, {
    ...(body === undefined ? {} : { body }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });

/** Parses a JSON object; returns an empty object for any other text. */
function parseObject(text: string): JsonObject {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Returns the value at a path of field names and array indexes. */
export function valueAt(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, step) => {
    if (Array.isArray(inner)) return typeof step === 'number' ? inner.at(step) : undefined;
    return isObject(inner) ? inner[step] : undefined;
  }, value);
}

/** Returns the object at a path. Throws if the value there is not an object. */
export function objectAt(value: Json | undefined, ...path: (string | number)[]): JsonObject {
  const found = valueAt(value, ...path);
  if (!isObject(found)) throw new Error(`no object at ${path.join('.')} of ${JSON.stringify(value)}`);
  return found;
}

/** Returns the array of objects at a path. Throws if the value there is not such an array. */
export function listAt(value: Json | undefined, ...path: (string | number)[]): JsonObject[] {
  const found = valueAt(value, ...path);
  if (!Array.isArray(found)) throw new Error(`no array at ${path.join('.')} of ${JSON.stringify(value)}`);
  return found.map((element) => objectAt(element));
}

/** Returns the UTC date that is the given number of days after today. */
export const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
