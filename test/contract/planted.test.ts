import { describe, expect, test } from 'vitest';
import type { Clause } from '../../src/contract/engine/clause.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { type FaultId, faults } from '../second/faults/index.js';
import type { Options } from '../second/options.js';
import { sample } from '../support/sample.js';
import { onlyWarnedOf, seenBy } from './planted/index.js';
import { check, complaints, openSecond } from './support.js';

/** Rate limit of the services whose fault is in the rate limit. */
const limits: Partial<Record<FaultId, Options>> = {
  'rate-never-resets': { limit: 60, windowSeconds: 2 },
};

const isFault = (id: string): id is FaultId => Object.hasOwn(faults, id);

function named(id: string): Clause {
  const found = clauses.find((clause) => clause.id === id);
  if (!found) throw new Error(`there is no clause ${id}`);
  return found;
}

describe.concurrent('a planted fault', () => {
  test.each(sample(Object.entries(seenBy), 3))('%s is seen by %s', async (fault, ids) => {
    if (!isFault(fault)) throw new Error(`there is no fault ${fault}`);
    const requested = ids.split(' ').map(named);
    const limit = limits[fault] ?? (fault.startsWith('rate-') ? { limit: 60 } : {});
    const outcome = await check(await openSecond({ fault, ...limit }), requested, {
      eventuallyTimeoutMs: 1_500,
      includeRateLimit: true,
    });
    const clause = requested.at(-1);
    expect(complaints(outcome, 'passed', 'skipped', 'broken', 'failed', 'warned').at(-1)).toMatch(
      `${clause?.id} ${clause?.level === 'documented' ? 'failed' : 'warned'}: expected `,
    );
    // Breaking an explicit promise must be a failure, not a warning.
    if (!faults[fault].inferred && !(fault in onlyWarnedOf)) expect(clause?.level).toBe('documented');
  });
});
