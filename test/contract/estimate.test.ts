import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatEstimate } from '../../src/commands/contract/contract-estimate-text.js';
import { checkClause } from '../../src/contract/engine/check-clauses.js';
import { estimateRequests } from '../../src/contract/engine/estimate.js';
import { openSession } from '../../src/contract/engine/open-session.js';
import { requestsPerMinute } from '../../src/contract/engine/pace.js';
import { furtherTokenChecks } from '../../src/contract/engine/preflight.js';
import { selectClauses } from '../../src/contract/engine/select.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { variants } from '../second-implementation/variants.js';
import { sampleUnlessFull } from '../support/sample.js';
import { checkClauses, openSecondImplementation } from './support.js';

const writingRun = { mayWrite: true, hasDriver: true, includeRateLimit: false };
const readOnlyRun = { ...writingRun, mayWrite: false };
const runWithoutDriver = { ...writingRun, hasDriver: false };

const groupsAndSections = [
  ...new Set(clauses.flatMap(({ id }) => [id.split('-', 1).join(''), id.split('-').slice(0, 2).join('-')])),
];

describe('the estimate is at least the real number of requests, and at most twice as high,', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ rateLimit: false, log: () => undefined });
  });
  afterAll(() => simulator.close());

  const combinations = [
    ['INV-STATS', 'HOOK'],
    ['LINK-SLUG', 'LINK-LIST', 'DEP-STATE'],
  ];

  test.each(
    sampleUnlessFull([[], ...groupsAndSections.map((name) => [name]), ...combinations], { oneIn: 32 }).flatMap(
      (only) => [
        { only, options: writingRun },
        { only, options: readOnlyRun },
      ],
    ),
  )('in a run with --only $only (writing allowed: $options.mayWrite)', async ({ only, options }) => {
    await expectCloseEstimate(only, options);
  });

  test('in a run without a driver', async () => {
    await expectCloseEstimate([], runWithoutDriver);
    expect(estimateRequests(clauses, runWithoutDriver)).toBeLessThan(estimateRequests(clauses, writingRun) * 0.75);
  });

  test('in a run against a target whose errors name no fields, and whose deposits have few', async () => {
    const outcome = await checkClauses(await openSecondImplementation(variants['terse']), clauses);
    const estimate = estimateRequests(clauses, writingRun);
    expect(estimate).toBeGreaterThanOrEqual(outcome.requests);
    expect(estimate).toBeLessThanOrEqual(outcome.requests * 2);
  });

  async function expectCloseEstimate(only: readonly string[], options: typeof writingRun): Promise<void> {
    const { tokens } = await simulator.createAccount({ seed: 'demo' });
    const session = await openSession({
      baseUrl: simulator.baseUrl,
      token: tokens.full,
      readToken: tokens.read,
      writeToken: tokens.write,
      write: options.mayWrite,
      pace: 'off',
      ...(options.hasDriver ? {} : { driver: 'none' as const }),
    });
    const selected = selectClauses(only);
    try {
      for (const clause of selected) await checkClause(session, clause);
    } finally {
      await session.close();
    }
    const { requestCount } = session.target;
    const estimate = estimateRequests(selected, options) + furtherTokenChecks(session.target).length;
    expect(estimate).toBeGreaterThanOrEqual(requestCount);
    expect(estimate).toBeLessThanOrEqual(requestCount * 2);
  }
});

describe('the estimate', () => {
  test('for every group and section is smaller than for a whole run', () => {
    // A section that is missing from the table would get the estimate for a whole run.
    const withoutOwnEstimate = groupsAndSections.filter((name) =>
      [writingRun, readOnlyRun].some(
        (options) => estimateRequests(selectClauses([name]), options) >= estimateRequests(clauses, options),
      ),
    );
    expect(withoutOwnEstimate).toEqual([]);
  });

  test('does not grow when fewer clauses are selected', () => {
    for (const options of [writingRun, readOnlyRun]) {
      const estimates = clauses.map((_clause, index) => estimateRequests(clauses.slice(index), options));
      expect(estimates).toEqual([...estimates].sort((a, b) => b - a));
    }
  });

  test('counts the requests that exceed the rate limit only if a clause about that is selected', () => {
    const exceedingRun = { ...writingRun, includeRateLimit: true };
    const extraRequests = (only: readonly string[]): number =>
      estimateRequests(selectClauses(only), exceedingRun) - estimateRequests(selectClauses(only), writingRun);
    const extra = extraRequests(['RATE-EXCESS-01']);
    // The specification allows a burst of 100 requests, so more are needed to exceed the limit.
    expect(extra).toBeGreaterThan(100);
    expect([[], ['RATE'], ['INV']].map(extraRequests)).toEqual([extra, extra, 0]);
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
  ] as const)('with --pace %s and an announced limit of %s is %s', (pace, announced, rate) => {
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
])('%s requests at %s a minute are reported as "%s"', (requests, rate, sentence) => {
  expect(formatEstimate({ requests, requestsPerMinute: rate })).toBe(sentence);
});
