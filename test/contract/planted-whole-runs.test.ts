import { describe, expect, test } from 'vitest';
import { clauseReport } from '../../src/contract/report/clause-report.js';
import { reportOf } from '../../src/contract/report/report.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { type FaultId, faults } from '../second-implementation/faults/index.js';
import { limitFaults } from '../second-implementation/faults/limits.js';
import { isFullRun } from '../support/sample.js';
import { detectedBy, faultsThatOnlyWarn, plantedFaults } from './planted-faults/index.js';
import { sampleRun } from './sample-report.js';
import { checkClauses, describeResults, openSecondImplementation } from './support.js';

/** Faults of different kinds. `npm run test:full` tests all `detectableFaults`. */
const sampleOfFaults: readonly FaultId[] = ['response-not-json', 'filter-to-ignored', 'signature-reserialized'];

/** All faults except those of the rate limit, some of which show only beyond the limit or after a minute. */
const detectableFaults = plantedFaults.filter((fault) => !Object.hasOwn(limitFaults, fault));
const testedFaults = isFullRun ? detectableFaults : sampleOfFaults;

/** Clauses that detect a fault in a run of all clauses, where the last clause of `detectedBy` does not. */
const detectedInWholeRuns: Readonly<Partial<Record<FaultId, string>>> = {
  // The deposit is created before the list is first read, so DEP-LIST-22 does not miss it.
  'write-token-deposit-not-stored': 'HOOK-EVENT-02',
};

describe.concurrent('a run of all clauses', () => {
  test.each(testedFaults)('detects the fault %s in the second implementation', async (fault) => {
    const outcome = await checkClauses(await openSecondImplementation({ fault }), clauses, {
      eventuallyTimeoutMs: 1_500,
    });
    expect(describeResults(outcome, 'broken')).toEqual([]);
    const id = detectedInWholeRuns[fault] ?? detectedBy[fault].split(' ').at(-1);
    if (faults[fault].inferred || fault in faultsThatOnlyWarn) {
      expect(outcome.idsWithStatus('failed', 'warned')).toContain(id);
    } else {
      expect(outcome.idsWithStatus('failed')).toContain(id);
      const redactNothing = (text: string): string => text;
      const reports = outcome.results.map((result) => clauseReport(result, redactNothing));
      expect(reportOf(sampleRun, reports, [], '2026-03-01').exitCode).toBe(1);
    }
  });
});
