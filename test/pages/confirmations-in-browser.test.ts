import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createDemoAccount } from './guest.js';
import { openWatchedPage } from './watched-page.js';

/** Actions that lose data need a confirmation: in a dialog, or on a page without scripts. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

async function openTokens(context: TestContext, javaScriptEnabled = true) {
  const { page, pageErrors } = await openWatchedPage(context, {
    isAllowedUrl: (url) => url.startsWith(sim.url),
    javaScriptEnabled,
  });
  const { account } = await createDemoAccount(sim);
  const { token } = await account.apiTokens.create({ name: 'reporting', scopes: ['billing.read'] });
  const base = `${sim.url}/dashboard/${account.id}`;
  await page.goto(`${base}/tokens`);
  const statusOf = async (): Promise<number> =>
    (await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token })).status;
  const button = page.getByRole('row', { name: 'reporting' }).getByRole('button', { name: 'Revoke' });
  return { page, pageErrors, account, base, statusOf, button };
}

const focused = (page: Page): Promise<string> => page.locator(':focus').innerText();

test('a dialog is operated by the keyboard: Escape and Cancel keep everything, and the focus returns', async (context) => {
  const { page, pageErrors, statusOf, button, account } = await openTokens(context);
  const dialog = page.getByRole('dialog', { name: 'Revoke token reporting?' });
  await button.focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  expect(await dialog.innerText()).toContain('Clients that use the token reporting get 401 from then on.');
  expect(await focused(page)).toBe('Cancel');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe(await button.getAttribute('id'));
  expect(await statusOf()).toBe(200);

  await page.keyboard.press('Enter');
  await dialog.waitFor();
  // The list behind the dialog is fetched again meanwhile, and the button with it.
  await page.evaluate(`document.getElementById('tokens').dataset.isOld = 'yes'`);
  await account.trigger('deposit.created');
  await page.locator('#tokens:not([data-is-old])').waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe(await button.getAttribute('id'));
  expect(await statusOf()).toBe(200);
  expect(pageErrors).toEqual([]);
});

test('a button that has just been loaded opens the dialog, too', async (context) => {
  const { page, pageErrors, button, account } = await openTokens(context);
  const id = await button.getAttribute('id');
  await page.evaluate(`document.addEventListener('htmx:afterSwap', ({ detail }) => {
    if (detail.target.id === 'tokens') setTimeout(() => document.getElementById('${id}').click());
  })`);
  await account.trigger('deposit.created');
  await page.getByRole('dialog', { name: 'Revoke token reporting?' }).waitFor();
  expect(pageErrors).toEqual([]);
});

test('confirming in the dialog performs the action', async (context) => {
  const { page, pageErrors, statusOf, button } = await openTokens(context);
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Revoke token reporting?' });
  await dialog.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('Token revoked.').waitFor();
  expect(await statusOf()).toBe(401);
  expect(await dialog.isVisible()).toBe(false);
  expect(pageErrors).toEqual([]);
});

test('without scripts a page asks for confirmation', async (context) => {
  const { page, base, statusOf, button } = await openTokens(context, false);
  await button.click();
  await page.getByRole('heading', { level: 1, name: 'Revoke token reporting?' }).waitFor();
  expect(await page.locator('main').innerText()).toContain('This cannot be undone.');
  await page.getByRole('link', { name: 'Cancel' }).click();
  expect(page.url()).toBe(`${base}/tokens`);
  expect(await statusOf()).toBe(200);
  await button.click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('Token revoked.').waitFor();
  expect(await statusOf()).toBe(401);
});

test.for([true, false])('an account is deleted once it is confirmed (scripts: %s)', async (isOn, context) => {
  const { page, base } = await openTokens(context, isOn);
  const id = base.slice(base.lastIndexOf('/') + 1);
  await page.goto(`${base}/accounts`);
  await page.getByRole('row', { name: id }).getByRole('button', { name: 'Delete' }).first().click();
  const text = isOn ? page.getByRole('dialog') : page.locator('main');
  await text.getByText(`Delete account ${id}?`).waitFor();
  expect(await text.innerText()).toContain('9 invoices');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByText(`Account ${id} deleted.`).waitFor();
  expect(page.url()).toContain('/dashboard/demo/accounts');
});

test.for([true, false])('a reset is undone by one click (scripts: %s)', async (isOn, context) => {
  const { page, base, account } = await openTokens(context, isOn);
  await account.trigger('deposit.created');
  await page.goto(`${base}/snapshots`);
  await page.getByRole('button', { name: 'Reset account' }).click();
  await page.getByText('Account reset.').waitFor();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Snapshot restored.').waitFor();
  await page.goto(`${base}/deposits`);
  await page.getByText('1–8 of 8 deposits').waitFor();
});
