import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { signatureOf } from '../../src/domain/webhook-signature.js';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { breakDisk } from '../support/failing-disk.js';
import { fakeNodeTimers } from '../support/fake-node-timers.js';
import { tempFolder } from '../support/temp-folder.js';
import { openRawReceiver, openReceiver } from '../webhooks/receiver.js';
import { createDeposit } from './create-deposit.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});
afterAll(() => simulator.close());

describe('webhooks.next', () => {
  test('returns each message once, in order and signed, even if no webhook URL is set', async () => {
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

  test('returns a message to only one of several concurrent callers; the others wait for the next one', async () => {
    const account = await simulator.createAccount();
    const waiting = Promise.all([1, 2].map(() => account.webhooks.next('deposit.created', { timeout: 60_000 })));
    const ids = [await createDeposit(account), await createDeposit(account)];
    expect((await waiting).map(({ payload }) => payload)).toMatchObject(ids.map((id) => ({ data: { id } })));
  });

  test('skips a message that could not be stored', async () => {
    const storedSimulator = await startSimulator({ data: tempFolder(), log: () => undefined });
    onTestFinished(() => storedSimulator.close());
    const account = await storedSimulator.createAccount();
    const waiting = account.webhooks.next('deposit.created', { timeout: 60_000 });
    const repair = breakDisk('ENOSPC');
    await createDeposit(account);
    repair();
    const id = await createDeposit(account);
    expect(await waiting).toMatchObject({ payload: { data: { id } } });
  });

  test('waits without limit for Infinity', async () => {
    const { webhooks, clock } = await simulator.createAccount({ seed: 'demo', now: '2026-03-01T09:00:00Z' });
    const next = webhooks.next('deposit.expired', { timeout: Number.POSITIVE_INFINITY });
    await clock.advance('30d');
    expect((await next).event).toBe('deposit.expired');
  });

  test('throws an error after its timeout, with a list of what arrived instead', async () => {
    const account = await simulator.createAccount();
    await createDeposit(account);
    await expect(account.webhooks.next('deposit.expired', { timeout: 1 })).rejects.toThrow(
      'no deposit.expired within 1 ms; received instead: deposit.created for deposit 1; the clock is frozen: advance it to run what is due',
    );
  });

  test('names only the latest of many webhooks that arrived instead', async () => {
    const account = await simulator.createAccount();
    for (let number = 1; number <= 12; number++) await createDeposit(account);
    await expect(account.webhooks.next('deposit.expired', { timeout: 1 })).rejects.toThrow(
      /received instead: 2 earlier ones, deposit\.created for deposit 3, .*deposit\.created for deposit 12;/,
    );
  });

  describe('with the id of a record', () => {
    test.each([
      ['deposit.created', { paymentLink: 1 }, 'deposit.created is never about a payment link'],
      ['payment.succeeded', { deposit: 1 }, 'payment.succeeded is never about a deposit'],
    ] as const)('refuses %s for a record that it cannot be about: %j', async (event, options, message) => {
      const { webhooks } = await simulator.createAccount();
      await expect(webhooks.next(event, options)).rejects.toThrow(message);
    });

    test.each([
      ['a number', (id: number) => id],
      ['a string', (id: number) => String(id)],
    ])('returns only messages about that deposit, and keeps the others; the id is %s', async (_type, asGiven) => {
      const account = await simulator.createAccount({ seed: 'demo' });
      const id = await createDeposit(account);
      await account.deposits.authorize(id);
      await account.clock.advance('8d');
      const selected = await account.webhooks.next('deposit.expired', { deposit: asGiven(id) });
      expect(selected).toMatchObject({ payload: { data: { id } } });
      // In the demo seed, deposit 3 expires first.
      expect(await account.webhooks.next('deposit.expired')).toMatchObject({ payload: { data: { id: 3 } } });
    });

    test('waits for that record while messages about others arrive', async () => {
      const account = await simulator.createAccount();
      const [other, id] = [await createDeposit(account), await createDeposit(account)];
      const next = account.webhooks.next('deposit.authorized', { deposit: id, timeout: 60_000 });
      await account.deposits.authorize(other);
      await account.deposits.authorize(id);
      expect(await next).toMatchObject({ payload: { data: { id } } });
    });

    test('finds a payment by its own id, by its payment link and by its invoice', async () => {
      const { paymentLinks, invoices, webhooks } = await simulator.createAccount({ seed: 'demo' });
      const payments = [await paymentLinks.pay(1), await paymentLinks.pay(2), await invoices.pay(3)];
      const [first, second, third] = payments.map(({ id }) => ({ payload: { data: { id } } }));
      expect(await webhooks.next('payment.succeeded', { invoice: 3 })).toMatchObject(third ?? {});
      expect(await webhooks.next('payment.succeeded', { paymentLink: 2 })).toMatchObject(second ?? {});
      expect(await webhooks.next('payment.succeeded', { payment: payments[0]?.id ?? 0 })).toMatchObject(first ?? {});
    });

    test('names that record in the error after its timeout, and the records of the messages that arrived', async () => {
      const account = await simulator.createAccount({ seed: 'demo' });
      await account.paymentLinks.pay(1);
      const { id } = await account.paymentLinks.pay(1);
      await account.webhooks.next('payment.succeeded');
      await expect(account.webhooks.next('payment.succeeded', { paymentLink: 2, timeout: 1 })).rejects.toThrow(
        `no payment.succeeded for payment link 2 within 1 ms; received instead: payment.succeeded for payment ${id};`,
      );
    });

    test('refuses an id that is undefined, as after a failed request', async () => {
      const { webhooks } = await simulator.createAccount();
      // @ts-expect-error: an id is a number or a string
      await expect(webhooks.next('deposit.expired', { deposit: undefined })).rejects.toThrow(
        'the id or name of the record must be a number or a string, not undefined',
      );
    });
  });

  test('gives up after 3 seconds, before a test with the default timeout of vitest or Jest fails', async () => {
    const account = await simulator.createAccount();
    fakeNodeTimers();
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const next = expect(account.webhooks.next('deposit.expired')).rejects.toThrow(
      'no deposit.expired within 3000 ms; nothing else arrived',
    );
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    now = 3_000;
    vi.advanceTimersByTime(3_000);
    await next;
  });

  test.each(['restore', 'reset'] as const)('receives a message that arrives after a %s', async (action) => {
    const account = await simulator.createAccount({ seed: 'demo' });
    const id = await createDeposit(account);
    await account.snapshots.save('before');
    const waiting = account.webhooks.next('deposit.authorized', { timeout: 60_000 });
    await (action === 'restore' ? account.snapshots.restore('before') : account.reset());
    const authorizedId = action === 'restore' ? id : await createDeposit(account);
    await account.deposits.authorize(authorizedId);
    expect(await waiting).toMatchObject({ payload: { data: { id: authorizedId } } });
  });

  test('is rejected when the account is removed or the simulator closed', async () => {
    const otherSimulator = await startSimulator();
    const account = await otherSimulator.createAccount();
    const rejected = expect(account.webhooks.next('deposit.expired', { timeout: 60_000 })).rejects.toThrow(
      `the account ${account.id} has been removed`,
    );
    await account.remove();
    await rejected;
    const closed = expect(otherSimulator.account.webhooks.next('deposit.expired', { timeout: 60_000 })).rejects.toThrow(
      'the simulator has been closed',
    );
    await otherSimulator.close();
    await closed;
  });

  test.each([
    { storage: 'in memory', options: () => ({}) },
    { storage: 'in a data folder', options: () => ({ data: tempFolder() }) },
  ])('skips messages that it has returned, even after a snapshot is restored $storage', async ({ options }) => {
    const otherSimulator = await startSimulator(options());
    onTestFinished(() => otherSimulator.close());
    const account = await otherSimulator.createAccount();
    const [first, second] = [await createDeposit(account), await createDeposit(account)];
    const returnNext = async () => (await account.webhooks.next('deposit.created')).payload;
    expect(await returnNext()).toMatchObject({ data: { id: first } });
    await account.snapshots.save('two-deposits');
    await account.snapshots.restore('two-deposits');
    expect(await returnNext()).toMatchObject({ data: { id: second } });
    await account.reset();
    await account.snapshots.restore('two-deposits');
    const third = await createDeposit(account);
    expect(await returnNext()).toMatchObject({ data: { id: third } });
  });

  test('returns a new message after a reset, although it has the id of an earlier one', async () => {
    const account = await simulator.createAccount();
    await createDeposit(account);
    await account.webhooks.next('deposit.created');
    await account.clock.advance('1m');
    // The clock goes back, so the next message has the time, the number and thus the id of the first.
    await account.reset();
    await createDeposit(account);
    expect(await account.webhooks.next('deposit.created')).toMatchObject({ payload: { data: { id: 1 } } });
  });
});

test('webhooks are posted to the configured URL, and can be resent', async () => {
  const account = await simulator.createAccount();
  const receiver = await openReceiver();
  await account.webhooks.configure({ url: receiver.url, secret: 'shared' });
  await createDeposit(account);
  await account.webhooks.settled();
  const [message] = await account.webhooks.all();
  expect(message).toMatchObject({ status: 'delivered', attempts: [{ status: 204, error: null }] });
  await account.webhooks.resend(message?.id ?? '');
  const received = receiver.received.map(({ headers, body }) => [headers['x-service-event'], body.toString()]);
  expect(received).toEqual(Array(2).fill(['deposit.created', message?.body]));
});

test('webhooks.settled fails if the receiver does not answer in time, and names the message', async () => {
  const account = await simulator.createAccount();
  const receiver = await openReceiver(() => undefined);
  await account.webhooks.configure({ url: receiver.url });
  await createDeposit(account);
  const [message] = await account.webhooks.all();
  await expect(account.webhooks.settled({ timeout: 50 })).rejects.toThrow(
    `still being sent after 50 ms: deposit.created ${message?.id}`,
  );
});

test('webhooks.settled is not logged as an action, since it changes nothing', async () => {
  const account = await simulator.createAccount();
  const receiver = await openReceiver();
  await account.webhooks.configure({ url: receiver.url });
  await createDeposit(account);
  await account.webhooks.settled();
  const causes = (await account.activity()).map(({ entries: [cause] }) => cause?.kind);
  // The request for the deposit, and the change of the URL.
  expect(causes).toEqual(['request', 'action']);
});

test('webhooks.settled does not wait for an email that is still being sent', async () => {
  const silentMailServer = await openRawReceiver(() => undefined);
  const smtp = `smtp://127.0.0.1:${silentMailServer.port}`;
  const { account, baseUrl, close } = await startSimulator({ smtp });
  onTestFinished(close);
  await clientOf(baseUrl).POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 3 } } });
  await account.webhooks.settled({ timeout: 600_000 });
  expect((await account.clock.advance('0s', { timeout: 0 })).in_progress).toEqual(['email 1']);
});

