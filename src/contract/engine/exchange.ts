import { type Presentation, presentInShell } from '../report/presentation.js';
import { jsonText } from './json.js';

/** Token of a request: `scopeless` is one without a scope, `unknown` one that was never issued. */
export type TokenKind = 'full' | 'read' | 'write' | 'scopeless' | 'none' | 'unknown';

/** A request of the suite. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** Path below the base URL, with query. */
  readonly path: string;
  /** Default: `full`. */
  readonly token?: TokenKind;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the token is presented. Default: as a bearer token. */
  readonly presentation?: Presentation | undefined;
  /** Sent at once, regardless of the pace: to exceed the rate limit. */
  readonly isUnpaced?: boolean | undefined;
}

/** A request and its response, without secrets, except perhaps in `json`, which is redacted before it is shown. */
export interface Exchange {
  readonly call: Call;
  readonly url: string;
  /** Status of the response. */
  readonly status: number;
  /** Lower-case names; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as text. */
  readonly text: string;
  /** Body as JSON; undefined if it is not JSON. */
  readonly json: unknown;
  readonly milliseconds: number;
}

/** The request as a curl command; the token is a shell variable. */
export function curlOf({ call, url }: Pick<Exchange, 'call' | 'url'>): string {
  const { method, token = 'full', presentation, body, headers = {} } = call;
  const placement = token === 'none' ? undefined : presentInShell(tokenVariables[token], presentation);
  const query = Object.entries(placement?.query ?? {}).map(([name, value]) => `--url-query "${name}=${value}"`);
  const parts = ['curl -i'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  parts.push(quoted(url), ...query);
  for (const [name, value] of Object.entries(placement?.headers ?? {})) parts.push(`-H "${name}: ${value}"`);
  const defaultHeaders = {
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  for (const [name, value] of Object.entries({ ...defaultHeaders, ...headers }))
    parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`-d ${quoted(textOf(body))}`);
  return parts.join(' ');
}

const tokenVariables = {
  full: 'TOKEN',
  read: 'READ_TOKEN',
  write: 'WRITE_TOKEN',
  scopeless: 'SCOPELESS_TOKEN',
  unknown: 'UNKNOWN_TOKEN',
};

/** Serializes a body: a string as it is, any other value as JSON. */
export function textOf(body: unknown): string {
  return typeof body === 'string' ? body : (jsonText(body) ?? '');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
