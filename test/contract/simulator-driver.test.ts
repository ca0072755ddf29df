import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { isSimulator } from '../../src/contract/drivers/simulator.js';
import { CannotRun } from '../../src/contract/engine/cannot-run.js';
import { openSession } from '../../src/contract/engine/open-session.js';
import { ClauseContext } from '../../src/contract/engine/session.js';
import { startSimulator } from '../../src/index.js';
import { memberOf } from '../../src/lib/member-of.js';
import { serveAlways, serveSecond } from './targets.js';

describe('the driver of the simulator', async () => {
  const simulator = await startSimulator({ controlToken: 'a-control-token', log: () => undefined });
  afterAll(() => simulator.close());
  const { baseUrl } = simulator;
  const controlToken = 'a-control-token';
  const hook = 'http://127.0.0.1:9/hook';
  const secret = 'somebody-s-secret';

  /** An account among others, and what its settings are. */
  async function openAccount() {
    const account = await simulator.createAccount({ webhookUrl: hook, webhookSecret: secret, seed: 'demo' });
    const settingsNow = async (): Promise<unknown> => {
      const answer = await fetch(`${simulator.url}/_sim/accounts/${account.id}/settings`, {
        headers: { Authorization: `Bearer ${controlToken}` },
      });
      return answer.json();
    };
    return { account, settingsNow };
  }

  test('is chosen automatically, for the account of the token', async () => {
    await openAccount();
    const { account } = await openAccount();
    await openAccount();
    const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
    onTestFinished(() => session.close());
    expect(session.driverName).toBe('the driver of the simulator');
    expect(session.target.options.pace).toBe('off');
    const id = memberOf(await session.driver.createCustomer?.(), 'id');
    const { data } = await session.target
      .send({
        method: 'POST',
        path: '/invoices',
        body: {
          customer_id: id,
          date: '2026-01-01',
          due_date: '2026-02-01',
          items: [{ description: 'a', quantity: 1, unit_price: 2 }],
        },
      })
      .then(({ text }) => JSON.parse(text));
    expect(data.customer.id).toBe(id);
  });

  test('does not wait for a rate window that is only announced', async () => {
    const { account } = await openAccount();
    const token = account.tokens.full;
    for (let sent = 0; sent < 99; sent++) {
      await fetch(`${baseUrl}/invoices/stats`, { headers: { Authorization: `Bearer ${token}` } });
    }
    const waits: number[] = [];
    const session = await openSession({ baseUrl, token, controlToken }, (milliseconds) => waits.push(milliseconds));
    onTestFinished(() => session.close());
    expect(waits).toEqual([]);
  });

  test('leaves the settings as they were', async () => {
    const { account, settingsNow } = await openAccount();
    const before = await settingsNow();
    const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
    await session.driver.configureWebhook?.({ url: 'http://127.0.0.1:8/suite', secret: 'the-suite-s-secret' });
    expect(await settingsNow()).toMatchObject({ rate_limit: false, webhook_url: 'http://127.0.0.1:8/suite' });
    await session.close();
    expect(await settingsNow()).toEqual(before);
    expect(before).toMatchObject({ rate_limit: true, webhook_url: hook, webhook_secret: secret });
  });

  test('rotates the webhook secret, and returns the new one', async () => {
    const { account, settingsNow } = await openAccount();
    const session = await openSession({ baseUrl, token: account.tokens.full, controlToken });
    onTestFinished(() => session.close());
    const rotated = memberOf(await session.driver.rotateWebhookSecret?.(), 'secret');
    expect(rotated).toBeTypeOf('string');
    expect(rotated).not.toBe(secret);
    expect(await settingsNow()).toMatchObject({ webhook_secret: rotated });
  });

  test('restores the rate limit before it is exceeded', async () => {
    const { account, settingsNow } = await openAccount();
    const session = await openSession({ baseUrl, token: account.tokens.full, controlToken, include: ['rate-limit'] });
    onTestFinished(() => session.close());
    expect(await settingsNow()).toMatchObject({ rate_limit: false });
    await session.options.beforeExcess?.();
    expect(await settingsNow()).toMatchObject({ rate_limit: true });
  });

  test('changes nothing if nothing may be changed, and still lists its methods', async () => {
    const { account, settingsNow } = await openAccount();
    const before = await settingsNow();
    const session = await openSession({ baseUrl, token: account.tokens.full, write: false });
    await expect(new ClauseContext(session, 'a test').drive('payLink', {})).rejects.toThrow(
      '--write: the target is only read',
    );
    expect(session.target.options.pace).toBe('auto');
    await session.close();
    expect(await settingsNow()).toEqual(before);
  });

  test.each([
    ['is missing', undefined],
    ['is wrong', 'another-control-token'],
  ])('is unavailable if the control token %s', async (_what, given) => {
    const { account } = await openAccount();
    const opening = openSession({ baseUrl, token: account.tokens.full, controlToken: given });
    await expect(opening).rejects.toThrow(
      new CannotRun('the simulator cannot be controlled: it requires its control token: pass it with --control-token'),
    );
  });

  test('is not used with --driver none', async () => {
    const { account, settingsNow } = await openAccount();
    const session = await openSession({ baseUrl, token: account.tokens.full, driver: 'none' });
    onTestFinished(() => session.close());
    expect(session.driverName).toBe('no driver');
    expect(await settingsNow()).toMatchObject({ rate_limit: true });
  });
});

test.each([
  ['the second implementation', async () => (await serveSecond()).baseUrl],
  ['a server that says something else of its health', () => serveAlways({ body: { status: 'ok' } })],
  ['a server of pages', () => serveAlways({ body: '<p>hello' })],
  ['nobody', async () => 'http://127.0.0.1:1/api/v1'],
])('%s is no simulator', async (_who, find) => {
  expect(await isSimulator(await find())).toBe(false);
});
