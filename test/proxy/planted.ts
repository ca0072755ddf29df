import { createServer, request as open } from 'node:http';
import { openServer } from './proxied.js';

/** A response that may be changed before it is sent on. */
export interface Planted {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | string[] | undefined>;
  /** Parsed JSON body; a body that is not JSON is passed on unchanged. */
  body: unknown;
}

/** A real service with something planted in its answers: a server before the simulator. Gives its address. */
export async function plantBefore(
  simulator: string,
  plant: (question: { readonly method: string; readonly path: string }, answer: Planted) => void,
): Promise<string> {
  const url = await openServer(
    createServer((request, response) => {
      const { method = '', url: path = '', headers } = request;
      const passed = open(`${simulator}${path}`, { method, headers: { ...headers, host: new URL(simulator).host } });
      request.pipe(passed);
      passed.on('response', async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString();
        const planted: Planted = {
          status: answer.statusCode ?? 0,
          headers: { ...answer.headers },
          body: readJson(text),
        };
        plant({ method, path: path.replace(/\?.*/, '') }, planted);
        const sent = typeof planted.body === 'string' ? planted.body : JSON.stringify(planted.body);
        if (planted.status !== 304) planted.headers['content-length'] = String(Buffer.byteLength(sent));
        response.writeHead(
          planted.status,
          Object.fromEntries(Object.entries(planted.headers).filter(([, value]) => value)),
        );
        response.end(sent);
      });
    }),
  );
  return `${url}/api/v1`;
}

/** Puts a value at a place of a JSON body, such as `data.data.0.amount`; undefined takes the field away. */
export function put(body: unknown, place: string, value: unknown): void {
  const names = place.split('.');
  const field = names.pop() ?? '';
  const record = Object(names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), body));
  if (value === undefined) Reflect.deleteProperty(record, field);
  else Reflect.set(record, field, value);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
