import fc from 'fast-check';
import type { OperationId } from '../../src/generated/billing-document.js';
import { breakagesOf, brokenTexts } from './broken.js';
import { type Body, type Operation, operationOf, type Parameter, type Schema } from './document.js';
import { typesOf, valuesOf } from './valid.js';

/** One request to the service, as it goes over the wire. */
export interface ApiRequest {
  readonly operation: OperationId;
  /** The path parameter, not encoded; undefined where the operation has none. */
  readonly id: string | undefined;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or other text to send instead. */
  readonly body: string | undefined;
}

/** The error in a request, and the response expected for it. */
interface RequestViolation {
  /** A JSON Schema keyword, or a name for a rule outside the schema. */
  readonly rule: string;
  readonly status: number;
  /** The key in `errors`; undefined where the response has none. */
  readonly field: string | undefined;
}

export interface BrokenRequest {
  readonly request: ApiRequest;
  readonly violation: RequestViolation;
}

/** The seed's tokens of one scope each. */
const tokens = { 'billing.read': 'demo_read', 'billing.write': 'demo_write' };

const json = { 'content-type': 'application/json' };

/** Name for a rule of the document that the default profile does not enforce: it clamps a larger `per_page`. */
export const clampedPerPage = 'per_page above the maximum';

/** Generates valid requests. The records that they name need not exist. */
export function validRequests(operation: Operation): fc.Arbitrary<ApiRequest> {
  const { inPath, inQuery, inHeader, body } = operation;
  const id = inPath ? ids : fc.constant(undefined);
  const query = fc
    .tuple(
      ...inQuery.map((parameter) => perhaps(parameterTexts(parameter).map((text) => [parameter.name, text] as const))),
    )
    .map((given) => given.flat());
  const token = fc.constantFrom('demo_full', tokens[operation.scope]);
  const headers = fc
    .tuple(
      token,
      ...inHeader.map(({ name, schema }) => perhaps(headerTexts(schema).map((text) => [name, text] as const))),
    )
    .map(([own, ...given]) => ({ authorization: `Bearer ${own}`, ...Object.fromEntries(given.flat()) }));
  const sent = body ? bodies(body.schema, body.required) : fc.constant(undefined);
  return fc.tuple(id, query, headers, sent).map(([path, search, own, text]) => ({
    operation: operation.id,
    id: path,
    query: search,
    headers: text === undefined ? own : { ...own, ...json },
    body: text,
  }));
}

/** Requests that break exactly one rule of the document. */
export function brokenRequests(operation: Operation): fc.Arbitrary<BrokenRequest> {
  return validRequests(operation).chain((request) => {
    const faults = [
      authorizationFaults(request),
      ...(operation.inPath ? [pathFaults(request)] : []),
      ...operation.inQuery.map((parameter) => queryFaults(request, parameter)),
      ...operation.inHeader.map((parameter) => headerFaults(request, parameter)),
      ...(operation.body ? [mediaFaults(request), bodyFaults(request, operation.body)] : []),
    ];
    const weighted = faults.map((arbitrary, index) => ({ weight: index === faults.length - 1 ? 4 : 1, arbitrary }));
    return fc.oneof(...weighted);
  });
}

function perhaps<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> {
  return fc.array(value, { maxLength: 1 });
}

/** Mostly ids that the seed has. */
const ids = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 12 }) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 400 }) },
    { weight: 1, arbitrary: fc.maxSafeInteger() },
  )
  .map(String);

function parameterTexts({ schema }: Parameter): fc.Arbitrary<string> {
  // An empty value counts as left out (gap query.empty), whatever the schema says.
  return fc.oneof(
    { weight: 20, arbitrary: valuesOf(schema).map(String).filter(isText) },
    { weight: 1, arbitrary: fc.constant('') },
  );
}

/** Header values are printable ASCII here, and HTTP takes spaces off their ends. */
function headerTexts(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 100 } = schema;
  const printable = fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, 40) });
  const longestKey = fc.constant('k'.repeat(maxLength));
  return fc
    .oneof({ weight: 10, arbitrary: printable }, { weight: 1, arbitrary: longestKey })
    .filter((text) => text.trim() === text);
}

function isText(text: string): boolean {
  return text.isWellFormed();
}

function bodies(schema: Schema, required: boolean): fc.Arbitrary<string | undefined> {
  const text = valuesOf(schema).map((value) => JSON.stringify(value));
  return required ? text : fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.constant(undefined) });
}

function authorizationFaults(request: ApiRequest): fc.Arbitrary<BrokenRequest> {
  const other = tokens[operationOf(request.operation).scope === 'billing.read' ? 'billing.write' : 'billing.read'];
  return fc.oneof(
    fc
      .constantFrom('', 'Bearer', 'Basic ZGVtbzpkZW1v')
      .map((authorization) => faulty(request, { headers: { ...request.headers, authorization } }, 'no token', 401)),
    fc
      .constantFrom('Bearer nobody', 'Bearer ~')
      .map((authorization) =>
        faulty(request, { headers: { ...request.headers, authorization } }, 'unknown token', 401),
      ),
    fc.constant(
      faulty(request, { headers: { ...request.headers, authorization: `Bearer ${other}` } }, 'scope missing', 403),
    ),
  );
}

