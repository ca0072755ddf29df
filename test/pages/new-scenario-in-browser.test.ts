import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sampleUnlessFull } from '../support/sample.js';
import { violationsOf } from './axe.js';
import { innerTextsOf } from './inner-texts.js';
import { openDashboardPage } from './open-dashboard-page.js';
import { overflowOf } from './overflow.js';
import { phoneScreen } from './phone-screen.js';

/** A scenario is written, checked, saved and run in the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'a scenario is written and run (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { page, pageErrors, account, dashboardUrl } = await openDashboardPage(context, sim, {
      javaScriptEnabled,
      viewport: phoneScreen,
    });
    await page.goto(`${dashboardUrl}/scenarios`);
    await page.getByRole('link', { name: 'New scenario' }).click();
    const textField = page.getByLabel('Scenario (YAML or JSON)');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    // The action is misspelled.
    await textField.fill(
      'name: visit\ndescription: A visit.\nfor: deposit\nsteps:\n  - { after: 2m, do: authorise }\n',
    );
    await page.getByRole('button', { name: 'Check and preview' }).click();
    await page.getByText('Line 5: step 1:').waitFor();
    expect(await textField.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('heading', { name: 'Timeline' }).count()).toBe(0);
    // Both checks need JavaScript in the page.
    if (javaScriptEnabled)
      expect([...(await violationsOf(page)), ...(await overflowOf(page, phoneScreen.width))]).toEqual([]);
    // Saving shows the same error, and keeps the text.
    await page.getByRole('button', { name: 'Save scenario' }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Line 5: step 1:' }).waitFor();
    expect(await textField.inputValue()).toContain('authorise');

    await textField.fill(
      'name: visit\ndescription: A <b>visit</b>.\nfor: deposit\nsteps:\n  - { after: 2m, do: authorize }\n  - { after: 1d, do: capture, with: { amount: 50 } }\n',
    );
    await page.getByRole('button', { name: 'Check and preview' }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await expect
      .poll(() => innerTextsOf(page.locator('.timeline li')))
      .toEqual(['2026-03-01 09:02:00 Steps due: authorize', '2026-03-02 09:02:00 Steps due: capture {"amount":50}']);
    expect(await page.locator('.timeline svg circle').count()).toBe(2);
    await page.getByRole('button', { name: 'Save scenario' }).click();
    await page.getByText('Scenario visit saved.').waitFor();
    const sheet = page.locator('#scenario-visit');
    expect(await sheet.innerText()).toContain('A <b>visit</b>.');
    await sheet.getByLabel('Deposit').fill('1');
    await sheet.getByRole('button', { name: 'Run scenario' }).click();
    await page.getByText('Run 1 of visit started.').waitFor();
    await account.clock.advance('2d');
    await page.reload();
    await page.getByText('2 of 2').waitFor();
    expect(pageErrors).toEqual([]);
  },
);
