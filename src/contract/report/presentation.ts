/** Where a request carries a token. */
export interface TokenPlacement {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** A way to present a token other than `Authorization: Bearer <token>`. */
interface TokenStyle {
  /** Builds the sent value from a token. */
  readonly write: (token: string) => string;
  /** Builds the same for a shell, from the name of the variable with the token. */
  readonly inShell: (variable: string) => string;
  readonly place: (written: string) => Partial<TokenPlacement>;
}

const authorization = (written: string): Partial<TokenPlacement> => ({ headers: { Authorization: written } });

/** Names of query parameters and cookies, and of headers, in which other services accept tokens. */
const parameters = ['access_token', 'api_token', 'token'] as const;
const headers = ['X-Access-Token', 'X-API-Key', 'X-Auth-Token'] as const;

function allWithValue(names: readonly string[], value: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

const plain = { write: (token: string) => token, inShell: (variable: string) => `$${variable}` };

const tokenStyles = {
  'other scheme': {
    write: (token) => `Basic ${token}`,
    inShell: (variable) => `Basic $${variable}`,
    place: authorization,
  },
  'user name': {
    write: (token) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
    inShell: (variable) => `Basic $(printf %s "$${variable}:" | base64 -w0)`,
    place: authorization,
  },
  'without a scheme': { ...plain, place: authorization },
  'cut short': {
    write: (token) => `Bearer ${token.slice(0, -1)}`,
    inShell: (variable) => `Bearer \${${variable}%?}`,
    place: authorization,
  },
  extended: {
    write: (token) => `Bearer ${token}suite`,
    inShell: (variable) => `Bearer \${${variable}}suite`,
    place: authorization,
  },
  'other case': {
    write: (token) => `Bearer ${swapCase(token)}`,
    inShell: (variable) => `Bearer $(printf %s "$${variable}" | tr a-zA-Z A-Za-z)`,
    place: authorization,
  },
  'followed by a word': {
    write: (token) => `Bearer ${token} suite`,
    inShell: (variable) => `Bearer $${variable} suite`,
    place: authorization,
  },
  query: { ...plain, place: (token) => ({ query: allWithValue(parameters, token) }) },
  'other headers': {
    ...plain,
    place: (token) => ({
      headers: { Cookie: parameters.map((name) => `${name}=${token}`).join('; '), ...allWithValue(headers, token) },
    }),
  },
} satisfies Record<string, TokenStyle>;

export type Presentation = keyof typeof tokenStyles;

const bearer: TokenStyle = {
  write: (token) => `Bearer ${token}`,
  inShell: (variable) => `Bearer $${variable}`,
  place: authorization,
};

const styleOf = (presentation: Presentation | undefined): TokenStyle =>
  presentation === undefined ? bearer : tokenStyles[presentation];

/** Returns the headers and the query that carry a token. @param presentation by default as a bearer token */
export function present(token: string, presentation?: Presentation): TokenPlacement {
  return withDefaults(styleOf(presentation), styleOf(presentation).write(token));
}

/** Like `present`, with a shell variable in place of the token. */
export function presentInShell(variable: string, presentation?: Presentation): TokenPlacement {
  return withDefaults(styleOf(presentation), styleOf(presentation).inShell(variable));
}

function withDefaults({ place }: TokenStyle, written: string): TokenPlacement {
  return { headers: {}, query: {}, ...place(written) };
}
