import { createServer, request as openRequest } from 'node:http';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';

/** A response that may be changed before it is forwarded. */
export interface MutableResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | string[] | undefined>;
  /** The parsed JSON body, or the text of a body that is not JSON. */
  body: unknown;
}

/** Starts a server that forwards to the simulator and alters its responses. @returns its base URL */
export async function startAlteringProxy(
  simulatorUrl: string,
  alter: (request: { readonly method: string; readonly path: string }, response: MutableResponse) => void,
): Promise<string> {
  const { url } = await listenUntilTestEnds(
    createServer((request, response) => {
      const { method = '', url: path = '', headers } = request;
      const forwarded = openRequest(`${simulatorUrl}${path}`, {
        method,
        headers: { ...headers, host: new URL(simulatorUrl).host },
      });
      request.pipe(forwarded);
      forwarded.on('response', async (upstreamResponse) => {
        const text = Buffer.concat(await upstreamResponse.toArray()).toString();
        const altered: MutableResponse = {
          status: upstreamResponse.statusCode ?? 0,
          headers: { ...upstreamResponse.headers },
          body: readJson(text),
        };
        try {
          alter({ method, path: path.replace(/\?.*/, '') }, altered);
        } catch (error) {
          response.destroy();
          throw error;
        }
        const bodyText = typeof altered.body === 'string' ? altered.body : JSON.stringify(altered.body);
        if (altered.status !== 304) altered.headers['content-length'] = String(Buffer.byteLength(bodyText));
        response.writeHead(
          altered.status,
          Object.fromEntries(Object.entries(altered.headers).filter(([, value]) => value)),
        );
        response.end(bodyText);
      });
    }),
  );
  return `${url}/api/v1`;
}

/**
 * Sets a value at a path of a JSON body, such as `data.data.0.amount`; undefined removes the field.
 * @throws Error if the body has no object or array that could contain it
 */
export function setValueAt(body: unknown, path: string, value: unknown): void {
  const names = path.split('.');
  const field = names.pop() ?? '';
  const parent = names.reduce<unknown>((container, name) => Reflect.get(Object(container), name), body);
  if (typeof parent !== 'object' || parent === null)
    throw new Error(`the body has no ${names.join('.')} to set ${field} in`);
  if (value === undefined) Reflect.deleteProperty(parent, field);
  else Reflect.set(parent, field, value);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
