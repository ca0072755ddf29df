import { afterAll, expect, test } from 'vitest';
import type { Result } from '../../src/contract/engine/check-clauses.js';
import { valueAt } from '../../src/contract/engine/expect.js';
import type { JsonObject } from '../../src/contract/engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../src/contract/mutation/interceptor.js';
import { onResponse, replaceWithError } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { sampleUnlessFull } from '../support/sample.js';
import { checkClauses, closeSimulator, openAccount } from './support.js';

/**
 * If a target refuses a valid request of the suite, a clause must say so. It is not enough that the clauses which need
 * the request are skipped.
 */

afterAll(closeSimulator);

/** Describes a request in words that are the same in every run: without ids, keys and the random prefix of the run. */
function describeRequest({ method, path, query, token, body }: InterceptedRequest): string {
  const { customer_id: _customer, ...fields } = body;
  return [method, path, query.toString(), `(${token})`, JSON.stringify(fields)]
    .join(' ')
    .replace(/[0-9a-f]{8,}/gi, '…')
    .replace(/\b\d+(?=\/|\s)/g, 'N');
}

/** Runs the suite on a simulator, and returns the descriptions of the requests that the simulator accepts. */
async function acceptedRequests(): Promise<readonly string[]> {
  const descriptions = new Set<string>();
  const recorder: Interceptor = {
    response({ status }, request) {
      if (status < 300) descriptions.add(describeRequest(request));
    },
  };
  const { results } = await checkClauses(await startMutatingProxy(await openAccount({}, 'demo'), recorder), clauses);
  expect(results.filter(reportsRefusal).map(({ clause }) => clause.id)).toEqual([]);
  return [...descriptions];
}

/** Refuses every request with this description. The simulator gets an unknown path instead, and changes nothing. */
function refuseRequest(description: string): Interceptor {
  const refused = new WeakSet<InterceptedRequest>();
  return {
    request(request) {
      if (describeRequest(request) !== description) return;
      refused.add(request);
      request.path = '/refused';
    },
    response(response, request) {
      if (refused.has(request)) replaceWithError(response);
    },
  };
}

/**
 * True if a clause reports that its request is refused: it fails or warns, or it is skipped since the target lacks
 * `higher limits`, that is, the target accepts the request only with smaller values.
 */
const reportsRefusal = ({ status, missing }: Result): boolean =>
  status === 'failed' || status === 'warned' || missing === 'higher limits';

/** Descriptions of requests that a target may refuse, because the specification leaves it open. */
const refusableRequests = [
  /"currency":"USD"/,
  // Second deposits of a booking (with unusual characters, or at the same time), and second captures of a deposit.
  /"booking_reference":"contract-… (odd|at once)/,
  /capture .*\{"amount":2\.01\}/,
  // Idempotency keys of 250 characters and more.
  /"booking_reference":"contract-… long keys/,
  // An invoice number in the format of generated numbers.
  /"reference":"contract-… next number"/,
  // Metadata with several types of values, and empty metadata.
  /"roomNo"/,
  /"metadata":\{\}/,
  // Fields that only the service sets.
  /"reference":"contract-… set fields"/,
  /"booking_reference":"contract-… service fields"/,
];

/** In a full run, the test repeats the whole suite for each of the suite's requests. */
const refusedRequestsTimeoutMs = 40 * hangTimeoutMs;

test(
  'the suite reports each refusal of a valid request',
  async () => {
    const unnoticed: string[] = [];
    const accepted = await acceptedRequests();
    // A pattern that matches no request is out of date.
    expect(refusableRequests.filter((pattern) => !accepted.some((request) => pattern.test(request)))).toEqual([]);
    const requests = accepted.filter((request) => !refusableRequests.some((pattern) => pattern.test(request)));
    for (const request of sampleUnlessFull(requests, { oneIn: 200 })) {
      const target = await startMutatingProxy(await openAccount({}, 'demo'), refuseRequest(request));
      const { results } = await checkClauses(target, clauses, { eventuallyTimeoutMs: 700 });
      if (!results.some(reportsRefusal)) unnoticed.push(request);
    }
    expect(unnoticed).toEqual([]);
  },
  refusedRequestsTimeoutMs,
);

/** Refuses create requests at a path if their body has an amount or price that is not an integer. */
const refuseFractions = (path: string): Interceptor =>
  onResponse(
    (request) =>
      request.method === 'POST' &&
      request.path === path &&
      /"(?:amount|unit_price)":\d+\.\d/.test(JSON.stringify(request.body)),
    (response) => replaceWithError(response),
  );

test.each([
  ['invoices with prices', '/invoices', 'INV-CREATE-01'],
  ['payment links with amounts', '/payment-links', 'LINK-CREATE-01'],
  ['deposits with amounts', '/deposits', 'DEP-CREATE-01'],
])('a target that refuses %s that are not integers violates a clause', async (_description, path, id) => {
  const target = await startMutatingProxy(await openAccount({}, 'demo'), refuseFractions(path));
  const { resultOf } = await checkClauses(
    target,
    clauses.filter((clause) => clause.id === id),
  );
  expect(resultOf(id)).toMatchObject({ status: 'failed' });
});

/**
 * Refuses create requests at a path if an earlier one had the same text, as a target with a unique index does. Case does
 * not matter. The simulator gets an unknown path instead, and changes nothing.
 */
function refuseUsedText(path: string, textOf: (body: JsonObject) => unknown): Interceptor {
  const used = new Set<string>();
  const refused = new WeakSet<InterceptedRequest>();
  return {
    request(request) {
      const text = textOf(request.body);
      if (request.method !== 'POST' || request.path !== path || typeof text !== 'string') return;
      if (!used.has(text.toLowerCase())) return void used.add(text.toLowerCase());
      refused.add(request);
      request.path = '/refused';
    },
    response(response, request) {
      if (refused.has(request)) replaceWithError(response);
    },
  };
}

test.each<[string, Interceptor, string, string]>([
  [
    'payment links with a description that is already used',
    refuseUsedText('/payment-links', ({ description }) => description),
    'LINK-SLUG-02',
    'ENV-VALID-08',
  ],
  [
    'deposits of a guest who already has one',
    refuseUsedText('/deposits', ({ customer }) => valueAt(customer, 'email')),
    'DEP-LIST-10',
    'ENV-VALID-11',
  ],
])('a target that refuses %s violates a clause', async (_description, refusal, sendingClause, id) => {
  const { resultOf } = await checkClauses(
    await startMutatingProxy(await openAccount({}, 'demo'), refusal),
    clauses.filter((clause) => clause.id === sendingClause || clause.id === id),
    { eventuallyTimeoutMs: 700 },
  );
  expect(resultOf(id)).toMatchObject({ status: 'failed' });
});
