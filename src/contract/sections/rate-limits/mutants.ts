import type { InterceptedResponse, Interceptor } from '../../mutation/interceptor.js';
import { onResponse, replaceWithError, replaceWithSuccess } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';

const limitHeader = 'x-ratelimit-limit';
const remainingHeader = 'x-ratelimit-remaining';
const resetHeader = 'x-ratelimit-reset';

type ResponseHeaders = InterceptedResponse['headers'];

/** Removes a header from successful responses to requests with the full token; a mutant below covers the read-only token. */
const removeFromSuccesses = (name: string): Interceptor =>
  onResponse(
    ({ token }, { status }) => token === 'full' && status < 400,
    (response) => void delete response.headers[name],
  );
const removeForMissingToken = (name: string): Interceptor =>
  onResponse(
    ({ token }) => token === 'none',
    (response) => void delete response.headers[name],
  );
/** Changes responses to requests with the read-only token. */
const onReadOnlyToken = (change: (headers: ResponseHeaders) => void): Interceptor =>
  onResponse(
    ({ token }) => token === 'read',
    (response) => change(response.headers),
  );
const setHeader = (name: string, value: string): Interceptor =>
  onResponse(
    () => true,
    ({ headers }) => Object.assign(headers, { [name]: value }),
  );
/** The time that is this many seconds from now, in seconds since 1970. */
const secondsFromNow = (seconds: number): string => String(Math.ceil(Date.now() / 1_000) + seconds);

/** Changes the response to a request that exceeds the limit. */
const onExcess = (change: (response: InterceptedResponse) => void): Interceptor =>
  onResponse((_request, { status }) => status === 429, change);

/** Refuses all requests once the limit has been exceeded. */
function refuseForever(): Interceptor {
  let limitWasExceeded = false;
  return {
    response(response) {
      limitWasExceeded ||= response.status === 429;
      if (!limitWasExceeded || response.status === 429) return;
      replaceWithError(response, 429);
      Object.assign(response.headers, { [remainingHeader]: '0', [resetHeader]: secondsFromNow(0), 'retry-after': '0' });
    },
  };
}

/** Announces a large limit, from which only GET requests are subtracted. */
function countOnlyReads(): Interceptor {
  const limit = 100_000;
  let remaining = limit;
  return onResponse(
    (_request, { status }) => status !== 429,
    ({ headers }, { method }) => {
      if (method === 'GET') remaining -= 1;
      Object.assign(headers, { [limitHeader]: String(limit), [remainingHeader]: String(remaining) });
    },
  );
}

/**
 * Mutants for the clauses about rate limits (RATE). Where a clause only examines responses to requests of other clauses,
 * `runsAfter` names a clause that sends such a request.
 */
export const rateLimitMutants: readonly MutantRow[] = [
  ['RATE-HEADER-01', 'Successful responses lack `X-RateLimit-Limit`.', removeFromSuccesses(limitHeader)],
  ['RATE-HEADER-02', 'Successful responses lack `X-RateLimit-Remaining`.', removeFromSuccesses(remainingHeader)],
  ['RATE-HEADER-03', 'Successful responses lack `X-RateLimit-Reset`.', removeFromSuccesses(resetHeader)],
  [
    'RATE-HEADER-04',
    'Responses to requests without a token lack `X-RateLimit-Limit`.',
    removeForMissingToken(limitHeader),
    { runsAfter: 'AUTH-NOTOKEN-01' },
  ],
  [
    'RATE-HEADER-05',
    'Responses to requests without a token lack `X-RateLimit-Remaining`.',
    removeForMissingToken(remainingHeader),
    { runsAfter: 'AUTH-NOTOKEN-01' },
  ],
  [
    'RATE-HEADER-06',
    'Responses to requests without a token lack `X-RateLimit-Reset`.',
    removeForMissingToken(resetHeader),
    { runsAfter: 'AUTH-NOTOKEN-01' },
  ],
  ['RATE-FORM-01', '`X-RateLimit-Limit` is a word.', setHeader(limitHeader, 'sixty')],
  ['RATE-FORM-02', '`X-RateLimit-Remaining` is negative.', setHeader(remainingHeader, '-1')],
  ['RATE-FORM-03', '`X-RateLimit-Reset` is a word.', setHeader(resetHeader, 'soon')],
  [
    'RATE-FORM-04',
    'For a read-only token, more requests remain than the limit allows.',
    onReadOnlyToken((headers) =>
      Object.assign(headers, { [remainingHeader]: String(Number(headers[limitHeader]) + 1) }),
    ),
    { runsAfter: 'AUTH-ADMITS-01' },
  ],
  [
    'RATE-FORM-05',
    'For a read-only token, `X-RateLimit-Reset` is in milliseconds.',
    onReadOnlyToken((headers) =>
      Object.assign(headers, { [resetHeader]: String(Number(headers[resetHeader]) * 1_000) }),
    ),
    { runsAfter: 'AUTH-ADMITS-03' },
  ],
  [
    'RATE-COUNT-01',
    'The number of remaining requests never changes.',
    onResponse(
      (_request, { status }) => status !== 429,
      ({ headers }) => Object.assign(headers, { [remainingHeader]: headers[limitHeader] }),
    ),
  ],
  ['RATE-COUNT-02', 'POST requests are not counted.', countOnlyReads],
  [
    'RATE-LIMIT-01',
    'A read-only token is limited to 30 requests a minute.',
    onReadOnlyToken((headers) =>
      Object.assign(headers, { [limitHeader]: '30', [remainingHeader]: '29', [resetHeader]: secondsFromNow(60) }),
    ),
    { runsAfter: 'AUTH-ADMITS-01' },
  ],
  // The clause accepts an ISO 8601 time as well as seconds since 1970.
  ['RATE-RESET-01', 'The reset time is years ago.', setHeader(resetHeader, '2020-01-01T00:00:00Z')],
  ['RATE-EXCESS-01', 'The limit is never enforced.', onExcess(replaceWithSuccess)],
  ['RATE-EXCESS-02', 'The 429 response has no `error`.', onExcess(({ body }) => void delete body['error'])],
  [
    'RATE-EXCESS-03',
    'The 429 response lacks `X-RateLimit-Limit`.',
    onExcess((response) => void delete response.headers[limitHeader]),
  ],
  [
    'RATE-EXCESS-04',
    'Requests are refused while 40 remain.',
    onExcess(({ headers }) => Object.assign(headers, { [remainingHeader]: '40' })),
  ],
  ['RATE-EXCESS-05', 'A client that exceeded the limit is refused forever.', refuseForever],
];
