import { numberedId } from '../../engine/clause.js';
import type { TokenKind } from '../../engine/exchange.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../mutation/interceptor.js';
import {
  combine,
  hasFullToken,
  isRefused,
  listRefusedRecord,
  onData,
  onResponse,
  onSuccess,
  replaceWithError,
  replaceWithSuccess,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { mutantForEachOperation, operationCases } from '../operation-mutants.js';
import { otherScope } from './setups.js';

const isUnauthorized = (request: InterceptedRequest): boolean => !hasFullToken(request);

/** Makes a deposit show the status that it would have if a refused action had been performed. */
function showRefusedActionAsPerformed(pathSuffix: string, status: string): Interceptor {
  let path: string | undefined;
  return combine(
    onResponse(
      (request, response) => request.path.endsWith(pathSuffix) && !hasFullToken(request) && isRefused(response),
      (_response, request) => {
        path = request.path.replace(pathSuffix, '');
      },
    ),
    onData('GET', /^\/deposits\/\d+$/, (deposit, request) => {
      if (request.path === path) Object.assign(deposit, { status });
    }),
  );
}

/** Accepts tokens that are similar to the token with both scopes. Learns that token from the requests that have it. */
function acceptSimilarTokens(isSimilar: (presented: string, accepted: string) => boolean): Interceptor {
  const acceptedTokens = new Set<string>();
  return onResponse(({ token, headers: { authorization = '' } }) => {
    const presented = authorization.replace(/^Bearer /, '');
    // A value with a space has more than the token: another scheme before it, or a word after it.
    if (token === 'full' && !presented.includes(' ')) acceptedTokens.add(presented);
    return [...acceptedTokens].some((accepted) => accepted !== presented && isSimilar(presented, accepted));
  }, replaceWithSuccess);
}

/** Accepts a repeated request to create a deposit if it has this kind of token. */
function acceptReplays(tokenKind: TokenKind): Interceptor {
  const usedKeys = new Set<string>();
  return onResponse(
    ({ method, path }) => method === 'POST' && path === '/deposits',
    (response, { token, headers: { 'idempotency-key': key = '' } }) => {
      if (!isRefused(response)) usedKeys.add(key);
      else if (token === tokenKind && usedKeys.has(key)) replaceWithSuccess(response);
    },
  );
}

/** Sets fields of the object in `data` of a read, if its token can only read. */
const onDataOfReadToken = (path: string, fields: JsonObject): Interceptor =>
  onData('GET', path, (data, { token }) => {
    if (token === 'read') Object.assign(data, fields);
  });
const emptyPage = { data: [], total: 0 };

/** Reads that show nothing if the token can only read. The titles of the mutants begin with `defect`. */
const emptyReads: readonly (readonly [id: string, defect: string, interceptor: Interceptor])[] = [
  ['AUTH-ACCOUNT-01', 'The list of invoices is empty', onDataOfReadToken('/invoices', emptyPage)],
  ['AUTH-ACCOUNT-02', 'The statistics count no invoices', onDataOfReadToken('/invoices/stats', { total_invoices: 0 })],
  [
    'AUTH-ACCOUNT-03',
    'The overdue list is empty',
    onSuccess('GET', '/invoices/overdue', ({ body }, { token }) => {
      if (token === 'read') Object.assign(body, { data: [], count: 0 });
    }),
  ],
  ['AUTH-ACCOUNT-04', 'The list of payment links is empty', onDataOfReadToken('/payment-links', emptyPage)],
  ['AUTH-ACCOUNT-05', 'The list of payments is empty', onDataOfReadToken('/payments', emptyPage)],
  ['AUTH-ACCOUNT-06', 'The list of deposits is empty', onDataOfReadToken('/deposits', emptyPage)],
];

/** Lets the other account use an operation as if it were the account of the token with both scopes. */
function ignoreAccount(isCalledBy: (request: InterceptedRequest) => boolean): Interceptor {
  let ownAuthorization: string | undefined;
  return {
    request(request) {
      const { token, headers } = request;
      if (token === 'full') ownAuthorization = headers['authorization'];
      else if (token === 'otherAccount' && isCalledBy(request) && ownAuthorization !== undefined)
        headers['authorization'] = ownAuthorization;
    },
  };
}

/** Mutants for the clauses about other accounts: one for each operation that shows or changes existing records, in order. */
const mutantsOfIsolation: readonly MutantRow[] = operationCases
  .filter(({ id }) => !id.startsWith('create') && id !== 'getInvoiceStats')
  .map(({ name, isCalledBy }, index) => [
    numberedId('AUTH-ISOLATION', index + 1),
    `${name} does not check which account a record belongs to.`,
    () => ignoreAccount(isCalledBy),
  ]);

/** Mutants for the clauses about tokens and their scopes (AUTH). */
export const authenticationMutants: readonly MutantRow[] = [
  ...mutantForEachOperation(
    'AUTH-NOTOKEN',
    (name) => `${name} is accepted without a token.`,
    ({ isCalledBy }) => onResponse((request) => isCalledBy(request) && request.token === 'none', replaceWithSuccess),
  ),
  ...mutantForEachOperation(
    'AUTH-UNKNOWN',
    (name) => `${name} is accepted with a token that was never issued.`,
    ({ isCalledBy }) => onResponse((request) => isCalledBy(request) && request.token === 'unknown', replaceWithSuccess),
  ),
  ...mutantForEachOperation(
    'AUTH-SCOPE',
    (name) => `${name} is accepted whatever the scope of the token.`,
    ({ isCalledBy, scope }) =>
      onResponse((request) => isCalledBy(request) && request.token === otherScope[scope], replaceWithSuccess),
  ),
  ...mutantForEachOperation(
    'AUTH-ADMITS',
    (name) => `${name} is refused unless the token has both scopes.`,
    ({ isCalledBy, scope }) =>
      onResponse(
        (request, response) => isCalledBy(request) && request.token === scope && !isRefused(response),
        (response) => replaceWithError(response, 403),
      ),
  ),
  [
    'AUTH-UNCHANGED-01',
    'An invoice is created although the unauthorized request is refused.',
    () => listRefusedRecord('/invoices', 'reference', isUnauthorized),
  ],
  [
    'AUTH-UNCHANGED-02',
    'A payment link is created although the unauthorized request is refused.',
    () => listRefusedRecord('/payment-links', 'description', isUnauthorized),
  ],
  [
    'AUTH-UNCHANGED-03',
    'A deposit is created although the unauthorized request is refused.',
    () => listRefusedRecord('/deposits', 'booking_reference', isUnauthorized),
  ],
  [
    'AUTH-UNCHANGED-04',
    'A deposit is captured although the unauthorized request is refused.',
    () => showRefusedActionAsPerformed('/capture', 'captured'),
  ],
  [
    'AUTH-UNCHANGED-05',
    'A deposit is released although the unauthorized request is refused.',
    () => showRefusedActionAsPerformed('/release', 'released'),
  ],
  [
    'AUTH-TOKEN-01',
    'A prefix of a token is accepted.',
    // A request without a token presents an empty string, which is a prefix of every token.
    () => acceptSimilarTokens((presented, accepted) => presented !== '' && accepted.startsWith(presented)),
    { runsAfter: 'INV-STATS-01' },
  ],
  [
    'AUTH-TOKEN-02',
    'A string that begins with a valid token is accepted.',
    () => acceptSimilarTokens((presented, accepted) => !presented.includes(' ') && presented.startsWith(accepted)),
    { runsAfter: 'INV-STATS-01' },
  ],
  [
    'AUTH-TOKEN-03',
    'Tokens are compared case-insensitively.',
    () => acceptSimilarTokens((presented, accepted) => presented.toLowerCase() === accepted.toLowerCase()),
    { runsAfter: 'INV-STATS-01' },
  ],
  [
    'AUTH-TOKEN-04',
    'Any two words after `Bearer` are accepted.',
    onResponse(({ headers: { authorization = '' } }) => /^Bearer \S+ \S/.test(authorization), replaceWithSuccess),
  ],
  [
    'AUTH-TOKEN-05',
    'A token is also accepted without a scheme.',
    onResponse(({ headers: { authorization = '' } }) => /^[^ ]+$/.test(authorization), replaceWithSuccess),
  ],
  [
    'AUTH-TOKEN-06',
    'A token is also accepted as the user name of the `Basic` scheme.',
    onResponse(
      // The proxy does not recognize a token in Base64, so it counts as `unknown`.
      ({ token, headers: { authorization = '' } }) => token === 'unknown' && /^Basic /.test(authorization),
      replaceWithSuccess,
    ),
  ],
  [
    'AUTH-TOKEN-07',
    'A token is also accepted in the query.',
    onResponse(({ query }) => query.has('access_token'), replaceWithSuccess),
  ],
  [
    'AUTH-TOKEN-08',
    'A token is also accepted in a cookie.',
    onResponse(({ headers: { cookie = '' } }) => cookie.includes('token='), replaceWithSuccess),
  ],
  [
    'AUTH-TOKEN-09',
    'An empty token is accepted.',
    onResponse(({ headers: { authorization = '' } }) => /^Bearer\s*$/.test(authorization), replaceWithSuccess),
  ],
  [
    'AUTH-TOKEN-10',
    'The word `undefined` is accepted as a token.',
    onResponse(({ headers: { authorization } }) => authorization === 'Bearer undefined', replaceWithSuccess),
  ],
  [
    'AUTH-TOKEN-12',
    'The word `null` is accepted as a token.',
    onResponse(({ headers: { authorization } }) => authorization === 'Bearer null', replaceWithSuccess),
  ],
  [
    'AUTH-TOKEN-11',
    'A path that ends with a slash needs no token.',
    onResponse(({ path, token }) => path.endsWith('/') && token === 'none', replaceWithSuccess),
  ],
  [
    'AUTH-TOKEN-13',
    'A path that ends with `.json` needs no token.',
    onResponse(({ path, token }) => path.endsWith('.json') && token === 'none', replaceWithSuccess),
  ],
  ...emptyReads.map(
    ([id, defect, interceptor]): MutantRow => [id, `${defect} if the token can only read.`, interceptor],
  ),
  ...mutantsOfIsolation,
  [
    'AUTH-REPLAY-01',
    'A repeated request to create a deposit is accepted without a token.',
    () => acceptReplays('none'),
  ],
  [
    'AUTH-REPLAY-03',
    'A repeated request to create a deposit is accepted with a token that was never issued.',
    () => acceptReplays('unknown'),
  ],
  [
    'AUTH-REPLAY-02',
    'A repeated request to create a deposit is accepted with a token that only allows reading.',
    () => acceptReplays('read'),
  ],
  [
    'AUTH-HEADER-01',
    'A token is also accepted unencoded after `Basic`.',
    onResponse(
      ({ token, headers: { authorization = '' } }) => token === 'full' && authorization.startsWith('Basic'),
      replaceWithSuccess,
    ),
  ],
  [
    'AUTH-HEADER-02',
    'A token without any scope may create deposits.',
    onResponse(
      ({ method, path, token }) => method === 'POST' && path === '/deposits' && token === 'scopeless',
      replaceWithSuccess,
    ),
  ],
];
