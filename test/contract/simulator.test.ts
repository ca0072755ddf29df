import { afterAll, describe, expect, test } from 'vitest';
import type { Driver } from '../../src/contract/drivers/driver.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import type { Choices } from '../../src/index.js';
import { isRecord } from '../../src/lib/json.js';
import { sampleUnlessFull } from '../support/sample.js';
import { clausesExceptPaymentsAndDeposits, nonOpenClauses } from './clauses-by-topic.js';
import { checkClauses, closeSimulator, describeResults, openAccount, type RunOptions } from './support.js';

afterAll(closeSimulator);

/**
 * Matches the ids of clauses that a run skips unless it has further options: a token without scopes (AUTH-HEADER),
 * `--include rate-limit` (RATE-EXCESS), or a timeout long enough for retries of webhooks (HOOK).
 */
const idsThatNeedOptions = /^(AUTH-HEADER-0[23]|RATE-EXCESS-0\d|HOOK-HEAD-04|HOOK-SIGN-07)$/;
/** A clause that cannot be checked has a reason, `{ untestable }`, in place of a function. */
const untestableIds = nonOpenClauses.filter(({ check }) => typeof check === 'object').map(({ id }) => id);

describe.concurrent('a simulator', () => {
  test('satisfies every clause that can be checked without further options', async () => {
    const outcome = await checkClauses(await openAccount({}, 'demo'), nonOpenClauses, {
      eventuallyTimeoutMs: 2_000,
    });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    const needsNoOptions = (id: string): boolean => !idsThatNeedOptions.test(id);
    expect(outcome.idsWithStatus('skipped').filter(needsNoOptions)).toEqual(untestableIds.filter(needsNoOptions));
  });

  test('needs fewer than 250 requests for all clauses except those about payments and deposits', async () => {
    const outcome = await checkClauses(await openAccount(), clausesExceptPaymentsAndDeposits);
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    expect(outcome.requests).toBeLessThan(250);
  });

  test('gets only GET requests in a read-only run, which calls no driver method but `close`', async () => {
    const methods = new Set<string>();
    const implementation = await startMutatingProxy(await openAccount({}, 'demo'), {
      request: ({ method }) => void methods.add(method),
    });
    const driverCalls: PropertyKey[] = [];
    const driver = new Proxy<Driver>(implementation.driver, {
      get: (methods, name) => {
        const method: unknown = Reflect.get(methods, name);
        if (typeof method !== 'function') return method;
        return (...values: unknown[]) => {
          driverCalls.push(name);
          return Reflect.apply(method, methods, values);
        };
      },
    });
    const outcome = await checkClauses({ ...implementation, driver }, nonOpenClauses, {
      mayWrite: false,
      eventuallyTimeoutMs: 500,
    });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    // Releases what the driver holds; it changes no records.
    expect(driverCalls).toEqual(['close']);
    expect(methods).toEqual(new Set(['GET']));
    expect(outcome.idsWithStatus('passed').length).toBeGreaterThan(150);
  });

  test('violates no clause if the driver has no methods and tokens are missing', async () => {
    const { baseUrl, tokens } = await openAccount({}, 'demo');
    const outcome = await checkClauses(
      { baseUrl, tokens: { full: tokens.full }, driver: {} },
      clausesExceptPaymentsAndDeposits,
      {
        eventuallyTimeoutMs: 500,
      },
    );
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    expect(outcome.resultOf('INV-REMIND-04').missing).toBe('markInvoicePaid');
    expect(outcome.resultOf('AUTH-SCOPE-13').missing).toBe('authorizeDeposit');
    expect(outcome.resultOf('AUTH-SCOPE-01').missing).toBe('--write-token');
  });

  test.each<[result: string, returned: object, options: RunOptions, status: string, missing?: string]>([
    ['holds for the fields that the driver returns', {}, {}, 'passed'],
    ['does not hold for other fields', { city: 'Elsewhere' }, {}, 'warned'],
    [
      'is skipped if the driver returns only the id',
      { name: null, email: null, city: null },
      {},
      'skipped',
      'the fields of the customer',
    ],
    [
      'is skipped if the invoices are for another customer',
      {},
      { customerId: 1 },
      'skipped',
      'a run without --customer-id',
    ],
  ])('the clause about the customer of invoices %s', async (_result, returned, options, status, expectedMissing) => {
    const implementation = await openAccount({}, 'demo');
    const { driver } = implementation;
    const createCustomer = async () => {
      const { id, name, email, city } = { ...(await driver.createCustomer?.()), ...returned };
      return { id: Number(id), name, email, city };
    };
    const clause = nonOpenClauses.filter(({ id }) => id === 'INV-DETAIL-57');
    const outcome = await checkClauses({ ...implementation, driver: { ...driver, createCustomer } }, clause, options);
    const { status: actualStatus, missing } = outcome.resultOf('INV-DETAIL-57');
    expect([actualStatus, missing]).toEqual([status, expectedMissing]);
  });

  test('violates no clause if the account is empty', async () => {
    const { baseUrl, tokens } = await openAccount();
    const outcome = await checkClauses({ baseUrl, tokens, driver: {} }, clausesExceptPaymentsAndDeposits, {
      eventuallyTimeoutMs: 500,
    });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    expect(outcome.resultOf('INV-CREATE-01').missing).toBe('--customer-id');
    expect(outcome.resultOf('INV-DETAIL-01').missing).toBe('an invoice');
  });
});

