import { Agent, request } from 'node:http';

export interface Question {
  readonly method?: string;
  /** Sent as is: nothing is normalized or encoded. */
  readonly path: string;
  readonly body?: string | Buffer;
  /** Without a Content-Length. */
  readonly chunked?: boolean;
  /** Flat list of names and values, so that names can repeat. JSON bodies and tokens need no headers here. */
  readonly headers?: readonly string[];
  /** Undefined sends no Authorization of its own. */
  readonly token?: string | undefined;
}

export interface Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Asks a server over HTTP, with none of the tidying that `fetch` does. */
export function ask(url: string, question: Question): Promise<Reply> {
  const { hostname, port, host } = new URL(url);
  const { method = 'GET', path, body, chunked = false, token, headers = [] } = question;
  const named = (name: string): boolean => headers.some((header, place) => place % 2 === 0 && header === name);
  const all = ['Host', host, ...headers];
  if (token !== undefined) all.push('Authorization', `Bearer ${token}`);
  if (body !== undefined && !named('Content-Type')) all.push('Content-Type', 'application/json');
  if (body !== undefined) {
    all.push(...(chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', `${Buffer.byteLength(body)}`]));
  } else if (method !== 'GET' && method !== 'HEAD' && !named('Content-Length')) {
    all.push('Content-Length', '0');
  }
  return new Promise((resolve, reject) => {
    const agent = new Agent({ maxSockets: 1 });
    const sent = request({ agent, host: hostname, port, method, path, headers: all }, (response) => {
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
