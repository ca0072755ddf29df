import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sampleUnlessFull } from '../support/sample.js';
import { openDashboardPage } from './open-dashboard-page.js';

/** An amount that a user types on the page of a record: live updates keep it, and other pages do not show it. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const lists = [
  { section: 'invoices', first: 'DEMO-0008', second: 'DEMO-0007' },
  { section: 'deposits', first: 'BK-1001', second: 'BK-1002' },
];

test.for(sampleUnlessFull(lists, { oneIn: 2 }))(
  'in $section, an amount typed for $second does not appear for $first',
  async ({ section, first, second }, context) => {
    const label = /^Amount \(/;
    const { page, pageErrors, account, dashboardUrl } = await openDashboardPage(context, sim);
    // The page of a pending deposit has no field for an amount, so this authorizes BK-1001.
    await account.deposits.authorize(1);
    const openRecord = async (name: string): Promise<void> => {
      await page.getByRole('rowheader', { name }).getByRole('link').click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    };
    await page.goto(`${dashboardUrl}/${section}`);
    await openRecord(first);
    await page.getByRole('link', { name: 'All ' }).click();
    await openRecord(second);
    await page.getByLabel(label).fill('12.34');
    // Goes back two pages at once, so that the page of the first record directly replaces the page of the second.
    await page.evaluate('history.go(-2)');
    await page.getByRole('heading', { level: 1, name: first }).waitFor();
    expect(await page.getByLabel(label).inputValue()).toBe('');
    expect(pageErrors).toEqual([]);
  },
);

const amountForms = [
  { path: 'deposits/1', button: 'Capture', change: 'captured' },
  { path: 'invoices/7', button: 'Pay', change: 'paid' },
];

test.for(sampleUnlessFull(amountForms, { oneIn: 2 }))(
  'on the page $path, a typed amount is kept while another amount is $change',
  async ({ path, button, change }, context) => {
    const { page, pageErrors, account, client, dashboardUrl } = await openDashboardPage(context, sim);
    await account.deposits.authorize(1);
    await page.goto(`${dashboardUrl}/${path}`);
    const amount = page.getByLabel(/^Amount \(/);
    await amount.pressSequentially('12');
    await amount.press('ArrowLeft');
    await (change === 'captured'
      ? client.POST('/deposits/{id}/capture', { params: { path: { id: 1 } }, body: { amount: 5 } })
      : account.invoices.pay(7, { amount: 5 }));
    await page.getByText(`, of which €5.00 ${change}`).waitFor();
    expect(await amount.getAttribute('placeholder')).toMatch(/^\d+\.\d\d$/);
    await page.getByText(/^Leave empty to (?:capture|pay) the remaining €[\d,]+\.\d\d\.$/).waitFor();
    // The caret is still before the last digit.
    await page.keyboard.type('.');
    expect(await amount.inputValue()).toBe('1.2');
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByText(`, of which €6.20 ${change}`).waitFor();
    expect(await amount.inputValue()).toBe('');
    expect(pageErrors).toEqual([]);
  },
);
