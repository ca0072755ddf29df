import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});
afterAll(() => simulator.close());

/** Creates a deposit through the API. @returns its id */
async function createDeposit(account: SimulatorAccount, metadata: Record<string, string> = {}): Promise<number> {
  const client = clientOf(simulator.baseUrl, account.tokens.full);
  const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 300, metadata } });
  return Number(data?.data.id);
}

describe('an account', () => {
  test('gets the first free id, and is isolated from others', async () => {
    const [one, other] = [await simulator.createAccount(), await simulator.createAccount()];
    expect(one.id).not.toBe(other.id);
    await createDeposit(one);
    await one.clock.advance('1h');
    expect(await other.webhooks.all()).toEqual([]);
    expect((await other.clock.show()).now).toBe('2026-03-01T09:00:00.000Z');
    expect((await one.clock.show()).now).toBe('2026-03-01T10:00:00.000Z');
  });

  test('gets a different id than accounts created at the same time', async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => simulator.createAccount()));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(3);
  });

  test('changes the status of its deposits', async () => {
    const account = await simulator.createAccount();
    const statuses = [
      (await account.deposits.authorize(await createDeposit(account))).status,
      (await account.deposits.decline(await createDeposit(account))).status,
      (await account.deposits.expire(await createDeposit(account))).status,
    ];
    expect(statuses).toEqual(['authorized', 'failed', 'expired']);
    await expect(account.deposits.authorize(2)).rejects.toThrow('the deposit is failed; this status is final');
  });

  test('pays its links and invoices', async () => {
    const account = await simulator.createAccount({ seed: 'demo' });
    expect(await account.paymentLinks.pay(1)).toMatchObject({
      status: 'paid',
      payment_link_id: 1,
      payment_method: 'card',
    });
    const pending = await account.paymentLinks.pay(1, { outcome: 'pending', method: 'sepa_debit' });
    expect(pending).toMatchObject({ status: 'pending', payment_method: 'sepa_debit', paid_at: null });
    expect(await account.payments.succeed(pending.id)).toMatchObject({ status: 'paid' });
    expect(await account.invoices.view(3)).toMatchObject({ status: 'viewed' });
    expect(await account.invoices.pay(3, { amount: 1 })).toMatchObject({ amount: 1, payment_link_id: null });
    expect(await account.invoices.cancel(3)).toMatchObject({ status: 'cancelled' });
  });

  test('has its own customers, tokens, requests and mails', async () => {
    const account = await simulator.createAccount();
    const customer = await account.customers.create({ name: 'Ada', email: 'ada@example.com' });
    const { id, token } = await account.apiTokens.create({ name: 'reader', scopes: ['billing.read'] });
    const reader = clientOf(simulator.baseUrl, token);
    expect((await reader.GET('/invoices')).response.status).toBe(200);
    expect((await reader.POST('/deposits', { body: { booking_reference: 'x', amount: 1 } })).response.status).toBe(403);
    await account.apiTokens.revoke(id);
    expect((await reader.GET('/invoices')).response.status).toBe(401);
    expect((await account.requests()).map(({ operation, status }) => [operation, status])).toEqual([
      ['createDeposit', 403],
      ['listInvoices', 200],
    ]);
    const client = clientOf(simulator.baseUrl, account.tokens.full);
    const items = [{ description: 'Night', quantity: 1, unit_price: 90 }];
    const { data } = await client.POST('/invoices', {
      body: { customer_id: customer.id, date: '2026-03-01', due_date: '2026-03-15', items },
    });
    await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: Number(data?.data.id) } } });
    const [mail] = await account.mails.all();
    expect(mail).toMatchObject({ to: 'ada@example.com', attempts: [], next_attempt_at: null });
    expect(mail?.text).toContain(`${simulator.url}/pay/${account.id}/inv_1`);
  });
});

