import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../src/contract/engine/eventually.js';
import type { ClauseContext } from '../../src/contract/engine/session.js';
import type { InterceptedRequest } from '../../src/contract/mutation/interceptor.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { sign } from '../../src/contract/sections/webhook-interceptors.js';
import { freePort } from '../support/free-port.js';
import { paymentAndDepositClauses } from './clauses-by-topic.js';
import { checkClauses, closeSimulator, describeResults, openAccount, openSecondImplementation } from './support.js';

/** Runs that may only read, or whose driver lacks methods or fails. */

afterAll(closeSimulator);

describe('a read-only run', () => {
  test('sends only GET requests, which check lists, fields and filters', async () => {
    const requests: InterceptedRequest[] = [];
    const implementation = await startMutatingProxy(await openAccount({}, 'demo'), {
      request: (request) => void requests.push(request),
    });
    const outcome = await checkClauses(implementation, paymentAndDepositClauses, { mayWrite: false });
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    const skipped = outcome.idsWithStatus('skipped');
    // These clauses need a payment whose description the suite has chosen, so the suite would have to create it.
    expect(skipped.filter((id) => id.startsWith('PAY-FILTER'))).toEqual([
      'PAY-FILTER-20',
      'PAY-FILTER-21',
      'PAY-FILTER-22',
      'PAY-FILTER-38',
      'PAY-FILTER-23',
      'PAY-FILTER-24',
      'PAY-FILTER-25',
      'PAY-FILTER-39',
      'PAY-FILTER-40',
      'PAY-FILTER-41',
      'PAY-FILTER-42',
    ]);
    expect(skipped.filter((id) => id.startsWith('PAY-FIELD'))).toEqual([]);
    expect(outcome.idsWithStatus('passed')).toEqual(
      expect.arrayContaining(['LINK-LIST-22', 'LINK-LIST-30', 'DEP-LIST-21', 'DEP-FILTER-05']),
    );
    expect(outcome.resultOf('LINK-CREATE-01').missing).toBe('--write');
    expect(outcome.resultOf('HOOK-SENT-01').missing).toBe('--write');
  });

  test('causes no failure on a simulator without records', async () => {
    const outcome = await checkClauses(await openAccount(), paymentAndDepositClauses, { mayWrite: false });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  });

  test('skips clauses about records if the target has none', async () => {
    const ids = ['INV-LIST-21', 'INV-OVERDUE-08', 'INV-OVERDUE-29', 'PAY-FIELD-01', 'PAY-FILTER-04', 'PAY-FILTER-07'];
    const recordClauses = clauses.filter(({ id }) => ids.includes(id));
    const outcome = await checkClauses(await openAccount(), recordClauses, { mayWrite: false });
    expect(outcome.idsWithStatus('skipped')).toEqual(ids);
  });

  test('waits at most a second, since it has no effects to wait for', async () => {
    let readCount = 0;
    const read = async (): Promise<void> => {
      readCount += 1;
    };
    const waiting = clauses.slice(0, 1).map((clause) => ({
      ...clause,
      check: (context: ClauseContext) => eventually(context, read, () => false),
    }));
    const outcome = await checkClauses(await openAccount(), waiting, { mayWrite: false });
    expect(describeResults(outcome, 'failed', 'skipped', 'broken')).toEqual([]);
    // At once, and after waits of 100, 200, 400 and the remaining 300 milliseconds.
    expect(readCount).toBe(5);
  });

  test('causes no failure while other clients are active', async () => {
    const target = await openSecondImplementation({ hasOtherClients: true });
    const outcome = await checkClauses(target, paymentAndDepositClauses, { mayWrite: false });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  });
});

describe('a driver', () => {
  test('without methods: clauses that need a method are skipped, and their results name it; others pass', async () => {
    const implementation = await openAccount({}, 'demo');
    const outcome = await checkClauses({ ...implementation, driver: {} }, paymentAndDepositClauses);
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    expect(outcome.resultOf('PAY-LINK-01').missing).toBe('payLink');
    expect(outcome.resultOf('DEP-CAPTURE-01').missing).toBe('authorizeDeposit');
    expect(outcome.resultOf('DEP-STATE-03').missing).toBe('declineDeposit');
    expect(outcome.resultOf('HOOK-SIGN-01').missing).toBe('configureWebhook');
    const passed = outcome.idsWithStatus('passed');
    expect(passed).toEqual(expect.arrayContaining(['LINK-SLUG-03', 'PAY-FILTER-19', 'DEP-IDEM-03', 'DEP-FILTER-11']));
  });

  test('whose method fails is not reported as a violation of the target', async () => {
    const { driver, ...implementation } = await openAccount();
    const authorizeDeposit = () => Promise.reject(new Error('the page of the bank has changed'));
    const target = { ...implementation, driver: { ...driver, authorizeDeposit } };
    const outcome = await checkClauses(target, paymentAndDepositClauses, { eventuallyTimeoutMs: 300 });
    expect(outcome.idsWithStatus('failed', 'warned')).toEqual([]);
    expect(outcome.resultOf('DEP-CAPTURE-01').detail).toContain('the page of the bank has changed');
    expect(outcome.resultOf('HOOK-SIGN-01').status).toBe('passed');
  });
});

