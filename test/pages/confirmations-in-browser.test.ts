import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sampleUnlessFull } from '../support/sample.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { openDashboardPage } from './open-dashboard-page.js';

/** Actions that cannot be undone need a confirmation: in a dialog, or, without JavaScript, on a separate page. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Opens the tokens page of a new account, which has a token named `reporting`. */
async function openTokensPage(context: TestContext, javaScriptEnabled = true) {
  const opened = await openDashboardPage(context, sim, { javaScriptEnabled });
  const { page, account, dashboardUrl } = opened;
  const { token } = await account.apiTokens.create({ name: 'reporting', scopes: ['billing.read'] });
  await page.goto(`${dashboardUrl}/tokens`);
  /** Sends a request with the `reporting` token. @returns the HTTP status: 401 once the token is revoked */
  const requestStatus = async (): Promise<number> =>
    (await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token })).status;
  const revokeButton = page.getByRole('row', { name: 'reporting' }).getByRole('button', { name: 'Revoke' });
  return { ...opened, requestStatus, revokeButton };
}

const focusedText = (page: Page): Promise<string> => page.locator(':focus').innerText();

test('Escape and Cancel close the dialog without performing the action, and the focus returns to the button', async (context) => {
  const { page, pageErrors, requestStatus, revokeButton, account } = await openTokensPage(context);
  const dialog = page.getByRole('dialog', { name: 'Revoke token reporting?' });
  await revokeButton.focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  expect(await dialog.innerText()).toContain('After that, clients that use the token reporting get 401 until');
  expect(await focusedText(page)).toBe('Cancel');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe(await revokeButton.getAttribute('id'));
  expect(await requestStatus()).toBe(200);

  await page.keyboard.press('Enter');
  await dialog.waitFor();
  // Marks the list behind the open dialog. A live update then replaces it with a list without the mark.
  await page.evaluate(`document.getElementById('tokens').dataset.isOld = 'yes'`);
  await account.apiTokens.create({ name: 'another', scopes: ['billing.read'] });
  await page.locator('#tokens:not([data-is-old])').waitFor();
  // The focus is on Cancel, so Enter presses that button.
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe(await revokeButton.getAttribute('id'));
  expect(await requestStatus()).toBe(200);
  expect(pageErrors).toEqual([]);
});

test('a button opens its dialog even right after a live update has replaced the list', async (context) => {
  const { page, pageErrors, revokeButton, account } = await openTokensPage(context);
  const id = await revokeButton.getAttribute('id');
  await page.evaluate(`document.addEventListener('htmx:afterSwap', ({ detail }) => {
    if (detail.target.id === 'tokens') setTimeout(() => document.getElementById('${id}').click());
  })`);
  await account.apiTokens.create({ name: 'another', scopes: ['billing.read'] });
  await page.getByRole('dialog', { name: 'Revoke token reporting?' }).waitFor();
  expect(pageErrors).toEqual([]);
});

test('confirming in the dialog performs the action', async (context) => {
  const { page, pageErrors, requestStatus, revokeButton } = await openTokensPage(context);
  await revokeButton.click();
  const dialog = page.getByRole('dialog', { name: 'Revoke token reporting?' });
  await dialog.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('Token revoked.').waitFor();
  expect(await requestStatus()).toBe(401);
  expect(await dialog.isVisible()).toBe(false);
  expect(pageErrors).toEqual([]);
});

test('without JavaScript, a page asks for confirmation', async (context) => {
  const { page, dashboardUrl, requestStatus, revokeButton } = await openTokensPage(context, false);
  await revokeButton.click();
  await page.getByRole('heading', { level: 1, name: 'Revoke token reporting?' }).waitFor();
  expect(await page.locator('main').innerText()).toContain('This cannot be undone.');
  await page.getByRole('link', { name: 'Cancel' }).click();
  expect(page.url()).toBe(`${dashboardUrl}/tokens`);
  expect(await requestStatus()).toBe(200);
  await revokeButton.click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('Token revoked.').waitFor();
  expect(await requestStatus()).toBe(401);
});

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'Reset coverage asks for confirmation (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { page, pageErrors, dashboardUrl } = await openTokensPage(context, javaScriptEnabled);
    await page.goto(`${dashboardUrl}/coverage`);
    const button = page.getByRole('main').getByRole('button', { name: 'Reset coverage', exact: true });
    const confirmation = javaScriptEnabled
      ? page.getByRole('dialog', { name: 'Reset coverage?' })
      : page.locator('main', { hasText: 'Reset coverage?' });
    await button.click();
    await confirmation.getByText('This cannot be undone.').waitFor();
    await confirmation.getByRole(javaScriptEnabled ? 'button' : 'link', { name: 'Cancel' }).click();
    await button.click();
    await confirmation.locator('button.danger').click();
    await page.getByRole('status').getByText('Coverage reset.').waitFor();
    expect(page.url()).toContain(`${dashboardUrl}/coverage`);
    expect(pageErrors).toEqual([]);
  },
);

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'an account is deleted after confirmation (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { page, account, dashboardUrl } = await openTokensPage(context, javaScriptEnabled);
    const { id } = account;
    await page.goto(`${dashboardUrl}/accounts`);
    await page.getByRole('row', { name: id }).getByRole('button', { name: 'Delete' }).first().click();
    const confirmation = javaScriptEnabled ? page.getByRole('dialog') : page.locator('main');
    await confirmation.getByText(`Delete account ${id}?`).waitFor();
    expect(await confirmation.innerText()).toContain('9 invoices');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText(`Account ${id} deleted.`).waitFor();
    expect(page.url()).toContain('/dashboard/demo/accounts');
  },
);

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'a reset is undone with one click (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { page, dashboardUrl, account } = await openTokensPage(context, javaScriptEnabled);
    await account.trigger('deposit.created');
    await page.goto(`${dashboardUrl}/snapshots`);
    await page.getByRole('button', { name: 'Reset account' }).click();
    await page.getByText('Account reset.').waitFor();
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Snapshot restored.').waitFor();
    await page.goto(`${dashboardUrl}/deposits`);
    // The seven demo deposits, and the one created by the trigger.
    await page.getByText('1–8 of 8 deposits').waitFor();
  },
);
