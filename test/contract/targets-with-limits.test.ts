import { describe, expect, test } from 'vitest';
import type { Options } from '../second-implementation/options.js';
import { sample } from '../support/sample.js';
import { failableClauses } from './clause-groups.js';
import { checkClauses, describeResults, openSecondImplementation } from './support.js';

/** Services with limits and conditions that the specification leaves open. */
const services: Readonly<Record<string, readonly [options: Options, verifiedIds: readonly string[]]>> = {
  'with short booking references': [{ maxLengths: { booking_reference: 25 } }, ['AUTH-ADMITS-11']],
  'with very short booking references': [{ maxLengths: { booking_reference: 10 } }, ['AUTH-ADMITS-02']],
  'with short booking references and a minimum amount of deposits': [
    { maxLengths: { booking_reference: 20 }, minDepositAmount: 50 },
    ['AUTH-ADMITS-02'],
  ],
  'with a minimum and a maximum amount of payment links': [{ linkAmounts: [5, 1_000] }, ['LINK-CREATE-01']],
  'with short idempotency keys': [{ maxLengths: { 'Idempotency-Key': 32 } }, ['AUTH-ADMITS-11']],
  'with a minimum amount of deposits': [{ minDepositAmount: 50 }, ['AUTH-ADMITS-11']],
  'with a minimum amount of captures': [{ minCaptureAmount: 25 }, ['AUTH-ADMITS-13']],
  'with short references of invoices': [
    { maxLengths: { reference: 32 } },
    ['INV-CREATE-03', 'INV-CREATE-04', 'INV-CREATE-34', 'INV-STATS-25', 'AUTH-ADMITS-02'],
  ],
  'with short invoice numbers': [{ maxLengths: { invoice_number: 10 } }, ['INV-CREATE-05', 'INV-CREATE-31']],
  'that captures from a deposit only once': [{ isCaptureFinal: true }, ['DEP-CAPTURE-01', 'DEP-CAPTURE-12']],
  'that releases no deposit after a capture': [
    { releaseAfterCapture: 'refused' },
    ['AUTH-ADMITS-13', 'AUTH-ADMITS-14'],
  ],
};

const checkedIds = /^(AUTH-(ADMITS|SCOPE|UNCHANGED)|DEP-CAPTURE|ENV-VALID|LINK-CREATE|INV-(CREATE|RULE|STATS))/;

describe.concurrent('no clause fails for a service', () => {
  test.each(sample(Object.entries(services), { oneIn: 6 }))('%s', async (_name, [options, verifiedIds]) => {
    const clauses = failableClauses.filter(({ id }) => checkedIds.test(id));
    const outcome = await checkClauses(await openSecondImplementation(options), clauses, {
      eventuallyTimeoutMs: 1_000,
    });
    expect(describeResults(outcome, 'failed', 'broken')).toEqual([]);
    expect(outcome.idsWithStatus('passed')).toEqual(expect.arrayContaining([...verifiedIds]));
  });
});
