import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { createDemoAccount } from './guest.js';
import { openDashboardPage } from './open-dashboard-page.js';

/** A contract run is started and watched in the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('a run can be stopped with the keyboard, even though the page is updated every second', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  // The service to check is another account, made slow so that the run lasts.
  const { account: target } = await createDemoAccount(sim);
  await target.faults.add({ effect: 'latency=300ms' });
  await page.goto(`${dashboardUrl}/contract`);
  await page.getByLabel('Base URL').fill(target.baseUrl);
  await page.getByLabel('Token').fill(target.tokens.full);
  await page.getByRole('button', { name: 'Check this service' }).click();
  const stopButton = page.getByRole('button', { name: 'Stop run' });
  await stopButton.focus();
  // Marks the section, which the next update replaces with one without the mark.
  await page.evaluate(`document.getElementById('contract').dataset.isOld = 'yes'`);
  await page.locator('#contract:not([data-is-old])').waitFor();
  expect(await stopButton.evaluate((button) => button.matches(':focus'))).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText('Run stopped.').waitFor();
  expect(pageErrors).toEqual([]);
});

test('a click checks this simulator against the contract, and the page lists the results of the clauses', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(dashboardUrl);
  await page.getByRole('link', { name: 'Contract' }).click();
  // The first form checks this simulator, the second one another service.
  await page.getByLabel('Clauses').first().fill('INV-STATS');
  await page.getByRole('button', { name: 'Check this simulator' }).click();
  await page.getByText('All verified clauses hold.').waitFor();
  await page.getByRole('rowheader', { name: 'INV-STATS-01' }).waitFor();
  // Above the results, the link to the list that is shown stands out from the links to the other lists.
  const fontWeightOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('nav.pages ${selector}')).fontWeight`);
  expect(await fontWeightOf('a[aria-current]')).not.toBe(await fontWeightOf('a:not([aria-current])'));
  // The button is back when the run has ended.
  await page.getByRole('button', { name: 'Check this simulator' }).waitFor();
  // The message "Run started." had focus. When it disappears, the focus moves to the main content.
  expect(await page.getByText('Run started.').count()).toBe(0);
  expect(await page.locator(':focus').getAttribute('id')).toBe('main');
  expect(pageErrors).toEqual([]);
});
