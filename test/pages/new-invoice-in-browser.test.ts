import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sampleUnlessFull } from '../support/sample.js';
import { violationsOf } from './axe.js';
import { innerTextsOf } from './inner-texts.js';
import { openDashboardPage } from './open-dashboard-page.js';
import { overflowOf } from './overflow.js';
import { phoneScreen } from './phone-screen.js';

/** The page that creates an invoice, in a browser with and without JavaScript. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const itemOf = (page: Page, number: number): Locator =>
  page.getByRole('group', { name: `Item ${number}`, exact: true });

async function fillItem(page: Page, number: number, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await itemOf(page, number).getByLabel(label).fill(text);
}

async function addRow(page: Page, number: number): Promise<void> {
  await page.getByRole('button', { name: 'Add row' }).click();
  await itemOf(page, number).waitFor();
}

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'an invoice with items is created and partially paid (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { page, pageErrors, client, dashboardUrl } = await openDashboardPage(context, sim, { javaScriptEnabled });
    await page.goto(`${dashboardUrl}/invoices`);
    await page.getByRole('link', { name: 'New invoice' }).click();
    const group = page.getByRole('group', { name: 'New customer' });
    await group.getByLabel('Name').fill('Émilie <b>du Châtelet</b>');
    await group.getByLabel('Email').fill('emilie@inn.example');
    await fillItem(page, 1, { Description: 'Night', Quantity: '2', 'Unit price': '100', 'Tax in percent': '10' });
    await addRow(page, 2);
    await fillItem(page, 2, { Description: 'Removed', Quantity: '1', 'Unit price': '1' });
    await addRow(page, 3);
    await fillItem(page, 3, { Description: 'Breakfast', Quantity: '2', 'Unit price': '12.50' });
    await page.getByRole('button', { name: 'Remove item 2' }).click();
    await itemOf(page, 3).waitFor({ state: 'detached' });
    expect(await itemOf(page, 2).getByLabel('Description').inputValue()).toBe('Breakfast');
    // Without JavaScript, a button updates the total; with it, every change does.
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Update total' }).click();
    await page.getByText('Total: €245.00').waitFor();
    if (javaScriptEnabled) {
      await fillItem(page, 2, { Quantity: '4' });
      await itemOf(page, 2).getByLabel('Unit price').focus();
      await page.getByText('Total: €270.00').waitFor();
      await fillItem(page, 2, { Quantity: '2' });
    }
    await page.getByRole('button', { name: 'Create invoice' }).click();
    await page.getByText('Invoice created.').waitFor();
    const id = Number(/\/(\d+)(?:\?|$)/.exec(page.url())?.[1]);
    const { data } = await client.GET('/invoices/{invoice}', { params: { path: { invoice: id } } });
    expect(data?.data).toMatchObject({
      amount: 245,
      customer: { name: 'Émilie <b>du Châtelet</b>' },
    });
    const rows = page.getByRole('table', { name: 'All items' }).getByRole('row');
    await expect
      .poll(async () => (await innerTextsOf(rows)).slice(1))
      .toEqual(['Night 2 €100.00 10% €220.00', 'Breakfast 2 €12.50 0% €25.00']);
    await page.getByLabel('Amount (EUR)').fill('100');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('€245.00, of which €100.00 paid').waitFor();
    expect(pageErrors).toEqual([]);
  },
);

test('the total is updated as the user types, even while an earlier update is still in progress', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/invoices/new`);
  let allowResponse = (): void => undefined;
  const responseAllowed = new Promise<void>((resolve) => {
    allowResponse = resolve;
  });
  await page.route(
    '**/do/createInvoice',
    async (route) => {
      await responseAllowed;
      // The browser may have cancelled the request.
      await route.continue().catch(() => undefined);
    },
    { times: 1 },
  );
  const firstUpdate = page.waitForRequest('**/do/createInvoice');
  await fillItem(page, 1, { Description: 'Night', Quantity: '2' });
  await page.keyboard.press('Tab');
  await firstUpdate;
  await fillItem(page, 1, { 'Unit price': '10' });
  await page.keyboard.press('Tab');
  allowResponse();
  await page.getByText('Total: €20.00').waitFor();
  await fillItem(page, 1, { 'Unit price': '12' });
  await page.getByText('Total: €24.00').waitFor();
  expect(pageErrors).toEqual([]);
});

test('errors are shown at the fields of their rows, and listed with links', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim, { viewport: phoneScreen });
  await page.goto(`${dashboardUrl}/invoices/new`);
  await page.getByRole('group', { name: 'New customer' }).getByLabel('Name').fill('Nobody');
  // The first row stays blank and is dropped, so the invalid second one becomes the first.
  await addRow(page, 2);
  await fillItem(page, 2, { Description: 'Night', Quantity: '-2', 'Unit price': 'much' });
  await page.getByRole('button', { name: 'Create invoice' }).click();
  await page.getByRole('alert').waitFor();
  const invalidFields = [
    itemOf(page, 1).getByLabel('Quantity'),
    itemOf(page, 1).getByLabel('Unit price'),
    page.getByLabel('Email'),
  ];
  for (const field of invalidFields) expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await itemOf(page, 1).getByLabel('Unit price').inputValue()).toBe('much');
  expect(await page.getByRole('alert').getByRole('link').count()).toBe(invalidFields.length);
  expect([...(await violationsOf(page)), ...(await overflowOf(page, phoneScreen.width))]).toEqual([]);
  expect(pageErrors).toEqual([]);
});

test('on the page of a customer, a new invoice is for that customer, and Enter updates the total', async (context) => {
  const { page, dashboardUrl } = await openDashboardPage(context, sim, { javaScriptEnabled: false });
  await page.goto(`${dashboardUrl}/customers/2`);
  await page.getByRole('link', { name: 'New invoice' }).click();
  expect(await page.getByRole('combobox', { name: /^Customer/ }).inputValue()).toBe('2');
  await fillItem(page, 1, { Description: 'Night', Quantity: '3', 'Unit price': '10' });
  await itemOf(page, 1).getByLabel('Unit price').press('Enter');
  await page.getByText('Total: €30.00').waitFor();
  await page.getByRole('button', { name: 'Create invoice' }).click();
  await page.getByText('Invoice created.').waitFor();
  expect(await page.locator('main').innerText()).toContain('Émilie du Châtelet');
});

test('fields and buttons in a row have the same top and height', async (context) => {
  const { page, dashboardUrl } = await openDashboardPage(context, sim);
  for (const path of ['invoices/new', 'invoices', '']) {
    await page.goto(`${dashboardUrl}/${path}`);
    const findPositions = `[...document.querySelectorAll('.fields.row, .search')].map((row) =>
      [...new Set([...row.querySelectorAll('input, select, button')]
        .filter((field) => field.offsetHeight > 0 && field.closest('.fields.row, .search') === row)
        .map(({ offsetTop, offsetHeight }) => 'top ' + offsetTop + ', height ' + offsetHeight))])`;
    const positionsByRow = await page.evaluate<string[][]>(findPositions);
    // Each row has only one distinct position.
    expect(positionsByRow.filter((positions) => positions.length !== 1)).toEqual([]);
    expect(positionsByRow).not.toEqual([]);
  }
});
