import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../src/generated/billing-document.js';
import { isRecord } from '../../src/lib/json.js';
import type { ServiceResponse } from './client.js';
import { memberOf, type Operation, operations } from './document.js';
import { createPrismValidator, type PrismValidator } from './prism.js';
import { prismDifferences } from './prism-differences.js';
import { clampedPerPage, invalidRequests, validRequests } from './requests.js';
import { requestsPerTest, type Service, startService } from './service.js';

/**
 * Property tests: fast-check generates requests for each operation from the document, some valid, some with exactly one
 * violation. `sendAndCheck` also checks every response against the document. A failure prints the seed that reproduces
 * it.
 */

let validateWithPrism: PrismValidator;

beforeAll(async () => {
  validateWithPrism = await createPrismValidator();
});

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.stop());

  it('responds to a valid request as predicted from earlier responses', async () => {
    await fc.assert(
      fc.asyncProperty(validRequests(operation), async (request) => {
        const expected = await service.predictor.predict(request);
        const response = await service.sendAndCheck(request);
        expect(response).toMatchObject({ status: expected.status });
        if (expected.rejection === undefined) expectData(response, operation, expected.data);
        else expectError(response, expected.field);
      }),
      { numRuns: requestsPerTest },
    );
  });

  it('rejects a request that violates one rule, and names the field, but clamps a large `per_page`', async () => {
    const maxPerPage = operation.queryParameters.find(({ name }) => name === 'per_page')?.schema.maximum;
    await fc.assert(
      fc.asyncProperty(invalidRequests(operation), async ({ request, violation }) => {
        const response = await service.sendAndCheck(request);
        expect(response).toMatchObject({ status: violation.status });
        if (violation.rule === clampedPerPage) expectData(response, operation, { per_page: maxPerPage });
        else expectError(response, violation.field);
      }),
      { numRuns: requestsPerTest },
    );
  });

  it('changes nothing when it rejects a request', async () => {
    const recordsBefore = await readAllRecords(service);
    await fc.assert(
      fc.asyncProperty(invalidRequests(operation), async ({ request }) => {
        await service.sendAndCheck(request);
      }),
      // Fewer than in the other tests: the previous test has checked many such requests already.
      { numRuns: Math.ceil(requestsPerTest / 4) },
    );
    expect(await readAllRecords(service)).toEqual(recordsBefore);
  });

  it('agrees with prism-http about requests and responses, except for known differences', async () => {
    const validOrInvalid = fc.oneof(
      validRequests(operation).map((request) => ({ request, rule: undefined })),
      invalidRequests(operation).map(({ request, violation: { rule } }) => ({ request, rule })),
    );
    await fc.assert(
      fc.asyncProperty(validOrInvalid, async ({ request, rule }) => {
        const reason = rule ?? (await service.predictor.predict(request)).rejection;
        const response = await service.sendAndCheck(request);
        const findings = await validateWithPrism(request, response);
        expect(verdictsOn(response, findings.request)).toEqual(expectedVerdicts(reason, response));
        expect(findings.response).toEqual([]);
      }),
      { numRuns: requestsPerTest },
    );
  });
});

/** Expects a success whose payload has these values, as JSON represents them. */
function expectData(response: ServiceResponse, operation: Operation, data: Readonly<Record<string, unknown>>): void {
  expect(memberOf(response.body, 'success')).toBe(true);
  const payload = memberOf(response.body, 'data');
  for (const [name, value] of Object.entries(data)) {
    expect(memberOf(payload, name), `${operation.id} ${name}`).toEqual(JSON.parse(JSON.stringify(value)));
  }
}

/**
 * Expects an error whose `errors` name only this field, or none if `field` is undefined. `errors` may also name the later
 * date of a pair, since an invalid earlier date can make the comparison of the two fail.
 */
function expectError(response: ServiceResponse, field: string | undefined): void {
  expect(response.body).toMatchObject({ success: false, error: expect.stringMatching(/./) });
  const errors = memberOf(response.body, 'errors');
  const laterDates = ['due_date', 'check_out_date'];
  const namedFields = Object.keys(isRecord(errors) ? errors : {});
  expect(namedFields.filter((name) => name === field || !laterDates.includes(name))).toEqual(
    field === undefined ? [] : [field],
  );
}

type Verdict = 'accepts' | 'rejects';

interface Verdicts {
  readonly service: Verdict;
  readonly prism: Verdict;
}

function verdictsOn(response: ServiceResponse, prismErrors: readonly string[]): Verdicts {
  return { service: verdictOf(response), prism: prismErrors.length === 0 ? 'accepts' : 'rejects' };
}

/**
 * Returns the verdicts to expect. If `prismDifferences` lists the reason, the service must decide as listed, and Prism
 * must disagree. Otherwise Prism must agree with the service, whose own verdict other tests check.
 * @param reason rule that the request violates, or why the service rejects a valid one; undefined if it is accepted
 */
function expectedVerdicts(reason: string | undefined, response: ServiceResponse): Verdicts {
  const difference = reason === undefined ? undefined : prismDifferences[reason];
  const service = difference?.serviceVerdict ?? verdictOf(response);
  const opposite = service === 'accepts' ? 'rejects' : 'accepts';
  return { service, prism: difference ? opposite : service };
}

function verdictOf({ status }: ServiceResponse): Verdict {
  return status < 300 ? 'accepts' : 'rejects';
}

/** Reads all paginated lists and the statistics. */
async function readAllRecords(service: Service): Promise<unknown[]> {
  const read = async (operation: OperationId, page = 1): Promise<unknown> => {
    const query = [['per_page', '100'] as const, ['page', String(page)] as const];
    const headers = { authorization: 'Bearer demo_read' };
    return (await service.sendAndCheck({ operation, id: undefined, query, headers, body: undefined })).body;
  };
  const bodies = [await read('getInvoiceStats')];
  for (const list of ['listInvoices', 'listPaymentLinks', 'listPayments', 'listDeposits'] as const) {
    for (let page = 1, lastPage = 1; page <= lastPage; page++) {
      const body = await read(list, page);
      lastPage = Number(memberOf(body, 'data', 'last_page'));
      bodies.push(body);
    }
  }
  return bodies;
}
