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
 * Generates requests for each operation from the document alone: some keep all rules, some break exactly one.
 * `Service.ask` also checks every response against the document. A failure prints the seed to repeat it with.
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
        const answer = await service.ask(request);
        expect(answer).toMatchObject({ status: expected.status });
        if (expected.refusal === undefined) expectData(answer, operation, expected.data);
        else expectRefusal(answer, expected.field === undefined ? [] : [expected.field]);
      }),
      { numRuns: runs },
    );
  });

  it('rejects a request that breaks one rule, and names the field', async () => {
    await fc.assert(
      fc.asyncProperty(brokenRequests(operation), async ({ request, fault }) => {
        const answer = await service.ask(request);
        expect(answer).toMatchObject({ status: fault.status });
        if (fault.status >= 300) expectRefusal(answer, fault.field === undefined ? [] : [fault.field]);
      }),
      { numRuns: runs },
    );
  });

  it('changes nothing when it rejects a request', async () => {
    const before = await recordsOf(service);
    await fc.assert(
      fc.asyncProperty(brokenRequests(operation), async ({ request }) => {
        await service.ask(request);
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
    expect(await recordsOf(service)).toEqual(before);
  });

  it('agrees with prism-http about requests and responses, except for listed differences', async () => {
    const either = fc.oneof(
      validRequests(operation).map((request) => ({ request, rule: undefined })),
      brokenRequests(operation).map(({ request, fault: { rule } }) => ({ request, rule })),
    );
    await fc.assert(
      fc.asyncProperty(either, async ({ request, rule }) => {
        const reason = rule ?? (await service.prediction.expect(request)).refusal;
        const answer = await service.ask(request);
        const verdict = await prism(request, answer);
        expect(judgements(answer, verdict.request)).toEqual(judgementsOn(reason, answer));
        expect(verdict.answer).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});

/** Expects the requested values in the payload. */
function expectData(answer: Answer, operation: Operation, data: Readonly<Record<string, unknown>>): void {
  expect(memberOf(answer.body, 'success')).toBe(true);
  const held = memberOf(answer.body, 'data');
  for (const [name, value] of Object.entries(data)) {
    expect(memberOf(held, name), `${operation.id} ${name}`).toEqual(JSON.parse(JSON.stringify(value)));
  }
}

/** Expects the error envelope, with only these fields in `errors`, and dates that are compared with them. */
function expectRefusal(answer: Answer, fields: readonly string[]): void {
  expect(answer.body).toMatchObject({ success: false, error: expect.stringMatching(/./) });
  const errors = memberOf(answer.body, 'errors');
  const compared = ['due_date', 'check_out_date'];
  const named = Object.keys(isRecord(errors) ? errors : {});
  expect(named.filter((name) => fields.includes(name) || !compared.includes(name))).toEqual(fields);
}

type Judgement = 'accepts' | 'refuses';
interface Judgements {
  readonly service: Judgement;
  readonly prism: Judgement;
}

function judgements(answer: Answer, found: readonly string[]): Judgements {
  return { service: judgementOf(answer), prism: found.length === 0 ? 'accepts' : 'refuses' };
}

/** Expected verdicts of the two: equal, unless the table of differences lists this rule or reason. */
function judgementsOn(reason: string | undefined, answer: Answer): Judgements {
  const difference = reason === undefined ? undefined : differences[reason];
  const service = difference?.service ?? judgementOf(answer);
  const opposite = service === 'accepts' ? 'refuses' : 'accepts';
  return { service, prism: difference ? opposite : service };
}

function judgementOf({ status }: Answer): Judgement {
  return status < 300 ? 'accepts' : 'refuses';
}

/** Reads all lists and the statistics. */
async function recordsOf(service: Service): Promise<unknown[]> {
  const read = async (operation: OperationId, page: number): Promise<unknown> => {
    const query = [['per_page', '100'] as const, ['page', String(page)] as const];
    const headers = { authorization: 'Bearer demo_read' };
    return (await service.ask({ operation, id: undefined, query, headers, body: undefined })).body;
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
