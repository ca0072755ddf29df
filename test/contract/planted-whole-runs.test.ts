import { describe, expect, test } from 'vitest';
import { clauseReport } from '../../src/contract/report/clause-report.js';
import { reportOf } from '../../src/contract/report/report.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { type FaultId, faults } from '../second/faults/index.js';
import { limitFaults } from '../second/faults/limits.js';
import { isFull } from '../support/sample.js';
import { onlyWarnedOf, seenBy } from './planted/index.js';
import { run } from './sample.js';
import { check, complaints, openSecond } from './support.js';

/** One of each kind. `npm run test:full` takes all. */
const some: readonly FaultId[] = [
  'answer-no-json',
  'page-skips-record',
  'error-fields-list',
  'stats-outstanding-with-paid',
  'create-date-shifted',
  'reminder-of-paid-sent',
  'slug-suffix-repeats',
  'filter-to-ignored',
  'replay-stores-second',
  'signature-reserialised',
  'open-deposit-release',
  'unscoped-invoice-stats',
];

const isFault = (id: string): id is FaultId => Object.hasOwn(faults, id);

// A run that keeps within the limit does not meet what only shows beyond it, or takes minutes for it.
const all = Object.keys(seenBy)
  .filter(isFault)
  .filter((fault) => !Object.hasOwn(limitFaults, fault));
const chosen = isFull ? all : some;

describe.concurrent('a whole run against a target with a planted fault', () => {
  test.each(chosen)('%s', async (fault) => {
    const outcome = await check(await openSecond({ fault }), clauses, { eventuallyTimeoutMs: 1_500 });
    expect(complaints(outcome, 'broken')).toEqual([]);
    const id = seenBy[fault].split(' ').at(-1);
    if (faults[fault].inferred || fault in onlyWarnedOf) {
      expect(outcome.ids('failed', 'warned')).toContain(id);
    } else {
      expect(outcome.ids('failed')).toContain(id);
      const reports = outcome.results.map((result) => clauseReport(result, (text) => text));
      expect(reportOf(run, reports, [], '2026-03-01').exitCode).toBe(1);
    }
  });
});