function pathFaults(request: ApiRequest): fc.Arbitrary<BrokenRequest> {
  return fc.oneof(
    noIntegers.map((id) => faulty(request, { id }, 'path: type', 404)),
    otherNotations.map((id) => faulty(request, { id }, 'path: other notation of an integer', 404)),
  );
}

/** Strings that are not an integer in any notation. */
const noIntegers = fc.constantFrom(
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
/** Strings that some parsers accept as an integer, in unusual notations. */
const otherNotations = fc.constantFrom('1e0', '1.0', '+1', '0x1', ' 1', '1 ', '0b1', '1e2');

function queryFaults(request: ApiRequest, parameter: Parameter): fc.Arbitrary<BrokenRequest> {
  const { name, schema } = parameter;
  const others = request.query.filter(([known]) => known !== name);
  const requested = (rule: string, text: string, status = 422): BrokenRequest =>
    faulty(request, { query: [...others, [name, text]] }, rule, status, status === 422 ? name : undefined);
  const twice = parameterTexts(parameter).map((text) =>
    faulty(request, { query: [...others, [name, text], [name, text]] }, 'query: given twice', 422, name),
  );
  if (typesOf(schema).includes('integer')) {
    const { minimum = 0, maximum } = schema;
    return fc.oneof(
      twice,
      noIntegers.map((text) => requested('query: type', text)),
      otherNotations.map((text) => requested('query: other notation of an integer', text)),
      fc.integer({ min: minimum - 1000, max: minimum - 1 }).map((number) => requested('minimum', String(number))),
      ...(maximum === undefined
        ? []
        : [
            fc
              .integer({ min: maximum + 1, max: 2 ** 40 })
              .map((number) => requested(clampedPerPage, String(number), 200)),
          ]),
    );
  }
  const rules: [string, fc.Arbitrary<string>][] = schema.enum
    ? [['enum', fc.string({ minLength: 1 }).filter((text) => !schema.enum?.includes(text))]]
    : brokenTexts(schema, 'text').map(([rule, texts]) => [rule, texts.filter((text) => text !== '' && isText(text))]);
  return fc.oneof(twice, ...rules.map(([rule, texts]) => texts.map((text) => requested(rule, text))));
}

function headerFaults(request: ApiRequest, { name, schema }: Parameter): fc.Arbitrary<BrokenRequest> {
  const broken = (rule: string, text: string): BrokenRequest =>
    faulty(request, { headers: { ...request.headers, [name]: text } }, rule, 422, name);
  const { minLength = 0, maxLength = 100 } = schema;
  return fc.oneof(
    fc.integer({ min: maxLength + 1, max: maxLength + 100 }).map((length) => broken('maxLength', 'k'.repeat(length))),
    ...(minLength > 0 ? [fc.constant(broken('header: empty', ''))] : []),
  );
}

function mediaFaults(request: ApiRequest): fc.Arbitrary<BrokenRequest> {
  const body = request.body ?? '{}';
  return fc.oneof(
    fc
      .constantFrom('text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonp')
      .map((type) =>
        faulty(request, { body, headers: { ...request.headers, 'content-type': type } }, 'media type', 415),
      ),
    fc
      .constantFrom(`${body}}`, body.slice(0, -1), "{'a': 1}", '{"a": NaN}', '{"a": 01}', '{"a": 1,}', '{', ' ')
      .map((text) => faulty(request, { body: text, headers: { ...request.headers, ...json } }, 'malformed JSON', 400)),
  );
}

function bodyFaults(request: ApiRequest, { schema, required }: Body): fc.Arbitrary<BrokenRequest> {
  const value: unknown = JSON.parse(request.body ?? '{}');
  const breakages = breakagesOf(schema, value);
  const rules = [...new Set(breakages.map(({ rule }) => rule))];
  return fc.constantFrom(...rules).chain((rule) =>
    fc.oneof(...breakages.filter((one) => one.rule === rule).map(({ broken }) => broken)).map((wrong) => {
      const field = wrong.path.length === 0 ? 'body' : wrong.path.join('.');
      const body = JSON.stringify(wrong.value);
      const named = rule === 'type' && body === 'null' && !required ? 'body: null' : rule;
      return faulty(request, { body, headers: { ...request.headers, ...json } }, named, 422, field);
    }),
  );
}

function faulty(
  request: ApiRequest,
  changes: Partial<ApiRequest>,
  rule: string,
  status: number,
  field?: string | undefined,
): BrokenRequest {
  return { request: { ...request, ...changes }, violation: { rule, status, field } };
}
