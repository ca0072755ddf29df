import { type Operation, operations } from '../../engine/operations.js';
import type { InterceptedRequest, InterceptedResponse, Interceptor } from '../../mutation/interceptor.js';
import { accept, chain, onAny, onList, onRecord, refuse } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf, numbered, type Row } from '../../mutation/mutant.js';

/** An operation. Its position in the document numbers its clauses. */
export interface OperationCase {
  readonly number: number;
  readonly name: string;
  readonly scope: Operation['scope'];
  readonly isSelected: (request: InterceptedRequest) => boolean;
}

export const everyOperation: readonly OperationCase[] = operations.map(({ method, path, scope }, index) => {
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '\\d+')}$`);
  return {
    number: index + 1,
    name: `${method} ${path}`,
    scope,
    isSelected: (request) => request.method === method && pattern.test(request.path),
  };
});

/** A mutant for each operation. */
export function forEachOperation(
  topic: string,
  title: (name: string) => string,
  interceptor: (meant: OperationCase) => Interceptor,
): Mutant[] {
  return mutantsOf(
    everyOperation.map((meant): Row => [numbered(topic, meant.number), title(meant.name), () => interceptor(meant)]),
  );
}

const otherThan = { read: 'write', write: 'read' } as const;

export const isRefused = ({ status }: InterceptedResponse): boolean => status >= 400;
const isStranger = ({ token }: InterceptedRequest): boolean => token !== 'full';

/** A list contains a record whose creation was refused. */
function listRefusedRecord(path: string, field: string): Interceptor {
  let text: unknown;
  return chain(
    onAny(
      (request, response) =>
        request.method === 'POST' && request.path === path && isStranger(request) && isRefused(response),
      (_answered, { body }) => {
        text = body[field];
      },
    ),
    onList(path, (rows) => (text === undefined ? rows : [...rows, { id: 1, [field]: text }])),
  );
}

/** An action on a deposit is carried out although it was refused. */
function performRefusedAction(action: string, status: string): Interceptor {
  let path: string | undefined;
  return chain(
    onAny(
      (request, response) => request.path.endsWith(action) && isStranger(request) && isRefused(response),
      (_answered, request) => {
        path = request.path.replace(action, '');
      },
    ),
    onRecord('GET', /^\/deposits\/\d+$/, (deposit, request) => {
      if (request.path === path) Object.assign(deposit, { status });
    }),
  );
}

/** Accepts tokens similar to one that was accepted before. */
function acceptSimilarTokens(isLike: (given: string, known: string) => boolean): Interceptor {
  const known = new Set<string>();
  return onAny(({ token, headers: { authorization = '' } }) => {
    const given = authorization.replace(/^Bearer /, '');
    if (token === 'full' && !given.includes(' ')) known.add(given);
    return [...known].some((one) => one !== given && isLike(given, one));
  }, accept);
}

/** Mutants of authentication. */
export const accessMutants: readonly Mutant[] = [
  ...forEachOperation(
    'AUTH-NOTOKEN',
    (name) => `${name} is accepted without a token.`,
    ({ isSelected }) => onAny((request) => isSelected(request) && request.token === 'none', accept),
  ),
  ...forEachOperation(
    'AUTH-UNKNOWN',
    (name) => `${name} is accepted with a token that was never issued.`,
    ({ isSelected }) => onAny((request) => isSelected(request) && request.token === 'unknown', accept),
  ),
  ...forEachOperation(
    'AUTH-SCOPE',
    (name) => `${name} is accepted whatever the scope of the token.`,
    ({ isSelected, scope }) => onAny((request) => isSelected(request) && request.token === otherThan[scope], accept),
  ),
  ...forEachOperation(
    'AUTH-ADMITS',
    (name) => `${name} is refused unless the token has both scopes.`,
    ({ isSelected, scope }) =>
      onAny(
        (request, response) => isSelected(request) && request.token === scope && !isRefused(response),
        (response) => refuse(response, 403),
      ),
  ),
  ...mutantsOf([
    [
      'AUTH-UNCHANGED-01',
      'An invoice is created all the same when a stranger is refused.',
      () => listRefusedRecord('/invoices', 'reference'),
    ],
    [
      'AUTH-UNCHANGED-02',
      'A payment link is created all the same when a stranger is refused.',
      () => listRefusedRecord('/payment-links', 'description'),
    ],
    [
      'AUTH-UNCHANGED-03',
      'A deposit is created all the same when a stranger is refused.',
      () => listRefusedRecord('/deposits', 'booking_reference'),
    ],
    [
      'AUTH-UNCHANGED-04',
      'A deposit is captured all the same when a stranger is refused.',
      () => performRefusedAction('/capture', 'captured'),
    ],
    [
      'AUTH-UNCHANGED-05',
      'A deposit is released all the same when a stranger is refused.',
      () => performRefusedAction('/release', 'released'),
    ],
    [
      'AUTH-TOKEN-01',
      'The beginning of a token is enough.',
      () => acceptSimilarTokens((given, known) => given.length > 3 && known.startsWith(given)),
      'INV-STATS-01',
    ],
    [
      'AUTH-TOKEN-02',
      'Whatever begins as a token does counts as one.',
      () => acceptSimilarTokens((given, known) => !given.includes(' ') && given.startsWith(known)),
      'INV-STATS-01',
    ],
    [
      'AUTH-TOKEN-03',
      'The case of the letters of a token does not count.',
      () => acceptSimilarTokens((given, known) => given.toLowerCase() === known.toLowerCase()),
      'INV-STATS-01',
    ],
    [
      'AUTH-TOKEN-04',
      'Of what follows `Bearer`, the first word counts.',
      () => onAny(({ headers: { authorization = '' } }) => /^Bearer \S+ \S/.test(authorization), accept),
    ],
    [
      'AUTH-TOKEN-05',
      'A token counts without a scheme, too.',
      () => onAny(({ headers: { authorization = '' } }) => /^[^ ]+$/.test(authorization), accept),
    ],
    [
      'AUTH-TOKEN-06',
      'A token counts as a user name, too.',
      () =>
        onAny(
          ({ token, headers: { authorization = '' } }) => token === 'unknown' && /^Basic /.test(authorization),
          accept,
        ),
    ],
    [
      'AUTH-TOKEN-07',
      'A token counts in the query, too.',
      () => onAny(({ query }) => query.has('access_token'), accept),
    ],
    [
      'AUTH-TOKEN-08',
      'A token counts in a cookie, too.',
      () => onAny(({ headers: { cookie = '' } }) => cookie.includes('token='), accept),
    ],
    [
      'AUTH-HEADER-01',
      'A token counts by whatever scheme it is presented.',
      () =>
        onAny(
          ({ token, headers: { authorization = '' } }) => token === 'full' && authorization.startsWith('Basic'),
          accept,
        ),
    ],
    [
      'AUTH-HEADER-02',
      'A token without a scope may do anything.',
      () => onAny(({ token }) => token === 'scopeless', accept),
    ],
  ]),
];
