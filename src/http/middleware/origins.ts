import { parseUrl } from '../../lib/parse-url.js';
import { UserError } from '../../lib/user-error.js';

/** Thrown for a setting that should be a URL or an origin, but is not. The message says what to write instead. */
class OriginError extends UserError {
  override readonly name = 'OriginError';
}

/** Reads the public URL: http: or https:, a host, and possibly a port, but no path. @throws OriginError */
export function readPublicUrl(text: string): URL {
  const url = parseUrl(text);
  const isPlain = url && url.username === '' && url.password === '' && !/[?#]/.test(text);
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new OriginError(
      `"${text}" is not a valid public URL: expected one such as https://billing.example, without credentials, a query or a fragment`,
    );
  }
  const { origin, pathname } = url;
  if (pathname !== '/') {
    throw new OriginError(
      `"${text}" is not a valid public URL: the pages of the simulator cannot be served under a path; have the reverse proxy serve them at ${origin}, or at a separate host name`,
    );
  }
  return url;
}

/** Checks that a text is an origin as browsers send it in the `Origin` header, or `*` for all. @throws OriginError */
export function readOrigin(text: string): string {
  if (text === '*') return text;
  const origin = text.includes('*') ? undefined : originOf(text);
  if (origin === text) return origin;
  const hint =
    text === 'null'
      ? '; to allow pages without an origin, such as local files, use *'
      : origin && `; did you mean ${origin}?`;
  throw new OriginError(`cors: "${text}" is not an origin (for example http://localhost:3000)${hint ?? ''}`);
}

/** The origin of a URL. Allows any scheme, since desktop and mobile apps have their own: `capacitor://localhost`. */
function originOf(text: string): string | undefined {
  const url = parseUrl(text);
  return url && url.host !== '' ? `${url.protocol}//${url.host}` : undefined;
}
