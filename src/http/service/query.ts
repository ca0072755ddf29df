import type { Request } from 'express';
import type { RequestValidators } from '../../openapi/schemas.js';

export function queryParamsOf(request: Request): URLSearchParams {
  const start = request.url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : request.url.slice(start));
}

/** Value of a parameter for validation: a number if it looks like one, an array if it is repeated. */
export function parameterOf(
  search: URLSearchParams,
  { name, isInteger }: RequestValidators<unknown, unknown>['queryParameters'][number],
): unknown {
  const given = search.getAll(name);
  if (given.length > 1) return given;
  return isInteger ? readInteger(given[0] ?? '') : given[0];
}

/** Parses a number written in digits; leaves other strings for the schema to reject. */
export function readInteger(text: string): number | string {
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  // Beyond 2^53 the number would differ from the one sent.
  return Number.isNaN(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER ? text : number;
}
