import { type Presentation, presentInShell } from '../report/presentation.js';
import { jsonText } from './json.js';

/** Whose token a request carries: `scopeless` is one without a scope, `unknown` one that was never given out. */
export type TokenKind = 'full' | 'read' | 'write' | 'scopeless' | 'none' | 'unknown';

/** A request of the suite. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** Below the base URL, with its query. */
  readonly path: string;
  /** `full` unless said otherwise. */
  readonly token?: TokenKind;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the token is presented, where not as a bearer token. */
  readonly presented?: Presentation | undefined;
  /** Sent at once, whatever the pace: for going beyond the limit of requests. */
  readonly isUnpaced?: boolean | undefined;
}

/** A request and its answer. Nothing in it is secret but, perhaps, in `json`: what is shown of that is redacted first. */
export interface Exchange {
  readonly call: Call;
  readonly url: string;
  /** Of the answer, as `response`. */
  readonly status: number;
  /** Names in lower case; of several of one name, joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly text: string;
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown;
  readonly milliseconds: number;
}

/** The request as a command to be tried again; the token is a variable of the shell. */
export function curlOf({ call, url }: Pick<Exchange, 'call' | 'url'>): string {
  const { method, token = 'full', presented, body, headers = {} } = call;
  const shown = token === 'none' ? undefined : presentInShell(tokenVariables[token], presented);
  const query = Object.entries(shown?.query ?? {}).map(([name, value]) => `--url-query "${name}=${value}"`);
  const parts = ['curl -i'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  parts.push(quoted(url), ...query);
  for (const [name, value] of Object.entries(shown?.headers ?? {})) parts.push(`-H "${name}: ${value}"`);
  const sent = { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  for (const [name, value] of Object.entries({ ...sent, ...headers })) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
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

/** A body as it is sent. */
export function textOf(body: unknown): string {
  return typeof body === 'string' ? body : (jsonText(body) ?? '');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
