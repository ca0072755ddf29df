import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../src/generated/billing-document.js';
import type { Answer } from './client.js';
import { differences } from './differences.js';
import { isRecord, memberOf, type Operation, operations } from './document.js';
import { runs, type Service, startService } from './harness.js';
import { createPrism, type Prism } from './prism.js';
import { brokenRequests, validRequests } from './requests.js';

/**
 * Generates requests for each operation from the document alone: some are valid, some violate exactly one rule.
 * `Service.sendChecked` also checks every response against the document. A failure prints the seed to repeat it with.
 */

let prism: Prism;

beforeAll(async () => {
  prism = await createPrism();
});

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.stop());

  it('handles a valid request, or names the record or state that prevents it', async () => {
    await fc.assert(
      fc.asyncProperty(validRequests(operation), async (request) => {
        const expected = await service.prediction.expect(request);
        const answer = await service.sendChecked(request);
        expect(answer).toMatchObject({ status: expected.status });
        if (expected.refusal === undefined) expectData(answer, operation, expected.data);
        else expectRefusal(answer, expected.field === undefined ? [] : [expected.field]);
      }),
      { numRuns: runs },
    );
  });

  it('rejects a request that breaks one rule, and names the field', async () => {
    await fc.assert(
      fc.asyncProperty(brokenRequests(operation), async ({ request, violation }) => {
        const answer = await service.sendChecked(request);
        expect(answer).toMatchObject({ status: violation.status });
        if (violation.status >= 300) expectRefusal(answer, violation.field === undefined ? [] : [violation.field]);
      }),
      { numRuns: runs },
    );
  });

  it('changes nothing when it rejects a request', async () => {
    const before = await recordsOf(service);
    await fc.assert(
      fc.asyncProperty(brokenRequests(operation), async ({ request }) => {
        await service.sendChecked(request);
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
    expect(await recordsOf(service)).toEqual(before);
  });

  it('agrees with prism-http about requests and responses, except for listed differences', async () => {
    const either = fc.oneof(
      validRequests(operation).map((request) => ({ request, rule: undefined })),
      brokenRequests(operation).map(({ request, violation: { rule } }) => ({ request, rule })),
    );
    await fc.assert(
      fc.asyncProperty(either, async ({ request, rule }) => {
        const reason = rule ?? (await service.prediction.expect(request)).refusal;
        const answer = await service.sendChecked(request);
        const findings = await prism(request, answer);
        expect(verdictsOn(answer, findings.request)).toEqual(expectedVerdicts(reason, answer));
        expect(findings.answer).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});

/** Expects the requested values in the payload. */
function expectData(answer: Answer, operation: Operation, data: Readonly<Record<string, unknown>>): void {
  expect(memberOf(answer.body, 'success')).toBe(true);
  const record = memberOf(answer.body, 'data');
  for (const [name, value] of Object.entries(data)) {
    expect(memberOf(record, name), `${operation.id} ${name}`).toEqual(JSON.parse(JSON.stringify(value)));
  }
}

/** Expects the error envelope. Its `errors` name exactly these fields, and perhaps a date that is compared with one. */
function expectRefusal(answer: Answer, fields: readonly string[]): void {
  expect(answer.body).toMatchObject({ success: false, error: expect.stringMatching(/./) });
  const errors = memberOf(answer.body, 'errors');
  const comparedDates = ['due_date', 'check_out_date'];
  const named = Object.keys(isRecord(errors) ? errors : {});
  expect(named.filter((name) => fields.includes(name) || !comparedDates.includes(name))).toEqual(fields);
}

type Verdict = 'accepts' | 'refuses';

/** Whether the service and prism-http accept a request. */
interface Verdicts {
  readonly service: Verdict;
  readonly prism: Verdict;
}

function verdictsOn(answer: Answer, prismErrors: readonly string[]): Verdicts {
  return { service: verdictOf(answer), prism: prismErrors.length === 0 ? 'accepts' : 'refuses' };
}

/**
 * The verdicts to expect: equal, unless `differences` lists the reason.
 * @param reason rule that the request violates, or why the service refuses a valid one; undefined if it is accepted
 */
function expectedVerdicts(reason: string | undefined, answer: Answer): Verdicts {
  const difference = reason === undefined ? undefined : differences[reason];
  const service = difference?.service ?? verdictOf(answer);
  const opposite = service === 'accepts' ? 'refuses' : 'accepts';
  return { service, prism: difference ? opposite : service };
}

function verdictOf({ status }: Answer): Verdict {
  return status < 300 ? 'accepts' : 'refuses';
}

/** Reads all lists and the statistics. */
async function recordsOf(service: Service): Promise<unknown[]> {
  const read = async (operation: OperationId, page: number): Promise<unknown> => {
    const query = [['per_page', '100'] as const, ['page', String(page)] as const];
    const headers = { authorization: 'Bearer demo_read' };
    return (await service.sendChecked({ operation, id: undefined, query, headers, body: undefined })).body;
  };
  const bodies = [await read('getInvoiceStats', 1)];
  for (const list of ['listInvoices', 'listPaymentLinks', 'listPayments', 'listDeposits'] as const) {
    for (let page = 1, last = 1; page <= last; page++) {
      const body = await read(list, page);
      last = Number(memberOf(body, 'data', 'last_page'));
      bodies.push(body);
    }
  }
  return bodies;
}
