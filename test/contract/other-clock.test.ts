import { expect, onTestFinished, test } from 'vitest';
import { driverOf } from '../../src/commands/contract/simulator-target.js';
import type { Clause } from '../../src/contract/engine/clause.js';
import type { Interceptor } from '../../src/contract/mutation/interceptor.js';
import { combine, onData, onOverdue, onOverdueRecords, onResponse } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { startSimulator } from '../../src/index.js';
import { sampleUnlessFull } from '../support/sample.js';
import { paymentAndDepositClauses } from './clauses-by-topic.js';
import { checkClauses, describeResults, openSecondImplementation } from './support.js';

const yearMs = 365 * 86_400_000;

/** True if a clause has a reason, `{ untestable }`, in place of a check. */
const isUntestable = ({ check }: Clause): boolean => typeof check === 'object';

// The clock must be less than five years ahead, since the invoices that the suite creates are due in five years.
test.each([
  ['behind', -3],
  ['ahead of', 3],
])(
  'an account whose clock is years %s that of the suite and of another account is checked like any other',
  async (_direction, years) => {
    const {
      baseUrl,
      createAccount,
      account: demo,
      close,
    } = await startSimulator({ rateLimit: false, log: () => undefined });
    onTestFinished(close);
    const account = await createAccount({ seed: 'empty', now: new Date(Date.now() + years * yearMs).toISOString() });
    // Webhooks are not retried while the clock is frozen, however long the suite waits for that.
    const options = { eventuallyTimeoutMs: 3_000 };
    const tokens = { ...account.tokens, otherAccount: demo.tokens?.full };
    const outcome = await checkClauses({ baseUrl, tokens, driver: driverOf(account) }, clauses, options);
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    const overdueClauses = clauses.filter(({ id }) => id.startsWith('INV-OVERDUE') || id.startsWith('INV-STATS'));
    const skipped = overdueClauses.filter(({ id }) => outcome.resultOf(id).status === 'skipped');
    expect(skipped).toEqual(overdueClauses.filter(isUntestable));
  },
);

const linkTimeClauses = clauses.filter(({ id }) => id === 'LINK-CREATE-28');

const nextYear = new Date(Date.now() + yearMs).getUTCFullYear();

/** Checks clauses on a simulator whose clock shows the given time on a day next year, behind a proxy. */
async function checkAt(time: string, interceptor: Interceptor, checked: readonly Clause[], options = {}) {
  const { baseUrl, createAccount, close } = await startSimulator({ rateLimit: false, log: () => undefined });
  onTestFinished(close);
  const account = await createAccount({ seed: 'empty', now: `${nextYear}-03-05T${time}Z`, ...options });
  const implementation = { baseUrl, tokens: account.tokens, driver: driverOf(account) };
  return checkClauses(await startMutatingProxy(implementation, interceptor), checked, { eventuallyTimeoutMs: 500 });
}

const overdueDayClauses = clauses.filter(({ id }) => ['INV-OVERDUE-38', 'INV-OVERDUE-44'].includes(id));
const addToDaysOverdue = (days: number): Interceptor =>
  onOverdueRecords((record) => Object.assign(record, { days_overdue: Number(record['days_overdue']) + days }));

// At 09:07 UTC it is the same day in all time zones from UTC-09:07 to UTC+14:52, at 23:30 UTC in those up to UTC+00:29.
test.each([
  ['09:07:00', 0, 'passed'],
  ['09:07:00', -1, 'passed'],
  ['09:07:00', 1, 'failed'],
  ['09:07:00', -3, 'failed'],
  ['23:30:00', 1, 'passed'],
  ['23:30:00', 2, 'failed'],
  ['23:30:00', -1, 'passed'],
  ['23:30:00', -2, 'failed'],
] as const)(
  'at %s UTC, the check of `days_overdue`, %i higher than in UTC, has %s',
  async (time, difference, status) => {
    const outcome = await checkAt(time, addToDaysOverdue(difference), overdueDayClauses);
    expect(outcome.resultOf('INV-OVERDUE-38').status).toBe(status);
  },
);

