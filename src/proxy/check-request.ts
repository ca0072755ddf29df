import type { Reading } from './body.js';
import { type Finding, findingOn } from './deviation.js';
import { type Operation, type Parameter, parameterValue, type Route } from './document.js';
import { headerOf, mediaTypeOf, type ProxiedRequest, tokenOf } from './exchange.js';
import type { SchemaViolation } from './schemas.js';

const finding = findingOn('request');

/** Scopes by token, for tokens with a single scope. Other tokens are assumed to have all scopes. */
export type Scopes = ReadonlyMap<string, string>;

/** Compares a request with the document. A finding names the gaps (`x-gap`) of the part that the request violates. */
export function checkRequest(
  { operation, values }: Route,
  request: ProxiedRequest,
  reading: Reading,
  scopes: Scopes,
): Finding[] {
  const query = new URLSearchParams(request.query);
  return [
    ...checkToken(operation, request, scopes),
    ...operation.parameters.flatMap((parameter) =>
      checkParameter(parameter, valuesOf(parameter, values, query, request)),
    ),
    ...checkQueryNames(operation, query),
    ...checkBody(operation, request, reading),
  ];
}

function checkToken({ scopes: acceptedScopes }: Operation, { headers }: ProxiedRequest, scopes: Scopes): Finding[] {
  if (acceptedScopes.length === 0) return [];
  const token = tokenOf(headers);
  if (token === undefined) return [finding('token', '', 'missing', 'no bearer token is sent')];
  const scope = scopes.get(token);
  if (scope === undefined || acceptedScopes.includes(scope)) return [];
  return [finding('scope', '', 'scope', `the token has ${scope}, but ${acceptedScopes.join(', ')} is needed`)];
}

/** All values of a parameter. */
function valuesOf(
  parameter: Parameter,
  values: Route['values'],
  query: URLSearchParams,
  request: ProxiedRequest,
): string[] {
  if (parameter.in === 'query') return query.getAll(parameter.name);
  const value = parameter.in === 'path' ? values.get(parameter.name) : headerOf(request.headers, parameter.name);
  return value === undefined ? [] : [value];
}

function checkParameter(parameter: Parameter, values: readonly string[]): Finding[] {
  const part = parameter.in === 'path' || parameter.in === 'query' ? parameter.in : 'header';
  const [first] = values;
  if (first === undefined) {
    return parameter.required ? [finding(part, parameter.name, 'missing', 'is missing', parameter.gaps)] : [];
  }
  const value = values.length > 1 ? values : parameterValue(parameter, first);
  if (part === 'query' && value === '' && parameter.check(value).length > 0) {
    return [finding(part, parameter.name, 'empty', 'is empty', parameter.gaps)];
  }
  return parameter
    .check(value)
    .map((violation) => finding(part, parameter.name, violation.rule, violation.message, violation.gaps));
}

/** Reports query parameters that the document does not name. */
function checkQueryNames(operation: Operation, query: URLSearchParams): Finding[] {
  const documentedNames = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return [...new Set(query.keys())]
    .filter((name) => !documentedNames.includes(name))
    .map((name) => {
      // Anything but a plain word could be a secret instead of a name.
      const safeName = /^[a-z][a-z_-]{0,23}$/i.test(name) ? name : '*';
      const documented = documentedNames.length === 0 ? 'none' : documentedNames.join(', ');
      return finding(
        'query',
        safeName,
        'unknown-parameter',
        `is not a documented parameter; documented: ${documented}`,
      );
    });
}

function checkBody({ body }: Operation, { headers }: ProxiedRequest, reading: Reading): Finding[] {
  if (!reading) return body?.required ? [finding('body', '', 'missing', 'is missing')] : [];
  if ('unreadReason' in reading)
    return [finding('body', '', 'unread', `${reading.unreadReason}, so it was not checked`)];
  if (!body)
    return isEmptyBody(reading) ? [] : [finding('body', '', 'undocumented', 'is not documented for this operation')];
  if (mediaTypeOf(headers) !== 'application/json') {
    return [finding('media-type', '', 'media-type', 'must be application/json', ['request.content-type'])];
  }
  if ('invalidReason' in reading)
    return [finding('body', '', 'json', reading.invalidReason, ['request.malformed-json'])];
  return body.check(reading.value).map(bodyFinding);
}

/** Values that some clients send instead of an empty body. */
function isEmptyBody(reading: Exclude<Reading, undefined>): boolean {
  if (!('value' in reading)) return false;
  const { value } = reading;
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function bodyFinding({ path, rule, message, gaps }: SchemaViolation): Finding {
  return finding('body', path.join('.'), rule, message, gaps);
}
