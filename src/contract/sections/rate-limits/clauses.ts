import { Skip, Violation } from '../../engine/check-errors.js';
import { type Check, type Clause, numberedId } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { expectSuccess, isClientError } from '../../engine/expect.js';
import { millisecondsUntilReset, type ResetUnit, resetUnitOf, timeOfResponse } from '../../engine/pace.js';
import { retryClause } from '../../engine/retry-clause.js';
import type { ClauseContext } from '../../engine/session.js';
import { clockSkewMs, possibleClockSkewsMs } from '../clock.js';
import { newDeposit, postDeposit } from '../deposits/setups.js';
import { expectErrorEnvelope } from '../envelope/setups.js';
import { errorQuotes, rateHeaderQuotes } from '../field-quotes.js';
import { expectEachResponse, responsesSoFar, someResponsesSoFar } from '../responses.js';
import {
  expectEachWithHeaders,
  type Header,
  hasValidHeader,
  headerFormats,
  headerNumber,
  headerOf,
  missingHeadersSkip,
  rateLimitHeaders,
} from './headers.js';
import { burstPerMinute, requestsBeyondLimit, responseAfterReset, responseBeyondLimit } from './setups.js';

const common = { level: 'documented', operation: null, spec: 'Limits' } as const;
/** Common to clauses that read the responses to earlier requests. */
const commonOfReaders = { ...common, readsEarlierResponses: true } as const;

const headersSentence = 'Every response carries the rate-limit headers:';
const standardRow = '| Standard request rate | 60 requests per minute | all endpoints |';
const burstRow = '| Burst request rate | 100 requests per minute, temporary | all endpoints |';

/** Specification, Limits: this many requests are allowed in a minute, apart from bursts. */
const standardPerMinute = 60;

/**
 * Tolerances for slow responses and rounding, in milliseconds. If the clock of the target is unknown, its difference
 * from real time is tolerated, too.
 */
const resetTolerancesMs = { knownClock: 30_000, unknownClock: 120_000 };

/**
 * True if a request has a token that the service knows, in the usual header. The specification does not say how other
 * requests are counted.
 */
const hasKnownToken = ({ call: { token = 'full', tokenStyle } }: Exchange): boolean =>
  tokenStyle === undefined && token !== 'none' && token !== 'unknown';

const someResponsesWithKnownToken = async (context: ClauseContext): Promise<Exchange[]> =>
  (await someResponsesSoFar(context)).filter(hasKnownToken);

/** Leaves out responses for another account, whose clock may show another time. */
const someResponsesWithKnownClock = async (context: ClauseContext): Promise<Exchange[]> =>
  (await someResponsesWithKnownToken(context)).filter(({ call }) => call.token !== 'otherAccount');

/**
 * Creates a check that a header is present in every response so far to requests with a known token, or to requests
 * without one. Sends a request if there has been no such response.
 */
function expectHeader(name: Header, { isTokenKnown }: { readonly isTokenKnown: boolean }): Check {
  return async (context) => {
    const select = (): Exchange[] =>
      responsesSoFar(context).filter((exchange) => hasKnownToken(exchange) === isTokenKnown);
    if (select().length === 0) await context.get('/invoices?per_page=1', { token: isTokenKnown ? 'full' : 'none' });
    const selected = select();
    if (selected.length === 0)
      throw new Skip({
        missing: `a response to a request ${isTokenKnown ? 'with' : 'without'} a known token`,
        reason: 'there was none',
      });
    expectEachResponse(context, selected, (exchange) => {
      if (headerOf(exchange, name) === undefined) throw new Violation(`an ${name} header`, undefined, exchange);
    });
  };
}

/**
 * Compares consecutive responses to the same token: counts how often the number of remaining requests decreased, and
 * how often it did not although it was above 0 before.
 * @param isCounted decides by the later response whether a pair counts
 */
function countDecreases(
  exchanges: readonly Exchange[],
  isCounted: (exchange: Exchange) => boolean,
): { decreases: number; others: number } {
  const lastRemaining = new Map<string, number>();
  const counts = { decreases: 0, others: 0 };
  for (const exchange of exchanges) {
    const { token = 'full' } = exchange.call;
    const remaining = headerNumber(exchange, 'X-RateLimit-Remaining');
    const previous = lastRemaining.get(token) ?? 0;
    if (previous > 0 && isCounted(exchange)) counts[remaining < previous ? 'decreases' : 'others'] += 1;
    lastRemaining.set(token, remaining);
  }
  return counts;
}