test.each(['09:07:00', '23:30:00'])(
  'at %s UTC, the check of `days_overdue` passes if the target counts the days of its time zone',
  async (time) => {
    // The time zone of this seed is UTC+01:00.
    const options = { seed: 'demo', profile: { 'invoice.overdue-moment': 'account-day' } };
    const outcome = await checkAt(time, {}, overdueDayClauses, options);
    expect(outcome.resultOf('INV-OVERDUE-38').status).toBe('passed');
  },
);

/** Shows a listed invoice as one that is due on the day of the target's clock. */
const listDueToday = onOverdue(([first = {}, ...others]) => [
  { ...first, due_date: `${nextYear}-03-05`, days_overdue: 0 },
  ...others,
]);

test.each([
  ['09:07:00', 'failed'],
  ['10:30:00', 'passed'],
] as const)(
  'at %s UTC, the check of an invoice that is listed as overdue on its due date has %s',
  async (time, status) => {
    const outcome = await checkAt(time, listDueToday, overdueDayClauses);
    expect(outcome.resultOf('INV-OVERDUE-44').status).toBe(status);
  },
);

/** Moves the `created_at` of new links by some hours, as if local time was marked as UTC. */
const moveCreatedAt = (hours: number): Interceptor =>
  onData('POST', '/payment-links', (link) =>
    Object.assign(link, {
      created_at: new Date(Date.parse(String(link['created_at'])) + hours * 3_600_000).toISOString(),
    }),
  );

test.each(sampleUnlessFull([5.5, -5.5, -12, 12], { oneIn: 2 }))(
  'a `created_at` that is %d hours off violates only the clause about it',
  async (hours) => {
    const { baseUrl, createAccount, close } = await startSimulator({ log: () => undefined });
    onTestFinished(close);
    const account = await createAccount({ seed: 'empty' });
    const target = await startMutatingProxy(
      { baseUrl, tokens: account.tokens, driver: driverOf(account) },
      moveCreatedAt(hours),
    );
    // The other clauses about rate limits would wait for a window to end.
    const checked = clauses.filter(({ id }) => /^(INV|RATE)-/.test(id) && !/^RATE-(COUNT|EXCESS)/.test(id));
    const outcome = await checkClauses(target, [...checked, ...linkTimeClauses], { eventuallyTimeoutMs: 500 });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([
      expect.stringMatching(/^LINK-CREATE-28 warned: expected `data.created_at` to be within 10 minutes of /),
    ]);
  },
);

test('the suite waits for the reset of a used-up window by the clock of the target', async () => {
  const dayMs = 86_400_000;
  const resetHeader = 'x-ratelimit-reset';
  const dayBehind = combine(
    onData('POST', '/payment-links', (link) =>
      Object.assign(link, { created_at: new Date(Date.parse(String(link['created_at'])) - dayMs).toISOString() }),
    ),
    onResponse(
      () => true,
      ({ headers }) => Object.assign(headers, { [resetHeader]: String(Number(headers[resetHeader]) - dayMs / 1_000) }),
    ),
  );
  const implementation = await openSecondImplementation({ limit: 5, windowSeconds: 4, burstsAllowed: 'never' });
  const outcome = await checkClauses(
    await startMutatingProxy(implementation, dayBehind),
    clauses.filter(({ id }) => id === 'RATE-EXCESS-05'),
    { includeRateLimit: true },
  );
  expect(describeResults(outcome, 'passed', 'failed', 'skipped')).toEqual(['RATE-EXCESS-05 passed: ']);
});

const depositClauseIds = paymentAndDepositClauses.map(({ id }) => id).filter((id) => /^(DEP|HOOK)/.test(id));

