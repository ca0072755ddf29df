import { Agent, createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { bodyTransferHeaders, endToEndHeaders } from '../../lib/end-to-end-headers.js';
import { isRecord } from '../../lib/json.js';
import { closeServer, listen, urlOf } from '../../lib/listen.js';
import type { Driver } from '../drivers/driver.js';
import type { TokenKind } from '../engine/exchange.js';
import { parseExactJson } from '../engine/json.js';
import type { TargetOptions } from '../engine/target.js';
import type { InterceptedRequest, InterceptedResponse, InterceptedWebhook, Interceptor } from './interceptor.js';

/**
 * The implementation under test: how to reach it, and a driver for actions that its API does not offer. Closing the
 * driver also closes the implementation.
 */
export interface Implementation {
  /** Base URL including the version prefix. */
  readonly baseUrl: string;
  readonly tokens: TargetOptions['tokens'];
  readonly driver: Driver;
}

/** A target behind a proxy that changes its traffic. */
export interface MutatedImplementation extends Implementation {
  /** Returns the number of requests, responses, webhooks and base URLs that the interceptor has actually changed. */
  readonly changes: () => number;
}

/**
 * Starts a proxy that changes the traffic of a target, so that the target seems to have a defect.
 * @param interceptor causes the defect; the number of its changes shows whether it had any effect
 * @param innerInterceptor changes responses before `interceptor` does, for example their rate limit. It is not part of
 *   the defect, so its changes are not counted
 */
export async function startMutatingProxy(
  implementation: Implementation,
  interceptor: Interceptor,
  innerInterceptor: Pick<Interceptor, 'response'> = {},
): Promise<MutatedImplementation> {
  const traffic = new MutatedTraffic(implementation, interceptor, innerInterceptor);
  const proxy = await startServer((request, response) => traffic.forwardRequest(request, response));
  const baseUrl = `${proxy.origin}/api/v1`;
  const changedBaseUrl = interceptor.changeBaseUrl?.(baseUrl) ?? baseUrl;
  if (changedBaseUrl !== baseUrl) traffic.changes += 1;
  return {
    baseUrl: changedBaseUrl,
    tokens: implementation.tokens,
    changes: () => traffic.changes,
    driver: mutatedDriver(implementation.driver, interceptor, traffic, [proxy.close, traffic.close]),
  };
}

/** Forwards requests to a target and webhooks to the suite, changes them on their way, and counts the changes. */
class MutatedTraffic {
  changes = 0;
  /** The secret that the target last rotated to; undefined if it still has the one that the suite configured. */
  rotatedSecret: string | undefined;
  readonly #implementation: Implementation;
  readonly #interceptor: Interceptor;
  readonly #innerInterceptor: Pick<Interceptor, 'response'>;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    implementation: Implementation,
    interceptor: Interceptor,
    innerInterceptor: Pick<Interceptor, 'response'>,
  ) {
    this.#implementation = implementation;
    this.#interceptor = interceptor;
    this.#innerInterceptor = innerInterceptor;
  }

  readonly close = async (): Promise<void> => this.#agent.destroy();

  async forwardRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { baseUrl, tokens } = this.#implementation;
    const originalBody = await readText(request);
    const sentJson = parseExactJson(originalBody);
    const intercepted = readRequest(request, sentJson, tokens);
    const { request: changeRequest, response: changeResponse } = this.#interceptor;
    if (changeRequest)
      this.#countChange(
        () => intercepted,
        () => changeRequest(intercepted),
      );
    const hasBody = isRecord(sentJson) || Object.keys(intercepted.body).length > 0;
    const sentText = hasBody ? JSON.stringify(intercepted.body) : originalBody;
    const { status, headers, text } = await sendToTarget(baseUrl, this.#agent, intercepted, sentText);
    const json = parseExactJson(text);
    const interceptedResponse: InterceptedResponse = { status, headers, body: isRecord(json) ? { ...json } : {} };
    this.#innerInterceptor.response?.(interceptedResponse, intercepted);
    // A body that is not a JSON object is forwarded unchanged, unless the interceptor has set `text`.
    const textToForward = (): string =>
      interceptedResponse.text ?? (isRecord(json) ? JSON.stringify(interceptedResponse.body) : text);
    if (changeResponse)
      this.#countChange(
        () => [interceptedResponse.status, interceptedResponse.headers, textToForward()],
        () => changeResponse(interceptedResponse, intercepted),
      );
    response.writeHead(interceptedResponse.status, interceptedResponse.headers).end(textToForward());
  }

  /** @returns true if the suite has accepted the webhooks that the interceptor makes of one */
  async forwardWebhook(original: InterceptedWebhook): Promise<boolean> {
    const serializedBefore = serialize([original]);
    const webhooks = this.#interceptor.webhook?.(original) ?? [original];
    if (serialize(webhooks) !== serializedBefore) this.changes += 1;
    let isAccepted = true;
    for (const webhook of webhooks) if (!(await deliver(webhook))) isAccepted = false;
    return isAccepted;
  }

  /** Runs `change`, and counts it if it has changed what `read` returns. */
  #countChange(read: () => unknown, change: () => void): void {
    const serializedBefore = serialize(read());
    change();
    if (serialize(read()) !== serializedBefore) this.changes += 1;
  }
}

