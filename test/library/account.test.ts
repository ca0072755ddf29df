import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type NewSeed, type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';
import { createDeposit } from './create-deposit.js';

const hourMs = 3_600_000;

const hotelSeed: NewSeed = {
  currency: 'EUR',
  time_zone: 'Europe/Berlin',
  tokens: { full: 'hotel_full', read: 'hotel_read', write: 'hotel_write' },
  customers: [{ id: 1, name: 'Ada Lovelace', email: 'ada@inn.example' }],
  invoices: [
    {
      id: 1,
      invoice_number: 'R-1',
      customer_id: 1,
      status: 'overdue',
      date: '-20d',
      due_date: '-6d',
      items: [{ description: 'Double room', quantity: 2, unit_price: 90 }],
    },
  ],
  deposits: [
    {
      id: 1,
      booking_reference: 'BK-1',
      amount: 300,
      status: 'partially_captured',
      created: '-6d',
      authorized: '-6d',
      captures: [{ amount: 50, at: '-1d' }],
    },
  ],
};

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});
afterAll(() => simulator.close());

describe('an account', () => {
  test('has its own id, clock and webhooks', async () => {
    const [account, otherAccount] = [await simulator.createAccount(), await simulator.createAccount()];
    expect(account.id).not.toBe(otherAccount.id);
    await createDeposit(account);
    await account.clock.advance('1h');
    expect(await otherAccount.webhooks.all()).toEqual([]);
    expect((await otherAccount.clock.show()).now).toBe('2026-03-01T09:00:00.000Z');
    expect((await account.clock.show()).now).toBe('2026-03-01T10:00:00.000Z');
  });

  test('gets a different id than accounts created at the same time', async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => simulator.createAccount()));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(3);
  });

  test('can begin with the records of a seed', async () => {
    const account = await simulator.createAccount({ seed: hotelSeed });
    expect(await account.invoices.get(1)).toMatchObject({ status: 'overdue', due_date: '2026-02-23', amount: 180 });
    expect(await account.deposits.list()).toMatchObject([
      { booking_reference: 'BK-1', captured_amount: 50, expires_at: '2026-03-02T09:00:00+00:00' },
    ]);
    expect(account.tokens.full).not.toBe('hotel_full');
  });

  test('called `demo` can begin with the records and tokens of a seed', async () => {
    await using hotel = await startSimulator({ seed: hotelSeed });
    expect(await hotel.account.deposits.list({ status: 'partially_captured' })).toHaveLength(1);
    expect(hotel.account.tokens).toEqual(hotelSeed.tokens);
  });

  test('authorizes, declines and expires its deposits', async () => {
    const account = await simulator.createAccount();
    const declinedId = await createDeposit(account);
    const statuses = [
      (await account.deposits.authorize(await createDeposit(account))).status,
      (await account.deposits.decline(declinedId)).status,
      (await account.deposits.expire(await createDeposit(account))).status,
    ];
    expect(statuses).toEqual(['authorized', 'failed', 'expired']);
    await expect(account.deposits.authorize(declinedId)).rejects.toThrow(
      "the deposit's status is failed, which is final",
    );
  });

  test('expires holds when its clock shows their `expires_at`, although that shows no milliseconds', async () => {
    const account = await simulator.createAccount({ seed: hotelSeed, now: '2026-03-01T09:00:00.789Z' });
    const seeded = await account.deposits.get(1);
    await account.clock.set(String(seeded['expires_at']));
    expect(await account.deposits.get(1)).toMatchObject({ status: 'expired' });
    await account.clock.advance('0.789s');
    const created = await account.deposits.authorize(await createDeposit(account));
    await account.clock.set(String(created['expires_at']));
    expect(await account.deposits.get(2)).toMatchObject({ status: 'expired' });
  });

  test('finalizes, pays and cancels its invoices, and pays its payment links', async () => {
    const account = await simulator.createAccount({ seed: 'demo' });
    // In the demo seed, payment link 1 is active, invoice 1 is a draft and invoice 3 is unpaid.
    const [linkId, draftId, invoiceId] = [1, 1, 3];
    expect(await account.invoices.finalize(draftId)).toMatchObject({ status: 'pending' });
    expect(await account.paymentLinks.pay(linkId)).toMatchObject({
      status: 'paid',
      payment_link_id: linkId,
      payment_method: 'card',
    });
    const pending = await account.paymentLinks.pay(linkId, { outcome: 'pending', method: 'sepa_debit' });
    expect(pending).toMatchObject({ status: 'pending', payment_method: 'sepa_debit', paid_at: null });
    expect(await account.payments.succeed(pending.id)).toMatchObject({ status: 'paid' });
    expect(await account.invoices.view(invoiceId)).toMatchObject({ status: 'viewed' });
    expect(await account.invoices.pay(invoiceId, { amount: 1 })).toMatchObject({ amount: 1, payment_link_id: null });
    expect(await account.invoices.cancel(invoiceId)).toMatchObject({ status: 'cancelled' });
  });

  test('creates and revokes tokens, and lists the requests made with them', async () => {
    const account = await simulator.createAccount();
    const { id, token } = await account.apiTokens.create({ name: 'reader', scopes: ['billing.read'] });
    const reader = clientOf(simulator.baseUrl, token);
    expect((await reader.GET('/invoices')).response.status).toBe(200);
    expect((await reader.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 1 } })).response.status).toBe(
      403,
    );
    await account.apiTokens.revoke(id);
    expect((await reader.GET('/invoices')).response.status).toBe(401);
    // Newest first.
    expect((await account.requests()).map(({ operation, status }) => [operation, status])).toEqual([
      ['listInvoices', 401],
      ['createDeposit', 403],
      ['listInvoices', 200],
    ]);
  });

  test('lists what the application under test has created, newest first', async () => {
    const account = await simulator.createAccount({ seed: 'demo' });
    const ids = [await createDeposit(account), await createDeposit(account)];
    const pending = await account.deposits.list({ status: 'pending' });
    expect(pending.slice(0, 2).map(({ id }) => id)).toEqual(ids.reverse());
    expect(new Set(pending.map(({ status }) => status))).toEqual(new Set(['pending']));
  });

  test('lists all records at once, even if there are more than a page of the control API has', async () => {
    const { customers } = await simulator.createAccount();
    const names = Array.from({ length: 101 }, (_, index) => `Guest ${index}`);
    for (const name of names) await customers.create({ name, email: 'guest@example.com' });
    expect((await customers.list()).map(({ name }) => name)).toEqual(names.reverse());
  });

  test('changes its settings, and keeps those that are not given', async () => {
    const { settings, tokens } = await simulator.createAccount({ webhookSecret: 'shared' });
    const profile = { 'validation.status': 400 };
    const expected = { webhook_url: null, webhook_secret: 'shared', rate_limit: true, profile };
    expect(await settings.update({ rateLimit: true, profile })).toEqual(expected);
    expect(await settings.show()).toEqual(expected);
    const { response } = await clientOf(simulator.baseUrl, tokens.full).GET('/invoices', {
      params: { query: { page: 0 } },
    });
    expect(response.status).toBe(400);
  });

  test('returns copies, which callers can change without changing the account', async () => {
    const { customers, settings } = await simulator.createAccount({ seed: 'demo' });
    for (const customer of [await customers.get(1), ...(await customers.list())])
      Object.assign(customer, { name: 'x' });
    Object.assign((await settings.show()).profile, { 'list.order': 'oldest-first' });
    expect(JSON.stringify(await customers.list())).not.toContain('"name":"x"');
    expect((await settings.show()).profile).toEqual({});
  });

  test('creates customers, and lists the emails to them', async () => {
    const account = await simulator.createAccount();
    const customer = await account.customers.create({ name: 'Ada', email: 'ada@example.com' });
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

test('a start with a `now` before the time of the stored clock logs that it ignores `now`, and keeps the clock', async () => {
  const lines: string[] = [];
  const data = join(tempFolder(), 'data');
  const options = { data, now: '2026-03-01T09:00:00Z', log: (line: string) => lines.push(line) };
  const earlier = await startSimulator(options);
  await earlier.account.clock.advance('1h');
  await earlier.close();
  expect(lines).toEqual([]);
  const later = await startSimulator(options);
  onTestFinished(() => later.close());
  expect(await later.account.clock.show()).toMatchObject({ now: '2026-03-01T10:00:00.000Z' });
  expect(lines).toEqual([
    `now has no effect on the demo account: its clock, in ${data}, already shows 2026-03-01T10:00:00.000Z`,
  ]);
});

test('a relative data folder stays the same if the program changes its working directory', async () => {
  const data = join(tempFolder(), 'data');
  const workingDirectory = process.cwd();
  const options = { data: relative(workingDirectory, data), log: () => {} };
  const earlier = await startSimulator(options);
  try {
    process.chdir(tempFolder());
    await earlier.account.customers.create({ name: 'Ada Lovelace', email: 'ada@inn.example' });
    await earlier.close();
  } finally {
    process.chdir(workingDirectory);
  }
  const { account, close } = await startSimulator(options);
  onTestFinished(close);
  expect((await account.customers.create({ name: 'Bo', email: 'bo@inn.example' })).id).toBe(6);
});

describe('getAccount', () => {
  test('returns an account of an earlier start', async () => {
    const options = { data: join(tempFolder(), 'data'), log: () => {} };
    const earlier = await startSimulator(options);
    const created = await earlier.createAccount({ id: 'hotel' });
    const depositId = await createDeposit(created);
    await earlier.close();

    const later = await startSimulator(options);
    onTestFinished(() => later.close());
    const account = await later.getAccount('hotel');
    expect(account.tokens).toBeNull();
    expect(account.webhookSecret).toBe(created.webhookSecret);
    expect(await account.deposits.authorize(depositId)).toMatchObject({ id: depositId, status: 'authorized' });
  });

  test('returns the default account with its tokens', async () => {
    expect((await simulator.getAccount('demo')).tokens).toBe(simulator.account.tokens);
  });

  test('suggests the account that was probably meant', async () => {
    await simulator.createAccount({ id: 'museum' });
    await expect(simulator.getAccount('musem')).rejects.toThrow(
      'Account not found (account-not-found): `musem`; did you mean `museum`?',
    );
  });
});

test('`await using` closes a simulator and removes an account at the end of the block', async () => {
  const used: { url?: string; id?: string } = {};
  {
    await using usedSimulator = await startSimulator({ log: () => undefined });
    used.url = usedSimulator.url;
  }
  await expect(fetch(String(used.url))).rejects.toThrow('fetch failed');
  {
    await using account = await simulator.createAccount();
    used.id = account.id;
    await account.trigger('deposit.created');
  }
  // The id is free again only if the account has been removed.
  await expect(simulator.createAccount({ id: String(used.id) })).resolves.toMatchObject({ id: used.id });
});

describe.each([
  ['a data folder', () => ({ data: tempFolder() })],
  ['data in memory', () => ({})],
])('after a simulator with %s has been closed', (_name, createOptions) => {
  test.each<[call: string, (account: Simulator['account']) => Promise<unknown>]>([
    ['trigger', (account) => account.trigger('deposit.created')],
    ['clock.advance', ({ clock }) => clock.advance('8d')],
    ['clock.set', ({ clock }) => clock.set('2027-01-01')],
    ['clock.freeze', ({ clock }) => clock.freeze()],
    ['reset', (account) => account.reset()],
    ['snapshots.save', ({ snapshots }) => snapshots.save('late')],
    ['webhooks.configure', ({ webhooks }) => webhooks.configure({ secret: 'late' })],
    ['webhooks.settled', ({ webhooks }) => webhooks.settled()],
    ['webhooks.next', ({ webhooks }) => webhooks.next('deposit.created')],
    ['webhooks.all', ({ webhooks }) => webhooks.all()],
    ['deposits.get', ({ deposits }) => deposits.get(1)],
    ['deposits.list', ({ deposits }) => deposits.list()],
    ['clock.show', ({ clock }) => clock.show()],
    ['activity', (account) => account.activity()],
    ['trace.json', ({ trace }) => trace.json()],
  ])('%s throws an error that says so', async (_call, call) => {
    const closedSimulator = await startSimulator({ ...createOptions(), now: '2026-03-01', log: () => undefined });
    await closedSimulator.close();
    await expect(call(closedSimulator.account)).rejects.toThrow('the simulator has been closed');
  });

  test('createAccount throws an error that says so', async () => {
    const closedSimulator = await startSimulator({ ...createOptions(), log: () => undefined });
    await closedSimulator.close();
    await expect(closedSimulator.createAccount()).rejects.toThrow('the simulator has been closed');
  });
});

const invalidTimeouts = [Number.NaN, -1, '60000', '30s', null];

test.each(invalidTimeouts)('webhooks.next refuses the timeout %s', async (timeout) => {
  // @ts-expect-error: some of the timeouts are not numbers
  await expect(simulator.account.webhooks.next('deposit.expired', { timeout })).rejects.toThrow(
    new RangeError('timeout must be a number of milliseconds, 0 or more'),
  );
});

describe.each<[string, (account: SimulatorAccount, options: { timeout: number }) => Promise<unknown>]>([
  ['webhooks.settled', ({ webhooks }, options) => webhooks.settled(options)],
  ['clock.advance', ({ clock }, options) => clock.advance('1d', options)],
  ['clock.set', ({ clock }, options) => clock.set('2026-03-02', options)],
])('%s', (_method, call) => {
  test.each([...invalidTimeouts, 600_001, 1e21, Number.POSITIVE_INFINITY])(
    'refuses the timeout %s',
    async (timeout) => {
      const account = await simulator.createAccount({ now: '2026-03-01' });
      // @ts-expect-error: some of the timeouts are not numbers
      await expect(call(account, { timeout })).rejects.toThrow(
        new RangeError('timeout must be a number of milliseconds, from 0 to 600000'),
      );
    },
  );

  test.each([0, 1e-7, 0.5, 600_000])('accepts the timeout %s', async (timeout) => {
    const account = await simulator.createAccount({ now: '2026-03-01' });
    await call(account, { timeout });
  });
});

describe('scenarios', () => {
  test('start for a new deposit whose metadata names one', async () => {
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

  test('can be added, run by name and cancelled', async () => {
    const account = await simulator.createAccount();
    const id = await createDeposit(account);
    await account.scenarios.add({
      name: 'later',
      description: 'Authorizes after an hour.',
      for: 'deposit',
      steps: [{ after: hourMs, do: 'authorize', with: {} }],
    });
    const run = await account.scenarios.run('later', id);
    expect(await account.scenarios.cancel(run.id)).toMatchObject({ status: 'cancelled', due_at: null });
    await account.clock.advance('2h');
    expect((await account.webhooks.all()).map(({ event }) => event)).toEqual(['deposit.created']);
    await expect(account.scenarios.run('earlier', id)).rejects.toThrow('available: authorize-then-expire');
  });
});

describe('snapshots', () => {
  test('restore records, clock, agenda and webhooks', async () => {
    const account = await simulator.createAccount();
    const id = await createDeposit(account);
    await account.deposits.authorize(id);
    await account.snapshots.save('authorized');
    const client = clientOf(simulator.baseUrl, account.tokens.full);
    const readState = async () => ({
      deposit: (await client.GET('/deposits/{id}', { params: { path: { id } } })).data,
      clock: await account.clock.show(),
      agenda: await account.agenda(),
      webhooks: await account.webhooks.all(),
    });
    const savedState = await readState();
    expect(savedState.deposit?.data.status).toBe('authorized');
    await account.clock.advance('8d');
    expect(await account.agenda()).toEqual([]);
    await account.snapshots.restore('authorized');
    expect(await readState()).toEqual(savedState);
    expect(await account.snapshots.names()).toEqual(['authorized']);
    await account.snapshots.remove('authorized');
    await expect(account.snapshots.restore('authorized')).rejects.toThrow('snapshot-not-found');
  });

  test('make webhooks reproducible: after a restore, the same requests cause the same webhooks; at a later time, their ids differ', async () => {
    const account = await simulator.createAccount();
    await account.snapshots.save('empty');
    const restoreAndCreateDeposit = async (delay: string) => {
      await account.snapshots.restore('empty');
      await account.clock.advance(delay);
      await createDeposit(account);
      return account.webhooks.all();
    };
    const webhooks = await restoreAndCreateDeposit('0s');
    expect(await restoreAndCreateDeposit('0s')).toEqual(webhooks);
    const [laterWebhook] = await restoreAndCreateDeposit('1s');
    expect(laterWebhook?.event).toBe('deposit.created');
    expect(laterWebhook?.id).not.toBe(webhooks[0]?.id);
  });
});

test.each([
  ['advance', 'tomorrow', '"tomorrow" is not a duration (for example 8d, 2h 30m or P8D)'],
  ['advance', '-8d', '"-8d" is not a duration'],
  ['advance', 'P1Y', 'months and years differ in length, so write them in days'],
  [
    'set',
    'soon',
    '"soon" is neither a date nor a time with a UTC offset, in 1970 or later (for example 2026-03-01T09:00:00Z)',
  ],
  ['set', '2027-02-29T00:00:00Z', 'is neither a date nor a time'],
  ['set', '2027-03-01T09:00:00', 'with a UTC offset'],
  ['set', '2026-02-28', 'restore a snapshot to go back'],
] as const)('clock.%s(%j) is refused', async (method, text, message) => {
  const account = await simulator.createAccount();
  await expect(account.clock[method](text)).rejects.toThrow(message);
});

test.each(['zz', '2026-02-30', 'Jan 5 2031', '2031', '2026-03-01T09:00:00', '1969-12-31'])(
  'the clock of an account cannot start at %j',
  async (now) => {
    const message = `${JSON.stringify(now)} is neither a date nor a time`;
    await expect(simulator.createAccount({ now })).rejects.toThrow(RangeError);
    await expect(startSimulator({ now })).rejects.toThrow(message);
  },
);

test('the clock of an account can start at a date, which means midnight UTC', async () => {
  const account = await simulator.createAccount({ now: '2028-02-29' });
  expect((await account.clock.show()).now).toBe('2028-02-29T00:00:00.000Z');
});

test('a removed account and its tokens no longer work, and the default account cannot be removed', async () => {
  const account = await simulator.createAccount();
  await account.remove();
  const { response } = await clientOf(simulator.baseUrl, account.tokens.full).GET('/deposits');
  expect(response.status).toBe(401);
  await expect(account.agenda()).rejects.toThrow(`the account ${account.id} has been removed`);
  await expect(simulator.account.remove()).rejects.toThrow('reset it instead');
});

test('a new account does not get the id of a removed one, so that the old handle cannot act on it', async () => {
  const removed = await simulator.createAccount();
  await removed.remove();
  const newAccount = await simulator.createAccount();
  expect(newAccount.id).not.toBe(removed.id);
  await removed.remove();
  await expect(newAccount.agenda()).resolves.toEqual([]);
});

test('a log function that throws causes a warning, and does not fail requests', async () => {
  const data = tempFolder();
  const storedSimulator = await startSimulator({
    data,
    log: () => {
      throw new Error('no terminal');
    },
  });
  onTestFinished(() => storedSimulator.close());
  const warned = once(process, 'warning');
  // Without its lock file, the simulator refuses to write, and logs why.
  rmSync(join(data, 'lock'));
  const response = await fetch(`${storedSimulator.baseUrl}/deposits`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${storedSimulator.account.tokens?.full}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ booking_reference: 'BK-1', amount: 300 }),
  });
  expect(response.status).toBe(503);
  const [warning] = await warned;
  expect(warning).toMatchObject({ message: 'the log function has failed: no terminal' });
});

test('a simulator with a data folder can be closed twice at the same time, without an error', async () => {
  const logged: string[] = [];
  const storedSimulator = await startSimulator({ data: tempFolder(), log: (line) => logged.push(line) });
  await Promise.all([storedSimulator.close(), storedSimulator.close()]);
  expect(logged).toEqual([]);
});
