import type { components } from '../../../generated/control-validated-types.js';
import { bodyTransferHeaders, endToEndHeaders } from '../../../lib/end-to-end-headers.js';
import { curlUrl, quoteForShell } from '../../../lib/messages.js';

type Message = components['schemas']['RecordedMessage'];

/** A request to render as a curl command. */
interface CurlRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** The headers and the body. */
  readonly sent: Message;
  /** False if the request log does not have the whole body; the command then reads the body from `bodyFile`. */
  readonly isBodyInLog?: boolean;
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
export function curlOf(
  origin: string,
  { method, path, sent: { headers, body }, isBodyInLog = true }: CurlRequest,
): string {
  const hasHeader = (wanted: string): boolean => headers.some(({ name }) => name.toLowerCase() === wanted);
  const hasBody = !isBodyInLog || (body !== null && body.size > 0);
  const rawHeaders = headers.flatMap(({ name, value }) => [name, value]);
  const copiedHeaders = endToEndHeaders(rawHeaders, omittedHeaders).filter(
    ([name, value]) => !(name.toLowerCase() === 'accept' && value === '*/*'),
  );
  return [
    `curl -i${methodOption(method, hasBody)} ${curlUrl(origin + path)}`,
    ...(hasHeader('authorization') ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...copiedHeaders.map(([name, value]) => `-H ${quoteForShell(headerArgument(name, value))}`),
    // Without a value, the header is not sent. Otherwise, curl would send the content type of a form with a body.
    ...(hasBody && !hasHeader('content-type') ? ["-H 'Content-Type:'"] : []),
    ...(hasBody ? [isBodyInLog ? `--data-raw ${quoteForShell(body?.text ?? '')}` : `--data-binary @${bodyFile}`] : []),
  ].join(' \\\n  ');
}

/** A header in the form that curl takes: a semicolon stands for an empty value. */
function headerArgument(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** The option for the method; none for the one that curl chooses by itself. */
function methodOption(method: string, hasBody: boolean): string {
  if (method === 'GET' && !hasBody) return '';
  return method === 'HEAD' ? ' -I' : ` -X ${method}`;
}
