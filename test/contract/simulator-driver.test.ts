import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openListener } from '../../src/commands/simulator/listener.js';
import { isSimulator } from '../../src/contract/drivers/simulator.js';
import { CannotRun } from '../../src/contract/engine/cannot-run.js';
import { openSession } from '../../src/contract/engine/open-session.js';
import { openReceiver } from '../../src/contract/engine/receiver.js';
import { ClauseContext, type Session } from '../../src/contract/engine/session.js';
import { startSimulator } from '../../src/index.js';
import { memberOf } from '../../src/lib/json.js';
import { listenerUrlFor } from '../../src/webhooks/listener-url.js';
import { serveAlways, serveSecondImplementation } from './targets.js';

describe('the driver of the simulator', async () => {
  const simulator = await startSimulator({ controlToken: 'a-control-token', log: () => undefined });
  afterAll(() => simulator.close());
  const { baseUrl } = simulator;
  const controlToken = 'a-control-token';
  const webhookUrl = 'http://127.0.0.1:9/hook';
  const secret = 'webhook-secret';

  /** Creates an account, and returns it with a function that reads its settings. */
  async function openAccount() {
    const account = await simulator.createAccount({ webhookUrl, webhookSecret: secret, seed: 'demo' });
    const readSettings = async (): Promise<unknown> => {
      const response = await fetch(`${simulator.url}/_sim/accounts/${account.id}/settings`, {
        headers: { Authorization: `Bearer ${controlToken}` },
      });
      return response.json();
    };
    return { account, readSettings };
  }

  test('is chosen automatically, for the account of the token', async () => {
    // The account of the token is neither the first nor the last one.
    await openAccount();
    const { account } = await openAccount();
    await openAccount();
    const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
    onTestFinished(() => session.close());
    expect(session.driverName).toBe('the driver of the simulator');
    expect(session.target.options.pace).toBe('after-refusal');
    // An invoice can be created only for a customer of the same account, so the driver has created the customer there.
    const customerId = memberOf(await session.driver.createCustomer?.(), 'id');
    const { data } = await session.target
      .send({
        method: 'POST',
        path: '/invoices',
        body: {
          customer_id: customerId,
          date: '2026-01-01',
          due_date: '2026-02-01',
          items: [{ description: 'a', quantity: 1, unit_price: 2 }],
        },
      })
      .then(({ text }) => JSON.parse(text));
    expect(data.customer.id).toBe(customerId);
  });

  test('distinguishes accounts of two simulators, even if a request to both has the same id, time and duration', async () => {
    const open = async (): Promise<Session> => {
      const other = await startSimulator({ now: '2026-03-01', memory: true, log: () => undefined });
      onTestFinished(() => other.close());
      const session = await openSession({ baseUrl: other.baseUrl, token: other.account.tokens?.full ?? '' });
      onTestFinished(() => session.close());
      return session;
    };
    const [a, b] = [(await open()).options.account, (await open()).options.account];
    expect(await a?.hasReceived(a.request)).toBe(true);
    expect(await b?.hasReceived({ ...a?.request, milliseconds: b.request['milliseconds'] })).toBe(false);
  });

  test('does not wait for the rate limit that the simulator announces, since it turns the limit off', async () => {
    const { account } = await openAccount();
    const token = account.tokens.full;
    // One less than the 100 requests that a burst may have.
    for (let sent = 0; sent < 99; sent++) {
      await fetch(`${baseUrl}/invoices/stats`, { headers: { Authorization: `Bearer ${token}` } });
    }
    const waits: number[] = [];
    const session = await openSession({ baseUrl, token, controlToken }, (milliseconds) => waits.push(milliseconds));
    onTestFinished(() => session.close());
    expect(waits).toEqual([]);
  });

  test('restores the settings when the session is closed', async () => {
    const { account, readSettings } = await openAccount();
    const before = await readSettings();
    const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
    await session.driver.configureWebhook?.({ url: 'http://127.0.0.1:8/suite', secret: 'secret-of-the-suite' });
    expect(await readSettings()).toMatchObject({ rate_limit: false, webhook_url: 'http://127.0.0.1:8/suite' });
    await session.close();
    expect(await readSettings()).toEqual(before);
    expect(before).toMatchObject({ rate_limit: true, webhook_url: webhookUrl, webhook_secret: secret });
  });

  describe('when the session is closed,', () => {
    const suiteUrl = 'http://127.0.0.1:8/suite';

    test('restores the webhook URL that a listener had replaced before the run, if the listener has stopped', async () => {
      const { account, readSettings } = await openAccount();
      const listener = await openListener({
        port: 0,
        respond: async () => ({ status: 200, body: '', retryAfter: null, date: null }),
        onFailure: () => undefined,
      });
      await account.webhooks.configure({ url: listenerUrlFor(listener.url, webhookUrl) });
      const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
      await session.driver.configureWebhook?.({ url: suiteUrl, secret });
      await listener.close();
      await session.close();
      expect(await readSettings()).toMatchObject({ webhook_url: webhookUrl });
    });

    /** The suite's use of its driver during a run. */
    const uses: readonly (readonly [what: string, useDriver: (session: Session) => Promise<unknown>])[] = [
      ['has configured its own', async ({ driver }) => driver.configureWebhook?.({ url: suiteUrl, secret })],
      ['has configured none', async () => undefined],
    ];

    test.each(uses)('keeps a webhook URL that was set during the run, if the suite %s', async (_case, useDriver) => {
      const { account, readSettings } = await openAccount();
      const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
      await useDriver(session);
      const url = 'http://127.0.0.1:9/set-during-the-run';
      await account.webhooks.configure({ url });
      await session.close();
      expect(await readSettings()).toMatchObject({ rate_limit: true, webhook_url: url });
    });

    test.each(uses)('keeps a webhook secret that was set during the run, if the suite %s', async (_case, useDriver) => {
      const { account, readSettings } = await openAccount();
      const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
      await useDriver(session);
      await account.webhooks.configure({ url: 'http://127.0.0.1:9/set-during-the-run', secret: 'set-during-the-run' });
      await session.close();
      expect(await readSettings()).toMatchObject({ webhook_secret: 'set-during-the-run' });
    });

    test('restores the webhook secret from before the run if the suite has rotated it', async () => {
      const { account, readSettings } = await openAccount();
      const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
      await session.driver.configureWebhook?.({ url: suiteUrl, secret: 'secret-of-the-suite' });
      await session.driver.rotateWebhookSecret?.();
      await session.close();
      expect(await readSettings()).toMatchObject({ webhook_secret: secret });
    });

    test("restores the webhook URL from before the run if a listener has replaced the suite's URL", async () => {
      const { account, readSettings } = await openAccount();
      const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
      await session.driver.configureWebhook?.({ url: suiteUrl, secret });
      await account.webhooks.configure({ url: listenerUrlFor('http://127.0.0.1:8/billing-sim-listen', suiteUrl) });
      await session.close();
      expect(await readSettings()).toMatchObject({ webhook_url: webhookUrl });
    });
  });

  describe('of two runs on one account', () => {
    /** Opens two sessions, of which the first receives the webhooks of the account. */
    async function openBoth() {
      const { account, readSettings } = await openAccount();
      const open = (): Promise<Session> => openSession({ baseUrl, token: account.tokens.full, controlToken });
      const [first, second] = [await open(), await open()];
      const receiver = await openReceiver({ port: 0, secret: undefined, redact: (text) => text });
      onTestFinished(() => receiver.close());
      await first.driver.configureWebhook?.({
        url: receiver.register(`/${first.prefix}/1`, 'of-the-first'),
        secret: 'of-the-first',
      });
      const configureSecond = async (): Promise<unknown> =>
        second.driver.configureWebhook?.({ url: suiteUrl, secret: 'of-the-second' });
      return { account, readSettings, first, second, receiver, configureSecond };
    }
    const suiteUrl = 'http://127.0.0.1:8/contract-00000000/1';

    test.each(['first', 'second'] as const)('restores the settings if the %s one ends first', async (endsFirst) => {
      const { readSettings, first, second } = await openBoth();
      for (const session of endsFirst === 'first' ? [first, second] : [second, first]) await session.close();
      expect(await readSettings()).toMatchObject({ rate_limit: true, webhook_url: webhookUrl, webhook_secret: secret });
    });

    test('does not take the webhooks of the other run, which has not ended', async () => {
      const { account, readSettings, first, receiver, configureSecond } = await openBoth();
      await expect(configureSecond()).rejects.toThrow(
        `another run of the suite receives the webhooks of account ${account.id}; wait until it has ended, or use another account`,
      );
      expect(await readSettings()).toMatchObject({ webhook_secret: 'of-the-first' });
      expect(receiver.deliveries).toEqual([]);
      await first.driver.configureWebhook?.({ url: receiver.register('/contract-1/2', 'new'), secret: 'new' });
      expect(await readSettings()).toMatchObject({ webhook_secret: 'new' });
    });

    test('receives the webhooks if the other run was aborted without restoring the settings', async () => {
      const { readSettings, receiver, configureSecond } = await openBoth();
      await receiver.close();
      await configureSecond();
      expect(await readSettings()).toMatchObject({ webhook_url: suiteUrl, webhook_secret: 'of-the-second' });
    });

    test('restores the settings from before both runs, if the other one has ended meanwhile', async () => {
      const { readSettings, first, second, receiver, configureSecond } = await openBoth();
      await first.close();
      await receiver.close();
      await configureSecond();
      await second.close();
      expect(await readSettings()).toMatchObject({ rate_limit: true, webhook_url: webhookUrl, webhook_secret: secret });
    });
  });

  test('changes the webhook secret, and returns the new one', async () => {
    const { account, readSettings } = await openAccount();
    const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
    onTestFinished(() => session.close());
    const rotated = memberOf(await session.driver.rotateWebhookSecret?.(), 'secret');
    expect(rotated).toBeTypeOf('string');
    expect(rotated).not.toBe(secret);
    expect(await readSettings()).toMatchObject({ webhook_secret: rotated });
  });

  test('sends the last webhook about a deposit again', async () => {
    const { account } = await openAccount();
    const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
    onTestFinished(() => session.close());
    await account.trigger('deposit.created');
    const { payload } = await account.webhooks.next('deposit.created');
    const deposit = memberOf(payload, 'data');
    await session.driver.resendWebhook?.({ id: memberOf(deposit, 'id') });
    const [webhook] = await account.webhooks.all();
    expect(webhook?.attempts.filter(({ by }) => by === 'manual')).toHaveLength(1);
  });

  test('restores the rate limit before the clauses that exceed it', async () => {
    const { account, readSettings } = await openAccount();
    const session = await openSession({ baseUrl, token: account.tokens.full, controlToken, include: ['rate-limit'] });
    onTestFinished(() => session.close());
    expect(await readSettings()).toMatchObject({ rate_limit: false });
    await session.options.beforeExceedingRateLimit?.();
    expect(await readSettings()).toMatchObject({ rate_limit: true });
  });

  test('changes nothing in a read-only run', async () => {
    const { account, readSettings } = await openAccount();
    const before = await readSettings();
    const session = await openSession({ baseUrl, token: account.tokens.full, write: false });
    await expect(new ClauseContext(session, 'a test').drive('payLink', {})).rejects.toThrow(
      '--write: without it, the suite only reads from the target',
    );
    expect(session.target.options.pace).toBe('auto');
    await session.close();
    expect(await readSettings()).toEqual(before);
  });

  test.each([
    ['is missing', undefined, 'the control API requires a token; pass it with --control-token'],
    ['is wrong', 'another-control-token', 'the control API refuses the control token; check --control-token'],
  ])('is unavailable if the control token %s', async (_what, passedToken, reason) => {
    const { account } = await openAccount();
    const opening = openSession({ baseUrl, token: account.tokens.full, controlToken: passedToken });
    await expect(opening).rejects.toThrow(new CannotRun(`the simulator cannot be controlled: ${reason}`));
  });

  test('is not used with --driver none', async () => {
    const { account, readSettings } = await openAccount();
    const session = await openSession({ baseUrl, token: account.tokens.full, driver: 'none' });
    onTestFinished(() => session.close());
    expect(session.driverName).toBe('no driver');
    expect(await readSettings()).toMatchObject({ rate_limit: true });
  });
});

test.each([
  ['the second implementation', async () => (await serveSecondImplementation()).baseUrl],
  ['a server with another health response', () => serveAlways({ body: { status: 'ok' } })],
  ['a server of HTML pages', () => serveAlways({ body: '<p>hello' })],
  ['an address where nothing listens', async () => 'http://127.0.0.1:1/api/v1'],
])('%s is not a simulator', async (_what, start) => {
  expect(await isSimulator(await start())).toBe(false);
});
