import fc from 'fast-check';
import type { OperationId } from '../../src/generated/billing-document.js';
import { type Body, type Operation, operationOf, type Parameter, type Schema } from './document.js';
import { invalidStrings, violationsOf } from './invalid-values.js';
import { typesOf, validValues } from './valid-values.js';

/** A request to the service. Its path parameter and query are not percent-encoded yet. */
export interface ApiRequest {
  readonly operation: OperationId;
  /** The path parameter; undefined if the operation has none. */
  readonly id: string | undefined;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or any other text in an invalid request. */
  readonly body: string | undefined;
}

/** The rule that a request violates, and the response expected for it. */
interface RequestViolation {
  /** A JSON Schema keyword, or the name of another rule. */
  readonly rule: string;
  readonly status: number;
  /** The key in `errors`; undefined if the response has none. */
  readonly field: string | undefined;
}

export interface InvalidRequest {
  readonly request: ApiRequest;
  readonly violation: RequestViolation;
}

/** Tokens of the demo account that have only one scope. */
const tokensByScope = { 'billing.read': 'demo_read', 'billing.write': 'demo_write' };

/** Ids of the authorized deposits that `startService` adds to the demo data, in which all ids are lower. */
export const addedDepositIds = { first: 100, last: 399 };

const jsonHeader = { 'content-type': 'application/json' };

/**
 * Name of the rule about the maximum of `per_page`. By default the service clamps larger values instead of refusing
 * them.
 */
export const clampedPerPage = 'per_page above the maximum';

/** Generates valid requests. They may name records that do not exist. */
export function validRequests(operation: Operation): fc.Arbitrary<ApiRequest> {
  const { pathParameter, queryParameters, headerParameters, body } = operation;
  const id = pathParameter ? recordIds : fc.constant(undefined);
  const query = fc
    .tuple(
      ...queryParameters.map((parameter) =>
        optional(queryValues(parameter).map((value) => [parameter.name, value] as const)),
      ),
    )
    .map((parameters) => parameters.flat());
  const token = fc.constantFrom('demo_full', tokensByScope[operation.scope]);
  const headers = fc
    .tuple(
      token,
      ...headerParameters.map(({ name, schema }) =>
        optional(headerValues(schema).map((value) => [name, value] as const)),
      ),
    )
    .map(([ownToken, ...parameters]) => ({
      authorization: `Bearer ${ownToken}`,
      ...Object.fromEntries(parameters.flat()),
    }));
  const bodyText = body ? bodyTexts(body) : fc.constant(undefined);
  return fc.record({ id, query, headers, body: bodyText }).map((parts) => ({
    ...parts,
    operation: operation.id,
    headers: parts.body === undefined ? parts.headers : { ...parts.headers, ...jsonHeader },
  }));
}

/** Generates requests that violate exactly one rule of the document. */
export function invalidRequests(operation: Operation): fc.Arbitrary<InvalidRequest> {
  return validRequests(operation).chain((request) => {
    const invalid = [
      withInvalidAuthorization(request),
      ...(operation.pathParameter ? [withInvalidId(request)] : []),
      ...operation.queryParameters.map((parameter) => withInvalidQuery(request, parameter)),
      ...operation.headerParameters.map((parameter) => withInvalidHeader(request, parameter)),
      ...(operation.body ? [withUnreadableBody(request)] : []),
    ].map((arbitrary) => ({ weight: 1, arbitrary }));
    // Most rules are rules of the body.
    return fc.oneof(
      ...invalid,
      ...(operation.body ? [{ weight: 4, arbitrary: withInvalidBody(request, operation.body) }] : []),
    );
  });
}

/** Generates an array with one value, or none. */
function optional<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> {
  return fc.array(value, { maxLength: 1 });
}

const recordIds = fc
  .oneof(
    // Most records of the demo account have ids up to 12.
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 12 }) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: addedDepositIds.last }) },
    { weight: 1, arbitrary: fc.maxSafeInteger() },
  )
  .map(String);

