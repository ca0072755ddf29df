import { describe, expect, test } from 'vitest';
import type { Clause } from '../../src/contract/engine/clause.js';
import { onData, removeField } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { type FaultId, faults } from '../second-implementation/faults/index.js';
import type { Options } from '../second-implementation/options.js';
import { sample } from '../support/sample.js';
import { detectedBy, faultsThatOnlyWarn } from './planted-faults/index.js';
import { checkClauses, describeResults, openSecondImplementation } from './support.js';

/**
 * Rate limit of the specification, in requests per minute. The default limit of the second implementation is too high
 * to be exceeded here.
 */
const smallLimit = 60;

/** Rate limits with a short window, for faults that show only after the window has ended. */
const rateLimits: Partial<Record<FaultId, Options>> = {
  'rate-never-resets': { limit: smallLimit, windowSeconds: 2 },
};

const isFault = (id: string): id is FaultId => Object.hasOwn(faults, id);

function clauseById(id: string): Clause {
  const found = clauses.find((clause) => clause.id === id);
  if (!found) throw new Error(`unknown clause ${id}`);
  return found;
}

describe.concurrent('a fault in the second implementation', () => {
  test.each(sample(Object.entries(detectedBy), { oneIn: 10 }))('%s is detected by %s', async (fault, ids) => {
    if (!isFault(fault)) throw new Error(`unknown fault ${fault}`);
    const clausesToRun = ids.split(' ').map(clauseById);
    const rateLimit = rateLimits[fault] ?? (fault.startsWith('rate-') ? { limit: smallLimit } : {});
    const outcome = await checkClauses(await openSecondImplementation({ fault, ...rateLimit }), clausesToRun, {
      eventuallyTimeoutMs: 1_500,
      includeRateLimit: true,
    });
    const clause = clausesToRun.at(-1);
    expect(describeResults(outcome, 'passed', 'skipped', 'broken', 'failed', 'warned').at(-1)).toMatch(
      `${clause?.id} ${clause?.level === 'documented' ? 'failed' : 'warned'}: expected `,
    );
    // Breaking an explicit promise must cause a failure, not a warning.
    if (!faults[fault].inferred && !(fault in faultsThatOnlyWarn)) expect(clause?.level).toBe('documented');
  });
});

test('a clause that needs a value is skipped if the target omits it, which is the subject of another clause', async () => {
  const implementation = await openSecondImplementation();
  const withoutTotal = onData('GET', '/invoices', (page) => removeField(page, 'total'));
  const outcome = await checkClauses(
    await startMutatingProxy(implementation, withoutTotal),
    ['INV-STATS-17', 'INV-LIST-06'].map(clauseById),
  );
  expect(describeResults(outcome, 'passed', 'skipped', 'failed', 'warned')).toEqual([
    'INV-STATS-17 skipped: the invoice list has no `data.total`',
    'INV-LIST-06 failed: expected `data.total` to be an integer of 0 or more, got nothing',
  ]);
});
