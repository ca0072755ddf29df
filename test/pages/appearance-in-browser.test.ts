import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { fixedSizeTexts } from './fixed-size-texts.js';
import { openDashboardPage } from './open-dashboard-page.js';
import { phoneScreen } from './phone-screen.js';

/** Text that poor sight, a small screen or a long value could make unreadable. Axe does not check any of this. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Returns the texts of elements that are broken into several lines. */
function brokenTexts(page: Page, selector: string): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].filter((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  }).map(({ textContent }) => textContent)`);
}

test('all text grows with the font size that is set in the browser', async (context) => {
  const { page, account, dashboardUrl } = await openDashboardPage(context, sim);
  const guestUrls = ['pay', 'authorize'].map((path) => `${sim.url}/${path}/${account.id}`);
  for (const url of [
    `${dashboardUrl}/deposits/3`,
    `${dashboardUrl}/webhooks`,
    `${guestUrls[0]}/inv_3`,
    `${guestUrls[1]}/1`,
  ]) {
    await page.goto(url);
    expect(await fixedSizeTexts(page)).toEqual([]);
  }
});

test('placeholders have enough contrast, and look different from values', async (context) => {
  const { page, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/webhooks`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const colors = await page.evaluate<{ placeholder: string; value: string; ground: string }>(`(() => {
      const field = document.querySelector('main input[placeholder]');
      const { color: value, backgroundColor: ground } = getComputedStyle(field);
      return { placeholder: getComputedStyle(field, '::placeholder').color, value, ground };
    })()`);
    expect(contrastOf(colors.placeholder, colors.ground)).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(colors.value, colors.ground)).toBeGreaterThan(contrastOf(colors.placeholder, colors.ground));
  }
});

