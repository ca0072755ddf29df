import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Request } from 'express';
import { type FieldViolation, ServiceError } from '../../domain/service-error.js';
import type { OperationId } from '../../generated/billing-document.js';
import { probableWord } from '../../lib/did-you-mean.js';
import { invalidDurationHint } from '../../lib/durations.js';
import { integerOrText, limitedIntegerOrText } from '../../lib/integer-or-text.js';
import { isRecord, memberOf } from '../../lib/json.js';
import { pointerParts } from '../../lib/json-pointer.js';
import { listedValues } from '../../lib/listed-values.js';
import { conjunction, quote } from '../../lib/messages.js';
import type { BodyOf, Operation, QueryOf } from '../../openapi/document.js';
import type { Profile } from '../../openapi/profile.js';
import type { FieldTree, RequestValidators } from '../../openapi/schemas.js';
import { typeName } from './messages.js';
import { joinHints } from './response.js';

export function queryParamsOf(request: Request): URLSearchParams {
  const start = request.url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : request.url.slice(start));
}

/** The value of a parameter for validation: a number if an integer is expected and sent, an array if repeated. */
export function parameterOf(
  search: URLSearchParams,
  { name, isInteger }: RequestValidators<unknown, unknown>['queryParameters'][number],
): unknown {
  const given = search.getAll(name);
  if (given.length > 1) return given;
  return isInteger ? limitedIntegerOrText(given[0] ?? '') : given[0];
}

/** Returns the value if it is valid, with the defaults of its schema added. @throws ServiceError invalid */
export function validated<Value>(validate: ValidateFunction<Value>, value: unknown): Value {
  if (validate(value)) return value;
  throw new ServiceError('invalid', { violations: toViolations(validate.errors, value) });
}

/** The violations of a value; none if it is valid. */
export function violationsOf<Value>(validate: ValidateFunction<Value>, value: unknown): FieldViolation[] {
  return validate(value) ? [] : toViolations(validate.errors, value);
}

/**
 * Validates the body of a request, and adds defaults. Null counts as omitted where the profile says so.
 * @throws ServiceError invalid
 */
export function validateBody<Id extends OperationId>(operation: Operation<Id>, body: unknown): BodyOf<Id> {
  return validated<BodyOf<Id>>(operation.validateBody, operation.removeNulls(body));
}

/** A field or parameter that the operation does not have. */
interface UnknownName {
  readonly name: string;
  /** The place of the field in the body, before its name: `items.1.`. */
  readonly prefix: string;
  /** The known names at that place that were not sent. */
  readonly unsentNames: () => string[];
}

/** Names the fields of a body that the operation does not have: ``unknown field `customer.nmae` is ignored``. */
export function unknownFieldsHint({ bodyFields }: Operation, body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const unknown: UnknownName[] = [];
  addUnknownFields(unknown, body, bodyFields);
  return unknown.length === 0 ? undefined : ignoredHint('field', unknown);
}

function addUnknownFields(unknown: UnknownName[], value: unknown, fields: FieldTree, prefix = ''): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) addUnknownFields(unknown, item, fields, `${prefix}${index}.`);
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) {
      const innerFields = fields.get(name);
      if (innerFields === undefined) {
        const unsentNames = () => [...fields.keys()].filter((known) => !Object.hasOwn(value, known));
        unknown.push({ name, prefix, unsentNames });
      } else if (innerFields.size > 0) addUnknownFields(unknown, value[name], innerFields, `${prefix}${name}.`);
    }
  }
}

/**
 * Names the parameters of a query that the operation does not have, and those whose values are above the maximum, if the
 * profile limits them (gap page.over-maximum).
 */
export function queryHint(
  { queryParameters }: Operation,
  search: URLSearchParams,
  profile: Profile,
): string | undefined {
  if (search.size === 0) return undefined;
  const isKnown = (name: string): boolean => queryParameters.some((parameter) => parameter.name === name);
  let hint: string | undefined;
  // A name without a value may be a token, which the request log must not show.
  const unknownNames = [...search.keys()].filter((name) => !isKnown(name) && search.get(name) !== '');
  if (unknownNames.length > 0) {
    const unsentNames = () => queryParameters.map(({ name }) => name).filter((known) => !search.has(known));
    const unknown = [...new Set(unknownNames)].map((name) => ({ name, prefix: '', unsentNames }));
    hint = ignoredHint('parameter', unknown);
  }
  for (const parameter of queryParameters) {
    const { name, maximum } = parameter;
    const value = parameterOf(search, parameter);
    if (typeof value === 'number' && value > clampedMaximum(maximum, profile))
      hint = joinHints(hint, `${name} is limited to ${maximum}`);
  }
  return hint;
}

/** The maximum that higher values of a parameter are reduced to; infinite if they are not (gap page.over-maximum). */
function clampedMaximum(maximum: number | undefined, profile: Profile): number {
  return profile['page.over-maximum'] === 'clamped' && maximum !== undefined ? maximum : Number.POSITIVE_INFINITY;
}

/** Maximum number of unknown names that a hint contains. */
const maxNamed = 3;

