import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from '@stoplight/prism-http';
import { billingDocument } from '../../src/generated/billing-document.js';
import type { ServiceResponse } from './client.js';
import { operationOf } from './document.js';
import type { ApiRequest } from './requests.js';

/** Errors that prism-http finds in a request and its response. */
interface Findings {
  readonly request: readonly string[];
  readonly response: readonly string[];
}

/** Validates a request and its response. */
export type PrismValidator = (request: ApiRequest, response: ServiceResponse) => Promise<Findings>;

const silentLogger = {
  child: () => silentLogger,
  info() {},
  warn() {},
  error() {},
  debug() {},
  trace() {},
  success() {},
};

/**
 * Creates a validator that uses prism-http, an independent implementation of OpenAPI. Without a proxy, prism-http
 * validates only the responses of its own mock, so the mock is replaced by one that returns the service's response.
 */
export async function createPrismValidator(): Promise<PrismValidator> {
  const operations = await getHttpOperationsFromSpec(structuredClone(billingDocument));
  return async (request, { status, headers, body }) => {
    const output = { statusCode: status, headers: toPrismHeaders(headers), body };
    const instance = createInstance(
      {
        isProxy: false,
        checkSecurity: true,
        validateRequest: true,
        validateResponse: true,
        errors: false,
        upstreamProxy: undefined,
        mock: { dynamic: false },
      },
      // Prism uses fp-ts, in which `Right` holds the result of a success, and `Left` the error of a failure.
      { logger: silentLogger, mock: () => () => ({ _tag: 'Right', right: output }) },
    );
    const result = await instance.request(toPrismRequest(request), operations)();
    if (result._tag === 'Left') throw result.left;
    const { input: requestErrors, output: responseErrors } = result.right.validations;
    return {
      request: requestErrors.map(({ code, message }) => `${code}: ${message}`),
      response: responseErrors.map(({ code, message }) => `${code}: ${message}`),
    };
  };
}

function toPrismRequest({ operation, id, query, headers, body }: ApiRequest): IHttpRequest {
  const { method, path } = operationOf(operation);
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of query) {
    const previous = search[name];
    search[name] = previous === undefined ? value : [previous, value].flat();
  }
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lowerCaseHeaders = Object.entries({ ...headers, ...length }).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  return {
    method,
    url: { path: path.replace(/\{\w+\}/, encodeURIComponent(id ?? '')), query: search },
    headers: Object.fromEntries(lowerCaseHeaders),
    ...(body === undefined ? {} : { body: parseBody(body) }),
  };
}

/** Parses a body as Prism's own server does, which leaves text that is not JSON as it is. */
function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function toPrismHeaders(headers: ServiceResponse['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
