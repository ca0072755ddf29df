import type { Request } from 'express';
import { invalidField } from '../../../domain/service-error.js';
import { parseJson } from '../../../lib/json.js';

/** The fields of a form as sent. */
export function formParamsOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}

type Fields = Map<string, unknown>;

/**
 * Matches the name of a field with its type, such as `match.nth:number` or `scopes[]`, with at most ten levels. No form
 * needs more, and recursion over thousands of levels would overflow the stack.
 */
const fieldNamePattern = /^(?<path>\w+(?:\.\w+){0,9})(?<list>\[\])?(?::(?<type>number|boolean|id|json))?$/;

/**
 * Converts the fields of a form to the JSON body of an operation. A dot in a name starts a nested object: `match.nth`.
 * A suffix gives a type other than string, such as `:number`; `:id` is a string without spaces around it. Names such as
 * `items.0.quantity` make a list of objects. Empty fields are left out.
 * @param ignored names of fields that are not for the operation
 * @throws ServiceError invalid
 */
export function jsonBodyOf(params: URLSearchParams, ...ignored: readonly string[]): object {
  const fields: Fields = new Map();
  for (const [name, text] of params) {
    if (ignored.includes(name) || text === '') continue;
    const { path = '', list, type } = fieldNamePattern.exec(name)?.groups ?? {};
    if (path === '') throw invalidField(name, 'additionalProperties');
    setField(fields, path.split('.'), readValue(path, text, type), list !== undefined);
  }
  return objectOf(fields);
}

function setField(fields: Fields, [name = '', ...innerPath]: readonly string[], value: unknown, isList: boolean): void {
  const existing = fields.get(name);
  if (innerPath.length > 0) {
    const inner: Fields = existing instanceof Map ? existing : new Map();
    fields.set(name, inner);
    setField(inner, innerPath, value, isList);
  } else if (!isList) fields.set(name, value);
  else if (Array.isArray(existing)) existing.push(value);
  else fields.set(name, [value]);
}

function readValue(name: string, text: string, type: string | undefined): unknown {
  if (type === 'number') return Number.isNaN(readNumber(text)) ? text : readNumber(text);
  if (type === 'boolean') return text === 'true';
  if (type === 'id') return text.trim();
  if (type !== 'json') return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidField(name, 'json');
    throw error;
  }
}

/** Reads a decimal number. @returns NaN for any other text, including `0x10`, which `Number` would accept */
export function readNumber(text: string): number {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
}

/**
 * Converts fields to an object, or to a list if their names are numbers. `Object.fromEntries` is safe for a field named
 * `__proto__`.
 */
function objectOf(fields: Fields): object {
  const entries = [...fields].map(([name, value]) => [name, value instanceof Map ? objectOf(value) : value] as const);
  const isList = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
