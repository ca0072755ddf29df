import { afterAll, describe, expect, test } from 'vitest';
import { brokenDeposits } from './broken-deposits.js';
import { brokenLinks } from './broken-links.js';
import { brokenPayments } from './broken-payments.js';
import { brokenWebhooks } from './broken-webhooks.js';
import { patched } from './patched.js';
import { moneyClause, moneyClauses } from './sections.js';
import { check, closeSimulator, complaints, openSimulator } from './support.js';

/** Every clause is shown a target that breaks it: the simulator, with one thing changed on the way. */

afterAll(closeSimulator);

/** The first twenty of a list are those that all lists have in common. */
const isOfEveryList = (id: string): boolean => /-LIST-(0\d|1\d|20)$/.test(id);

const broken = { ...brokenLinks, ...brokenPayments, ...brokenDeposits, ...brokenWebhooks };

test('there is a broken target for every clause', () => {
  const own = moneyClauses.filter(({ id, check: how }) => typeof how === 'function' && !isOfEveryList(id));
  expect(Object.keys(broken).sort()).toEqual(own.map(({ id }) => id).sort());
});

describe.concurrent('a broken target', () => {
  test.each(Object.entries(broken))('is seen by %s', async (id, patch) => {
    const clause = moneyClause(id);
    const subject = await patched(await openSimulator({}, 'demo'), patch);
    const outcome = await check(subject, [clause], { patience: 1_500 });
    const wanted = clause.level === 'documented' ? 'failed' : 'warned';
    expect(complaints(outcome, 'passed', 'skipped', 'broken', 'failed', 'warned')).toEqual([
      expect.stringMatching(`^${id} ${wanted}: expected `),
    ]);
  });
});
