import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from '@stoplight/prism-http';
import { billingDocument } from '../../src/generated/billing-document.js';
import type { Answer } from './client.js';
import { operationOf } from './document.js';
import type { ApiRequest } from './requests.js';

/** Findings of prism-http about one exchange. */
interface Findings {
  /** Errors in the request; empty if it is valid. */
  readonly request: readonly string[];
  /** Errors in the response. */
  readonly answer: readonly string[];
}

export type Prism = (request: ApiRequest, answer: Answer) => Promise<Findings>;

const silent = { child: () => silent, info() {}, warn() {}, error() {}, debug() {}, trace() {}, success() {} };

/** Validates requests and responses with prism-http, an independent implementation. Its mock returns our response. */
export async function createPrism(): Promise<Prism> {
  const operations = await getHttpOperationsFromSpec(structuredClone(billingDocument));
  return async (request, answer) => {
    const output = { statusCode: answer.status, headers: headersOf(answer.headers), body: answer.body };
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
      { logger: silent, mock: () => () => ({ _tag: 'Right', right: output }) },
    );
    const result = await instance.request(inputOf(request), operations)();
    if (result._tag === 'Left') throw result.left;
    const { input, output: responseErrors } = result.right.validations;
    return {
      request: input.map(({ code, message }) => `${code}: ${message}`),
      answer: responseErrors.map(({ code, message }) => `${code}: ${message}`),
    };
  };
}

function inputOf({ operation, id, query, headers, body }: ApiRequest): IHttpRequest {
  const { method, path } = operationOf(operation);
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of query) {
    const known = search[name];
    search[name] = known === undefined ? value : [known, value].flat();
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

/** Parses a body as Prism's own server does; text that is not JSON is returned as it is. */
function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function headersOf(headers: Answer['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
