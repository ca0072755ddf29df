import createClient, { type Client } from 'openapi-fetch';
import { onTestFinished } from 'vitest';
import { type RunningServer, type ServerSettings, startServer } from '../../src/app/server.js';
import { readSeed } from '../../src/files/seed-file.js';
import { controlDocument } from '../../src/generated/control-document.js';
import type { paths } from '../../src/generated/control-types.js';
import { Departure, DocumentChecker } from '../support/document-checker.js';

/** A simulator, asked over its socket; every response of its control API is checked against the document. */
export interface ControlServer {
  readonly url: string;
  readonly server: RunningServer;
  /** A typed client of the control API, as a program would use it. */
  readonly control: Client<paths>;
  /** Asks the control API anything. A text goes out as it is, other bodies as JSON. */
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Asks the service. */
  service(token: string, method: string, path: string, body?: unknown): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  /** The JSON of the response; undefined where it is empty. */
  readonly body: unknown;
  readonly headers: Headers;
}

const checker = new DocumentChecker(controlDocument);

/** Starts a simulator in memory, with a frozen clock and no rate limit. The caller closes it. */
export async function startControlServer(own: Partial<ServerSettings> = {}): Promise<ControlServer> {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder: undefined,
    durability: 'os',
    seed: await readSeed('demo'),
    choices: undefined,
    now: '2026-03-01T09:00:00Z',
    randomSeed: undefined,
    rateLimit: false,
    log: (line) => console.error(line),
    ...own,
  });
  const base = `${server.url}/_sim`;
  const headers = own.controlToken === undefined ? {} : { Authorization: `Bearer ${own.controlToken}` };
  return {
    url: server.url,
    server,
    control: createClient<paths>({ baseUrl: base, fetch: (request) => checkedFetch(base, request), headers }),
    async ask(method, path, body, more = {}) {
      const init = { method, headers: { ...headers, ...contentType(body), ...more }, ...contentOf(body) };
      return answerOf(await checkedFetch(base, new Request(base + path, init)));
    },
    async service(token, method, path, body) {
      const init = { method, headers: { Authorization: `Bearer ${token}`, ...contentType(body) }, ...contentOf(body) };
      return answerOf(await fetch(`${server.url}/api/v1${path}`, init));
    },
  };
}

/** Like `startControlServer`; the server is closed when the test ends. */
export async function openControlServer(own: Partial<ServerSettings> = {}): Promise<ControlServer> {
  const started = await startControlServer(own);
  onTestFinished(() => started.server.close());
  return started;
}

/** The page that a list of up to 100 is answered with. */
export function pageOf(data: readonly unknown[], own: { per_page?: number; total?: number; last_page?: number } = {}) {
  return { current_page: 1, data, per_page: 100, total: data.length, last_page: 1, ...own };
}

/** Returns the response of an operation. @throws Error if it failed */
export function dataOf<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (data === undefined)
    throw new Error(`${response.url} was answered with ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

function contentType(body: unknown): Record<string, string> {
  return body === undefined ? {} : { 'Content-Type': 'application/json' };
}

function contentOf(body: unknown): { body?: string } {
  return body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
}

async function checkedFetch(base: string, request: Request): Promise<Response> {
  const { method, url } = request;
  const path = url.slice(base.length).replace(/\?.*$/s, '');
  const response = await fetch(request);
  const { status, headers } = response;
  const text = await response.clone().text();
  const exchange = { method, path, status, headers, text };
  const found = checker.responseOf(exchange);
  const departures = typeof found === 'string' ? [found] : checker.bodyDepartures(exchange, found);
  // Other statuses are for unknown operations and internal errors only.
  if (
    typeof found !== 'string' &&
    found === checker.document.components?.responses?.['UnexpectedError'] &&
    status !== 404 &&
    status !== 405
  ) {
    departures.push(`status: ${status} is not listed`);
  }
  if (departures.length > 0) {
    throw new Departure(`${method} ${path} was answered with ${status}: ${departures.join('; ')}\n  body: ${text}`);
  }
  return response;
}
