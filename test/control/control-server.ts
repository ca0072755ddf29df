import createClient, { type Client } from 'openapi-fetch';
import { onTestFinished } from 'vitest';
import { type RunningServer, type ServerSettings, startServer } from '../../src/app/server.js';
import { readSeed } from '../../src/files/seed-file.js';
import { controlDocument } from '../../src/generated/control-document.js';
import type { paths } from '../../src/generated/control-types.js';
import type { Account } from '../../src/simulation/account.js';
import { DeviationError, DocumentChecker } from '../support/document-checker.js';

/** A running simulator with clients for its two APIs. Responses of the control API are checked against its document. */
export interface ControlServer {
  readonly url: string;
  readonly server: RunningServer;
  /** A typed client of the control API, as a program would use it. */
  readonly control: Client<paths>;
  /** Sends a request to the control API. A string is sent unchanged as the body; any other value is sent as JSON. */
  callControl(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ParsedResponse>;
  /** Sends a request to the service. */
  callService(token: string, method: string, path: string, body?: unknown): Promise<ParsedResponse>;
}

interface ParsedResponse {
  readonly status: number;
  /** Parsed JSON; undefined if the response has no body. */
  readonly body: unknown;
  readonly headers: Headers;
}

const checker = new DocumentChecker(controlDocument);

/** Starts a simulator, by default in memory, with a frozen clock and no rate limit. The caller closes it. */
export async function startControlServer(settings: Partial<ServerSettings> = {}): Promise<ControlServer> {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder: undefined,
    durability: 'os',
    seed: () => readSeed('demo'),
    choices: undefined,
    now: '2026-03-01T09:00:00Z',
    randomSeed: undefined,
    rateLimit: false,
    log: (line) => console.error(line),
    ...settings,
  });
  const controlUrl = `${server.url}/_sim`;
  const headers = settings.controlToken === undefined ? {} : { Authorization: `Bearer ${settings.controlToken}` };
  return {
    url: server.url,
    server,
    control: createClient<paths>({
      baseUrl: controlUrl,
      fetch: (request) => checkedFetch(controlUrl, request),
      headers,
    }),
    async callControl(method, path, body, extraHeaders = {}) {
      const init = {
        method,
        headers: { ...headers, ...contentTypeHeader(body), ...extraHeaders },
        ...serializedBody(body),
      };
      return readResponse(await checkedFetch(controlUrl, new Request(controlUrl + path, init)));
    },
    async callService(token, method, path, body) {
      const init = {
        method,
        headers: { Authorization: `Bearer ${token}`, ...contentTypeHeader(body) },
        ...serializedBody(body),
      };
      return readResponse(await fetch(`${server.url}/api/v1${path}`, init));
    },
  };
}

/** Like `startControlServer`, but closes the server when the test ends. */
export async function startControlServerForTest(settings: Partial<ServerSettings> = {}): Promise<ControlServer> {
  const controlServer = await startControlServer(settings);
  onTestFinished(() => controlServer.server.close());
  return controlServer;
}

/** Creates an account with the `demo` seed and a frozen clock. @returns its id */
export async function createDemoAccount({ control }: ControlServer): Promise<string> {
  const body = { seed: 'demo', now: '2026-03-01T09:00:00Z' } as const;
  return requireData(await control.POST('/accounts', { body })).id;
}

/** Returns an account of the simulator, for what the control API does not show. @throws Error if it does not exist */
export function findAccount({ server }: Pick<ControlServer, 'server'>, id: string): Account {
  const account = server.world.accounts.get(id);
  if (!account) throw new Error(`account ${id} does not exist`);
  return account;
}

/** Body that a list is expected to have: by default a first page with all rows. */
export function expectedPage(
  data: readonly unknown[],
  overrides: { per_page?: number; total?: number; last_page?: number } = {},
) {
  return { current_page: 1, data, per_page: 100, total: data.length, last_page: 1, ...overrides };
}

/** Returns the `data` of a result of openapi-fetch. @throws Error if the request failed */
export function requireData<Data>({
  data,
  error,
  response,
}: {
  data?: Data;
  error?: unknown;
  response: Response;
}): Data {
  if (data === undefined) throw new Error(`${response.url} returned ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

function contentTypeHeader(body: unknown): Record<string, string> {
  return body === undefined ? {} : { 'Content-Type': 'application/json' };
}

function serializedBody(body: unknown): { body?: string } {
  return body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
}

async function readResponse(response: Response): Promise<ParsedResponse> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
}

/** Sends a request. @throws DeviationError if the response does not match the document of the control API */
async function checkedFetch(baseUrl: string, request: Request): Promise<Response> {
  const { method, url } = request;
  const path = url.slice(baseUrl.length).replace(/\?.*$/s, '');
  const response = await fetch(request);
  const { status, headers } = response;
  const text = await response.clone().text();
  const exchange = { method, path, status, headers, text };
  // A string says that the document does not define this response.
  const definitionOrMessage = checker.responseOf(exchange);
  const deviations =
    typeof definitionOrMessage === 'string'
      ? [definitionOrMessage]
      : checker.bodyDeviations(exchange, definitionOrMessage);
  // The default response, UnexpectedError, is allowed for unknown paths and methods only.
  // An operation must list every other status that it returns.
  if (
    definitionOrMessage === checker.document.components?.responses?.['UnexpectedError'] &&
    status !== 404 &&
    status !== 405
  ) {
    deviations.push(`status: ${status} is not listed`);
  }
  if (deviations.length > 0) {
    throw new DeviationError(`${method} ${path} returned ${status}: ${deviations.join('; ')}\n  body: ${text}`);
  }
  return response;
}
