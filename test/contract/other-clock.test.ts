import { expect, onTestFinished, test } from 'vitest';
import { driverOf } from '../../src/commands/contract/simulator-target.js';
import type { Clause } from '../../src/contract/engine/clause.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { startSimulator } from '../../src/index.js';
import { paymentAndDepositClauses } from './clause-groups.js';
import { checkClauses, describeResults } from './support.js';

const yearMs = 365 * 86_400_000;

/** True if a clause has a reason, `{ untestable }`, in place of a check. */
const isUntestable = ({ check }: Clause): boolean => typeof check === 'object';

// The clock must be less than five years ahead, since the invoices that the suite creates are due in five years.
test.each([
  ['behind', -3],
  ['ahead of', 3],
])('a target whose clock is years %s that of the suite is checked like any other', async (_direction, years) => {
  const { baseUrl, createAccount, close } = await startSimulator({ rateLimit: false, log: () => undefined });
  onTestFinished(close);
  const account = await createAccount({ seed: 'empty', now: new Date(Date.now() + years * yearMs).toISOString() });
  const outcome = await checkClauses({ baseUrl, tokens: account.tokens, driver: driverOf(account) }, clauses);
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  const overdueClauses = clauses.filter(({ id }) => id.startsWith('INV-OVERDUE') || id.startsWith('INV-STATS'));
  const skipped = overdueClauses.filter(({ id }) => outcome.resultOf(id).status === 'skipped');
  expect(skipped).toEqual(overdueClauses.filter(isUntestable));
});

const depositClauseIds = paymentAndDepositClauses.map(({ id }) => id).filter((id) => /^(DEP|HOOK)/.test(id));

// DEP-FILTER-08 expires a deposit. The advance of the clock would also expire the one that DEP-CAPTURE-08 needs, of
// which DEP-IDEM-13 has captured a part.
test.each([
  ['all', depositClauseIds],
  ['some', ['DEP-IDEM-13', 'DEP-FILTER-08', 'DEP-CAPTURE-08', 'DEP-STATE-02']],
])(
  'a driver may advance the clock of the target to expire a deposit: %s clauses about deposits',
  async (_name, ids) => {
    const { baseUrl, createAccount, close } = await startSimulator({ rateLimit: false, log: () => undefined });
    onTestFinished(close);
    const account = await createAccount({ seed: 'empty' });
    const driver = { ...driverOf(account), expireDeposit: () => account.clock.advance('40d') };
    const checked = ids.flatMap((id) => clauses.filter((clause) => clause.id === id));
    const outcome = await checkClauses({ baseUrl, tokens: account.tokens, driver }, checked);
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    expect(outcome.idsWithStatus('skipped')).toEqual(checked.filter(isUntestable).map(({ id }) => id));
    expect(outcome.resultOf('DEP-STATE-02').status).toBe('passed');
  },
);
