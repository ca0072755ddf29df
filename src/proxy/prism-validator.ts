import type { IPrismDiagnostic } from '@stoplight/prism-core';
import type { IHttpConfig, IHttpRequest } from '@stoplight/prism-http';
import type { OpenAPIV3_1 } from 'openapi-types';
import { fillPath } from '../lib/path-template.js';
import { type BodyParseResult, parsedBody } from './body.js';
import type { Finding, Part } from './deviation.js';
import type { Parameter, Route } from './document.js';
import {
  headerOf,
  mediaTypeOf,
  type ProxiedRequest,
  type ProxiedResponse,
  type RawHeaders,
  tokenOf,
} from './exchange.js';
import { loadPrism } from './prism.js';
import { forEachNode } from './tree.js';

/** The parts of an exchange that are passed to prism-http, a validator of OpenAPI, to be checked. */
export interface PrismExchange {
  readonly operationId: string;
  readonly request: PrismMessage & {
    /** The decoded path parameters. */
    readonly pathParameters: ReadonlyMap<string, string>;
    readonly query: Readonly<Record<string, string | string[]>>;
  };
  readonly response: PrismMessage & { readonly status: number };
}

/** Common parts of requests and responses. */
interface PrismMessage {
  /** Values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON body; undefined if the message has none, or one that could not be read. */
  readonly body: unknown;
}

/** A violation that prism-http has found in an exchange. */
export type PrismFinding = Pick<Finding, 'side' | 'part' | 'at' | 'rule'>;

/** Results of parsing the bodies of an exchange as JSON. */
export interface BodyParseResults {
  readonly request: BodyParseResult;
  readonly response: BodyParseResult;
}

/** Validates an exchange with prism-http. */
export type PrismValidator = (route: Route, exchange: PrismExchange) => Promise<PrismFinding[]>;

/** Creates a validator that runs prism-http. */
export async function createPrismValidator(document: OpenAPIV3_1.Document): Promise<PrismValidator> {
  const prism = await loadPrism(withoutMisjudgedRules(document));
  return async ({ operation }, { request, response }) => {
    const method = operation.method.toLowerCase();
    const prismOperation = prism.operations.find(
      (candidate) => candidate.path === operation.path && candidate.method === method,
    );
    if (!prismOperation) throw new Error(`prism-http has no operation ${operation.method} ${operation.path}`);
    const { pathParameters, query, headers, body } = request;
    const httpRequest: IHttpRequest = {
      // The document has only GET and POST operations.
      method: prismOperation.method === 'get' ? 'get' : 'post',
      url: {
        path: fillPath(operation.path, (name) => pathParameters.get(name)),
        query: { ...query },
      },
      headers: { ...headers },
      body,
    };
    const { validations } = await prism.run(prismOperation, httpRequest, validationConfig(), {
      statusCode: response.status,
      headers: { ...response.headers },
      body: response.body,
    });
    return [
      ...validations.input.map((diagnostic) => prismFindingOf('request', diagnostic)),
      ...validations.output.map((diagnostic) => prismFindingOf('response', diagnostic)),
    ];
  };
}

/**
 * Converts an exchange to a form that prism-http does not misread: the `Authorization` header and media types are
 * normalized, bodies parsed, and path parameters decoded.
 */
export function toPrismExchange(
  { operation, pathParameters }: Route,
  request: ProxiedRequest,
  response: ProxiedResponse,
  bodies: BodyParseResults,
): PrismExchange {
  const documented = operation.responses.get(String(response.status)) ?? operation.responses.get('default');
  return {
    operationId: operation.id,
    request: {
      pathParameters,
      query: request.query === '' ? {} : queryOf(request.query),
      // The size 0 leaves out `content-length`: prism-http would reject a body if the document describes none.
      headers: headersFor(operation.parameters, request.headers, operation.body ? request.body.length : 0),
      body: parsedBody(bodies.request)?.value,
    },
    response: {
      status: response.status,
      headers: headersFor(documented?.headers ?? [], response.headers, response.body.length),
      body: parsedBody(bodies.response)?.value,
    },
  };
}

/** Returns a configuration for validating only; a new one for each call, since prism-http changes it. */
function validationConfig(): IHttpConfig {
  return {
    isProxy: true,
    // A placeholder, which is never contacted: prism-http gets the response as an argument.
    upstream: new URL('http://upstream.invalid'),
    upstreamProxy: undefined,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    mock: { dynamic: false },
  };
}

/**
 * Copies a document without the rules that prism-http misjudges: it divides by 0.01 in floating point, and so rejects
 * 19.99 (`multipleOf`), and it rejects timestamps of ISO 8601 that RFC 3339 does not allow (`date-time`).
 */
function withoutMisjudgedRules(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  const copy = structuredClone(document);
  forEachNode(copy, (node) => {
    Reflect.deleteProperty(node, 'multipleOf');
    if (node['format'] === 'date-time') Reflect.deleteProperty(node, 'format');
  });
  return copy;
}

function queryOf(query: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const [first = '', ...others] = parameters.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

/**
 * Selects the documented headers, and those that describe the body. Any token becomes `Bearer token`, a form that
 * prism-http accepts; it does not check the value.
 */
function headersFor(documented: readonly Parameter[], headers: RawHeaders, bodySize: number): Record<string, string> {
  const selected: Record<string, string> = {};
  for (const { name } of documented.filter((parameter) => parameter.in === 'header')) {
    const value = headerOf(headers, name);
    if (value !== undefined) selected[name.toLowerCase()] = value;
  }
  const type = mediaTypeOf(headers);
  if (type !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(type)) selected['content-type'] = type;
  if (bodySize > 0) selected['content-length'] = String(bodySize);
  if (tokenOf(headers) !== undefined) selected['authorization'] = 'Bearer token';
  return selected;
}

function prismFindingOf(side: Finding['side'], { path = [], code, message }: IPrismDiagnostic): PrismFinding {
  const [firstPart, ...rest] = path;
  return { side, part: partOf(side, firstPart, code, message), at: rest.join('.'), rule: String(code ?? 'invalid') };
}

function partOf(
  side: Finding['side'],
  firstPart: string | undefined,
  code: IPrismDiagnostic['code'],
  message: string,
): Part {
  if (firstPart === 'header' || firstPart === 'query' || firstPart === 'path' || firstPart === 'body') return firstPart;
  if (code === 401) return 'token';
  if (code === 415 || message.includes('media type')) return 'media-type';
  // Other diagnostics without a path are about a missing request body, or the status of the response.
  return side === 'request' ? 'body' : 'status';
}
