import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatEstimate } from '../../src/commands/contract/contract-estimate-text.js';
import { estimateRequests } from '../../src/contract/engine/estimate.js';
import { openSession } from '../../src/contract/engine/open-session.js';
import { requestsPerMinute } from '../../src/contract/engine/pace.js';
import { checkClause } from '../../src/contract/engine/run.js';
import { selected } from '../../src/contract/engine/select.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { type Simulator, startSimulator } from '../../src/index.js';

const writing = { mayWrite: true, exceedsLimit: false };
const reading = { mayWrite: false, exceedsLimit: false };

describe('the estimate for a simulator is an upper bound, and at most twice the real number, for', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ rateLimit: false, log: () => undefined });
  });
  afterAll(() => simulator.close());

  const broadest = [...new Set(clauses.map(({ id }) => id.split('-', 1).join('')))];
  const withoutLongCharacters = [
    'INV-STATS',
    'INV-CREATE',
    'PAY-FILTER',
    'DEP-READ',
    'HOOK-BODY',
    'AUTH-SCOPE',
    'ENV-ERROR',
    'GAP-EVENT',
  ];
  const mixed = [
    ['INV-STATS', 'HOOK'],
    ['LINK-SLUG', 'LINK-LIST', 'DEP-STATE'],
  ];

  test.each(
    [[], ...broadest.map((name) => [name]), ...withoutLongCharacters.map((name) => [name]), ...mixed].flatMap(
      (only) => [
        { only, how: 'writing', options: writing },
        { only, how: 'reading', options: reading },
      ],
    ),
  )('$only, $how', async ({ only, options }) => {
    const { tokens } = await simulator.createAccount({ seed: 'demo' });
    const session = await openSession({
      baseUrl: simulator.baseUrl,
      token: tokens.full,
      readToken: tokens.read,
      writeToken: tokens.write,
      write: options.mayWrite,
      pace: 'off',
    });
    const chosen = selected(only);
    try {
      for (const clause of chosen) await checkClause(session, clause, false);
    } finally {
      await session.close();
    }
    const { requests } = session.target;
    const estimate = estimateRequests(chosen, options);
    expect(estimate).toBeGreaterThanOrEqual(requests);
    expect(estimate).toBeLessThanOrEqual(requests * 2);
  });
});

describe('the estimate', () => {
  test('has a number for every section', () => {
    const sections = [
      ...new Set(clauses.flatMap(({ id }) => [id.split('-', 1).join(''), id.split('-').slice(0, 2).join('-')])),
    ];
    const whole = [writing, reading].map((options) => estimateRequests(clauses, options));
    const unknown = sections.filter((name) =>
      [writing, reading].some((options, index) => estimateRequests(selected([name]), options) === whole[index]),
    );
    expect(unknown).toEqual([]);
  });

  test('does not grow when fewer clauses are chosen', () => {
    for (const options of [writing, reading]) {
      const estimates = clauses.map((_clause, index) => estimateRequests(clauses.slice(index), options));
      expect(estimates).toEqual([...estimates].sort((one, other) => other - one));
    }
  });

  test('counts requests beyond the limit only if those are checked', () => {
    const exceeding = { mayWrite: true, exceedsLimit: true };
    const more = (only: readonly string[]): number =>
      estimateRequests(selected(only), exceeding) - estimateRequests(selected(only), writing);
    expect([more([]), more(['RATE']), more(['RATE-EXCESS-01']), more(['INV'])]).toEqual([110, 110, 110, 0]);
  });
});

describe('the request rate of a run', () => {
  test.each([
    ['auto', '60', 60],
    ['auto', '100', 100],
    ['auto', undefined, undefined],
    ['auto', 'many', undefined],
    ['auto', '0', undefined],
    ['auto', '1e999', undefined],
    [30, '60', 30],
    [30, undefined, 30],
    ['off', '60', undefined],
  ] as const)('with --pace %s where the target announces %s is %s', (pace, announced, rate) => {
    const headers = announced === undefined ? {} : { 'x-ratelimit-limit': announced };
    expect(requestsPerMinute(pace, headers)).toBe(rate);
  });
});

test.each([
  [250, 60, 'About 250 requests; about 5 minutes at 60 requests per minute.'],
  [240, 60, 'About 240 requests; about 4 minutes at 60 requests per minute.'],
  [60, 60, 'About 60 requests; about 1 minute at 60 requests per minute.'],
  [59, 60, 'About 59 requests; less than a minute at 60 requests per minute.'],
  [3, 1, 'About 3 requests; about 3 minutes at 1 request per minute.'],
  [30, undefined, 'About 30 requests; no rate limit to wait for.'],
])('%s requests at %s a minute are reported as "%s"', (requests, rate, words) => {
  expect(formatEstimate({ requests, requestsPerMinute: rate })).toBe(words);
});
