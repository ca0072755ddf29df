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
const toReaders = (change: (headers: Headers) => void): Interceptor =>
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
function lasting(): Interceptor {
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
  ['RATE-HEADER-01', 'No success tells the limit.', () => without(limit)],
  ['RATE-HEADER-02', 'No success tells how many requests remain.', () => without(remaining)],
  ['RATE-HEADER-03', 'No success tells when the window resets.', () => without(reset)],
  ['RATE-HEADER-04', 'Requests without a token do not get the limit.', () => unknown(limit), 'AUTH-NOTOKEN-01'],
  [
    'RATE-HEADER-05',
    'Requests without a token do not get the number of remaining requests.',
    () => unknown(remaining),
    'AUTH-NOTOKEN-01',
  ],
  [
    'RATE-HEADER-06',
    'Requests without a token do not get the time of the reset.',
    () => unknown(reset),
    'AUTH-NOTOKEN-01',
  ],
  ['RATE-FORM-01', 'The limit is written in words.', () => is(limit, () => 'sixty')],
  ['RATE-FORM-02', 'Less than no request remains.', () => is(remaining, () => '-1')],
  ['RATE-FORM-03', 'The reset is written in words.', () => is(reset, () => 'soon')],
  [
    'RATE-FORM-04',
    'To who may only read, more requests remain than the limit allows.',
    () => toReaders((all) => void Object.assign(all, { [remaining]: String(Number(all[limit]) + 1) })),
    'AUTH-ADMITS-01',
  ],
  [
    'RATE-COUNT-01',
    'As many requests remain as there were at first.',
    () =>
      onAny(
        (_asked, { status }) => status !== 429,
        ({ headers: all }) => void Object.assign(all, { [remaining]: all[limit] }),
      ),
  ],
  [
    'RATE-LIMIT-01',
    'Who may only read may do so 30 times a minute.',
    () => toReaders((all) => void Object.assign(all, { [limit]: '30', [remaining]: '29', [reset]: inSeconds(60) })),
    'AUTH-ADMITS-01',
  ],
  ['RATE-RESET-01', 'The window has reset years ago.', () => is(reset, () => '2020-01-01T00:00:00Z')],
  ['RATE-EXCESS-01', 'Nothing is refused, however much is asked for.', () => onExcess(accept)],
  [
    'RATE-EXCESS-02',
    'The refusal of too many requests has no `error`.',
    () => onExcess(({ body }) => void delete body['error']),
  ],
  [
    'RATE-EXCESS-03',
    'The refusal of too many requests does not tell the limit.',
    () => onExcess((response) => void delete response.headers[limit]),
  ],
  [
    'RATE-EXCESS-04',
    'Requests are refused while 40 are said to remain.',
    () => onExcess(({ headers: all }) => void Object.assign(all, { [remaining]: '40' })),
  ],
  ['RATE-EXCESS-05', 'Who has once asked too much is refused for good.', lasting],
]);
