import { afterAll, describe, expect, test } from 'vitest';
import type { Clause } from '../../src/contract/clause.js';
import { clauses } from '../../src/contract/clauses/index.js';
import { brokenAccess, brokenEnvelopes } from './broken-access.js';
import { brokenInvoices } from './broken-invoices.js';
import { brokenLimits } from './broken-limits.js';
import { brokenSums } from './broken-sums.js';
import { patched } from './patched.js';
import { moneyClauses } from './sections.js';
import { check, closeSimulator, complaints, openSimulator } from './support.js';

/** Every clause is shown a target that breaks it: the simulator, with one thing changed on the way. */

afterAll(closeSimulator);

const broken = { ...brokenInvoices, ...brokenSums, ...brokenAccess, ...brokenEnvelopes, ...brokenLimits };

/** Those that look at what was answered before need something that was. */
const before: Readonly<Record<string, string>> = {
  'ENV-ERRORS-01': 'INV-RULE-01',
  'RATE-HEADER-04': 'AUTH-NOTOKEN-01',
  'RATE-HEADER-05': 'AUTH-NOTOKEN-01',
  'RATE-HEADER-06': 'AUTH-NOTOKEN-01',
};

function clause(id: string): Clause {
  const found = clauses.find((one) => one.id === id);
  if (!found) throw new Error(`there is no clause ${id}`);
  return found;
}

test('there is a broken target for every clause', () => {
  const own = clauses.filter(
    ({ check: how, level, id }) =>
      typeof how === 'function' && level !== 'open' && !moneyClauses.some((other) => other.id === id),
  );
  expect([...Object.keys(broken), 'VERSION-PATH-01'].sort()).toEqual(own.map(({ id }) => id).sort());
});

describe.concurrent('a broken target', { timeout: 120_000 }, () => {
  test.each(Object.entries(broken))('is seen by %s', async (id, patch) => {
    const subject = await patched(await openSimulator({}, 'demo'), patch);
    const tokens = { ...subject.tokens, scopeless: 'a-token-without-a-scope' };
    const asked = [before[id], id].filter((one) => one !== undefined).map(clause);
    const outcome = await check({ ...subject, tokens }, asked, { patience: 500, includeRateLimit: true });
    const wanted = clause(id).level === 'documented' ? 'failed' : 'warned';
    expect(complaints(outcome, 'passed', 'skipped', 'broken', 'failed', 'warned').at(-1)).toMatch(
      new RegExp(`^${id} ${wanted}: expected `),
    );
  });
});

test('a base URL without the version is seen by VERSION-PATH-01', async () => {
  const { baseUrl, ...subject } = await patched(await openSimulator(), {});
  const outcome = await check({ ...subject, baseUrl: baseUrl.replace('/api/v1', '') }, [clause('VERSION-PATH-01')]);
  expect(outcome.ids('failed')).toEqual(['VERSION-PATH-01']);
});
