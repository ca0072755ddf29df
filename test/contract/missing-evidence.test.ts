import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/engine/json.js';
import type { Interceptor } from '../../src/contract/mutation/interceptor.js';
import {
  combine,
  onData,
  onList,
  onRecords,
  onResponse,
  onSuccess,
  removeField,
  replaceWithError,
} from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { mutants } from '../../src/contract/sections/mutants.js';
import { checkClauses, closeSimulator, describeResults, openAccount } from './support.js';

/** A clause does not pass if the responses of a target show nothing of what it is about. */

afterAll(closeSimulator);

const removeFieldFromDeposits = (field: string): Interceptor =>
  combine(
    onData('GET', /^\/deposits\/[^/]+$/, (deposit) => removeField(deposit, field)),
    onData('POST', /^\/deposits(\/|$)/, (deposit) => removeField(deposit, field)),
    onRecords('/deposits', (deposit) => removeField(deposit, field)),
  );

const emptyDepositList = onList('/deposits', () => []);

const mutantOf = (id: string): Interceptor => mutants.find(({ clause }) => clause === id)?.createInterceptor() ?? {};

describe.concurrent('a clause is skipped:', () => {
  test.each<[id: string, target: string, interceptor: Interceptor, detail: string]>([
    ['DEP-READ-03', 'no response shows a status', removeFieldFromDeposits('status'), 'no response shows the `status`'],
    [
      'DEP-IDEM-04',
      'no response shows a URL',
      removeFieldFromDeposits('authorization_url'),
      'neither response shows an `authorization_url`',
    ],
    [
      'DEP-IDEM-06',
      'neither the responses nor the list identify the deposit',
      combine(
        onData('POST', '/deposits', (deposit) => removeField(deposit, 'id')),
        emptyDepositList,
      ),
      'neither the responses show an `id`, nor the list a deposit of the booking',
    ],
    [
      'DEP-IDEM-09',
      'the responses show no id, and the second one has null in place of the URL',
      showUrlOnlyOnce(),
      'neither an `id` nor an `authorization_url`',
    ],
    [
      'DEP-READ-02',
      'a deposit shows only nulls in place of what identifies it',
      onData('GET', /^\/deposits\/[^/]+$/, showNoIdentity),
      'the record shows nothing that identifies it',
    ],
    [
      'DEP-LIST-21',
      'the list is empty',
      onResponse(
        ({ method, path }) => method === 'POST' && path === '/deposits',
        (response) => replaceWithError(response),
      ),
      'two deposits: the list has fewer',
    ],
    [
      'DEP-LIST-24',
      'the list shows no status',
      onRecords('/deposits', (deposit) => removeField(deposit, 'status')),
      'a `status` in the list of deposits: no record shows one',
    ],
    ['PAY-FILTER-04', 'all payments are paid', {}, 'a payment that is not paid: none is listed'],
    [
      'LINK-LIST-47',
      'the links of the run are not on the pages of the list that are read',
      onData('GET', '/payment-links', (page) => Object.assign(page, { data: [], total: 1_000 })),
      'no page of the list that was read shows a record of this run',
    ],
    [
      'DEP-CREATE-07',
      'no response shows the fields that the service sets',
      combine(removeFieldFromDeposits('status'), removeFieldFromDeposits('captured_amount')),
      'no response shows the `status` or the `captured_amount`',
    ],
    [
      'INV-CREATE-44',
      'new invoices have no lines',
      onData('POST', '/invoices', (invoice) => removeField(invoice, 'invoice_items')),
      'no new invoice has lines',
    ],
    [
      'INV-CREATE-46',
      'new invoices have null in place of a number',
      onData('POST', '/invoices', (invoice) => Object.assign(invoice, { invoice_number: null })),
      'the response shows no `invoice_number`',
    ],
    [
      'INV-RULE-18',
      'the pages of invoices that are searched show none of the suite',
      onData('GET', '/invoices', (page) =>
        Object.assign(page, { data: [{ id: 0 }], total: 100_000, last_page: 1_000 }),
      ),
      'the new invoice is not on the pages of the list that were searched',
    ],
    [
      'INV-DETAIL-52',
      'invoices have no lines',
      combine(
        onData('POST', '/invoices', (invoice) => removeField(invoice, 'invoice_items')),
        onData('GET', /^\/invoices\/\d+$/, (invoice) => removeField(invoice, 'invoice_items')),
      ),
      'a line or its `total` is missing',
    ],
    [
      'INV-OVERDUE-07',
      'a new invoice shows no id',
      onData('POST', '/invoices', (invoice) => removeField(invoice, 'id')),
      'an invoice without an `id`',
    ],
    [
      'LINK-LIST-31',
      'links have null in place of a URL',
      combine(
        onData('POST', '/payment-links', (link) => Object.assign(link, { url: null })),
        onRecords('/payment-links', (link) => Object.assign(link, { url: null })),
      ),
      'the response to the creation of the link has no `url`',
    ],
    [
      'AUTH-UNCHANGED-03',
      'a refused request creates a deposit, but the list shows no booking references',
      combine(mutantOf('AUTH-UNCHANGED-03'), removeFieldFromDeposits('booking_reference')),
      'the list does not show the `booking_reference` of its deposits',
    ],
  ])('%s, if %s', async (id, _target, interceptor, detail) => {
    const target = await startMutatingProxy(await openAccount(), interceptor);
    const outcome = await checkClauses(
      target,
      clauses.filter((clause) => clause.id === id),
      { eventuallyTimeoutMs: 500 },
    );
    expect(outcome.resultOf(id)).toMatchObject({ status: 'skipped', detail: expect.stringContaining(detail) });
  });
});

