import { onAny } from './invoice-patches.js';
import type { Answered, Patch } from './patched.js';

const limit = 'x-ratelimit-limit';
const remaining = 'x-ratelimit-remaining';
const reset = 'x-ratelimit-reset';

type Headers = Answered['headers'];

const headers = (change: (headers: Headers) => void): Patch =>
  onAny(
    () => true,
    (answered) => change(answered.headers),
  );
const without = (name: string): Patch => headers((all) => void delete all[name]);
const unknown = (name: string): Patch =>
  onAny(
    ({ headers: { authorization } }) => authorization === undefined,
    (answered) => void delete answered.headers[name],
  );
const is = (name: string, value: (all: Headers) => string): Patch =>
  headers((all) => {
    all[name] = value(all);
  });
const inSeconds = (seconds: number): string => String(Math.ceil(Date.now() / 1_000) + seconds);

/** A limit of 100 requests for ever; each request beyond it is refused, which may be done wrong. */
function limited(change: (answered: Answered) => void): Patch {
  let passed = 0;
  return onAny(
    () => true,
    (answered) => {
      passed += 1;
      if (passed <= 100) return;
      answered.status = 429;
      answered.body = { success: false, error: 'Too Many Attempts.' };
      Object.assign(answered.headers, { [limit]: '100', [remaining]: '0', [reset]: inSeconds(1), 'retry-after': '1' });
      change(answered);
    },
  );
}

/** What a target may do wrong with its limits, by the clause that has to see it. */
export const brokenLimits: Readonly<Record<string, Patch>> = {
  'RATE-HEADER-01': without(limit),
  'RATE-HEADER-02': without(remaining),
  'RATE-HEADER-03': without(reset),
  'RATE-HEADER-04': unknown(limit),
  'RATE-HEADER-05': unknown(remaining),
  'RATE-HEADER-06': unknown(reset),
  'RATE-FORM-01': is(limit, () => 'sixty'),
  'RATE-FORM-02': is(remaining, () => '-1'),
  'RATE-FORM-03': is(reset, () => 'soon'),
  'RATE-FORM-04': is(remaining, (all) => String(Number(all[limit]) + 1)),
  'RATE-COUNT-01': is(remaining, (all) => String(all[limit])),
  'RATE-LIMIT-01': headers(
    (all) => void Object.assign(all, { [limit]: '30', [remaining]: '29', [reset]: inSeconds(60) }),
  ),
  'RATE-RESET-01': is(reset, () => '2020-01-01T00:00:00Z'),
  // The simulator of these tests refuses nothing.
  'RATE-EXCESS-01': {},
  'RATE-EXCESS-02': limited(({ body }) => void delete body['error']),
  'RATE-EXCESS-03': limited((answered) => void delete answered.headers[limit]),
  'RATE-EXCESS-04': limited((answered) => void Object.assign(answered.headers, { [remaining]: '40' })),
  'RATE-EXCESS-05': limited(() => undefined),
};
