import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { createAccountWithDashboard } from '../pages/dashboard-forms.js';
import { runCli } from '../support/cli.js';

/** A webhook URL may lack the scheme if its host is local: on the command line, and everywhere else. */

let sim: Simulator;
beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', webhookUrl: 'localhost:3000' });
});
afterAll(() => sim.close());

async function callControl(method: string, path: string, body?: object) {
  const response = await fetch(`${sim.url}/_sim/accounts${path}`, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return JSON.parse(await response.text());
}

async function readUrl(account: string): Promise<unknown> {
  return (await callControl('GET', `/${account}/settings`)).webhook_url;
}

test('startSimulator stores the full URL', async () => {
  expect(await readUrl('demo')).toBe('http://localhost:3000');
});

test('createAccount of the library stores the full URL', async () => {
  const { id } = await sim.createAccount({ webhookUrl: '3000' });
  expect(await readUrl(id)).toBe('http://localhost:3000');
});

test('a new account of the control API has the full URL', async () => {
  const { id } = await callControl('POST', '', { webhook_url: 'app:3000/hooks' });
  expect(await readUrl(id)).toBe('http://app:3000/hooks');
});

const short = 'localhost:3000/hooks';
const full = 'http://localhost:3000/hooks';

test('webhooks.configure of the library stores the full URL, and logs it', async () => {
  const account = await sim.createAccount();
  await account.webhooks.configure({ url: short });
  expect(await readUrl(account.id)).toBe(full);
  const [chain] = await account.activity();
  expect(chain?.entries[0]).toMatchObject({ details: `webhook URL ${full}` });
});

test('the settings of the control API return the full URL', async () => {
  const { id } = await sim.createAccount();
  expect(await callControl('PATCH', `/${id}/settings`, { webhook_url: short })).toMatchObject({ webhook_url: full });
});

test('the form of the dashboard shows the full URL', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  const { html } = await dashboard.submitForm('webhooks', 'changeSettings', { webhook_url: short });
  expect(html).toContain(`value="${full}"`);
  expect(await readUrl(account.id)).toBe(full);
});

test('the settings of the command line print the full URL', async () => {
  const { id } = await sim.createAccount();
  const args = ['settings', 'set', '--webhook-url', short, '--url', sim.url, '--account', id];
  expect((await runCli(...args)).stdout).toMatch(new RegExp(`^webhook URL +${full}$`, 'm'));
});

test('a short URL of the simulator itself is refused', async () => {
  const { id } = await sim.createAccount();
  expect(await callControl('PATCH', `/${id}/settings`, { webhook_url: new URL(sim.url).port })).toMatchObject({
    errors: { webhook_url: ['the webhook URL points to the simulator itself'] },
  });
});

test('a host that is not local needs a scheme', async () => {
  const { id } = await sim.createAccount();
  const body = { webhook_url: 'hotel.example:3000/hooks' };
  expect(await callControl('PATCH', `/${id}/settings`, body)).toMatchObject({
    errors: { webhook_url: ['the webhook URL must begin with http:// or https://'] },
  });
});
