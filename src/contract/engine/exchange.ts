import { curlUrl, quoteForShell } from '../../lib/messages.js';
import { formatExactJson } from './json.js';
import { placeToken, placeTokenInShell, type TokenStyle } from './token-styles.js';

/**
 * Kind of the token in a request. `full`: a token with both scopes. `read`, `write`: a token with only that scope.
 * `scopeless`: a token without any scope. `otherAccount`: a token with both scopes, of another account. `none`: no token.
 * `unknown`: a token that was never issued.
 */
export type TokenKind = 'full' | 'read' | 'write' | 'scopeless' | 'otherAccount' | 'none' | 'unknown';

/** A request of the suite. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** Path below the base URL, with query. */
  readonly path: string;
  /** Default: `full`. */
  readonly token?: TokenKind;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** An incorrect way of sending the token. Default: the correct one, `Authorization: Bearer <token>`. */
  readonly tokenStyle?: TokenStyle | undefined;
  /**
   * True if the request is invalid. If the target accepts it anyway, clauses that read all earlier responses ignore its
   * response, which the specification does not describe.
   */
  readonly isInvalid?: boolean | undefined;
  /** True to send the request without waiting for the rate limit, in order to exceed it. */
  readonly isUnpaced?: boolean | undefined;
}

/**
 * A request and its response. Secrets are redacted in the headers and the text of the response, but not in `json`,
 * which must be redacted before it is shown.
 */
export interface Exchange {
  readonly call: Call;
  readonly url: string;
  /** Status of the response. */
  readonly status: number;
  /** Headers of the response. Names are in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the response as text. */
  readonly text: string;
  /** Parsed body of the response; undefined if it is not JSON. */
  readonly json: unknown;
  /** Time from the request to the end of the response. */
  readonly milliseconds: number;
}

/** The token of requests with the kind `unknown`. */
export const unknownToken = 'contract-suite-token-that-was-never-issued';

/** Formats a request as a curl command with a shell variable in place of the token. */
export function curlOf({ call, url }: Pick<Exchange, 'call' | 'url'>): string {
  const { method, body, headers = {} } = call;
  const { headerOptions, queryOptions } = tokenOptions(call);
  const parts = ['curl -i'];
  // With -G, curl adds data to the URL. Its option `--url-query` is too new for many installed versions.
  if (queryOptions.length > 0) parts.push('-G');
  if (method !== 'GET') parts.push(`-X ${method}`);
  parts.push(curlUrl(url), ...queryOptions, ...headerOptions);
  const defaultHeaders = {
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  for (const [name, value] of Object.entries({ ...defaultHeaders, ...headers }))
    parts.push(`-H ${quoteForShell(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`--data-raw ${quoteForShell(textOf(body))}`);
  return parts.join(' ');
}

/** Formats the curl options that send the token of a request. */
function tokenOptions({ token = 'full', tokenStyle }: Call): {
  readonly headerOptions: readonly string[];
  readonly queryOptions: readonly string[];
} {
  if (token === 'none') return { headerOptions: [], queryOptions: [] };
  // The unknown token is not a secret. The others are in double quotes, in which the shell replaces variables.
  const quote = token === 'unknown' ? quoteForShell : (text: string): string => `"${text}"`;
  const { headers, query } =
    token === 'unknown' ? placeToken(unknownToken, tokenStyle) : placeTokenInShell(tokenVariables[token], tokenStyle);
  return {
    headerOptions: Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    queryOptions: Object.entries(query).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`),
  };
}

const tokenVariables = {
  full: 'TOKEN',
  read: 'READ_TOKEN',
  write: 'WRITE_TOKEN',
  scopeless: 'SCOPELESS_TOKEN',
  otherAccount: 'OTHER_ACCOUNT_TOKEN',
};

/** Serializes a body: a string unchanged, any other value as JSON. */
export function textOf(body: unknown): string {
  return typeof body === 'string' ? body : (formatExactJson(body) ?? '');
}