function ignoredHint(kind: 'field' | 'parameter', unknown: readonly UnknownName[]): string {
  const named = unknown.slice(0, maxNamed);
  const suggested = named.flatMap(({ name, prefix, unsentNames }) => {
    const word = probableWord(name, unsentNames());
    return word === undefined ? [] : [quote(prefix + word)];
  });
  const more = unknown.length > named.length ? [`${unknown.length - named.length} more`] : [];
  const names = conjunction([...named.map(({ name, prefix }) => quote(prefix + name)), ...more]);
  const suggestion = suggested.length > 0 ? `; did you mean ${conjunction([...new Set(suggested)])}?` : '';
  return unknown.length === 1
    ? `unknown ${kind} ${names} is ignored${suggestion}`
    : `unknown ${kind}s ${names} are ignored${suggestion}`;
}

/** Names the first invalid parameter that was repeated: `page was sent twice`. */
function repetitionHint(
  violations: readonly FieldViolation[],
  query: Readonly<Record<string, unknown>>,
): string | undefined {
  const name = violations.map(({ path }) => String(path[0])).find((parameter) => Array.isArray(query[parameter]));
  if (name === undefined) return undefined;
  const count = [query[name]].flat().length;
  return `${name} was sent ${count === 2 ? 'twice' : `${count} times`}`;
}

/**
 * Validates the query of a request, and adds defaults. Depending on the profile, limits values to the maximum, and
 * removes invalid ones from `search`, so that their defaults apply.
 * @throws ServiceError invalid
 */
export function validateQuery<Id extends OperationId>(
  operation: Operation<Id>,
  search: URLSearchParams,
  profile: Profile,
): QueryOf<Id> {
  const values: Record<string, unknown> = {};
  const emptyParameters: FieldViolation[] = [];
  for (const parameter of operation.queryParameters) {
    const { name, maximum } = parameter;
    if (!search.has(name) || isIgnored(name, operation, profile)) continue;
    const value = parameterOf(search, parameter);
    if (value === '' && profile['query.empty'] !== 'literal') {
      emptyParameters.push({ path: [name], rule: 'minLength', params: { limit: 1 } });
      continue;
    }
    values[name] = typeof value === 'number' ? Math.min(value, clampedMaximum(maximum, profile)) : value;
  }
  if (emptyParameters.length > 0 && profile['query.empty'] === 'refused')
    throw new ServiceError('invalid', { violations: emptyParameters });
  const query: unknown = values;
  if (operation.validateQuery(query)) return query;
  const violations = toViolations(operation.validateQuery.errors, query);
  // Gap page.over-maximum, not page.invalid, decides about values above the maximum.
  const isReplaced = ({ path: [name], rule }: FieldViolation): boolean =>
    profile['page.invalid'] === 'default' && (name === 'per_page' || name === 'page') && rule !== 'maximum';
  const refused = violations.filter((violation) => !isReplaced(violation));
  if (refused.length > 0)
    throw new ServiceError('invalid', { violations: refused, hint: repetitionHint(refused, values) });
  for (const { path } of violations) search.delete(String(path[0]));
  return validateQuery(operation, search, profile);
}

/** Returns true for a `page` that has no effect, valid or not (gap page.page-everywhere). */
function isIgnored(parameter: string, { id }: Operation, profile: Profile): boolean {
  return parameter === 'page' && id !== 'listInvoices' && profile['page.page-everywhere'] === 'ignored';
}

/**
 * Id in the path of a request; empty for operations without one.
 * @throws ServiceError invoice-id-not-numeric or reminder-invoice-id-not-numeric, for an invoice id that is not an
 *   integer
 */
export function readId(operation: Operation, text: string): number | string {
  if (!operation.parameter) return '';
  const { name, isInteger } = operation.parameter;
  if (name === 'invoice' && typeof limitedIntegerOrText(text) === 'string') {
    throw new ServiceError(
      operation.id === 'sendInvoiceReminder' ? 'reminder-invoice-id-not-numeric' : 'invoice-id-not-numeric',
    );
  }
  return isInteger ? integerOrText(text) : text;
}

/**
 * Returns the Idempotency-Key of a request; undefined if it has none, or its operation takes none.
 * @throws ServiceError key-required, invalid
 */
export function readKey(operation: Operation, headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (!operation.idempotencyKey) return undefined;
  if (key === undefined) {
    if (operation.idempotencyKey.required) throw new ServiceError('key-required');
    return undefined;
  }
  const text: unknown = key;
  if (operation.idempotencyKey.validate(text)) return text;
  const violations = toViolations(operation.idempotencyKey.validate.errors, text).map((violation) => ({
    ...violation,
    path: ['Idempotency-Key', ...violation.path],
  }));
  throw new ServiceError('invalid', { violations });
}

/** Says that a POST request has an Idempotency-Key, although its operation accepts none. */
export function ignoredKeyHint(
  { id, method, idempotencyKey }: Operation,
  headers: IncomingHttpHeaders,
): string | undefined {
  const isIgnored = method === 'post' && headers['idempotency-key'] !== undefined && !idempotencyKey;
  return isIgnored ? `${id} ignores the Idempotency-Key; only createDeposit accepts one` : undefined;
}

