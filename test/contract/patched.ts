import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isRecord } from '../../src/contract/expect.js';
import type { Subject } from './support.js';

export type Json = Record<string, unknown>;

/** A request on its way to the target. */
export interface Asked {
  readonly method: string;
  /** Below the base URL, without the query. */
  path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  /** Empty where there is none. */
  readonly body: Json;
}

/** An answer on its way back. */
export interface Answered {
  status: number;
  body: Json;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  /** Sent in place of the body. */
  text?: string;
}

/** A webhook on its way to the suite. */
export interface Sent {
  method: string;
  url: string;
  readonly headers: Record<string, string>;
  text: string;
  /** What the target was told last, with which it is signed. */
  readonly secret: string;
}

/** How a target differs from the one behind it. What throws is answered by nobody. */
export interface Patch {
  readonly request?: (asked: Asked) => void;
  readonly answer?: (answered: Answered, asked: Asked) => void;
  /** Gives what is sent in its place: it, changed or not; nothing; or more than one. */
  readonly webhook?: (sent: Sent) => readonly Sent[];
}

/** The same target behind a server that changes what goes through it, as one does that is not quite like it. */
export async function patched({ baseUrl, tokens, driver }: Subject, patch: Patch): Promise<Subject> {
  const front = await listen((request, response) => forward(baseUrl, patch, request, response));
  const closing = [front.close];
  const { configureWebhook } = driver;
  return {
    baseUrl: `${front.origin}/api/v1`,
    tokens,
    driver: {
      ...driver,
      ...(configureWebhook && {
        async configureWebhook({ url, secret }) {
          const relay = await listen((request, response) => pass(url, secret, patch, request, response));
          closing.push(relay.close);
          await configureWebhook({ url: relay.origin, secret });
        },
      }),
      async close() {
        await driver.close?.();
        for (const close of closing) await close();
      },
    },
  };
}

async function forward(
  baseUrl: string,
  patch: Patch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await textOf(request);
  const url = new URL(request.url ?? '/', 'http://patched');
  const body: unknown = text === '' ? {} : JSON.parse(text);
  const asked: Asked = {
    method: request.method ?? 'GET',
    path: url.pathname.replace('/api/v1', ''),
    query: url.searchParams,
    headers: headersOf(request),
    body: isRecord(body) ? { ...body } : {},
  };
  patch.request?.(asked);
  const answer = await fetch(`${baseUrl}${asked.path}?${asked.query}`, {
    method: asked.method,
    headers: asked.headers,
    ...(text === '' ? {} : { body: JSON.stringify(asked.body) }),
  });
  const json: unknown = await answer.json();
  const { connection: _connection, 'content-length': _length, ...headers } = Object.fromEntries(answer.headers);
  const answered: Answered = { status: answer.status, headers, body: isRecord(json) ? { ...json } : {} };
  patch.answer?.(answered, asked);
  response.writeHead(answered.status, answered.headers).end(answered.text ?? JSON.stringify(answered.body));
}

async function pass(
  url: string,
  secret: string,
  { webhook }: Patch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await textOf(request);
  response.writeHead(204).end();
  const sent: Sent = { method: request.method ?? 'POST', url, headers: headersOf(request), text, secret };
  for (const one of webhook?.(sent) ?? [sent]) {
    // The suite may have ended meanwhile.
    await fetch(one.url, {
      method: one.method,
      headers: one.headers,
      ...(one.method === 'GET' ? {} : { body: one.text }),
    }).catch(() => undefined);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Without those that belong to the connection. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const { host: _host, connection: _connection, 'content-length': _length, ...own } = headers;
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]));
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