function queryValues({ schema }: Parameter): fc.Arbitrary<string> {
  // An empty value counts as absent (gap query.empty), even if the schema does not allow it.
  return fc.oneof(
    { weight: 20, arbitrary: validValues(schema).map(String).filter(isEncodable) },
    { weight: 1, arbitrary: fc.constant('') },
  );
}

/** Generates printable ASCII without spaces at the ends, which HTTP would remove. */
function headerValues(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 100 } = schema;
  const printable = fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, 40) });
  const longestValue = fc.constant('k'.repeat(maxLength));
  return fc
    .oneof({ weight: 10, arbitrary: printable }, { weight: 1, arbitrary: longestValue })
    .filter((text) => text.trim() === text);
}

/** `encodeURIComponent` throws for a lone surrogate. */
function isEncodable(text: string): boolean {
  return text.isWellFormed();
}

function bodyTexts({ schema, required }: Body): fc.Arbitrary<string | undefined> {
  const text = validValues(schema).map((value) => JSON.stringify(value));
  return required ? text : fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.constant(undefined) });
}

function withInvalidAuthorization(request: ApiRequest): fc.Arbitrary<InvalidRequest> {
  const { scope } = operationOf(request.operation);
  const otherToken = tokensByScope[scope === 'billing.read' ? 'billing.write' : 'billing.read'];
  const authorizedBy = (authorization: string, rule: string, status: number): InvalidRequest =>
    invalidRequest(request, { headers: { ...request.headers, authorization } }, { rule, status });
  return fc.oneof(
    fc.constantFrom('', 'Bearer', 'Basic ZGVtbzpkZW1v').map((value) => authorizedBy(value, 'no token', 401)),
    fc.constantFrom('Bearer nobody', 'Bearer ~').map((value) => authorizedBy(value, 'unknown token', 401)),
    fc.constant(authorizedBy(`Bearer ${otherToken}`, 'scope missing', 403)),
  );
}

function withInvalidId(request: ApiRequest): fc.Arbitrary<InvalidRequest> {
  return fc.oneof(
    notIntegers.map((id) => invalidRequest(request, { id }, { rule: 'path: type', status: 404 })),
    otherNotations.map((id) =>
      invalidRequest(request, { id }, { rule: 'path: other notation of an integer', status: 404 }),
    ),
  );
}

/** Strings that are not an integer in any notation. */
const notIntegers = fc.constantFrom(
  'abc',
  '1.5',
  '-',
  '1-',
  'null',
  'true',
  'NaN',
  '1,0',
  '1;2',
  'é',
  '🚀',
  '%',
  '1 2',
  "'",
  '\0',
);

/** Integers in notations that only some parsers accept. */
const otherNotations = fc.constantFrom('1e0', '1.0', '+1', '0x1', ' 1', '1 ', '0b1', '1e2');

function withInvalidQuery(request: ApiRequest, parameter: Parameter): fc.Arbitrary<InvalidRequest> {
  const { name, schema } = parameter;
  const otherParameters = request.query.filter(([otherName]) => otherName !== name);
  const violating = (rule: string, value: string): InvalidRequest =>
    invalidRequest(request, { query: [...otherParameters, [name, value]] }, { rule, status: 422, field: name });
  const duplicates = queryValues(parameter).map((value) => {
    const query: ApiRequest['query'] = [...otherParameters, [name, value], [name, value]];
    return invalidRequest(request, { query }, { rule: 'query: given twice', status: 422, field: name });
  });
  if (typesOf(schema).includes('integer')) {
    const { minimum = 0, maximum } = schema;
    const tooSmall = fc.integer({ min: minimum - 1000, max: minimum - 1 });
    const tooLarge = maximum === undefined ? [] : [fc.integer({ min: maximum + 1, max: 2 ** 40 })];
    return fc.oneof(
      duplicates,
      notIntegers.map((value) => violating('query: type', value)),
      otherNotations.map((value) => violating('query: other notation of an integer', value)),
      tooSmall.map((value) => violating('minimum', String(value))),
      ...tooLarge.map((values) =>
        values.map((value) => {
          const query: ApiRequest['query'] = [...otherParameters, [name, String(value)]];
          return invalidRequest(request, { query }, { rule: clampedPerPage, status: 200 });
        }),
      ),
    );
  }
  const rules: [rule: string, strings: fc.Arbitrary<string>][] = schema.enum
    ? [['enum', fc.string({ minLength: 1 }).filter((text) => !schema.enum?.includes(text))]]
    : invalidStrings(schema, 'text').map(([rule, strings]) => [
        rule,
        strings.filter((text) => text !== '' && isEncodable(text)),
      ]);
  return fc.oneof(duplicates, ...rules.map(([rule, strings]) => strings.map((text) => violating(rule, text))));
}

