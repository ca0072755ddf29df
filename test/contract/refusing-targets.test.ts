import { afterAll, expect, test } from 'vitest';
import { operationOf, operations } from '../../src/contract/engine/operations.js';
import { onResponse, replaceWithError } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { sampleUnlessFull } from '../support/sample.js';
import { checkClauses, closeSimulator, openAccount } from './support.js';

/** Targets that lack an operation, and so refuse every request for it. */

afterAll(closeSimulator);

/** Clauses that say something about a target that lacks their operation. */
const meaningful: readonly RegExp[] = [
  // About error responses, which such a target sends.
  /^ENV-/,
  // About deposits, payments and links as other operations show them.
  /^(?:DEP-FIELD-09|PAY-LINK-14|DEP-RELEASE-13)$/,
];

/** Those with a body come first: they have the most clauses, so one of them is in the sample. */
const sortedOperations = operations.toSorted((a, b) => b.method.localeCompare(a.method));

const checkedClauses = clauses.filter(({ id }) => !id.startsWith('RATE-'));

test.each(sampleUnlessFull(sortedOperations, { oneIn: 7 }).map(({ id }) => id))(
  'no refusal proves anything about a target that refuses every request for %s',
  async (id) => {
    const proxy = await startMutatingProxy(
      await openAccount(),
      onResponse(
        ({ method, path }) => (method === 'GET' || method === 'POST') && operationOf({ method, path })?.id === id,
        (response) => replaceWithError(response, 404),
      ),
    );
    const outcome = await checkClauses(proxy, checkedClauses, { eventuallyTimeoutMs: 300 });
    const passed = outcome.results
      .filter(({ clause, status }) => status === 'passed' && clause.operation === id)
      .map(({ clause }) => clause.id)
      .filter((passedId) => !meaningful.some((pattern) => pattern.test(passedId)));
    expect(passed).toEqual([]);
    expect(outcome.idsWithStatus('observed').filter((gapId) => gapId.startsWith('GAP-VALIDATION'))).toEqual(
      id === 'createPaymentLink' ? [] : ['GAP-VALIDATION-STATUS', 'GAP-VALIDATION-MESSAGES'],
    );
  },
);