/** Shows no id, and the URL only in the response to the first request with an `Idempotency-Key`. */
function showUrlOnlyOnce(): Interceptor {
  const keys = new Set<string | undefined>();
  return onData('POST', '/deposits', (deposit, { headers }) => {
    const key = headers['idempotency-key'];
    removeField(deposit, 'id');
    if (keys.has(key)) deposit['authorization_url'] = null;
    keys.add(key);
  });
}

function showNoIdentity(deposit: JsonObject): void {
  removeField(deposit, 'id');
  Object.assign(deposit, { booking_reference: null, authorization_url: null });
}

test.each(['INV-OVERDUE-07', 'INV-OVERDUE-09', 'INV-OVERDUE-39', 'INV-OVERDUE-44'])(
  '%s does not pass if the overdue list is always empty',
  async (id) => {
    const emptyList = onSuccess('GET', '/invoices/overdue', ({ body }) => Object.assign(body, { data: [], count: 0 }));
    const outcome = await checkClauses(
      await startMutatingProxy(await openAccount(), emptyList),
      clauses.filter((clause) => clause.id === id),
      { eventuallyTimeoutMs: 500 },
    );
    expect(outcome.resultOf(id)).toMatchObject({ status: 'skipped', missing: 'an overdue invoice' });
  },
);

test.each(['DEP-FILTER-02', 'DEP-FILTER-05', 'DEP-FILTER-11', 'DEP-FILTER-12', 'DEP-FILTER-17', 'DEP-FILTER-18'])(
  '%s does not pass if the list of deposits is always empty',
  async (id) => {
    const target = await startMutatingProxy(await openAccount(), emptyDepositList);
    const outcome = await checkClauses(
      target,
      clauses.filter((clause) => clause.id === id),
      { eventuallyTimeoutMs: 500 },
    );
    expect(outcome.resultOf(id)).toMatchObject({
      status: 'skipped',
      detail: expect.stringMatching(/the list does not contain the deposit of the booking|a deposit: none is listed/),
    });
  },
);

test('the clause about a token without a scope does not pass if the target refuses every request', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onResponse(
      () => true,
      (response) => replaceWithError(response, 403),
    ),
  );
  const outcome = await checkClauses(
    { ...target, tokens: { ...target.tokens, scopeless: 'a-token-without-a-scope' } },
    clauses.filter(({ id }) => id === 'AUTH-HEADER-02'),
  );
  expect(outcome.idsWithStatus('skipped')).toEqual(['AUTH-HEADER-02']);
});

test('no action is tried with the token of another account on a record that this account has, too', async () => {
  const target = await startMutatingProxy(await openAccount(), {
    response(response, { method, token }) {
      if (token !== 'otherAccount') return;
      if (method !== 'GET') throw new Error('an action was tried');
      response.status = 200;
      response.body = { success: true, data: { id: 1, status: 'authorized' } };
    },
  });
  const actions = clauses.filter(({ id }) => /^AUTH-ISOLATION-(04|09|10)$/.test(id));
  const outcome = await checkClauses(target, actions);
  expect(outcome.results.map(({ status, missing }) => [status, missing])).toEqual(
    actions.map(() => ['skipped', 'an id that only one account uses']),
  );
});

test('the requests of another account that fail with 500 prove nothing, and lead to no action or violation', async () => {
  const target = await startMutatingProxy(await openAccount(), {
    response(response, { method, token }) {
      if (token !== 'otherAccount') return;
      if (method !== 'GET') throw new Error('an action was tried');
      response.status = 500;
    },
  });
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => /^(AUTH-ISOLATION|ENV-VALID)-/.test(id)),
  );
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(outcome.idsWithStatus('passed').filter((id) => id.startsWith('AUTH-ISOLATION'))).toEqual([]);
});

test('deposits of a list whose booking reference is null count as deposits of the booking', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onRecords('/deposits', (deposit) => Object.assign(deposit, { booking_reference: null })),
  );
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-IDEM-03'),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.idsWithStatus('passed')).toEqual(['DEP-IDEM-03']);
});
