import { type BodyParseResult, parsedBody } from './body.js';
import { type Finding, findingOn } from './deviation.js';
import { type Operation, type Parameter, parameterValue, type Route } from './document.js';
import { headerOf, mediaTypeOf, type ProxiedRequest, tokenOf } from './exchange.js';
import { gapsPermitting } from './gap-tolerance.js';

const finding = findingOn('request');

/** Scopes by token, for tokens that are known to have a single scope. Other tokens are assumed to have all scopes. */
export type Scopes = ReadonlyMap<string, string>;

/**
 * Compares a request with the OpenAPI document. A finding lists the gaps that the document marks with `x-gap` at the
 * violated part.
 */
export function checkRequest(
  { operation, pathParameters }: Route,
  request: ProxiedRequest,
  parseResult: BodyParseResult,
  scopes: Scopes,
): Finding[] {
  const query = new URLSearchParams(request.query);
  return [
    ...checkToken(operation, request, scopes),
    ...operation.parameters.flatMap((parameter) =>
      checkParameter(parameter, valuesOf(parameter, pathParameters, query, request)),
    ),
    ...checkQueryNames(operation, query),
    ...checkBody(operation, request, parseResult),
  ];
}

function checkToken({ scopes: acceptedScopes }: Operation, { headers }: ProxiedRequest, scopes: Scopes): Finding[] {
  if (acceptedScopes.length === 0) return [];
  const token = tokenOf(headers);
  if (token === undefined) return [finding({ part: 'token', rule: 'missing', message: 'no bearer token is sent' })];
  const scope = scopes.get(token);
  if (scope === undefined || acceptedScopes.includes(scope)) return [];
  const message = `the token has ${scope}, but the operation accepts only ${acceptedScopes.join(' or ')}`;
  return [finding({ part: 'scope', rule: 'scope', message })];
}

/** Returns all values of a parameter in a request; empty if it is missing. */
function valuesOf(
  parameter: Parameter,
  pathParameters: Route['pathParameters'],
  query: URLSearchParams,
  request: ProxiedRequest,
): string[] {
  if (parameter.in === 'query') return query.getAll(parameter.name);
  const value =
    parameter.in === 'path' ? pathParameters.get(parameter.name) : headerOf(request.headers, parameter.name);
  return value === undefined ? [] : [value];
}

function checkParameter(parameter: Parameter, values: readonly string[]): Finding[] {
  const { name: at, gaps } = parameter;
  const part = parameter.in === 'path' || parameter.in === 'query' ? parameter.in : 'header';
  const [firstValue] = values;
  if (firstValue === undefined) {
    return parameter.required ? [finding({ part, at, rule: 'missing', message: 'is missing', gaps })] : [];
  }
  // A repeated parameter is checked as a list, which violates its schema.
  const value = values.length > 1 ? values : parameterValue(parameter, firstValue);
  if (part === 'query' && value === '' && parameter.check(value).length > 0) {
    return [finding({ part, at, rule: 'empty', message: 'is empty', gaps })];
  }
  return parameter.check(value).map((violation) => finding({ ...violation, part, at }));
}

/**
 * Reports query parameters that the specification does not name. Those that exist only with some choices of a gap are
 * reported with this gap.
 */
function checkQueryNames(operation: Operation, query: URLSearchParams): Finding[] {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const specifiedNames = parameters
    .filter(({ gaps }) => gapsPermitting(gaps, 'unknown-parameter', []).length === 0)
    .map(({ name }) => name);
  return [...new Set(query.keys())]
    .filter((name) => !specifiedNames.includes(name))
    .map((name) => {
      // Anything but a plain word could be a secret instead of a name.
      const safeName = /^[a-z][a-z_-]{0,23}$/i.test(name) ? name : '*';
      const documented = specifiedNames.length === 0 ? 'none' : specifiedNames.join(', ');
      return finding({
        part: 'query',
        at: safeName,
        rule: 'unknown-parameter',
        message: `is not a documented parameter; documented: ${documented}`,
        gaps: parameters.find((parameter) => parameter.name === name)?.gaps,
      });
    });
}

function checkBody({ body }: Operation, { headers }: ProxiedRequest, parseResult: BodyParseResult): Finding[] {
  if (!parseResult) return body?.required ? [finding({ part: 'body', rule: 'missing', message: 'is missing' })] : [];
  if ('unreadReason' in parseResult) {
    return [finding({ part: 'body', rule: 'unread', message: `${parseResult.unreadReason}, so it was not checked` })];
  }
  if (!body) {
    const message = 'is not documented for this operation';
    return isEmptyBody(parseResult) ? [] : [finding({ part: 'body', rule: 'undocumented', message })];
  }
  if (mediaTypeOf(headers) !== 'application/json') {
    const message = 'must be application/json';
    return [finding({ part: 'media-type', rule: 'media-type', message, gaps: ['request.content-type'] })];
  }
  if ('invalidReason' in parseResult) {
    const gaps = ['request.malformed-json'];
    return [finding({ part: 'body', rule: 'json', message: parseResult.invalidReason, gaps })];
  }
  return body
    .check(parseResult.value)
    .map((violation) => finding({ ...violation, part: 'body', at: violation.path.join('.') }));
}

/** Returns true for values that some clients send instead of omitting the body: null, `{}` and `[]`. */
function isEmptyBody(parseResult: BodyParseResult): boolean {
  const value = parsedBody(parseResult)?.value;
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
