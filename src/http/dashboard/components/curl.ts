import type { components } from '../../../generated/control-validated-types.js';

type Message = components['schemas']['CapturedMessage'];

/** A request to be rendered as a command. */
interface CurlRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly sent: Message;
}

/** The file that the command reads a body from that is not kept as a whole. */
export const bodyFile = 'body.json';

/** Headers that curl sets itself, that are about the connection, or that are secret. */
const leftOut: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-api-key',
  'x-sim-replay',
]);

/** Renders a request as a curl command, with `$TOKEN` in place of the token. */
export function curlOf(origin: string, { method, path, sent: { headers, body } }: CurlRequest): string {
  const hasToken = headers.some(({ name }) => name.toLowerCase() === 'authorization');
  const hasBody = body !== null && body.size > 0;
  const isImplied = method === 'GET' && !hasBody;
  const methodOption = isImplied ? '' : method === 'HEAD' ? ' -I' : ` -X ${method}`;
  const others = headers.filter(
    ({ name, value }) => !leftOut.has(name.toLowerCase()) && !(name.toLowerCase() === 'accept' && value === '*/*'),
  );
  return [
    `curl -i${methodOption} ${quoted(origin + path)}`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...others.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(hasBody ? [isWhole(body) ? `--data-raw ${quoted(body.text ?? '')}` : `--data-binary @${bodyFile}`] : []),
  ].join(' \\\n  ');
}

/** Returns true for a body that is kept as a whole, or for none. */
export function isWhole(body: Message['body']): boolean {
  return body === null || (body.text !== null && !body.is_truncated);
}

/** Quotes a text so that a shell takes it literally, as one word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
