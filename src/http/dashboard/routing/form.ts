import express, { type Request } from 'express';
import { invalid } from '../../../domain/service-error.js';
import { limited } from '../../middleware/body.js';

/** Reads what a form sends, up to 100 kB, as text: what its fields mean is for `fieldsOf`. */
export const readForm = limited(100_000, express.text({ limit: 100_000, type: 'application/x-www-form-urlencoded' }));

/** The fields of a form as they were sent. */
export function paramsOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}

type Fields = Map<string, unknown>;

/** `match.nth:number` and `scopes[]`: the form itself says what a field is. */
const fieldName = /^(?<path>\w+(?:\.\w+)*)(?<list>\[\])?(?::(?<type>number|boolean|json))?$/;

/**
 * The fields of a form as the JSON that an operation takes: names have their levels parted by dots, and say what is no text.
 * What was left empty is left out.
 * @param beside names of fields that are for the page, and not for the operation
 * @throws ServiceError invalid
 */
export function fieldsOf(params: URLSearchParams, ...beside: readonly string[]): object {
  const fields: Fields = new Map();
  for (const [name, text] of params) {
    if (beside.includes(name) || text === '') continue;
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
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(name, 'said', { message: `The ${name} field is no JSON.` });
    throw error;
  }
}

/** Properties are defined, not set: a field may have any name. */
function objectOf(fields: Fields): object {
  return Object.fromEntries([...fields].map(([name, value]) => [name, value instanceof Map ? objectOf(value) : value]));
}
