import type { components } from '../../../generated/control-validated-types.js';
import { bodyTransferHeaders, endToEndHeaders } from '../../../lib/end-to-end-headers.js';
import { quoteForShell } from '../../../lib/messages.js';

type Message = components['schemas']['RecordedMessage'];

/** A request to render as a curl command. */
interface CurlRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** The headers and the body. */
  readonly sent: Message;
}

/** The file that a command reads the body from, if the request log does not have the whole body. */
export const bodyFile = 'body.json';

/** Headers that are not copied to a command: curl sets them itself, they are secret, or they mark a replay. */
const omittedHeaders = [
  ...bodyTransferHeaders,
  'accept-encoding',
  'authorization',
  'cookie',
  'host',
  'user-agent',
  'x-api-key',
  'x-sim-replay',
];

/** Renders a request as a curl command, with `$TOKEN` in place of the token. */
export function curlOf(origin: string, { method, path, sent: { headers, body } }: CurlRequest): string {
  const hasToken = headers.some(({ name }) => name.toLowerCase() === 'authorization');
  const hasBody = body !== null && body.size > 0;
  const isDefaultMethod = method === 'GET' && !hasBody;
  const methodOption = isDefaultMethod ? '' : method === 'HEAD' ? ' -I' : ` -X ${method}`;
  const rawHeaders = headers.flatMap(({ name, value }) => [name, value]);
  const copiedHeaders = endToEndHeaders(rawHeaders, omittedHeaders).filter(
    ([name, value]) => !(name.toLowerCase() === 'accept' && value === '*/*'),
  );
  return [
    `curl -i${methodOption} ${quoteForShell(origin + path)}`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...copiedHeaders.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(hasBody
      ? [isBodyComplete(body) ? `--data-raw ${quoteForShell(body.text ?? '')}` : `--data-binary @${bodyFile}`]
      : []),
  ].join(' \\\n  ');
}

/** Returns true if the request log has the whole body, or if there is no body. */
export function isBodyComplete(body: Message['body']): boolean {
  return body === null || (body.text !== null && !body.is_truncated);
}
