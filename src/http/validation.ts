import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Request } from 'express';
import type { Profile } from '../domain/gaps.js';
import { Refusal, type Violation } from '../domain/refusal.js';
import type { OperationId } from '../generated/billing-document.js';
import type { BodyOf, Operation, QueryOf } from './document.js';

/** The query of a request, typed and with its defaults. @throws Refusal invalid */
export function validateQuery<Id extends OperationId>(
  operation: Operation<Id>,
  search: URLSearchParams,
  profile: Profile,
): QueryOf<Id> {
  const values: Record<string, unknown> = {};
  for (const { name, integer, maximum } of operation.query) {
    const given = search.getAll(name);
    if (given.length === 0) continue;
    const value = given.length > 1 ? given : integer ? readInteger(given[0] ?? '') : given[0];
    const clamps = maximum !== undefined && profile['page.over-maximum'] === 'clamped';
    values[name] = clamps && typeof value === 'number' ? Math.min(value, maximum) : value;
  }
  const query: unknown = values;
  if (operation.validateQuery(query)) return query;
  const violations = violationsOf(operation.validateQuery.errors, query);
  // What is above the maximum is for page.over-maximum to say.
  const paging = violations.filter(
    ({ path: [name], rule }) => (name === 'per_page' || name === 'page') && rule !== 'maximum',
  );
  if (profile['page.invalid'] === 'refused' || paging.length < violations.length)
    throw new Refusal('invalid', { violations });
  for (const { path } of paging) search.delete(String(path[0]));
  return validateQuery(operation, search, profile);
}

/** The body of a request, with its defaults. @throws Refusal invalid */
export function validateBody<Id extends OperationId>(operation: Operation<Id>, body: unknown): BodyOf<Id> {
  if (operation.validateBody(body)) return body;
  throw new Refusal('invalid', { violations: violationsOf(operation.validateBody.errors, body) });
}

/** The path parameter of a request; empty where the operation has none. @throws Refusal for a text instead of an integer */
export function readId(operation: Operation, parameters: Request['params']): number | string {
  if (!operation.parameter) return '';
  const text = String(parameters[operation.parameter.name]);
  const id = operation.parameter.integer ? readInteger(text) : text;
  if (
    operation.parameter.integer &&
    typeof id === 'string' &&
    !/^-?\d+$/.test(id) &&
    operation.parameter.name === 'invoice'
  ) {
    throw new Refusal(operation.id === 'sendInvoiceReminder' ? 'reminder-invoice-id-text' : 'invoice-id-text');
  }
  return id;
}

/** The Idempotency-Key of a request. @throws Refusal key-required, invalid */
export function readKey(operation: Operation, headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (!operation.key) return undefined;
  if (key === undefined) {
    if (operation.key.required) throw new Refusal('key-required');
    return undefined;
  }
  const text: unknown = key;
  if (operation.key.validate(text)) return text;
  const violations = violationsOf(operation.key.validate.errors, text).map((violation) => ({
    ...violation,
    path: ['Idempotency-Key', ...violation.path],
  }));
  throw new Refusal('invalid', { violations });
}

/** The number that a text writes out in digits; other texts stay, for the schema to refuse. */
function readInteger(text: string): number | string {
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  // Beyond 2^53 the number would not be the one that was sent.
  return Number.isNaN(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER ? text : number;
}

function violationsOf(errors: ErrorObject[] | null | undefined, value: unknown): Violation[] {
  return (errors ?? []).flatMap((error) => {
    // A wrong property name is told by the rule that it breaks.
    if (error.keyword === 'propertyNames') return [];
    const path = readPath(error.instancePath, value);
    const named: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'] ?? error.propertyName;
    if (typeof named === 'string') path.push(named);
    const own = error.keyword.startsWith('x-') ? { limit: error.schema, sibling: error.schema } : {};
    return [{ path, rule: error.keyword, params: { ...error.params, ...own } }];
  });
}

/** The path that a JSON pointer writes. What is a number and what a name, such as `007`, the value tells. */
function readPath(pointer: string, value: unknown): (string | number)[] {
  let inner = value;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(inner) ? Number(name) : name;
      inner = Reflect.get(Object(inner), name);
      return step;
    });
}
