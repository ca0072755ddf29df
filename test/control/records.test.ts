import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlServer, expectedPage, requireData, startControlServer } from './control-server.js';

/** Operations that change the status of records, and operations on customers and tokens. */

let sim: ControlServer;
let accountCount = 0;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** Creates an account with the `demo` seed, and returns functions that call both APIs. */
async function openAccount(profile: Record<string, unknown> = {}) {
  accountCount += 1;
  const body = { id: `records-${accountCount}`, seed: 'demo' as const, now: '2026-03-01T09:00:00Z', profile };
  const { id: account, tokens } = requireData(await sim.control.POST('/accounts', { body }));
  return {
    account,
    /** Sends a GET request to the service. @returns `data` of the response */
    readFromService: async (path: string) => Object((await sim.callService(tokens.full, 'GET', path)).body).data,
    /** Sends a POST request to the service. @returns `data` of the response */
    postToService: async (path: string, content: unknown) =>
      Object((await sim.callService(tokens.full, 'POST', path, content)).body).data,
    /** Sends a GET request to the control API. @returns the body of the response */
    readFromControl: async (path: string) => (await sim.callControl('GET', `/accounts/${account}${path}`)).body,
    /** Sends a POST request to the control API. @returns the body of the response */
    postToControl: async (path: string, content?: unknown) =>
      (await sim.callControl('POST', `/accounts/${account}${path}`, content)).body,
  };
}

test.each([
  ['/deposits/2', '/deposits/2'],
  ['/invoices/3', '/invoices/3'],
])('%s is read as the service returns it', async (path, servicePath) => {
  const { readFromControl, readFromService } = await openAccount();
  expect(await readFromControl(path)).toEqual(await readFromService(servicePath));
});

test.each(['/payments', '/payment-links'])('a record of %s is read as the service lists it', async (path) => {
  const { readFromControl, readFromService } = await openAccount();
  const { data } = await readFromService(path);
  expect(await readFromControl(`${path}/${data[0].id}`)).toEqual(data[0]);
});

test.each([
  ['/deposits/99', 'Deposit not found', 'deposit-not-found'],
  ['/invoices/99', 'Invoice not found', 'invoice-not-found'],
  ['/payments/99', 'Payment not found', 'payment-not-found'],
  ['/payment-links/99', 'Payment link not found', 'payment-link-not-found'],
])('a read of %s, which does not exist, is an error', async (path, error, code) => {
  const { readFromControl } = await openAccount();
  expect(await readFromControl(path)).toEqual({ success: false, error, code });
});

test('a read of a record counts neither as a request nor as an action', async () => {
  const { readFromControl } = await openAccount();
  await readFromControl('/deposits/1');
  expect(await readFromControl('/requests')).toMatchObject({ total: 0 });
  expect(await readFromControl('/activity')).toMatchObject({ data: [] });
});

describe('a deposit', () => {
  test.each([
    ['authorize', 'authorized'],
    ['decline', 'failed'],
    ['expire', 'expired'],
  ])('after the operation %s has the status %s in the service as well', async (operation, status) => {
    const { postToControl, readFromService } = await openAccount();
    const body = await postToControl(`/deposits/1/${operation}`);
    expect(body).toMatchObject({ deposit: { id: 1, status } });
    expect(await readFromService('/deposits/1')).toEqual(Object(body).deposit);
  });

  test.each(['prefixed', 'uuid'])('is found by its id if the profile has %s ids', async (idFormat) => {
    const { postToControl, readFromService } = await openAccount({ 'deposit.id': idFormat });
    const { data } = await readFromService('/deposits');
    const { id } = data.find(({ status }: { status: string }) => status === 'pending');
    expect(typeof id).toBe('string');
    expect(await postToControl(`/deposits/${id}/authorize`)).toMatchObject({ deposit: { id, status: 'authorized' } });
    expect(await postToControl('/deposits/1/authorize')).toMatchObject({ error: 'Deposit not found' });
    expect(await postToControl('/trigger', { event: 'deposit.captured', deposit: id })).toMatchObject({
      subject: { resource: 'deposit', id },
    });
  });

  test('has only the fields that the profile lists, even if the status is not one of them', async () => {
    const { postToControl } = await openAccount({ 'deposit.fields': { fields: ['id', 'amount'] } });
    expect(await postToControl('/deposits/1/authorize')).toStrictEqual({ deposit: { id: 1, amount: 300 } });
  });

  test('may be identified by a number or by a string of digits', async () => {
    const { postToControl } = await openAccount();
    const subject = { resource: 'deposit', id: 1 };
    expect(await postToControl('/trigger', { event: 'deposit.authorized', deposit: '1' })).toMatchObject({ subject });
    expect(await postToControl('/scenarios/no-show/run', { deposit: '1' })).toMatchObject({ subject });
  });
});

