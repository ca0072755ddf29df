import { expect, onTestFinished, test } from 'vitest';
import { operationIds } from '../../src/generated/control-document.js';
import { startSimulator } from '../../src/index.js';
import { openBrowser } from '../support/browser.js';

test('/docs/control lists the operations of the control API, and lets one be tried', async (context) => {
  const browser = await openBrowser(context);
  const sim = await startSimulator();
  onTestFinished(() => sim.close());
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(`${sim.url}/docs`);
  await page.getByRole('link', { name: 'Control' }).click();
  const operation = page.locator('#operations-Accounts-listAccounts');
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table .highlight-code').first();
  await answer.waitFor();
  expect(await answer.textContent()).toContain('"id": "demo"');
  expect(await page.locator('.opblock').count()).toBe(operationIds.length);
  expect(complaints).toEqual([]);
});

test('/docs lists the operations and lets one be tried, with everything from the simulator itself', async (context) => {
  const browser = await openBrowser(context);
  const sim = await startSimulator();
  onTestFinished(() => sim.close());
  const page = await browser.newPage();
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(sim.url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(`${sim.url}/docs`);
  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  const dialog = page.locator('.modal-ux');
  await dialog.getByRole('textbox').fill('demo_full');
  await dialog.locator('button.authorize').click();
  await dialog.locator('button.btn-done').click();
  const operation = page.locator('#operations-Invoices-getInvoiceStats');
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table .highlight-code').first();
  await answer.waitFor();
  expect(await answer.textContent()).toContain('"total_invoices": 9');
  expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(14);
  expect(await page.getByText('Warning').count()).toBe(0);
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});
