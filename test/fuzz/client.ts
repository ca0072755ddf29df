import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { operationOf } from './document.js';
import type { ApiRequest } from './requests.js';

/** A response of the service. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The JSON body. */
  readonly body: unknown;
}

export interface Client {
  send(request: ApiRequest): Promise<ServiceResponse>;
  close(): void;
}

/**
 * Creates a client that sends all requests over one connection. Unlike `fetch`, it does not normalize paths or headers.
 */
export function createClient(baseUrl: string): Client {
  const { hostname, port, pathname } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const { operation, body } = request;
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const outgoing = httpRequest(
          {
            agent,
            hostname,
            port,
            method: operationOf(operation).method.toUpperCase(),
            path: `${pathname}${pathAndQueryOf(request)}`,
            headers: { ...request.headers, ...length },
          },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('error', reject);
            response.on('end', () => {
              const text = Buffer.concat(chunks).toString();
              const { statusCode: status = 0, headers } = response;
              try {
                resolve({ status, headers, body: JSON.parse(text) });
              } catch {
                reject(new Error(`${status} with a body that is not JSON: ${text}`));
              }
            });
          },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** Returns the encoded path and query of a request, relative to the base URL. */
function pathAndQueryOf({ operation, id, query }: ApiRequest): string {
  const path = operationOf(operation).path.replace(/\{\w+\}/, encodeURIComponent(id ?? ''));
  const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return search === '' ? path : `${path}?${search}`;
}
