import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ClauseReport, clauses } from '../../src/contract/index.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';

// Runs contract clauses as tests of several test runners.

/** A clause for each possible result against the simulator below. */
const clauseIds = {
  passed: 'INV-STATS-03',
  failed: 'INV-STATS-08',
  warned: 'INV-STATS-20',
  observed: 'GAP-DECIMAL-ENCODING',
  skipped: 'AUTH-SCOPE-01',
  untestable: 'INV-REMIND-03',
};

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ log: () => undefined });
  // Violates one documented and one inferred clause.
  const patch = [
    { op: 'replace', path: '/data/currency', value: 'euro' },
    { op: 'replace', path: '/data/total_invoices', value: 1 },
  ];
  await simulator.account.faults.add({
    effect: `patch=${JSON.stringify(patch)}`,
    match: { operation: 'getInvoiceStats' },
  });
});
afterAll(() => simulator.close());

// Without a test context, checks print notes to the console.
beforeEach(() => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => warn.mockRestore());
});

const optionsForSimulator = () => ({
  baseUrl: simulator.baseUrl,
  token: 'demo_full',
  only: Object.values(clauseIds),
  eventuallyTimeoutMs: 300,
});

/** Calls a test function as a runner does: with arguments, although the function declares no parameters. */
const callTest = (check: () => Promise<void>, ...runnerArguments: unknown[]): Promise<void> =>
  Reflect.apply(check, undefined, runnerArguments);

class Skipped extends Error {}

interface Runner {
  /** Creates the arguments of a test. Their methods record each call in `calls`. */
  readonly createArguments: (calls: string[]) => unknown[];
  /** The outcome of a test whose clause is skipped: `skip` of node:test returns. */
  readonly skippedTest: 'passes' | 'is skipped';
}

const runners: Record<string, Runner> = {
  'node:test': {
    createArguments: (calls) => [
      { skip: (reason: string) => calls.push(`skip ${reason}`), diagnostic: (text: string) => calls.push(text) },
    ],
    skippedTest: 'passes',
  },
  vitest: {
    createArguments: (calls) => [
      {
        skip(reason: string) {
          calls.push(`skip ${reason}`);
          throw new Skipped();
        },
        annotate: async (text: string) => calls.push(text),
      },
    ],
    skippedTest: 'is skipped',
  },
  Playwright: {
    createArguments: (calls) => [
      { page: {} },
      {
        annotations: Object.assign([], { push: ({ description }: { description: string }) => calls.push(description) }),
        skip(isSkipped: boolean, reason: string) {
          if (!isSkipped) return;
          calls.push(`skip ${reason}`);
          throw new Skipped();
        },
      },
    ],
    skippedTest: 'is skipped',
  },
};

const firstLine = (text: string): string => text.replace(/\n.*$/s, '');

test.each(Object.entries(runners))(
  'with the test context of %s, a violation rejects, a missing option skips, and warnings and observations are noted',
  async (_runner, { createArguments, skippedTest }) => {
    const outcomes: Record<string, string> = {};
    const suite = clauses(optionsForSimulator());
    for (const { id, check } of suite) {
      const calls: string[] = [];
      const outcome = await callTest(check, ...createArguments(calls)).then(
        () => 'passes',
        (error: Error) => (error instanceof Skipped ? 'is skipped' : firstLine(error.message)),
      );
      outcomes[id] = [outcome, ...calls.map(firstLine)].join(': ');
    }
    expect(outcomes).toEqual({
      [clauseIds.passed]: 'passes',
      [clauseIds.failed]: expect.stringMatching(/^expected `data\.currency` to be .+, got "euro"$/),
      [clauseIds.warned]: expect.stringMatching(/^passes: warning: expected .+/),
      [clauseIds.observed]: expect.stringMatching(/^passes: observed: .+/),
      [clauseIds.skipped]: `${skippedTest}: skip --write-token: no such token was given`,
      [clauseIds.untestable]: `${skippedTest}: skip the email goes to the customer, not to the suite`,
    });
  },
);

test('without a test context, as in Jest, the console shows why a clause was not checked', async () => {
  for (const { check } of clauses({ ...optionsForSimulator(), only: [clauseIds.skipped] })) await check();
  expect(console.warn).toHaveBeenCalledExactlyOnceWith('not checked: --write-token: no such token was given');
});

test('the error of a violation shows the specification, the request and the response', async () => {
  const [clause] = clauses({ ...optionsForSimulator(), only: [clauseIds.failed] });
  await expect(clause?.check()).rejects.toThrow(
    /^expected .+\nspecification, Invoice statistics: .+\ncurl .+\/invoices\/stats' .+\n200 \{"success":true/,
  );
});

test('a clause has an id, title, level and section, and a reason to skip it if no run can check it', () => {
  const [untestable, checked] = clauses({
    ...optionsForSimulator(),
    only: [clauseIds.untestable, clauseIds.passed],
  }).toSorted((a, b) => a.id.localeCompare(b.id));
  expect(untestable).toMatchObject({
    id: 'INV-REMIND-03',
    title: 'INV-REMIND-03 A reminder is sent to the customer by email.',
    level: 'documented',
    skip: 'the email goes to the customer, not to the suite',
  });
  expect(checked).toMatchObject({ id: 'INV-STATS-03', section: 'Invoice statistics', skip: undefined });
});

test('clause titles are unique, as Playwright requires', () => {
  const titles = clauses({ ...optionsForSimulator(), only: [] }).map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(500);
  expect(new Set(titles).size).toBe(titles.length);
});

test('an unknown option is refused', () => {
  const options = { ...optionsForSimulator(), readtoken: 'demo_read' };
  expect(() => clauses(options)).toThrow('unknown option `readtoken`; did you mean `readToken`?');
});

