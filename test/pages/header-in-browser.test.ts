import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sampleUnlessFull } from '../support/sample.js';
import { violationsOf } from './axe.js';
import { openDashboardPage } from './open-dashboard-page.js';

/** The header of every dashboard page in a browser: live status, search, keyboard shortcuts and messages. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('the clock and faults in the header, and the counts in the navigation, are updated live', async (context) => {
  const { page, pageErrors, account, client, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/tokens`);
  const status = page.getByRole('region', { name: 'Clock and faults' });
  await status.getByText('2026-03-01 09:00:00').waitFor();
  await account.clock.advance('2h');
  await status.getByText('2026-03-01 11:00:00').waitFor();
  await account.faults.add({ effect: 'hang', match: { operation: 'getDeposit' } });
  await status.getByText('1 fault active').waitFor();
  await client.POST('/deposits', { body: { booking_reference: 'BK-9', amount: 30 } });
  // The navigation counts the seven demo deposits and the new one.
  await page.getByRole('link', { name: 'Deposits 8' }).waitFor();
  await status.getByRole('button', { name: '+1 d' }).click();
  await status.getByText('2026-03-02 11:00:00').waitFor();
  await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
  expect(pageErrors).toEqual([]);
});

test('keys open the search, the sections and the list of shortcuts, but not while typing in a field', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(dashboardUrl);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  // The keys g and t open the tokens page.
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
  // In a field the same keys are text.
  await page.getByLabel('Name').fill('');
  await page.getByLabel('Name').pressSequentially('a/b?gt');
  expect(await page.getByLabel('Name').inputValue()).toBe('a/b?gt');
  await page.getByRole('heading', { name: 'Tokens', level: 1 }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('DEMO-0003');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'DEMO-0003' }).click();
  await page.getByRole('heading', { name: 'Invoice DEMO-0003', level: 1 }).waitFor();
  expect(pageErrors).toEqual([]);
});

test('the shortcuts can be turned off, since speech input may press such keys by mistake', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(dashboardUrl);
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const toggle = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await dialog.getByLabel('Use these shortcuts').click();
    await page.keyboard.press('Escape');
  };
  await toggle();
  // Other pages know it, too, whether they are loaded by htmx or by the browser.
  for (const open of [
    () => page.getByRole('link', { name: 'Tokens', exact: true }).click(),
    () => page.goto(`${dashboardUrl}/tokens`),
  ]) {
    await open();
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
    await page.keyboard.press('?');
    expect(await dialog.isVisible()).toBe(false);
    await page.keyboard.press('/');
    expect(await page.locator('#find:focus').count()).toBe(0);
  }
  await toggle();
  await page.keyboard.press('?');
  await dialog.waitFor();
  expect(pageErrors).toEqual([]);
});

test('the message about a restored snapshot has a button that undoes the restore', async (context) => {
  const { page, account, client, dashboardUrl } = await openDashboardPage(context, sim);
  await account.snapshots.save('before');
  const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-LATER', amount: 30 } });
  const id = Number(data?.data.id);
  const depositStatusCode = async () =>
    (await client.GET('/deposits/{id}', { params: { path: { id } } })).response.status;
  await page.goto(`${dashboardUrl}/snapshots`);
  await page.getByRole('row', { name: 'before' }).getByRole('button', { name: 'Restore' }).click();
  const message = page.getByRole('status').filter({ hasText: 'Snapshot restored.' });
  await message.waitFor();
  expect(await depositStatusCode()).toBe(404);
  await message.getByRole('button', { name: 'Undo' }).click();
  // Before each of the two restores, the account was saved as before-restore-….
  await page.getByRole('row', { name: 'before-restore' }).nth(1).waitFor();
  expect(await depositStatusCode()).toBe(200);
});

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'after an action, the message has the focus, or with JavaScript the pressed button if it still exists (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim, { javaScriptEnabled });
    await page.goto(`${dashboardUrl}/deposits/1`);
    const message = page.locator('main').getByRole('status');
    // An authorized deposit has no such button.
    await page.getByRole('button', { name: 'Authorize' }).press('Enter');
    await message.getByText('Done. Status: authorized.').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Done. Status: authorized.');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Dismiss');

    // Every page has this button.
    await page.getByRole('button', { name: '+1 h' }).press('Enter');
    await message.getByText('Clock advanced by 1 h').waitFor();
    expect(await page.locator(':focus').innerText()).toMatch(javaScriptEnabled ? /^\+1 h$/ : /^Clock advanced by 1 h/);
    // axe needs JavaScript.
    if (javaScriptEnabled) expect(await violationsOf(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  },
);