describe('a payment link', () => {
  test('can be paid', async () => {
    const { postToControl, readFromService } = await openAccount();
    const body = await postToControl('/payment-links/1/pay');
    const payment = { id: 9, status: 'paid', payment_method: 'card', amount: 149.9, payment_link_id: 1 };
    expect(body).toMatchObject({ payment });
    const { data } = await readFromService('/payments?per_page=1');
    expect(data[0]).toEqual(Object(body).payment);
  });

  test.each(['succeed', 'fail'])('can have a pending payment, which ends with the operation %s', async (operation) => {
    const { postToControl } = await openAccount();
    const pending = await postToControl('/payment-links/1/pay', { outcome: 'pending', method: 'ideal' });
    expect(pending).toMatchObject({ payment: { id: 9, status: 'pending', payment_method: 'ideal', paid_at: null } });
    const status = operation === 'succeed' ? 'paid' : 'failed';
    expect(await postToControl(`/payments/9/${operation}`)).toMatchObject({ payment: { id: 9, status } });
  });

  test('can have a payment with the status open, which can be started only once', async () => {
    const { postToControl } = await openAccount();
    expect(await postToControl('/payments/4/start')).toMatchObject({ payment: { id: 4, status: 'pending' } });
    expect(await postToControl('/payments/4/start')).toEqual({
      success: false,
      error: 'The current status does not allow this',
      code: 'transition-not-allowed',
    });
  });

  test('can have a failed payment', async () => {
    const { postToControl } = await openAccount();
    expect(await postToControl('/payment-links/1/pay', { outcome: 'failed' })).toMatchObject({
      payment: { status: 'failed' },
    });
  });
});

describe('an invoice', () => {
  test.each([
    ['finalize', 'pending', 1],
    ['send', 'sent', 2],
    ['view', 'viewed', 3],
    ['cancel', 'cancelled', 2],
  ])('after the operation %s has the status %s in the service as well', async (operation, status, id) => {
    const { postToControl, readFromService } = await openAccount();
    const body = await postToControl(`/invoices/${id}/${operation}`);
    expect(body).toMatchObject({ invoice: { status } });
    expect(await readFromService(`/invoices/${id}`)).toEqual(Object(body).invoice);
  });

  test('can be paid in part and then in full', async () => {
    const { postToControl, readFromService } = await openAccount();
    const { amount } = await readFromService('/invoices/2');
    expect(await postToControl('/invoices/2/pay', { amount: 10.5, method: 'sepa_debit' })).toMatchObject({
      payment: { amount: 10.5, status: 'paid', payment_method: 'sepa_debit' },
      invoice: { id: 2, status: 'partial', transactions: [{ amount: 10.5 }] },
    });
    expect(await postToControl('/invoices/2/pay')).toMatchObject({
      payment: { amount: Number((amount - 10.5).toFixed(2)) },
      invoice: { id: 2, status: 'paid' },
    });
  });

  test('of the largest amount can be paid in parts', async () => {
    const { postToService, postToControl } = await openAccount({ 'amount.maximum': 'unbounded' });
    const { id } = await postToService('/invoices', {
      customer_id: 1,
      date: '2026-03-01',
      due_date: '2026-03-31',
      items: [{ description: 'Hotel chain', quantity: 1, unit_price: 9_999_999_999_999.99 }],
    });
    expect(await postToControl(`/invoices/${id}/pay`, { amount: 9_999_999_999_999.98 })).toMatchObject({
      payment: { amount: 9_999_999_999_999.98 },
      invoice: { status: 'partial' },
    });
    expect(await postToControl(`/invoices/${id}/pay`)).toMatchObject({
      payment: { amount: 0.01 },
      invoice: { status: 'paid' },
    });
  });

  test('can have a pending payment that succeeds later', async () => {
    const { postToControl } = await openAccount();
    expect(await postToControl('/invoices/2/pay', { outcome: 'pending' })).toMatchObject({
      payment: { id: 9, status: 'pending' },
      invoice: { id: 2, status: 'pending' },
    });
    expect(await postToControl('/payments/9/succeed')).toMatchObject({ payment: { status: 'paid' } });
  });
});