/** The reset that a response announces. */
interface Reset {
  /** NaN if the headers do not announce the reset. */
  readonly msUntilReset: number;
  /** Time of the response, in milliseconds since 1970. */
  readonly respondedAt: number;
}

/** Reads the reset from a response. If the target's clock is unknown, assumes the possible clock closest to the reset. */
function resetOf({ headers }: Exchange, clockSkewsMs: readonly number[]): Reset {
  const [first = { msUntilReset: Number.NaN, respondedAt: Number.NaN }, ...others] = clockSkewsMs.map((skewMs) => ({
    msUntilReset: millisecondsUntilReset(headers, skewMs),
    respondedAt: timeOfResponse(headers) + skewMs,
  }));
  return others.reduce(
    (closest, reset) => (Math.abs(reset.msUntilReset) < Math.abs(closest.msUntilReset) ? reset : closest),
    first,
  );
}

/** @throws Violation unless `X-RateLimit-Reset` has the same unit in all responses */
function expectSameResetUnit(responses: readonly Exchange[]): void {
  let firstUnit: ResetUnit | undefined;
  for (const response of responses) {
    const value = headerOf(response, 'X-RateLimit-Reset') ?? '';
    const unit = resetUnitOf(value);
    firstUnit ??= unit;
    if (unit !== undefined && unit !== firstUnit)
      throw new Violation(`X-RateLimit-Reset to be ${firstUnit}`, `${value}, which is ${unit}`, response);
  }
}

/** Number of requests over which `X-RateLimit-Remaining` must decrease. The first of them shows the initial value. */
const seriesLength = 6;

/** If more requests than this may have become available again during the series, the number need not have decreased. */
const maxRefilled = seriesLength - 3;

/** Sends requests faster than a conforming limit refills, and expects `X-RateLimit-Remaining` to decrease. */
async function expectCountdown(send: () => Promise<Exchange>): Promise<void> {
  const startedAt = performance.now();
  const responses: Exchange[] = [];
  for (let sent = 0; sent < seriesLength; sent++) responses.push(await send());
  const refilledCount = ((performance.now() - startedAt) / 60_000) * burstPerMinute;
  const [first, last] = [responses.at(0), responses.at(-1)].map((response) =>
    response && hasValidHeader(response, 'X-RateLimit-Remaining')
      ? headerNumber(response, 'X-RateLimit-Remaining')
      : undefined,
  );
  if (first === undefined || last === undefined) throw missingHeadersSkip('X-RateLimit-Remaining');
  if (last < first) return;
  if (first === 0 || last === 0) throw new Skip({ missing: 'remaining requests', reason: 'the window is used up' });
  if (refilledCount > maxRefilled)
    throw new Skip({ missing: 'a faster target', reason: 'the limit may refill as fast as it is used' });
  throw new Violation(`fewer than ${first} requests to remain after ${seriesLength - 1} more`, last, responses.at(-1));
}

/**
 * Creates a check that the number of remaining requests decreases with requests of a method.
 * @param send sends a request of the method, in case the requests so far do not show a decrease
 */
function expectCounted(method: Exchange['call']['method'], send: (context: ClauseContext) => Promise<Exchange>): Check {
  return async (context) => {
    const { decreases, others } = countDecreases(
      await someResponsesWithKnownToken(context),
      ({ call }) => call.method === method,
    );
    // Most pairs must show a decrease; otherwise, a series of requests decides. Not every pair needs to show one,
    // because a reset of the window can hide it. A few decreases are not enough: if tokens share a window, requests
    // with another token cause decreases, too.
    if (decreases <= others) await retryClause(() => expectCountdown(() => send(context)));
  };
}

const errorEnvelope = { spec: 'Errors', quote: `${errorQuotes.success} … ${errorQuotes.error}` } as const;

