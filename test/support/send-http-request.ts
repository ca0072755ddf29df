import { Agent, request } from 'node:http';

export interface RequestToSend {
  readonly method?: string;
  /** Sent as is: nothing is normalized or encoded. */
  readonly path: string;
  readonly body?: string | Buffer;
  /** True sends the body in chunks, without a Content-Length. */
  readonly chunked?: boolean;
  /** Names and values in turn, so that names can repeat. `Host` and the headers for `body` and `token` are added. */
  readonly headers?: readonly string[];
  /** Undefined adds no Authorization header. */
  readonly token?: string | undefined;
}

export interface ReceivedResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends an HTTP request without the normalization that `fetch` does. */
export function sendHttpRequest(url: string, toSend: RequestToSend): Promise<ReceivedResponse> {
  const { hostname, port, host } = new URL(url);
  const { method = 'GET', path, body, chunked = false, token, headers = [] } = toSend;
  const hasHeader = (name: string): boolean => headers.some((header, index) => index % 2 === 0 && header === name);
  const allHeaders = ['Host', host, ...headers];
  if (token !== undefined) allHeaders.push('Authorization', `Bearer ${token}`);
  if (body !== undefined && !hasHeader('Content-Type')) allHeaders.push('Content-Type', 'application/json');
  if (body !== undefined) {
    allHeaders.push(...(chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', `${Buffer.byteLength(body)}`]));
  } else if (method !== 'GET' && method !== 'HEAD' && !hasHeader('Content-Length')) {
    allHeaders.push('Content-Length', '0');
  }
  return new Promise((resolve, reject) => {
    const agent = new Agent({ maxSockets: 1 });
    const sent = request({ agent, host: hostname, port, method, path, headers: allHeaders }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        agent.destroy();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