describe('the headers of a webhook', () => {
  /** Starts an account that delivers its messages to a receiver. */
  async function createAccountWithReceiver() {
    const account = await simulator.createAccount();
    const receiver = await openReceiver();
    await account.webhooks.configure({ url: receiver.url, secret: 'first' });
    return { account, receiver };
  }

  async function signatureOfFirst({ webhooks }: SimulatorAccount): Promise<string | undefined> {
    return (await webhooks.all())[0]?.headers['X-Service-Signature'];
  }

  test('are those that were sent last, even after the secret has changed', async () => {
    const { account, receiver } = await createAccountWithReceiver();
    await createDeposit(account);
    await account.webhooks.settled();
    await account.webhooks.configure({ secret: 'second' });
    expect(await signatureOfFirst(account)).toBe(receiver.received[0]?.headers['x-service-signature']);

    const [message] = await account.webhooks.all();
    const resent = await account.webhooks.resend(message?.id ?? '');
    expect(resent.headers['X-Service-Signature']).toBe(receiver.received[1]?.headers['x-service-signature']);
    expect(resent.headers).not.toEqual(message?.headers);
  });

  test('are those that the next attempt would have if no attempt has reached the receiver', async () => {
    const { account, receiver } = await createAccountWithReceiver();
    await account.faults.add({ effect: 'receiver-fails' });
    await createDeposit(account);
    await account.webhooks.settled();
    const [message] = await account.webhooks.all();
    expect(message?.attempts).toMatchObject([{ applied_faults: ['receiver-fails'] }]);
    expect(receiver.received).toEqual([]);
    expect(message?.headers).toMatchObject({
      'X-Service-Event': 'deposit.created',
      'X-Service-Signature': signatureOf(message?.body ?? '', 'first', 'hex'),
    });
  });

  test('are not those of an attempt that a fault forged', async () => {
    const { account, receiver } = await createAccountWithReceiver();
    await account.faults.add({ effect: 'wrong-secret' });
    await createDeposit(account);
    await account.webhooks.settled();
    const [message] = await account.webhooks.all();
    expect(message?.attempts).toMatchObject([{ applied_faults: ['wrong-secret'] }]);
    expect(message?.headers['X-Service-Signature']).toBe(signatureOf(message?.body ?? '', 'first', 'hex'));
    expect(receiver.received[0]?.headers['x-service-signature']).not.toBe(message?.headers['X-Service-Signature']);
  });
});