/** Clauses about exceeding the limit, which run only with `--include rate-limit`. */
const excessClauses: readonly (readonly [
  number: string,
  source: Pick<Clause, 'quote'> | typeof errorEnvelope,
  title: string,
  check: Check,
])[] = [
  [
    '01',
    { quote: burstRow },
    'Requests beyond the limit are refused.',
    async (context) => {
      const { acceptedCount, last, refused } = await context.use(requestsBeyondLimit);
      if (!refused)
        throw new Violation(
          `at most ${burstPerMinute} requests to be accepted in a minute`,
          `${acceptedCount} that were accepted`,
          last,
        );
      // The specification does not define the status: some gateways use 503. Other server errors are failures.
      if (!isClientError(refused) && refused.status !== 503)
        throw new Violation('a refusal (4xx or 503)', `status ${refused.status}`, refused);
    },
  ],
  [
    '02',
    errorEnvelope,
    'A request beyond the limit is refused with the error envelope.',
    async (context) => expectErrorEnvelope(await context.use(responseBeyondLimit)),
  ],
  [
    '03',
    { quote: headersSentence },
    'The response to a request beyond the limit has the rate-limit headers, in the same format as other responses.',
    async (context) => {
      const refused = await context.use(responseBeyondLimit);
      for (const [_number, name, description, isMatch] of headerFormats) {
        const value = headerOf(refused, name);
        if (value === undefined) throw new Violation(`an ${name} header`, undefined, refused);
        if (!isMatch(value)) throw new Violation(`${name} to be ${description}`, value, refused);
      }
      expectSameResetUnit([...responsesSoFar(context).filter(hasKnownToken), refused]);
    },
  ],
  [
    '04',
    { quote: rateHeaderQuotes['X-RateLimit-Remaining'] },
    'No request is refused while `X-RateLimit-Remaining` is above 0.',
    async (context) => {
      const refused = await context.use(responseBeyondLimit);
      expectEachWithHeaders(context, [refused], ['X-RateLimit-Remaining'], () => {
        const remaining = headerNumber(refused, 'X-RateLimit-Remaining');
        if (remaining > 0) throw new Violation('`X-RateLimit-Remaining` to be 0', remaining, refused);
      });
    },
  ],
  [
    '05',
    { quote: rateHeaderQuotes['X-RateLimit-Reset'] },
    'Requests are accepted again after the window has reset.',
    async (context) => expectSuccess(await context.use(responseAfterReset)),
  ],
];

/**
 * Rate limits. These clauses run last, since they read all earlier responses, and those that exceed the limit use up
 * the window. Only passive probes, which send no additional requests, run after them.
 */