// DEP-FILTER-08 expires a deposit. If the driver advances the clock to do so, other deposits expire, too, such as the
// one of which DEP-IDEM-13 has captured a part. DEP-CAPTURE-08 captures the rest of it, which the suite must do before a
// deposit expires.
test.each([
  ['all', depositClauseIds],
  ['some', ['DEP-IDEM-13', 'DEP-FILTER-08', 'DEP-CAPTURE-08', 'DEP-STATE-02']],
  // DEP-FILTER-14 also expires a deposit, and DEP-FILTER-16 needs an authorized one.
  ['other', ['DEP-FILTER-14', 'DEP-FILTER-16', 'DEP-STATE-02']],
])(
  'a driver may advance the clock of the target to expire a deposit: %s clauses about deposits',
  async (_name, ids) => {
    const { baseUrl, createAccount, close } = await startSimulator({ rateLimit: false, log: () => undefined });
    onTestFinished(close);
    const account = await createAccount({ seed: 'empty' });
    const driver = { ...driverOf(account), expireDeposit: () => account.clock.advance('40d') };
    const checked = ids.flatMap((id) => clauses.filter((clause) => clause.id === id));
    expect(checked).toHaveLength(ids.length);
    const outcome = await checkClauses({ baseUrl, tokens: account.tokens, driver }, checked);
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    expect(outcome.idsWithStatus('skipped')).toEqual(checked.filter(isUntestable).map(({ id }) => id));
    expect(outcome.resultOf('DEP-STATE-02').status).toBe('passed');
  },
);

test('no clause fails for a driver that advances the clock of the target to expire a deposit', async () => {
  const { baseUrl, createAccount, close } = await startSimulator({ rateLimit: false, log: () => undefined });
  onTestFinished(close);
  const account = await createAccount({ seed: 'empty' });
  const driver = { ...driverOf(account), expireDeposit: () => account.clock.advance('8d') };
  const outcome = await checkClauses({ baseUrl, tokens: account.tokens, driver }, clauses, {
    eventuallyTimeoutMs: 500,
  });
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(outcome.resultOf('INV-OVERDUE-38').status).toBe('passed');
});

test('the days of overdue invoices are checked by a clock that the driver has advanced before', async () => {
  const { baseUrl, createAccount, close } = await startSimulator({ rateLimit: false, log: () => undefined });
  onTestFinished(close);
  const account = await createAccount({ seed: 'empty' });
  const driver = { ...driverOf(account), expireDeposit: () => account.clock.advance('8d') };
  const ids = ['DEP-STATE-02', 'INV-OVERDUE-38'];
  const checked = ids.flatMap((id) => clauses.filter((clause) => clause.id === id));
  const outcome = await checkClauses({ baseUrl, tokens: account.tokens, driver }, checked, {
    eventuallyTimeoutMs: 500,
  });
  expect(outcome.idsWithStatus('passed')).toEqual(ids);
});

test('the check of `days_overdue` is skipped if the clock was advanced before a list shows the invoices', async () => {
  const { baseUrl, createAccount, close } = await startSimulator({ rateLimit: false, log: () => undefined });
  onTestFinished(close);
  const account = await createAccount({ seed: 'empty' });
  const driver = { ...driverOf(account), expireDeposit: () => account.clock.advance('8d') };
  // The first two create invoices and a link, and the third advances the clock.
  const ids = ['INV-CREATE-11', 'LINK-CREATE-07', 'DEP-STATE-02', 'INV-OVERDUE-38'];
  const checked = ids.flatMap((id) => clauses.filter((clause) => clause.id === id));
  const outcome = await checkClauses({ baseUrl, tokens: account.tokens, driver }, checked, {
    eventuallyTimeoutMs: 500,
  });
  expect(outcome.resultOf('INV-OVERDUE-38')).toMatchObject({
    status: 'skipped',
    detail: expect.stringContaining('an invoice that the suite created'),
  });
});

test('`days_overdue` is checked even if the overdue list shows ids as strings', async () => {
  const showIdsAsStrings = onOverdueRecords((record) => Object.assign(record, { id: String(record['id']) }));
  const outcome = await checkAt('09:07:00', combine(addToDaysOverdue(-3), showIdsAsStrings), overdueDayClauses);
  expect(outcome.resultOf('INV-OVERDUE-38').status).toBe('failed');
});
