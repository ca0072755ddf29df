import { describe, expect, test } from 'vitest';
import type { Options } from '../second-implementation/options.js';
import { sampleUnlessFull } from '../support/sample.js';
import { nonOpenClauses } from './clauses-by-topic.js';
import { checkClauses, describeResults, openSecondImplementation } from './support.js';

/** Services with limits and conditions that the specification leaves open. */
const services: Readonly<Record<string, readonly [options: Options, idsThatMustPass: readonly string[]]>> = {
  'that limits booking references': [{ maxLengths: { booking_reference: 25 } }, ['AUTH-ADMITS-11']],
  'that limits booking references to 10 characters': [{ maxLengths: { booking_reference: 10 } }, ['AUTH-ADMITS-02']],
  'that limits booking references, and has a minimum deposit amount': [
    { maxLengths: { booking_reference: 20 }, minDepositAmount: 50 },
    ['AUTH-ADMITS-02'],
  ],
  'with a minimum and a maximum payment link amount': [{ linkAmounts: [5, 1_000] }, ['LINK-CREATE-01']],
  'that limits idempotency keys': [{ maxLengths: { 'Idempotency-Key': 32 } }, ['AUTH-ADMITS-11']],
  'with a minimum deposit amount': [{ minDepositAmount: 50 }, ['AUTH-ADMITS-11']],
  'with a minimum capture amount': [{ minCaptureAmount: 25 }, ['AUTH-ADMITS-13']],
  'that limits invoice references': [
    { maxLengths: { reference: 32 } },
    ['INV-CREATE-03', 'INV-CREATE-04', 'INV-CREATE-34', 'INV-STATS-25', 'AUTH-ADMITS-02'],
  ],
  'that limits invoice numbers': [{ maxLengths: { invoice_number: 10 } }, ['INV-CREATE-05', 'INV-CREATE-31']],
  'that captures from a deposit only once': [{ isCaptureFinal: true }, ['DEP-CAPTURE-01', 'DEP-CAPTURE-12']],
  'that releases no deposit after a capture': [
    { releaseAfterCapture: 'refused' },
    ['AUTH-ADMITS-13', 'AUTH-ADMITS-14'],
  ],
};

const checkedIds = /^(AUTH-(ADMITS|SCOPE|UNCHANGED)|DEP-CAPTURE|ENV-VALID|LINK-CREATE|INV-(CREATE|RULE|STATS))/;

describe.concurrent('no clause fails for a service', () => {
  test.each(sampleUnlessFull(Object.entries(services), { oneIn: 6 }))(
    '%s',
    async (_name, [options, idsThatMustPass]) => {
      const clauses = nonOpenClauses.filter(({ id }) => checkedIds.test(id));
      const outcome = await checkClauses(await openSecondImplementation(options), clauses, {
        eventuallyTimeoutMs: 1_000,
      });
      expect(describeResults(outcome, 'failed', 'broken')).toEqual([]);
      expect(outcome.idsWithStatus('passed')).toEqual(expect.arrayContaining([...idsThatMustPass]));
    },
  );
});