export const rateLimitClauses: readonly Clause[] = [
  ...rateLimitHeaders.map(
    (name, index): Clause => ({
      ...commonOfReaders,
      id: numberedId('RATE-HEADER', index + 1),
      quote: headersSentence,
      title: `Every response to a request with a known token has \`${name}\`.`,
      check: expectHeader(name, { isTokenKnown: true }),
    }),
  ),
  ...rateLimitHeaders.map(
    (name, index): Clause => ({
      ...commonOfReaders,
      id: numberedId('RATE-HEADER', index + 4),
      quote: headersSentence,
      title: `The response to a request without a known token also has \`${name}\`.`,
      check: expectHeader(name, { isTokenKnown: false }),
    }),
  ),
  ...headerFormats.map(
    ([number, name, description, isMatch]): Clause => ({
      ...commonOfReaders,
      id: `RATE-FORM-${number}`,
      quote: rateHeaderQuotes[name],
      title: `\`${name}\` is ${description}.`,
      check: async (context) => {
        const responses = (await someResponsesSoFar(context)).filter(
          (exchange) => headerOf(exchange, name) !== undefined,
        );
        if (responses.length === 0) throw missingHeadersSkip(name);
        expectEachResponse(context, responses, (exchange) => {
          const value = headerOf(exchange, name) ?? '';
          if (!isMatch(value)) throw new Violation(`${name} to be ${description}`, value, exchange);
        });
      },
    }),
  ),
  {
    ...commonOfReaders,
    id: 'RATE-FORM-04',
    quote: rateHeaderQuotes['X-RateLimit-Remaining'],
    title: '`X-RateLimit-Remaining` is at most `X-RateLimit-Limit`.',
    check: async (context) => {
      const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining'] as const;
      expectEachWithHeaders(context, await someResponsesSoFar(context), names, (exchange) => {
        const limit = headerNumber(exchange, 'X-RateLimit-Limit');
        const remaining = headerNumber(exchange, 'X-RateLimit-Remaining');
        if (remaining > limit) throw new Violation(`X-RateLimit-Remaining to be at most ${limit}`, remaining, exchange);
      });
    },
  },
  {
    ...commonOfReaders,
    id: 'RATE-FORM-05',
    quote: rateHeaderQuotes['X-RateLimit-Reset'],
    title: '`X-RateLimit-Reset` has the same unit in all responses to requests with a known token.',
    check: async (context) => {
      const responses = await someResponsesWithKnownToken(context);
      // Skips the clause if no response has a valid header.
      expectEachWithHeaders(context, responses, ['X-RateLimit-Reset'], () => undefined);
      expectSameResetUnit(responses);
    },
  },
  {
    ...commonOfReaders,
    id: 'RATE-COUNT-01',
    quote: rateHeaderQuotes['X-RateLimit-Remaining'],
    title: '`X-RateLimit-Remaining` decreases as requests are sent.',
    check: expectCounted('GET', (context) => context.get('/invoices?per_page=1')),
  },
  {
    ...commonOfReaders,
    id: 'RATE-COUNT-02',
    quote: standardRow,
    title: '`X-RateLimit-Remaining` also decreases as POST requests are sent.',
    check: expectCounted('POST', async (context) => {
      // A repeated create request creates no further deposit.
      const { key, body } = await context.use(newDeposit);
      return postDeposit(context, key, body);
    }),
  },
  {
    ...commonOfReaders,
    id: 'RATE-LIMIT-01',
    quote: standardRow,
    title: 'At least 60 requests a minute are allowed.',
    check: async (context) => {
      const skewMs = await context.use(clockSkewMs);
      const possibleSkewsMs = await context.use(possibleClockSkewsMs);
      const responses = await someResponsesWithKnownClock(context);
      let hasUsableResponse = false;
      expectEachWithHeaders(context, responses, rateLimitHeaders, (exchange) => {
        const limit = headerNumber(exchange, 'X-RateLimit-Limit');
        const secondsUntilReset = resetOf(exchange, possibleSkewsMs).msUntilReset / 1_000;
        // The length of a window is not documented, but it is at least the time until its reset. If the window is used
        // up, the reset time is ignored, since it may include an extra wait. A reset after more than a day is not
        // plausible, so that it says nothing about the window.
        const isUsable = headerNumber(exchange, 'X-RateLimit-Remaining') > 0 && secondsUntilReset < 86_400;
        hasUsableResponse ||= isUsable;
        const isClockRelevant = resetUnitOf(headerOf(exchange, 'X-RateLimit-Reset') ?? '') !== 'seconds left';
        // Two seconds allow for rounding.
        const toleranceSeconds = isClockRelevant && skewMs === undefined ? 30 : 2;
        if (isUsable && limit < (secondsUntilReset - toleranceSeconds) * (standardPerMinute / 60)) {
          const minimum = Math.ceil((secondsUntilReset * standardPerMinute) / 60);
          throw new Violation(
            `X-RateLimit-Limit to be at least ${minimum}, with ${secondsUntilReset} s until the reset`,
            limit,
            exchange,
          );
        }
      });
      if (!hasUsableResponse)
        throw new Skip({
          missing: 'remaining requests before a reset within a day',
          reason: 'the headers of no response announce them',
        });
    },
  },
  {
    ...common,
    id: 'RATE-LIMIT-02',
    quote: burstRow,
    title: 'Bursts of 100 requests per minute are allowed temporarily.',
    check: { untestable: 'the specification does not say how the burst allowance is granted' },
  },
  {
    ...commonOfReaders,
    id: 'RATE-RESET-01',
    quote: rateHeaderQuotes['X-RateLimit-Reset'],
    title: 'The reset time is not in the past.',
    check: async (context) => {
      const skewMs = await context.use(clockSkewMs);
      const toleranceMs = skewMs === undefined ? resetTolerancesMs.unknownClock : resetTolerancesMs.knownClock;
      const possibleSkewsMs = await context.use(possibleClockSkewsMs);
      const responses = await someResponsesWithKnownClock(context);
      expectEachWithHeaders(context, responses, ['X-RateLimit-Reset'], (exchange, value) => {
        const { msUntilReset, respondedAt } = resetOf(exchange, possibleSkewsMs);
        if (msUntilReset < -toleranceMs) {
          throw new Violation(
            `X-RateLimit-Reset not to be before ${new Date(respondedAt).toISOString()}, the time of the response`,
            value,
            exchange,
          );
        }
      });
    },
  },
  ...excessClauses.map(
    ([number, source, title, check]): Clause => ({ ...common, ...source, id: `RATE-EXCESS-${number}`, title, check }),
  ),
];
