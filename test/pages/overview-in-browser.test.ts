import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sampleUnlessFull } from '../support/sample.js';
import { violationsOf } from './axe.js';
import { openDashboardPage } from './open-dashboard-page.js';
import { overflowOf } from './overflow.js';
import { phoneScreen } from './phone-screen.js';

/** The overview page, in a browser. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-08T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const widths = [phoneScreen.width, 1024, 1280, 1920];

/** Widths at which accessibility is checked, which takes most of the time. In a full run these are all widths. */
const widthsCheckedByAxe = sampleUnlessFull(widths, { oneIn: 4 });

test('the overview is accessible and not cut off, whatever the width of the window', async (context) => {
  const { page, pageErrors, account, dashboardUrl } = await openDashboardPage(context, sim);
  for (const event of ['deposit.partially_captured', 'payment.succeeded', 'deposit.expired'] as const) {
    await account.trigger(event);
  }
  await page.goto(`${dashboardUrl}/overview`);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await checkOverview(page, width);
  }
  expect(pageErrors).toEqual([]);
});

/** Checks the open overview page in a window of this width. */
async function checkOverview(page: Page, width: number): Promise<void> {
  expect(await overflowOf(page, width)).toEqual([]);
  // Only on a phone may tables scroll sideways.
  const cutOff = await page.evaluate<string[]>(`[...document.querySelectorAll('main .scroll')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ ariaLabel }) => ariaLabel)`);
  if (width !== phoneScreen.width) expect(cutOff).toEqual([]);
  for (const name of ['Events by day (UTC)', 'Deliveries by status', 'Invoices by status']) {
    expect(await page.getByRole('img', { name }).isVisible()).toBe(true);
  }
  // Vertical distances between the centers of each bar and its text, in pixels.
  const distances = await page.evaluate<number[]>(`[...document.querySelectorAll('.chart')].flatMap((chart) => {
    const middle = (element) => { const { top, bottom } = element.getBoundingClientRect(); return (top + bottom) / 2; };
    const texts = [...chart.querySelectorAll('li')], bars = [...chart.querySelectorAll('.track')];
    return texts.map((text, index) => Math.abs(middle(text) - middle(bars[index])));
  })`);
  // Bars for 14 days, 5 statuses of deliveries and 8 of invoices.
  expect(distances).toHaveLength(14 + 5 + 8);
  expect(Math.max(...distances)).toBeLessThan(1);
  if (!widthsCheckedByAxe.includes(width)) return;
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The color scheme changes only colors.
  expect(await violationsOf(page, { runOnly: ['color-contrast', 'link-in-text-block'] })).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}