describe('webhooks.next', () => {
  test('returns each message once, in order, signed, without a receiver', async () => {
    const account = await simulator.createAccount();
    const [first, second] = [await createDeposit(account), await createDeposit(account)];
    const messages = [await account.webhooks.next('deposit.created'), await account.webhooks.next('deposit.created')];
    expect(messages.map(({ payload }) => payload)).toMatchObject([{ data: { id: first } }, { data: { id: second } }]);
    expect(messages[0]).toMatchObject({
      event: 'deposit.created',
      status: 'unsent',
      attempts: [],
      headers: {
        'X-Service-Event': 'deposit.created',
        'X-Service-Signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      },
    });
  });

  test('waits for a future message', async () => {
    const account = await simulator.createAccount();
    const id = await createDeposit(account);
    const next = account.webhooks.next('deposit.authorized');
    await account.deposits.authorize(id);
    expect(await next).toMatchObject({ payload: { data: { id, status: 'authorized' } } });
  });

  test('times out with a list of what arrived instead', async () => {
    const account = await simulator.createAccount();
    await createDeposit(account);
    await expect(account.webhooks.next('deposit.expired', { timeout: 1 })).rejects.toThrow(
      'no deposit.expired within 1 ms; received instead: deposit.created; the clock is frozen: advance it to run what is due',
    );
  });

  test('continues after a reset', async () => {
    const account = await simulator.createAccount();
    await createDeposit(account);
    await account.webhooks.next('deposit.created');
    await account.clock.advance('1m');
    await account.reset();
    await createDeposit(account);
    expect(await account.webhooks.next('deposit.created')).toMatchObject({ payload: { data: { id: 1 } } });
  });
});

test('webhooks are posted to the configured URL, and can be resent', async () => {
  const account = await simulator.createAccount();
  const received: string[] = [];
  const receiver = createServer(async (request, response) => {
    for await (const chunk of request) received.push(`${request.headers['x-service-event']} ${chunk}`);
    response.end('thanks');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port }: { port: number } = Object(receiver.address());
  await account.webhooks.configure({ url: `http://127.0.0.1:${port}/`, secret: 'shared' });
  await createDeposit(account);
  await account.clock.advance('0s');
  const [message] = await account.webhooks.all();
  expect(message).toMatchObject({ status: 'delivered', attempts: [{ status: 200, error: null }] });
  await account.webhooks.resend(message?.id ?? '');
  expect(received).toEqual([`deposit.created ${message?.body}`, `deposit.created ${message?.body}`]);
  receiver.closeAllConnections();
  receiver.close();
});

describe('scenarios', () => {
  test('are started by a deposit that names one in its metadata', async () => {
    const account = await simulator.createAccount();
    const id = await createDeposit(account, { scenario: 'no-show' });
    expect(await account.agenda()).toMatchObject([{ kind: 'scenario-step' }]);
    await account.clock.advance('2d');
    expect((await account.webhooks.all()).map(({ event }) => event)).toEqual([
      'deposit.created',
      'deposit.authorized',
      'deposit.captured',
    ]);
    expect(await account.scenarios.runs()).toMatchObject([{ scenario: 'no-show', subject: { id }, status: 'done' }]);
  });

  test('are run by name, cancelled, and added', async () => {
    const account = await simulator.createAccount();
    const id = await createDeposit(account);
    await account.scenarios.add({
      name: 'later',
      description: 'Authorizes after an hour.',
      for: 'deposit',
      steps: [{ after: 3_600_000, do: 'authorize', with: {} }],
    });
    const run = await account.scenarios.run('later', id);
    expect(await account.scenarios.cancel(run.id)).toMatchObject({ status: 'cancelled', due_at: null });
    await account.clock.advance('2h');
    expect((await account.webhooks.all()).map(({ event }) => event)).toEqual(['deposit.created']);
    await expect(account.scenarios.run('earlier', id)).rejects.toThrow('there are authorize-then-expire');
  });
});

describe('snapshots', () => {
  test('restore records, clock, agenda and deliveries', async () => {
    const account = await simulator.createAccount();
    const id = await createDeposit(account);
    await account.deposits.authorize(id);
    await account.snapshots.save('authorized');
    const savedState = [await account.clock.show(), await account.agenda(), await account.webhooks.all()];
    await account.clock.advance('8d');
    expect(await account.agenda()).toEqual([]);
    await account.snapshots.restore('authorized');
    expect([await account.clock.show(), await account.agenda(), await account.webhooks.all()]).toEqual(savedState);
    expect(await account.snapshots.names()).toEqual(['authorized']);
    await account.snapshots.remove('authorized');
    await expect(account.snapshots.restore('authorized')).rejects.toThrow('snapshot-unknown');
  });
});

test.each([
  ['advance', 'tomorrow', '"tomorrow" is not a duration (for example 8d, 2h 30m or P8D)'],
  ['advance', '-8d', '"-8d" is not a duration'],
  ['advance', 'P1Y', 'months and years differ in length, so write them in days'],
  ['set', 'soon', '"soon" is not a time (for example 2026-03-01T09:00:00Z)'],
  ['set', '2026-02-28', 'restore a snapshot to go back'],
] as const)('clock.%s(%j) is refused', async (method, text, message) => {
  const account = await simulator.createAccount();
  await expect(account.clock[method](text)).rejects.toThrow(message);
});

test('a removed account and its tokens no longer work, and the default account cannot be removed', async () => {
  const account = await simulator.createAccount();
  await account.remove();
  const { response } = await clientOf(simulator.baseUrl, account.tokens.full).GET('/deposits');
  expect(response.status).toBe(401);
  await expect(account.agenda()).rejects.toThrow(`the account ${account.id} has been removed`);
  await expect(simulator.account.remove()).rejects.toThrow('reset it instead');
});

test('a new account does not get the id of a removed one, so that the old handle cannot remove it', async () => {
  const removed = await simulator.createAccount();
  await removed.remove();
  const other = await simulator.createAccount();
  expect(other.id).not.toBe(removed.id);
  await removed.remove();
  await expect(other.agenda()).resolves.toEqual([]);
});
