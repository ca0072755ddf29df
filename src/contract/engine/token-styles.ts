/** Headers and query parameters that carry the token of a request. */
export interface TokenPlacement {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** How a request carries a token. */
interface TokenStyleDefinition {
  /** Builds the value that is sent for a token. */
  readonly format: (token: string) => string;
  /** Builds a shell expression for the same value, from the name of the variable that holds the token. */
  readonly formatInShell: (variable: string) => string;
  /** Returns the headers or the query parameters that carry the formatted value. */
  readonly place: (value: string) => Partial<TokenPlacement>;
}

const authorization = (value: string): Partial<TokenPlacement> => ({ headers: { Authorization: value } });

/** Names of query parameters, cookies and headers in which some other APIs accept tokens. */
const parameterAndCookieNames = ['access_token', 'api_token', 'token'] as const;
const headerNames = ['X-Access-Token', 'X-API-Key', 'X-Auth-Token'] as const;

function allWithValue(names: readonly string[], value: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

export const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

const plain = { format: (token: string) => token, formatInShell: (variable: string) => `$${variable}` };

/** Wrong ways to send a token, by a short description. */
const tokenStyles = {
  'other scheme': {
    format: (token) => `Basic ${token}`,
    formatInShell: (variable) => `Basic $${variable}`,
    place: authorization,
  },
  'user name': {
    format: (token) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
    formatInShell: (variable) => `Basic $(printf %s "$${variable}:" | base64 | tr -d '\\n')`,
    place: authorization,
  },
  'without a scheme': { ...plain, place: authorization },
  'cut short': {
    format: (token) => `Bearer ${token.slice(0, -1)}`,
    formatInShell: (variable) => `Bearer \${${variable}%?}`,
    place: authorization,
  },
  extended: {
    format: (token) => `Bearer ${token}suite`,
    formatInShell: (variable) => `Bearer \${${variable}}suite`,
    place: authorization,
  },
  'other case': {
    format: (token) => `Bearer ${swapCase(token)}`,
    formatInShell: (variable) => `Bearer $(printf %s "$${variable}" | tr a-zA-Z A-Za-z)`,
    place: authorization,
  },
  'followed by a word': {
    format: (token) => `Bearer ${token} suite`,
    formatInShell: (variable) => `Bearer $${variable} suite`,
    place: authorization,
  },
  query: { ...plain, place: (token) => ({ query: allWithValue(parameterAndCookieNames, token) }) },
  'other headers': {
    ...plain,
    place: (token) => ({
      headers: {
        Cookie: parameterAndCookieNames.map((name) => `${name}=${token}`).join('; '),
        ...allWithValue(headerNames, token),
      },
    }),
  },
} satisfies Record<string, TokenStyleDefinition>;

/**
 * Way of sending a token other than `Authorization: Bearer <token>`: the token is altered, the scheme is missing or
 * wrong, or the token is not in that header. The service must refuse such requests, even if the token is valid.
 */
export type TokenStyle = keyof typeof tokenStyles;

const bearer: TokenStyleDefinition = {
  format: (token) => `Bearer ${token}`,
  formatInShell: (variable) => `Bearer $${variable}`,
  place: authorization,
};

const styleOf = (tokenStyle: TokenStyle | undefined): TokenStyleDefinition =>
  tokenStyle === undefined ? bearer : tokenStyles[tokenStyle];

/** Returns the headers and query parameters that carry a token. @param tokenStyle default: a bearer token */
export function placeToken(token: string, tokenStyle?: TokenStyle): TokenPlacement {
  const { format, place } = styleOf(tokenStyle);
  return { headers: {}, query: {}, ...place(format(token)) };
}

/** Like `placeToken`, with a shell expression in place of the token. @param variable shell variable with the token */
export function placeTokenInShell(variable: string, tokenStyle?: TokenStyle): TokenPlacement {
  const { formatInShell, place } = styleOf(tokenStyle);
  return { headers: {}, query: {}, ...place(formatInShell(variable)) };
}