test('the test functions declare no parameters, since some runners count or parse them', () => {
  for (const { check } of clauses(optionsForSimulator())) {
    expect(check).toHaveLength(0);
    expect(String(check)).toMatch(/^[^(]*\(\s*\)/);
  }
});

test('with the `strict` option, a violated inferred clause rejects instead of warning', async () => {
  const [clause] = clauses({ ...optionsForSimulator(), only: [clauseIds.warned], strict: true });
  await expect(clause?.check()).rejects.toThrow(/^expected /);
});

test('checks that are started together run one after the other, and each result is reported', async () => {
  const results: ClauseReport[] = [];
  const suite = clauses({ ...optionsForSimulator(), only: ['INV-STATS'], onResult: (result) => results.push(result) });
  await Promise.allSettled(suite.map(({ check }) => check()));
  expect(results.map(({ id }) => id)).toEqual(suite.map(({ id }) => id));
});

describe('the session', () => {
  /** Returns a driver, and the counts of how often it is created and closed. */
  function countingDriver() {
    const counts = { created: 0, closed: 0 };
    const driver = () => {
      counts.created += 1;
      const close = async () => {
        counts.closed += 1;
      };
      return { close };
    };
    return { counts, driver };
  }

  test('is opened by the first check, and closed after the last one', async () => {
    const { counts, driver } = countingDriver();
    const suite = clauses({
      ...optionsForSimulator(),
      driver,
      only: [clauseIds.passed, clauseIds.observed, clauseIds.untestable],
    });
    expect(counts).toEqual({ created: 0, closed: 0 });
    for (const { check, skip } of suite) if (skip === undefined) await check();
    expect(counts).toEqual({ created: 1, closed: 1 });
  });

  test('is not opened for a clause that no run can check, even if a runner calls it', async () => {
    const { counts, driver } = countingDriver();
    const results: ClauseReport[] = [];
    const only = [clauseIds.passed, clauseIds.untestable];
    const suite = clauses({ ...optionsForSimulator(), driver, only, onResult: (result) => results.push(result) });
    for (const { check } of suite.toSorted((a, b) => Number(a.skip !== undefined) - Number(b.skip !== undefined)))
      await check();
    expect(counts).toEqual({ created: 1, closed: 1 });
    expect(results.map(({ id, status }) => `${id} ${status}`)).toEqual([
      `${clauseIds.passed} passed`,
      `${clauseIds.untestable} skipped`,
    ]);
  });

  /** Runs a clause with a driver that cannot be closed. Returns the reported results, and the error of the test. */
  async function runWithFailingClose(id: string): Promise<{ statuses: string[]; error: unknown }> {
    const statuses: string[] = [];
    const driver = () => ({
      close: async () => {
        throw new Error('still busy');
      },
    });
    const onResult = ({ status }: ClauseReport): number => statuses.push(status);
    const [clause] = clauses({ ...optionsForSimulator(), driver, only: [id], onResult });
    const error: unknown = await clause?.check().then(
      () => undefined,
      (rejection: unknown) => rejection,
    );
    return { statuses, error };
  }

  test('that cannot be closed fails the last test, after its result was reported', async () => {
    const { statuses, error } = await runWithFailingClose(clauseIds.passed);
    expect(statuses).toEqual(['passed']);
    expect(error).toMatchObject({ message: expect.stringContaining('still busy') });
  });

  test('that cannot be closed does not hide the violation that the last test found', async () => {
    const { statuses, error } = await runWithFailingClose(clauseIds.failed);
    expect(statuses).toEqual(['failed']);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^expected `data\.currency`/),
      cause: { message: expect.stringContaining('still busy') },
    });
  });

  test('is closed only once by close(), even before all clauses are checked', async () => {
    const { counts, driver } = countingDriver();
    const suite = clauses({ ...optionsForSimulator(), driver });
    await suite.open();
    await suite.find(({ id }) => id === clauseIds.passed)?.check();
    await suite.close();
    await suite.close();
    expect(counts).toEqual({ created: 1, closed: 1 });
  });

  test('is not opened again by checks that still wait when it is closed, as after a timeout of the runner', async () => {
    const { counts, driver } = countingDriver();
    const suite = clauses({ ...optionsForSimulator(), driver, only: ['INV-STATS'] });
    await suite.open();
    const [first, second] = suite.slice(0, 2).map(({ check }) => check());
    const waiting = expect(second).rejects.toThrow('the session was closed before this clause was checked');
    await suite.close();
    await first?.catch(() => undefined);
    await waiting;
    expect(counts).toEqual({ created: 1, closed: 1 });
  });

  test('is not opened again for the next clause if opening it failed', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response
        .writeHead(401, { 'Content-Type': 'application/json' })
        .end('{"success":false,"error":"Unauthenticated."}');
    });
    const { url } = await listenUntilTestEnds(server);
    const suite = clauses({ baseUrl: `${url}/api/v1`, token: 'wrong', only: ['INV-STATS'] });
    const results = await Promise.allSettled(suite.map(({ check }) => check()));
    expect(new Set(results.map((result) => result.status === 'rejected' && result.reason.message))).toEqual(
      new Set([`${url}/api/v1 refuses the token (401, "Unauthenticated."); check the token`]),
    );
    // Opening a session sends two requests.
    expect(requests).toBe(2);
  });
});

test('an unknown clause id throws before any test is defined', () => {
  expect(() => clauses({ ...optionsForSimulator(), only: ['INV-STAT-02'] })).toThrow(
    /^unknown clause INV-STAT-02; did you mean/,
  );
});
