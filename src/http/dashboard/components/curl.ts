import type { components } from '../../../generated/control-validated-types.js';

type RequestLine = Pick<components['schemas']['LoggedRequest'], 'method' | 'path' | 'token'>;

/** Tells which of the parts that the log does not keep the request has. */
export interface UnloggedParts {
  readonly body: boolean;
  readonly key: boolean;
}

/** Renders a request as a curl command. Parts that the log does not keep become variables or an empty object. */
export function curlOf(origin: string, { method, path, token }: RequestLine, { body, key }: UnloggedParts): string {
  const methodOption = { GET: '', HEAD: ' -I' }[method] ?? ` -X ${method}`;
  return [
    `curl -i${methodOption} ${quoted(origin + path)}`,
    ...(token === null ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(key ? ['-H "Idempotency-Key: $KEY"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", "-d '{}'"] : []),
  ].join(' \\\n  ');
}

/** Quotes a text so that a shell takes it literally, as one word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