describe('customers', () => {
  test('can be created and then invoiced', async () => {
    const { account, postToControl } = await openAccount();
    const path = { account };
    const created = requireData(
      await sim.control.POST('/accounts/{account}/customers', {
        params: { path },
        body: { name: 'Emmy Noether', email: 'emmy@ring.example', city: 'Göttingen' },
      }),
    );
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'Emmy Noether',
      email: 'emmy@ring.example',
      company: null,
      phone: null,
      address: null,
      city: 'Göttingen',
      postal_code: null,
      country: null,
      currency: null,
    });
    const listed = requireData(
      await sim.control.GET('/accounts/{account}/customers', { params: { path, query: { per_page: 1 } } }),
    );
    // The ids begin at 1, so the newest id is the number of customers.
    expect(listed).toEqual(expectedPage([created], { per_page: 1, total: created.id, last_page: created.id }));
    const { token } = Object(await postToControl('/tokens', { name: 'billing', scopes: ['billing.write'] }));
    const item = { description: 'a', quantity: 1, unit_price: 1 };
    const invoice = { customer_id: created.id, date: '2026-03-01', due_date: '2026-03-31', items: [item] };
    const invoiced = await sim.callService(token, 'POST', '/invoices', invoice);
    expect(invoiced).toMatchObject({
      status: 201,
      body: { data: { customer: { id: created.id, name: 'Emmy Noether' } } },
    });
  });
});

describe('tokens', () => {
  test('can be created, are shown only once, and can be revoked', async () => {
    const { account } = await openAccount();
    const params = { params: { path: { account } } };
    const listTokens = async () => requireData(await sim.control.GET('/accounts/{account}/tokens', params)).data;
    const created_at = '2026-03-01T09:00:00.000Z';
    const initialTokens = [
      { id: 1, name: 'full', scopes: ['billing.read', 'billing.write'], created_at },
      { id: 2, name: 'read', scopes: ['billing.read'], created_at },
      { id: 3, name: 'write', scopes: ['billing.write'], created_at },
    ];
    expect(await listTokens()).toEqual(initialTokens);

    const scopes = ['billing.read' as const];
    const created = requireData(
      await sim.control.POST('/accounts/{account}/tokens', { ...params, body: { name: 'report', scopes } }),
    );
    const { token, ...record } = created;
    expect(record).toEqual({ id: 4, name: 'report', scopes, created_at });
    expect((await sim.callService(token, 'GET', '/deposits')).status).toBe(200);
    expect((await sim.callService(token, 'POST', '/deposits', {})).status).toBe(403);
    expect(await listTokens()).toEqual([...initialTokens, record]);
    expect((await sim.callControl('GET', `/accounts/${account}/requests`)).body).toMatchObject({
      data: [
        { token: 'report', status: 403 },
        { token: 'report', status: 200 },
      ],
    });

    const revoked = await sim.callControl('DELETE', `/accounts/${account}/tokens/4`);
    expect(revoked).toMatchObject({ status: 200, body: { id: 4 } });
    expect((await sim.callService(token, 'GET', '/deposits')).status).toBe(401);
    expect(await listTokens()).toEqual(initialTokens);
    const revokedAgain = await sim.callControl('DELETE', `/accounts/${account}/tokens/4`);
    expect(revokedAgain).toMatchObject({ status: 404, body: { error: 'Token not found' } });
  });

  test('cannot have the name of another token of the account, unless that token was revoked', async () => {
    const { account } = await openAccount();
    const create = (name: string) =>
      sim.callControl('POST', `/accounts/${account}/tokens`, { name, scopes: ['billing.read'] });
    expect((await create('report')).status).toBe(201);
    expect(await create('report')).toMatchObject({
      status: 422,
      body: { errors: { name: ['name is already used by token 4; choose another one'] } },
    });
    await sim.callControl('DELETE', `/accounts/${account}/tokens/4`);
    expect(await create('report')).toMatchObject({ status: 201, body: { id: 5, name: 'report' } });
  });

  test('cannot be revoked through another account', async () => {
    const { account } = await openAccount();
    const other = await openAccount();
    const { body } = await sim.callControl('POST', `/accounts/${account}/tokens`, {
      name: 'a',
      scopes: ['billing.read'],
    });
    const { token } = Object(body);
    const revoked = await sim.callControl('DELETE', `/accounts/${other.account}/tokens/4`);
    expect(revoked.status).toBe(404);
    expect((await sim.callService(token, 'GET', '/deposits')).status).toBe(200);
  });
});
