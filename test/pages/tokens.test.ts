import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createAccountWithDashboard } from './dashboard-forms.js';

/** The tokens page of the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const tokenPattern = /guests-\d+_[0-9a-f]{32}/;

describe('a token', () => {
  test('is shown once when it is created, and works', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const fields = { name: 'reporting', 'scopes[]': ['billing.read'] };
    const { notice, pathWithNotice } = await dashboard.submitForm('tokens', 'createToken', fields);
    const [token = ''] = tokenPattern.exec(notice) ?? [];
    expect(notice).toBe(`Token reporting created: ${token}. It is shown only once.`);
    for (const page of ['tokens', pathWithNotice.replace(/^.*\/tokens/, 'tokens')]) {
      const html = await dashboard.readHtml(page);
      expect(html).toContain('reporting');
      expect(html).not.toMatch(tokenPattern);
    }
    const requestPaymentLinks = (method: string) =>
      sendHttpRequest(sim.url, {
        method,
        path: '/api/v1/payment-links',
        token,
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
    expect((await requestPaymentLinks('GET')).status).toBe(200);
    expect((await requestPaymentLinks('POST')).status).toBe(403);
  });

  test('without a name, or without a scope, is refused', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const unnamed = await dashboard.postFields('tokens', 'createToken', { 'scopes[]': ['billing.read'] });
    expect(unnamed.notice).toBe('The name field is required.');
    const withoutScope = await dashboard.postFields('tokens', 'createToken', { name: 'no-scope' });
    expect(withoutScope.notice).toBe('The scopes field is required.');
    expect(await dashboard.readText('tokens')).not.toContain('no-scope');
  });

  test('with the name of another token is refused', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const { notice } = await dashboard.postFields('tokens', 'createToken', {
      name: 'full',
      'scopes[]': ['billing.read'],
    });
    expect(notice).toBe('The name has already been taken.');
  });

  test('no longer works once it is revoked', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const { id, token } = await account.apiTokens.create({ name: 'old', scopes: ['billing.read'] });
    const { notice, html } = await dashboard.submitForm('tokens', `revokeToken/${id}`);
    expect(notice).toBe('Token revoked.');
    expect(html).not.toContain('>old<');
    expect((await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token })).status).toBe(401);
  });
});

test.each<[profile: Choices, expiry: string]>([
  [{}, 'never'],
  [{ 'auth.token-lifetime': { after: '2d' } }, '2026-03-03 09:00:00'],
  [{ 'auth.token-lifetime': { after: '1d' } }, '2026-03-02 09:00:00 expired'],
])('the page says when a token expires (%j)', async (profile, expiry) => {
  const { account, dashboard } = await createAccountWithDashboard(sim, profile);
  await account.clock.advance('1d');
  expect(await dashboard.readText('tokens')).toContain(
    `full billing.read, billing.write 2026-03-01 09:00:00 ${expiry} Revoke`,
  );
});

test('without tokens, the page says how to create one', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  for (const id of ['1', '2', '3']) await dashboard.submitForm('tokens', `revokeToken/${id}`);
  expect(await dashboard.readText('tokens')).toContain('every token has been revoked. Create one above.');
});

test('the page shows how to connect an app, with a curl command that works', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  const text = await dashboard.readText('tokens');
  expect(text).toContain(`BILLING_URL=${sim.baseUrl}`);
  expect(text).toContain(`billing-sim listen --print-secret --account ${account.id} --url ${sim.url}`);
  const [command = ''] = /curl -H ".*?" \S+/.exec(text) ?? [];
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: { ...process.env, BILLING_URL: sim.baseUrl, BILLING_TOKEN: account.tokens.read },
  });
  expect(JSON.parse(stdout)).toMatchObject({ success: true });
});