/**
 * Converts Ajv's errors to violations, with the parameters that messages of the service and the control API need.
 * @param value the validated value
 */
function toViolations(errors: ErrorObject[] | null | undefined, value: unknown): FieldViolation[] {
  const all = errors ?? [];
  const violations = all.flatMap((error): FieldViolation[] => {
    // Left out: `propertyNames`, since its nested errors say more, and errors of single alternatives, since `anyOf` or
    // `oneOf` says more.
    if (error.keyword === 'propertyNames' || isOfAlternative(error)) return [];
    // `oneOf` says which fields are missing, which is misleading for a value of the wrong type.
    if (error.keyword === 'oneOf' && all.some((other) => isTypeErrorOf(error.instancePath, other))) return [];
    const path = readPath(error.instancePath, value);
    const fieldName: unknown =
      error.params['missingProperty'] ?? error.params['additionalProperty'] ?? error.propertyName;
    if (typeof fieldName === 'string') path.push(fieldName);
    const keyParams = error.propertyName === undefined ? {} : { isKey: true };
    // The value of a custom keyword is a limit (`x-decimal-places`) or the name of a sibling field (`x-not-before`). Each
    // message uses the one that it needs.
    const keywordValue =
      error.keyword.startsWith('x-') && error.params['limit'] === undefined
        ? { limit: error.schema, sibling: error.schema }
        : {};
    const hint = error.keyword === 'x-duration' ? { hint: invalidDurationHint(error.data) } : {};
    // A pattern that only lists values is reported as an enum, unless the schema describes it in words.
    const mayListValues = error.keyword === 'pattern' && error.parentSchema?.['x-expected'] === undefined;
    const allowedValues = mayListValues ? listedValues(error.schema) : undefined;
    if (allowedValues) return [{ path, rule: 'enum', params: { allowedValues, sent: ifShort(error.data) } }];
    return [
      {
        path,
        rule: error.keyword,
        params: { ...error.params, ...keyParams, ...keywordValue, ...hint, ...detailsOf(error) },
      },
    ];
  });
  // Removes duplicates: a schema and the schema that it refers to may both reject a value.
  return [...new Map(violations.map((violation) => [JSON.stringify(violation), violation])).values()];
}

/** True for an error of a single alternative of an `anyOf` or `oneOf`. */
function isOfAlternative({ schemaPath }: ErrorObject): boolean {
  return /\/(?:any|one)Of\/\d/.test(schemaPath);
}

/** True if a value, not one of its alternatives or fields, has a wrong type. */
function isTypeErrorOf(instancePath: string, error: ErrorObject): boolean {
  return error.keyword === 'type' && error.instancePath === instancePath && !isOfAlternative(error);
}

/** Parameters that say what the violated rule allows, or what was sent. */
function detailsOf({ keyword, schema, parentSchema, data }: ErrorObject): Record<string, unknown> {
  switch (keyword) {
    case 'type':
      return data === undefined ? {} : { sent: describeSent(data) };
    case 'enum':
      return { sent: ifShort(data) };
    case 'oneOf':
      return { fields: requiredBy(schema) };
    case 'anyOf':
      return { allowed: listOf(schema).flatMap(describeAlternative) };
    case 'additionalProperties':
      return { known: Object.keys(parentSchema?.['properties'] ?? {}) };
    case 'pattern':
      // Says in words what the value must be.
      return { form: parentSchema?.['x-expected'] };
    default:
      return {};
  }
}

/**
 * Maximum length of a sent text that messages quote, or compare with known words. A longer one could be a token, which the
 * request log would not recognize once it is shortened.
 */
const maxQuotedCharacters = 40;

/** Returns a value if it is a short string; otherwise undefined. */
function ifShort(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxQuotedCharacters ? value : undefined;
}

function describeSent(value: unknown): string {
  const text = ifShort(value);
  if (text !== undefined) return `the string ${quote(text)}`;
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (typeof value === 'number') return Number.isFinite(value) ? `the number ${value}` : 'a number that is too large';
  if (typeof value === 'object' && value !== null) return typeName(Array.isArray(value) ? 'array' : 'object');
  return String(value);
}

/** The allowed values of an alternative, or else its type. */
function describeAlternative(alternative: unknown): unknown[] {
  const values = memberOf(alternative, 'enum');
  return Array.isArray(values) ? values : [typeName(memberOf(alternative, 'type'))];
}

/** The fields that the alternatives of a schema require. */
function requiredBy(alternatives: unknown): unknown[] {
  return listOf(alternatives).flatMap((alternative) => listOf(memberOf(alternative, 'required')));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses a JSON pointer. The value decides whether a part such as `007` is an index or a name. */
function readPath(pointer: string, value: unknown): (string | number)[] {
  let inner = value;
  return pointerParts(pointer).map((name) => {
    const step = Array.isArray(inner) ? Number(name) : name;
    inner = memberOf(inner, name);
    return step;
  });
}