/** Profiles of valid choices; each differs from the default in some of them. */
const profiles: Record<string, Choices> = {
  'decimals as strings, oldest first': { 'decimal.encoding': 'string', 'list.order': 'oldest-first' },
  'other success statuses': { 'status.created': '200', 'status.acted': '202' },
  'terse errors': {
    'validation.status': '400-without-errors',
    'request.not-found': { error: 'Nothing here' },
    'invoice.id-text': '422',
  },
  'other error messages': {
    'validation.status': '400',
    'validation.messages': 'json-schema',
    'validation.nested-keys': 'brackets',
    'validation.unknown-fields': 'refused',
  },
  'other statuses for tokens': {
    'auth.unauthenticated': { answer: { status: 418, error: 'Who are you?' } },
    'auth.scope': { answer: { status: 404, error: 'You see nothing.' } },
  },
  'absent optional fields': { 'null.optional': 'absent', 'payment.paid-at-unpaid': 'absent' },
  'empty optional fields': { 'null.optional': 'empty' },
  'strict pages': {
    'page.over-maximum': 'refused',
    'page.beyond-end': '404',
    'page.last-page-everywhere': 'absent',
    'page.page-everywhere': 'ignored',
    'deposit.per-page': { bounds: { default: 3, maximum: 500 } },
  },
  'lenient pages': { 'page.invalid': 'default' },
  'other totals': {
    'invoice.amount': 'net',
    'invoice.line-total': 'excluded',
    'invoice.outstanding': 'whole-amount',
    'invoice.pending-count': 'with-overdue',
    'overdue.total-outstanding': 'all-unpaid',
    'invoice.currency': 'customer',
  },
  'other invoices': {
    'invoice.number-format': { pattern: 'R{number:3}/{year}' },
    'invoice.number-duplicate': 'accepted',
    'invoice.overdue-moment': 'never',
    'invoice.item-places': { places: 4 },
    'invoice.transactions': { fields: ['id'] },
    'invoice.reminder-cancelled': 'sent',
  },
  'a sliding window in seconds': { 'rate.window': 'sliding', 'rate.reset-unit': 'seconds-left', 'rate.key': 'account' },
  'a bucket, and times in ISO 8601': { 'rate.window': 'bucket', 'rate.reset-unit': 'iso', 'rate.burst': 'never' },
  'required deposit fields': {
    'deposit.required': 'all',
    'deposit.key-required': 'yes',
    'deposit.id': 'uuid',
  },
};

describe.concurrent('a simulator violates no clause with a profile of', () => {
  test.each(sampleUnlessFull(Object.entries(profiles), { oneIn: 16 }))('%s', async (_name, profile) => {
    const outcome = await checkClauses(await openAccount(profile), nonOpenClauses, {
      eventuallyTimeoutMs: 2_000,
    });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  });
});

/** Profiles whose limits are low. The specification sets no maximums, so a service that satisfies it may have them. */
const lowLimits: Record<string, Choices> = {
  'low limits': {
    'amount.maximum': { maximum: 100 },
    'text.lengths': { bounds: { text: 50, notes: 50 } },
    'deposit.per-page': { bounds: { default: 1, maximum: 1 } },
    'metadata.size': { bounds: { keys: 1, key_length: 3, value_length: 3 } },
    'invoice.item-places': { places: 2 },
  },
  'limits that refuse most requests of the suite': {
    'amount.maximum': { maximum: 1 },
    'text.lengths': { bounds: { text: 20, notes: 20 } },
    'deposit.per-page': { bounds: { default: 1, maximum: 1 } },
    'page.over-maximum': 'refused',
    'metadata.size': { bounds: { keys: 1, key_length: 1, value_length: 1 } },
    'invoice.tax-rate': { maximum: 1 },
  },
};

describe.concurrent('a simulator violates no clause with', () => {
  test.each(Object.entries(lowLimits))('%s', async (_name, profile) => {
    const outcome = await checkClauses(await openAccount(profile), nonOpenClauses, {
      eventuallyTimeoutMs: 1_000,
    });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  });
});

test('a capture and a release that are refused because the authorization has expired violate no clause', async () => {
  let isExpired = false;
  const implementation = await startMutatingProxy(await openAccount(), {
    response(response, { path, token }) {
      // The suite checks with the write token whether captures and releases are allowed (the clauses below).
      const { data } = response.body;
      if (token === 'write' && /[/](capture|release)$/.test(path)) {
        isExpired = true;
        response.status = 409;
      } else if (isExpired && path.startsWith('/deposits/') && isRecord(data)) {
        response.body['data'] = { ...data, status: 'expired' };
      }
    },
  });
  const captureAndRelease = nonOpenClauses.filter(({ id }) => ['AUTH-ADMITS-13', 'AUTH-ADMITS-14'].includes(id));
  const outcome = await checkClauses(implementation, captureAndRelease, { eventuallyTimeoutMs: 500 });
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(outcome.idsWithStatus('skipped')).toHaveLength(2);
});
