import type { Check, Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { aString, expectField, expectSuccess, expectValue } from '../../engine/expect.js';
import { millisecondsUntilReset } from '../../engine/pace.js';
import { retryClause } from '../../engine/retry-clause.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Skip, Violation } from '../../engine/verdict.js';
import { clockSkew } from '../clock.js';
import { everything, expectEach } from '../envelope/setups.js';
import { errorRows, rateHeaderRows } from '../field-rows.js';
import { afterReset, excess } from './setups.js';

const common = { level: 'documented', operation: null, spec: 'Limits' } as const;

const headers = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const headersSentence = 'Every response carries the rate-limit headers:';
const burstRow = '| Burst request rate | 100 requests per minute, temporary | all endpoints |';

type Header = (typeof headers)[number];

/** Specification, Limits: requests allowed per minute, and in bursts. */
const standard = 60;
const burst = 100;

/** Tolerance for clock differences and rounding, in milliseconds. */
const tolerance = 120_000;

const headerOf = ({ headers: all }: Exchange, name: Header): string | undefined => all[name.toLowerCase()];

function numberOf(exchange: Exchange, name: Header): number {
  return Number.parseInt(headerOf(exchange, name) ?? '', 10);
}

/** Whether the service knows the client. How it counts others is open. */
const isKnown = ({ call: { token = 'full', presented } }: Exchange): boolean =>
  presented === undefined && token !== 'none' && token !== 'unknown';

/** @throws Violation unless every response of some kind has a header */
function carries(name: Header, isSelected: (exchange: Exchange) => boolean): Check {
  return async (context) => {
    const selected = (await everything(context)).filter(isSelected);
    if (selected.length === 0) throw new Skip('a response of this kind', 'there was none');
    expectEach(context, selected, (exchange) => {
      if (headerOf(exchange, name) === undefined) throw new Violation(`the header ${name}`, undefined, exchange);
    });
  };
}

/** Formats of the headers. */
const forms: readonly (readonly [number: string, Header, description: string, isMatch: (value: string) => boolean])[] =
  [
    // Some gateways add the window after the number.
    ['01', 'X-RateLimit-Limit', 'a number of requests', (value) => /^[1-9]\d*( *[,;].*)?$/.test(value)],
    ['02', 'X-RateLimit-Remaining', 'a number of requests', (value) => /^\d+( *[,;].*)?$/.test(value)],
    // Its unit is not documented.
    [
      '03',
      'X-RateLimit-Reset',
      'a number or a time',
      (value) => /^\d+(\.\d+)?$/.test(value) || !Number.isNaN(Date.parse(value)),
    ],
  ];

/** Compares consecutive responses to a token: how often fewer requests remained, and how often more. */
function countRisesAndFalls(exchanges: readonly Exchange[]): { less: number; more: number } {
  const last = new Map<string, number>();
  const counts = { less: 0, more: 0 };
  for (const exchange of exchanges) {
    const { token = 'full' } = exchange.call;
    const left = numberOf(exchange, 'X-RateLimit-Remaining');
    const before = last.get(token) ?? Number.NaN;
    if (left < before) counts.less += 1;
    if (left > before) counts.more += 1;
    last.set(token, left);
  }
  return counts;
}

const series = 6;

/** Sends requests one after the other, faster than a conforming limit refills. */
async function expectFewer(context: ClauseContext): Promise<void> {
  const startedAt = performance.now();
  const answers: Exchange[] = [];
  for (let sent = 0; sent < series; sent++) answers.push(await context.get('/invoices?per_page=1'));
  const regained = ((performance.now() - startedAt) / 60_000) * burst;
  const [first, last] = [answers.at(0), answers.at(-1)].map((one) => one && numberOf(one, 'X-RateLimit-Remaining'));
  if (!(Number(first) > 0 && Number(last) > 0)) {
    throw new Skip('requests that are left', 'the window is used up');
  }
  if (Number(last) < Number(first)) return;
  if (regained > series - 3) throw new Skip('a faster target', 'the limit may come back as fast as it is used');
  throw new Violation(`less than ${first} to be left after ${series - 1} more requests`, last, answers.at(-1));
}

const refusal = setup('a refused excess', async (context) => {
  const { refused } = await context.use(excess);
  if (!refused) throw new Skip('a refused request', 'there was none');
  return refused;
});

const errorEnvelope = { spec: 'Errors', quote: `${errorRows.success} … ${errorRows.error}` } as const;

/** Clauses about exceeding the limit. */
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
      const { passed, last, refused } = await context.use(excess);
      if (!refused) throw new Violation(`${burst} requests to pass in a minute at most`, `${passed} that passed`, last);
      if (refused.status < 400) throw new Violation('a refusal', `status ${refused.status}`, refused);
    },
  ],
  [
    '02',
    errorEnvelope,
    'A request beyond the limit is refused with the error envelope.',
    async (context) => {
      const refused = await context.use(refusal);
      expectValue(refused, 'success', false);
      expectField(refused, 'error', aString);
    },
  ],
  [
    '03',
    { quote: headersSentence },
    'The refusal of a request beyond the limit has the rate-limit headers.',
    async (context) => {
      const refused = await context.use(refusal);
      for (const name of headers) {
        if (headerOf(refused, name) === undefined) throw new Violation(`the header ${name}`, undefined, refused);
      }
    },
  ],
  [
    '04',
    { quote: rateHeaderRows['X-RateLimit-Remaining'] },
    'No request is refused while `X-RateLimit-Remaining` is above 0.',
    async (context) => {
      const refused = await context.use(refusal);
      const left = numberOf(refused, 'X-RateLimit-Remaining');
      if (left > 0) throw new Violation('`X-RateLimit-Remaining` to be 0', left, refused);
    },
  ],
  [
    '05',
    { quote: rateHeaderRows['X-RateLimit-Reset'] },
    'Requests are accepted again after the window has reset.',
    async (context) => expectSuccess(await context.use(afterReset)),
  ],
];