/** Contrast of two colors as WCAG defines it, each given as `rgb(31, 41, 55)`. */
function contrastOf(first: string, second: string): number {
  const luminances = [first, second].map((color) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((channel) => {
      const share = Number(channel) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(...luminances) / Math.min(...luminances);
}

test('an account with a long id does not break the words of the header', async (context) => {
  const { page, dashboardUrl } = await openDashboardPage(context, sim);
  await sim.createAccount({ id: 'w'.repeat(63) });
  for (const width of [phoneScreen.width, 768, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(dashboardUrl);
    expect(await brokenTexts(page, '.switch label, .switch button')).toEqual([]);
  }
  // On a wide screen, the account, the search and the link to the API documents are beside each other.
  const tops = await page.evaluate<number[]>(
    `[...document.querySelectorAll('#account, #find, .api-documents')].map((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return Math.round((top + bottom) / 2);
    })`,
  );
  expect(new Set(tops).size).toBe(1);
});

test('large amounts are on one line in the overview', async (context) => {
  const { page, client, dashboardUrl } = await openDashboardPage(context, sim);
  const items = [{ description: 'Hotel', quantity: 1, unit_price: 999_999.99 }];
  const dates = { date: '2026-03-01', due_date: '2026-03-15' };
  for (let count = 0; count < 10; count += 1)
    await client.POST('/invoices', { body: { customer_id: 1, ...dates, items } });
  for (const width of [phoneScreen.width, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${dashboardUrl}/overview`);
    expect(await page.locator('.figures').innerText()).toMatch(/€10,00\d,\d{3}\.\d\d/);
    expect(await brokenTexts(page, '.figures dd')).toEqual([]);
  }
});

test('a name that is too long for its column is shown completely in tables without a page for each row', async (context) => {
  const { page, account, dashboardUrl } = await openDashboardPage(context, sim);
  await account.faults.add({ effect: { name: 'status', status: 503, error: 'Overbooked'.repeat(20) } });
  for (const width of [phoneScreen.width, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${dashboardUrl}/faults`);
    const { isCut, share } = await page.evaluate<{ isCut: boolean; share: number }>(`(() => {
      const name = document.querySelector('main tbody th');
      const { clientWidth } = name.closest('.scroll');
      return { isCut: name.scrollWidth > name.clientWidth, share: name.offsetWidth / clientWidth };
    })()`);
    expect(isCut).toBe(false);
    // The other columns are visible, too.
    expect(share).toBeLessThan(0.7);
  }
});

test('metadata in Arabic is shown as JSON that runs from left to right', async (context) => {
  const { page, client, dashboardUrl } = await openDashboardPage(context, sim);
  const metadata = { غرفة: 'مزدوجة' };
  const deposit = await client.POST('/deposits', { body: { booking_reference: 'BK-9', amount: 5, metadata } });
  await page.goto(`${dashboardUrl}/deposits/${deposit.data?.data.id}`);
  const json = page.locator('dd code', { hasText: 'مزدوجة' });
  const [name, value] = [
    await json.locator('.json-name').boundingBox(),
    await json.locator('.json-string').boundingBox(),
  ];
  expect(name?.x).toBeLessThan(Number(value?.x));
});

test('the name of the current state fits into its shape in the drawing of a lifecycle', async (context) => {
  const { page, dashboardUrl } = await openDashboardPage(context, sim);
  // A partially captured deposit is in the state with the longest name.
  await page.goto(`${dashboardUrl}/deposits/3`);
  const [name, shape] = [page.locator('.state.current text'), page.locator('.state.current rect')];
  const [nameBox, shapeBox] = [await name.boundingBox(), await shape.boundingBox()];
  expect(Number(nameBox?.width)).toBeLessThan(Number(shapeBox?.width) - Number(shapeBox?.height) / 2);
});

test('a narrow window shows the current state in the drawing of a lifecycle', async (context) => {
  const { page, dashboardUrl } = await openDashboardPage(context, sim, { viewport: phoneScreen });
  const currentState = page.locator('.state.current');
  // Deposit 5 is released, which is the last state of the drawing.
  for (const open of [
    () => page.goto(`${dashboardUrl}/deposits/5`),
    () => page.getByRole('link', { name: 'All deposits' }).click(),
    () => page.getByRole('link', { name: 'BK-1005' }).click(),
  ]) {
    await open();
    await page.waitForLoadState();
  }
  await currentState.waitFor();
  const box = await currentState.boundingBox();
  expect(Number(box?.x)).toBeGreaterThan(0);
  expect(Number(box?.x) + Number(box?.width)).toBeLessThan(phoneScreen.width);
});

test('the outline of a focused link in a list is not cut off', async (context) => {
  const { page, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/invoices`);
  await page.locator('tbody th a').first().focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  // The outline is around the whole row, and inside of it.
  const outline = await page.evaluate<{ style: string; insideBy: number; width: number; rowWidth: number }>(`(() => {
    const { activeElement: link } = document;
    const { outlineStyle: style, outlineOffset, outlineWidth, width } = getComputedStyle(link, '::after');
    return { style, insideBy: -parseFloat(outlineOffset) - parseFloat(outlineWidth), width: parseFloat(width),
      rowWidth: link.closest('tr').clientWidth };
  })()`);
  expect(outline).toEqual({ style: 'solid', insideBy: 0, width: outline.rowWidth, rowWidth: outline.rowWidth });
});

test('a printed page has the content without the navigation and the buttons', async (context) => {
  const { page, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/deposits/3`);
  await page.emulateMedia({ media: 'print' });
  for (const role of ['navigation', 'banner', 'button', 'textbox'] as const)
    expect(await page.getByRole(role).count()).toBe(0);
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  expect(await page.getByText('Held until').isVisible()).toBe(true);
  const { left, width } = await page.evaluate<{ left: number; width: number }>(
    '(({ left, width }) => ({ left, width }))(document.querySelector("main").getBoundingClientRect())',
  );
  expect([left, width]).toEqual([0, 1_280]);
  await page.emulateMedia({ media: null });
});
