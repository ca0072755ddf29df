/** Where a request carries a token. */
export interface Presented {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** A way to present a token other than `Authorization: Bearer <token>`. */
interface Way {
  /** Builds the sent value from a token. */
  readonly write: (token: string) => string;
  /** Builds the same for a shell, from the name of the variable with the token. */
  readonly inShell: (variable: string) => string;
  readonly put: (written: string) => Partial<Presented>;
}

const authorization = (written: string): Partial<Presented> => ({ headers: { Authorization: written } });

/** Parameter names under which services accept tokens elsewhere. */
const parameters = ['access_token', 'api_token', 'token'] as const;
const headers = ['X-Access-Token', 'X-API-Key', 'X-Auth-Token'] as const;

function valued(names: readonly string[], value: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

const otherCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

const plain = { write: (token: string) => token, inShell: (variable: string) => `$${variable}` };

const ways = {
  'other scheme': {
    write: (token) => `Basic ${token}`,
    inShell: (variable) => `Basic $${variable}`,
    put: authorization,
  },
  'user name': {
    write: (token) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
    inShell: (variable) => `Basic $(printf %s "$${variable}:" | base64 -w0)`,
    put: authorization,
  },
  'without a scheme': { ...plain, put: authorization },
  'cut short': {
    write: (token) => `Bearer ${token.slice(0, -1)}`,
    inShell: (variable) => `Bearer \${${variable}%?}`,
    put: authorization,
  },
  extended: {
    write: (token) => `Bearer ${token}suite`,
    inShell: (variable) => `Bearer \${${variable}}suite`,
    put: authorization,
  },
  'other case': {
    write: (token) => `Bearer ${otherCase(token)}`,
    inShell: (variable) => `Bearer $(printf %s "$${variable}" | tr a-zA-Z A-Za-z)`,
    put: authorization,
  },
  'followed by a word': {
    write: (token) => `Bearer ${token} suite`,
    inShell: (variable) => `Bearer $${variable} suite`,
    put: authorization,
  },
  query: { ...plain, put: (token) => ({ query: valued(parameters, token) }) },
  'other headers': {
    ...plain,
    put: (token) => ({
      headers: { Cookie: parameters.map((name) => `${name}=${token}`).join('; '), ...valued(headers, token) },
    }),
  },
} satisfies Record<string, Way>;

export type Presentation = keyof typeof ways;

const bearer: Way = {
  write: (token) => `Bearer ${token}`,
  inShell: (variable) => `Bearer $${variable}`,
  put: authorization,
};

const wayOf = (how: Presentation | undefined): Way => (how === undefined ? bearer : ways[how]);

/** Puts a token into a request. @param how default: as a bearer token */
export function present(token: string, how?: Presentation): Presented {
  return complete(wayOf(how), wayOf(how).write(token));
}

/** Like `present`, with a shell variable in place of the token. */
export function presentInShell(variable: string, how?: Presentation): Presented {
  return complete(wayOf(how), wayOf(how).inShell(variable));
}

function complete({ put }: Way, written: string): Presented {
  return { headers: {}, query: {}, ...put(written) };
}
