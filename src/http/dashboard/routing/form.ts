import type { Request } from 'express';
import { invalid } from '../../../domain/service-error.js';
import { parseJson } from '../../../lib/parse-json.js';

/** The fields of a form as sent. */
export function paramsOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}

type Fields = Map<string, unknown>;

/** Matches names of fields such as `match.nth:number` and `scopes[]`, which declare the type of the field. */
const fieldName = /^(?<path>\w+(?:\.\w+)*)(?<list>\[\])?(?::(?<type>number|boolean|json))?$/;

/**
 * Converts the fields of a form to the JSON body of an operation. Levels of names are separated by dots; names declare types
 * other than string. Empty fields are left out. Names such as `items.0.quantity` make a list of objects.
 * @param ignored names of fields that are not for the operation
 * @throws ServiceError invalid
 */
export function fieldsOf(params: URLSearchParams, ...ignored: readonly string[]): object {
  const fields: Fields = new Map();
  for (const [name, text] of params) {
    if (ignored.includes(name) || text === '') continue;
    const { path = '', list, type } = fieldName.exec(name)?.groups ?? {};
    if (path === '') throw invalid(name, 'additionalProperties');
    put(fields, path.split('.'), readValue(path, text, type), list !== undefined);
  }
  return objectOf(fields);
}

function put(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown, isList: boolean): void {
  const known = fields.get(name);
  if (rest.length > 0) {
    const inner: Fields = known instanceof Map ? known : new Map();
    fields.set(name, inner);
    put(inner, rest, value, isList);
  } else if (isList) fields.set(name, [...(Array.isArray(known) ? known : []), value]);
  else fields.set(name, value);
}

function readValue(name: string, text: string, type: string | undefined): unknown {
  if (type === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (type === 'boolean') return text === 'true';
  if (type !== 'json') return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw invalid(name, 'custom', { message: `The ${name} field is not valid JSON.` });
    throw error;
  }
}

/** Builds an object with `Object.fromEntries`, since a field may be named `__proto__`. Numbered fields make a list. */
function objectOf(fields: Fields): object {
  const entries = [...fields].map(([name, value]) => [name, value instanceof Map ? objectOf(value) : value] as const);
  const isList = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