/** Rate limits. These clauses run last: they read every response. */
export const limitClauses: readonly Clause[] = [
  ...headers.map(
    (name, index): Clause => ({
      ...common,
      id: `RATE-HEADER-0${index + 1}`,
      quote: headersSentence,
      title: `Every response has ${name}.`,
      check: carries(name, isKnown),
    }),
  ),
  ...headers.map(
    (name, index): Clause => ({
      ...common,
      id: `RATE-HEADER-0${index + 4}`,
      quote: headersSentence,
      title: `The refusal of a missing or unknown token also has ${name}.`,
      check: carries(name, (exchange) => !isKnown(exchange)),
    }),
  ),
  ...forms.map(
    ([number, name, words, isMatch]): Clause => ({
      ...common,
      id: `RATE-FORM-${number}`,
      quote: rateHeaderRows[name],
      title: `${name} is ${words}.`,
      check: async (context) =>
        expectEach(context, await everything(context), (exchange) => {
          const value = headerOf(exchange, name);
          if (value !== undefined && !isMatch(value)) throw new Violation(`${name} to be ${words}`, value, exchange);
        }),
    }),
  ),
  {
    ...common,
    id: 'RATE-FORM-04',
    quote: rateHeaderRows['X-RateLimit-Remaining'],
    title: '`X-RateLimit-Remaining` is at most `X-RateLimit-Limit`.',
    check: async (context) =>
      expectEach(context, await everything(context), (exchange) => {
        const [limit, left] = [numberOf(exchange, 'X-RateLimit-Limit'), numberOf(exchange, 'X-RateLimit-Remaining')];
        if (left > limit) throw new Violation(`X-RateLimit-Remaining to be at most ${limit}`, left, exchange);
      }),
  },
  {
    ...common,
    id: 'RATE-COUNT-01',
    quote: rateHeaderRows['X-RateLimit-Remaining'],
    title: '`X-RateLimit-Remaining` counts down with the requests.',
    check: async (context) => {
      const { less, more } = countRisesAndFalls((await everything(context)).filter(isKnown));
      // It rises when a window resets, but falls with most requests.
      if (less <= more) await retryClause(() => expectFewer(context));
    },
  },
  {
    ...common,
    id: 'RATE-LIMIT-01',
    quote: '| Standard request rate | 60 requests per minute | all endpoints |',
    title: 'At least 60 requests a minute are allowed.',
    check: async (context) => {
      const offset = await context.use(clockSkew);
      expectEach(context, (await everything(context)).filter(isKnown), (exchange) => {
        const limit = numberOf(exchange, 'X-RateLimit-Limit');
        const seconds = millisecondsUntilReset(exchange.headers, offset) / 1_000;
        // The length of a window is not documented, but it is at least the time until its reset. A used-up window may
        // reset later than it ends.
        const isTelling = numberOf(exchange, 'X-RateLimit-Remaining') > 0 && seconds < 86_400;
        if (isTelling && limit < (seconds - 2) * (standard / 60)) {
          const least = Math.ceil((seconds * standard) / 60);
          throw new Violation(
            `X-RateLimit-Limit to be at least ${least}, with ${seconds} s until the reset`,
            limit,
            exchange,
          );
        }
      });
    },
  },
  {
    ...common,
    id: 'RATE-LIMIT-02',
    quote: burstRow,
    title: 'Bursts of 100 requests per minute are allowed for a time.',
    check: { untestable: 'the specification does not show how the burst allowance is granted' },
  },
  {
    ...common,
    id: 'RATE-RESET-01',
    quote: rateHeaderRows['X-RateLimit-Reset'],
    title: 'The reset time is not in the past.',
    check: async (context) => {
      const offset = await context.use(clockSkew);
      expectEach(context, (await everything(context)).filter(isKnown), (exchange) => {
        if (millisecondsUntilReset(exchange.headers, offset) < -tolerance) {
          throw new Violation(
            'X-RateLimit-Reset to be in the future',
            headerOf(exchange, 'X-RateLimit-Reset'),
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
