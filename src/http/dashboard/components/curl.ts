import type { components } from '../../../generated/control-validated-types.js';

type RequestLine = Pick<components['schemas']['LoggedRequest'], 'method' | 'path' | 'token'>;

/** Parts of a request that the log does not keep, and whether the request has them. */
export interface UnloggedParts {
  readonly body: boolean;
  readonly key: boolean;
}

/** Renders a request as a curl command, with a variable or an empty object for what the log does not keep. */
export function curlOf(origin: string, { method, path, token }: RequestLine, { body, key }: UnloggedParts): string {
  const how = { GET: '', HEAD: ' -I' }[method] ?? ` -X ${method}`;
  return [
    `curl -i${how} ${quoted(origin + path)}`,
    ...(token === null ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(key ? ['-H "Idempotency-Key: $KEY"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", "-d '{}'"] : []),
  ].join(' \\\n  ');
}

/** Quotes a text so that a shell takes it literally, as one word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
