import type { components } from '../../../generated/control-validated-types.js';
import type { Unkept } from '../requests/view.js';

type Asked = Pick<components['schemas']['LoggedRequest'], 'method' | 'path' | 'token'>;

/** A request as a command line. What the log does not keep stands there as a variable or an empty object. */
export function curlOf(origin: string, { method, path, token }: Asked, { body, key }: Unkept): string {
  const how = { GET: '', HEAD: ' -I' }[method] ?? ` -X ${method}`;
  return [
    `curl -i${how} ${quoted(origin + path)}`,
    ...(token === null ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(key ? ['-H "Idempotency-Key: $KEY"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", "-d '{}'"] : []),
  ].join(' \\\n  ');
}

/** What a shell takes as one word and as it stands. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