function withInvalidHeader(request: ApiRequest, { name, schema }: Parameter): fc.Arbitrary<InvalidRequest> {
  const violating = (rule: string, value: string): InvalidRequest =>
    invalidRequest(request, { headers: { ...request.headers, [name]: value } }, { rule, status: 422, field: name });
  const { minLength = 0, maxLength = 100 } = schema;
  const tooLong = fc.integer({ min: maxLength + 1, max: maxLength + 100 }).map((length) => 'k'.repeat(length));
  return fc.oneof(
    tooLong.map((value) => violating('maxLength', value)),
    ...(minLength > 0 ? [fc.constant(violating('header: empty', ''))] : []),
  );
}

/** Generates requests whose body is not JSON, or is declared as another media type. */
function withUnreadableBody(request: ApiRequest): fc.Arbitrary<InvalidRequest> {
  const body = request.body ?? '{}';
  return fc.oneof(
    fc
      .constantFrom('text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonp')
      .map((type) =>
        invalidRequest(
          request,
          { body, headers: { ...request.headers, 'content-type': type } },
          { rule: 'media type', status: 415 },
        ),
      ),
    fc
      .constantFrom(`${body}}`, body.slice(0, -1), "{'a': 1}", '{"a": NaN}', '{"a": 01}', '{"a": 1,}', '{', ' ')
      .map((text) =>
        invalidRequest(
          request,
          { body: text, headers: { ...request.headers, ...jsonHeader } },
          { rule: 'malformed JSON', status: 400 },
        ),
      ),
  );
}

function withInvalidBody(request: ApiRequest, { schema, required }: Body): fc.Arbitrary<InvalidRequest> {
  const validBody: unknown = JSON.parse(request.body ?? '{}');
  const violations = violationsOf(schema, validBody);
  const rules = [...new Set(violations.map(({ rule }) => rule))];
  // Chooses the rule first, since rules that many fields have would outnumber the others.
  return fc.constantFrom(...rules).chain((rule) => {
    const values = violations.filter((violation) => violation.rule === rule).map(({ invalidValues }) => invalidValues);
    return fc.oneof(...values).map(({ value, path }) => {
      const field = path.length === 0 ? 'body' : path.join('.');
      const body = JSON.stringify(value);
      // `null` in place of an optional body is a separate rule, since Prism treats it like an absent body.
      const ruleName = rule === 'type' && body === 'null' && !required ? 'body: null' : rule;
      return invalidRequest(
        request,
        { body, headers: { ...request.headers, ...jsonHeader } },
        { rule: ruleName, status: 422, field },
      );
    });
  });
}

/** Changes a valid request so that it violates one rule, and says how the service responds to that. */
function invalidRequest(
  request: ApiRequest,
  changes: Partial<ApiRequest>,
  { rule, status, field }: Pick<RequestViolation, 'rule' | 'status'> & Partial<RequestViolation>,
): InvalidRequest {
  return { request: { ...request, ...changes }, violation: { rule, status, field } };
}