/**
 * Wraps a driver, so that the webhooks that it configures pass through a relay.
 * @param cleanups functions to call when the driver is closed
 */
function mutatedDriver(
  driver: Driver,
  interceptor: Interceptor,
  traffic: MutatedTraffic,
  cleanups: (() => Promise<void>)[],
): Driver {
  const { authorizeDeposit, configureWebhook, rotateWebhookSecret } = driver;
  return {
    ...driver,
    ...(authorizeDeposit && {
      authorizeDeposit(deposit) {
        interceptor.onAuthorize?.(deposit);
        return authorizeDeposit(deposit);
      },
    }),
    ...(configureWebhook && {
      async configureWebhook({ url, secret }) {
        const relay = await startServer(async (request, response) => {
          const text = await readText(request);
          response.writeHead(204).end();
          const forward = (): Promise<boolean> =>
            traffic.forwardWebhook({
              method: request.method ?? 'POST',
              url,
              headers: headersOf(request),
              text,
              secret: traffic.rotatedSecret ?? secret,
            });
          // If the suite refuses a webhook, the relay retries it, because the target, which got a 204, does not. The
          // interceptor handles the retry, too, as it would handle one of the target: some mutants change only retries.
          if (!(await forward())) await forward();
        });
        cleanups.push(relay.close);
        await configureWebhook({ url: relay.origin, secret });
        traffic.rotatedSecret = undefined;
      },
    }),
    ...(rotateWebhookSecret && {
      async rotateWebhookSecret() {
        const rotated = await rotateWebhookSecret();
        traffic.rotatedSecret = rotated.secret;
        return rotated;
      },
    }),
    async close() {
      await driver.close?.();
      for (const close of cleanups) await close();
    },
  };
}

/** Serializes a value to detect changes by an interceptor. */
function serialize(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => (inner instanceof URLSearchParams ? String(inner) : inner));
}

function readRequest(request: IncomingMessage, json: unknown, tokens: TargetOptions['tokens']): InterceptedRequest {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const headers = headersOf(request);
  return {
    method: request.method ?? 'GET',
    path: url.pathname.replace('/api/v1', ''),
    query: url.searchParams,
    headers,
    token: tokenKindOf(headers['authorization'], tokens),
    body: isRecord(json) ? { ...json } : {},
  };
}

function tokenKindOf(authorization: string | undefined, tokens: TargetOptions['tokens']): TokenKind {
  const [, token] = authorization?.split(' ') ?? [];
  if (token === undefined) return 'none';
  const kinds = ['full', 'read', 'write', 'scopeless', 'otherAccount'] as const;
  return kinds.find((kind) => tokens[kind] === token) ?? 'unknown';
}

interface TargetResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** Sends an intercepted request to the target. @param text the body */
async function sendToTarget(
  baseUrl: string,
  agent: Agent,
  { method, path, query, headers }: InterceptedRequest,
  text: string,
): Promise<TargetResponse> {
  const url = `${baseUrl}${path}${query.size === 0 ? '' : `?${query}`}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sendRequest(url, { method, agent, headers: { ...headers, 'content-length': Buffer.byteLength(text) } }, resolve)
      .once('error', reject)
      .end(text);
  });
  return { status: response.statusCode ?? 0, headers: headersOf(response), text: await readText(response) };
}

/** @returns false if the suite has refused the webhook */
async function deliver({ url, method, headers, text }: InterceptedWebhook): Promise<boolean> {
  // A failure to connect does not count as refused, because the suite may have closed its receiver.
  const response = await fetch(url, { method, headers, ...(method === 'GET' ? {} : { body: text }) }).catch(
    () => undefined,
  );
  return response?.ok ?? true;
}

/** Unlike `text` of node:stream/consumers, keeps a byte order mark. */
async function readText(message: IncomingMessage): Promise<string> {
  return (await buffer(message)).toString();
}

/** Returns the headers to forward, by name in lower case. */
function headersOf({ headers, rawHeaders }: IncomingMessage): Record<string, string> {
  const names = endToEndHeaders(rawHeaders, ['host', ...bodyTransferHeaders]).map(([name]) => name.toLowerCase());
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}

async function startServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return { origin: urlOf(await listen(server, 0, '127.0.0.1')), close: () => closeServer(server) };
}
