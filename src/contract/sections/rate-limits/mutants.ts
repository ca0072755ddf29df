import type { InterceptedResponse, Interceptor } from '../../mutation/interceptor.js';
import { accept, onAny, refuse } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

const limit = 'x-ratelimit-limit';
const remaining = 'x-ratelimit-remaining';
const reset = 'x-ratelimit-reset';

type Headers = InterceptedResponse['headers'];

const headers = (change: (headers: Headers) => void): Interceptor =>
  onAny(
    () => true,
    (response) => change(response.headers),
  );
const without = (name: string): Interceptor =>
  onAny(
    ({ token }, { status }) => token === 'full' && status < 400,
    (response) => void delete response.headers[name],
  );
const unknown = (name: string): Interceptor =>
  onAny(
    ({ token }) => token === 'none',
    (response) => void delete response.headers[name],
  );
/** Changes responses to read-only tokens. */
const onReadOnlyToken = (change: (headers: Headers) => void): Interceptor =>
  onAny(
    ({ token }) => token === 'read',
    (response) => change(response.headers),
  );
const is = (name: string, value: (all: Headers) => string): Interceptor =>
  headers((all) => {
    all[name] = value(all);
  });
const inSeconds = (seconds: number): string => String(Math.ceil(Date.now() / 1_000) + seconds);

/** Changes the response to a request that exceeds the limit. */
const onExcess = (change: (response: InterceptedResponse) => void): Interceptor =>
  onAny((_asked, { status }) => status === 429, change);

/** A client that exceeded the limit once is refused forever. */
function refuseForever(): Interceptor {
  let isOver = false;
  return {
    answer(response) {
      isOver ||= response.status === 429;
      if (!isOver || response.status === 429) return;
      refuse(response, 429);
      Object.assign(response.headers, { [remaining]: '0', [reset]: inSeconds(0), 'retry-after': '0' });
    },
  };
}

/** Mutants of limits. */
export const limitMutants: readonly Mutant[] = mutantsOf([
  ['RATE-HEADER-01', 'Successful responses lack the limit.', () => without(limit)],
  ['RATE-HEADER-02', 'Successful responses lack the number of remaining requests.', () => without(remaining)],
  ['RATE-HEADER-03', 'Successful responses lack the reset time.', () => without(reset)],
  ['RATE-HEADER-04', 'Responses to requests without a token lack the limit.', () => unknown(limit), 'AUTH-NOTOKEN-01'],
  [
    'RATE-HEADER-05',
    'Responses to requests without a token lack the number of remaining requests.',
    () => unknown(remaining),
    'AUTH-NOTOKEN-01',
  ],
  [
    'RATE-HEADER-06',
    'Responses to requests without a token lack the reset time.',
    () => unknown(reset),
    'AUTH-NOTOKEN-01',
  ],
  ['RATE-FORM-01', 'The limit is written in words.', () => is(limit, () => 'sixty')],
  ['RATE-FORM-02', 'The number of remaining requests is negative.', () => is(remaining, () => '-1')],
  ['RATE-FORM-03', 'The reset is written in words.', () => is(reset, () => 'soon')],
  [
    'RATE-FORM-04',
    'For a read-only token, more requests remain than the limit allows.',
    () => onReadOnlyToken((all) => void Object.assign(all, { [remaining]: String(Number(all[limit]) + 1) })),
    'AUTH-ADMITS-01',
  ],
  [
    'RATE-COUNT-01',
    'The number of remaining requests never changes.',
    () =>
      onAny(
        (_asked, { status }) => status !== 429,
        ({ headers: all }) => void Object.assign(all, { [remaining]: all[limit] }),
      ),
  ],
  [
    'RATE-LIMIT-01',
    'A read-only token is limited to 30 requests a minute.',
    () =>
      onReadOnlyToken((all) => void Object.assign(all, { [limit]: '30', [remaining]: '29', [reset]: inSeconds(60) })),
    'AUTH-ADMITS-01',
  ],
  ['RATE-RESET-01', 'The reset time is years ago.', () => is(reset, () => '2020-01-01T00:00:00Z')],
  ['RATE-EXCESS-01', 'The limit is never enforced.', () => onExcess(accept)],
  [
    'RATE-EXCESS-02',
    'The refusal of too many requests has no `error`.',
    () => onExcess(({ body }) => void delete body['error']),
  ],
  [
    'RATE-EXCESS-03',
    'The refusal of too many requests lacks the limit.',
    () => onExcess((response) => void delete response.headers[limit]),
  ],
  [
    'RATE-EXCESS-04',
    'Requests are refused while 40 remain.',
    () => onExcess(({ headers: all }) => void Object.assign(all, { [remaining]: '40' })),
  ],
  ['RATE-EXCESS-05', 'A client that exceeded the limit is refused forever.', refuseForever],
]);
