import type { Request } from 'express';
import type { RequestValidators } from '../../openapi/schemas.js';

export function searchOf(request: Request): URLSearchParams {
  const start = request.url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : request.url.slice(start));
}

/** A parameter as its schema is to see it: a number where it is one, all values where it was given more than once. */
export function parameterOf(
  search: URLSearchParams,
  { name, integer }: RequestValidators<unknown, unknown>['query'][number],
): unknown {
  const given = search.getAll(name);
  if (given.length > 1) return given;
  return integer ? readInteger(given[0] ?? '') : given[0];
}

/** The number that a text writes out in digits; other texts stay, for the schema to refuse. */
export function readInteger(text: string): number | string {
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  // Beyond 2^53 the number would not be the one that was sent.
  return Number.isNaN(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER ? text : number;
}
