import { describe, expect, test } from 'vitest';
import type { Clause } from '../../src/contract/engine/clause.js';
import type { JsonObject } from '../../src/contract/engine/json.js';
import { onData, removeField } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { type FaultId, faults } from '../second-implementation/faults/index.js';
import type { Options } from '../second-implementation/options.js';
import { sampleUnlessFull } from '../support/sample.js';
import { detectedBy, faultsThatOnlyWarn, plantedFaults } from './planted-faults/index.js';
import { checkClauses, describeResults, openSecondImplementation } from './support.js';

/**
 * Rate limit of the specification, in requests per minute. The default limit of the second implementation is too high
 * to be exceeded here.
 */
const specifiedLimit = 60;

/** Rate limits with a short window, for faults that show only after the window has ended. */
const rateLimits: Partial<Record<FaultId, Options>> = {
  'rate-never-resets': { limit: specifiedLimit, windowSeconds: 2 },
};

function clauseById(id: string): Clause {
  const found = clauses.find((clause) => clause.id === id);
  if (!found) throw new Error(`unknown clause ${id}`);
  return found;
}

describe.concurrent('a fault in the second implementation', () => {
  test.each(sampleUnlessFull(plantedFaults, { oneIn: 10 }))('%s is detected', async (fault) => {
    const clausesToRun = detectedBy[fault].split(' ').map(clauseById);
    const rateLimit = rateLimits[fault] ?? (fault.startsWith('rate-') ? { limit: specifiedLimit } : {});
    const outcome = await checkClauses(await openSecondImplementation({ fault, ...rateLimit }), clausesToRun, {
      eventuallyTimeoutMs: 1_500,
      includeRateLimit: true,
    });
    // The earlier clauses only send requests that the last one needs.
    const clause = clausesToRun.at(-1);
    expect(describeResults(outcome, 'passed', 'skipped', 'broken', 'failed', 'warned').at(-1)).toMatch(
      `${clause?.id} ${clause?.level === 'documented' ? 'failed' : 'warned'}: expected `,
    );
    // Breaking an explicit promise must cause a failure, not a warning.
    if (!faults[fault].inferred && !(fault in faultsThatOnlyWarn)) expect(clause?.level).toBe('documented');
  });
});

test('if the detail view lacks the phone number of the overdue list, the message is about the detail view', async () => {
  const outcome = await checkClauses(
    await openSecondImplementation({ fault: 'detail-phone-missing' }),
    ['INV-OVERDUE-35'].map(clauseById),
  );
  expect(describeResults(outcome, 'failed')).toEqual([
    expect.stringMatching(
      /^INV-OVERDUE-35 failed: expected `data.customer.phone` to be .+, as in the overdue list, got /,
    ),
  ]);
});

test('if a target omits a value, only the clause about the value fails; a clause that needs it is skipped', async () => {
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

test.each([
  ['has no `id`', (invoice: JsonObject) => removeField(invoice, 'id')],
  ['has an `id` that is a string', (invoice: JsonObject) => Object.assign(invoice, { id: String(invoice['id']) })],
])('if the response to the creation of an invoice %s, only the clause about it fails', async (_defect, change) => {
  const outcome = await checkClauses(
    await startMutatingProxy(await openSecondImplementation(), onData('POST', '/invoices', change)),
    clauses.filter(({ id }) => id.startsWith('INV-')),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.idsWithStatus('failed', 'warned', 'broken')).toEqual(['INV-CREATE-11']);
});