describe('with a driver that lacks `configureWebhook`, webhooks that the tester has configured', () => {
  test('are received on the given port, and verified with the given secret', async () => {
    const { driver, ...implementation } = await openAccount();
    const port = await freePort();
    await driver.configureWebhook?.({ url: `http://127.0.0.1:${port}/hooks/billing`, secret: 'secret-of-the-tester' });
    const { configureWebhook: _configure, ...otherMethods } = driver;
    const options = { webhookPort: port, webhookSecret: 'secret-of-the-tester' };
    const outcome = await checkClauses({ ...implementation, driver: otherMethods }, paymentAndDepositClauses, options);
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    // A new account has no unpaid payments. The last three clauses need a second URL, which only the driver could set.
    expect(outcome.idsWithStatus('skipped')).toEqual([
      'LINK-CREATE-20',
      'PAY-FILTER-04',
      'HOOK-URL-01',
      'HOOK-MOVE-01',
      'HOOK-MOVE-02',
    ]);
  });

  test('are not verified without a secret', async () => {
    const { driver, ...implementation } = await openAccount();
    const port = await freePort();
    await driver.configureWebhook?.({ url: `http://127.0.0.1:${port}/`, secret: 'secret-that-the-suite-lacks' });
    const { configureWebhook: _configure, ...otherMethods } = driver;
    const webhookClauses = paymentAndDepositClauses.filter(({ id }) => id.startsWith('HOOK-'));
    const outcome = await checkClauses({ ...implementation, driver: otherMethods }, webhookClauses, {
      webhookPort: port,
    });
    expect(outcome.idsWithStatus('failed', 'warned', 'broken')).toEqual([]);
    expect(outcome.resultOf('HOOK-SIGN-01').status).toBe('passed');
    expect(outcome.resultOf('HOOK-SIGN-02').missing).toBe('--webhook-secret');
  });

  test('cannot be received on a port in use', async () => {
    const { driver, ...implementation } = await openAccount();
    const { configureWebhook: _configure, ...otherMethods } = driver;
    const webhookPort = Number(new URL(implementation.baseUrl).port);
    const webhookClauses = paymentAndDepositClauses.filter(({ id }) => id === 'HOOK-SENT-02');
    const outcome = await checkClauses({ ...implementation, driver: otherMethods }, webhookClauses, { webhookPort });
    expect(outcome.resultOf('HOOK-SENT-02')).toMatchObject({ status: 'skipped', missing: '--webhook-port' });
  });
});

test('a webhook that violates a clause is the first delivery in the result, with secrets redacted, and no requests are shown', async () => {
  const { driver, ...implementation } = await openAccount();
  const secrets: string[] = [implementation.tokens.full];
  const { configureWebhook } = driver;
  const recordingSimulator = {
    ...implementation,
    driver: {
      ...driver,
      configureWebhook: (webhook: { readonly url: string; readonly secret: string }) => {
        secrets.push(webhook.secret);
        return configureWebhook?.(webhook) ?? Promise.resolve();
      },
    },
  };
  const leakySimulator = await startMutatingProxy(recordingSimulator, {
    webhook(webhook) {
      webhook.headers['x-debug'] = `key=${webhook.secret} token=${implementation.tokens.full}`;
      webhook.text = webhook.text.replace('{', `{"debug":"${webhook.secret}",`);
      sign(webhook, webhook.headers['x-service-event'] === 'deposit.released' ? 'another secret' : webhook.secret);
      return [webhook];
    },
  });
  const outcome = await checkClauses(
    leakySimulator,
    paymentAndDepositClauses.filter(({ id }) => id === 'HOOK-SIGN-02'),
    { eventuallyTimeoutMs: 4_000 },
  );
  const { status, evidence, deliveries } = outcome.resultOf('HOOK-SIGN-02');
  // Requests of the check would only distract from the webhook.
  expect({ status, evidence }).toEqual({ status: 'failed', evidence: [] });
  expect(deliveries[0]).toMatchObject({
    method: 'POST',
    headers: { 'x-service-event': 'deposit.released', 'x-debug': 'key=[redacted] token=[redacted]' },
    text: expect.stringContaining('"debug":"[redacted]"'),
  });
  const allResults = JSON.stringify(outcome.results);
  expect(secrets.filter((secret) => allResults.includes(secret))).toEqual([]);
});
