import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect, type TestContext, test } from 'vitest';
import { htmlReport } from '../../src/contract/report/html.js';
import type { Report } from '../../src/contract/report/report.js';
import { violationsOf } from '../pages/axe.js';
import { fixedSizeTexts } from '../pages/fixed-size-texts.js';
import { openBrowser } from '../support/browser.js';
import { tempFolder } from '../support/temp-folder.js';
import { hostileReport, hostileStrings, sampleClause, sampleExchange, sampleReport } from './sample-report.js';

const viewportHeight = 800;

interface OpenedReport {
  readonly page: Page;
  /** URLs that the page loaded besides its own, and errors that the browser logged. */
  readonly pageProblems: string[];
}

/** Opens a report from a file, as a user does. */
async function openReport(
  context: TestContext,
  report: Report,
  options: {
    readonly width?: number;
    readonly colorScheme?: 'light' | 'dark';
    readonly javaScriptEnabled?: boolean;
  } = {},
): Promise<OpenedReport> {
  const file = join(tempFolder(), 'report.html');
  writeFileSync(file, htmlReport(report));
  const url = pathToFileURL(file).href;
  const { width = 1_280, ...browserOptions } = options;
  const browser = await openBrowser(context);
  const page = await browser.newPage({ viewport: { width, height: viewportHeight }, ...browserOptions });
  const pageProblems: string[] = [];
  page.on('request', (request) => {
    if (request.url() !== url) pageProblems.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') pageProblems.push(message.text());
  });
  page.on('pageerror', (error) => pageProblems.push(error.message));
  await page.goto(url);
  return { page, pageProblems };
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('the element is not visible');
  return box;
}

function visibleClauseIds(page: Page): Promise<string[]> {
  return page.locator('details[data-status] > summary > code:visible').allTextContents();
}

const expandAllScript = "for (const details of document.querySelectorAll('details')) details.open = true";

const mixedReport = sampleReport([
  sampleClause({ evidence: [sampleExchange] }),
  sampleClause({
    id: 'INV-STATS-02',
    status: 'failed',
    detail: 'expected an integer, got "1"',
    expected: 'an integer',
    got: '"1"',
    title: 'A count is an integer.',
    evidence: [sampleExchange],
  }),
  sampleClause({
    id: 'INV-STATS-17',
    status: 'warned',
    level: 'inferred',
    title: 'The total equals the total of the list.',
  }),
  sampleClause({
    id: 'RATE-EXCESS-01',
    status: 'skipped',
    spec: 'Limits',
    title: 'Requests beyond the limit are refused.',
    missing: '--include rate-limit',
    detail: 'on demand only',
  }),
  sampleClause({
    id: 'RATE-FORM-09',
    status: 'observed',
    level: 'open',
    spec: 'Limits',
    title: 'The unit of the reset time.',
    detail: 'seconds',
  }),
]);

test('the filters hide the clauses that do not match, and the page counts the others', async (context) => {
  const { page, pageProblems } = await openReport(context, mixedReport);
  const allIds = ['INV-STATS-01', 'INV-STATS-02', 'INV-STATS-17', 'RATE-EXCESS-01', 'RATE-FORM-09'];
  const shownIds = (): Promise<string[]> => visibleClauseIds(page);
  expect(await page.locator('output').textContent()).toBe('5 of 5 clauses');

  await page.getByLabel('passed 1').uncheck();
  expect(await shownIds()).toEqual(allIds.slice(1));
  await page.getByLabel('Level').selectOption('inferred');
  expect(await shownIds()).toEqual(['INV-STATS-17']);
  await page.getByLabel('Level').selectOption('all');
  await page.getByLabel('Section').selectOption('Limits');
  expect(await shownIds()).toEqual(['RATE-EXCESS-01', 'RATE-FORM-09']);
  expect(await page.getByRole('heading', { name: 'Invoice statistics' }).isVisible()).toBe(false);
  await page.getByLabel('Text').fill('DEMAND beyond');
  expect(await shownIds()).toEqual(['RATE-EXCESS-01']);
  expect(await page.locator('output').textContent()).toBe('1 of 5 clauses');
  await page.keyboard.press('Enter');
  expect(await shownIds()).toEqual(['RATE-EXCESS-01']);
  expect(pageProblems).toEqual([]);
});

test('violations and sections with problems are expanded; a click or a filter expands other sections', async (context) => {
  const { page } = await openReport(context, mixedReport);
  const violation = page.locator('#INV-STATS-02');
  expect(await violation.getByText('an integer', { exact: true }).isVisible()).toBe(true);
  const curl = violation.locator('pre').first();
  expect(await curl.isVisible()).toBe(true);
  expect(await curl.textContent()).toContain('curl -i');
  expect(await page.locator('#INV-STATS-01 > div').isVisible()).toBe(false);

  const idsInSectionWithProblems = ['INV-STATS-01', 'INV-STATS-02', 'INV-STATS-17'];
  expect(await page.locator('.section > summary').allTextContents()).toEqual([
    'Invoice statistics 1 of 3 passed, 1 failed, 1 warned',
    'Limits 0 of 2 passed, 1 skipped, 1 observed',
  ]);
  expect(await visibleClauseIds(page)).toEqual(idsInSectionWithProblems);
  await page.getByRole('heading', { name: 'Limits' }).click();
  expect(await visibleClauseIds(page)).toEqual([...idsInSectionWithProblems, 'RATE-EXCESS-01', 'RATE-FORM-09']);
  await page.getByRole('heading', { name: 'Limits' }).click();
  expect(await visibleClauseIds(page)).toEqual(idsInSectionWithProblems);
  await page.getByLabel('Text').fill('the');
  expect(await visibleClauseIds(page)).toEqual(['INV-STATS-17', 'RATE-EXCESS-01', 'RATE-FORM-09']);
});

test.for([390, 1_280])(
  'a link at the top leads to a violation, which the filters do not cover (%i pixels wide)',
  async (width, context) => {
    const passed = Array.from({ length: 40 }, (_, index) =>
      sampleClause({ id: `INV-LIST-${index + 10}`, spec: 'Invoice' }),
    );
    const { page } = await openReport(context, sampleReport([...passed, ...mixedReport.clauses]), { width });
    const violations = page.locator('header li');
    expect(await violations.allTextContents()).toEqual(['INV-STATS-02 A count is an integer.']);
    await violations.getByRole('link').click();
    const { y } = await boxOf(page.locator('#INV-STATS-02'));
    const filters = await boxOf(page.locator('form'));
    // On a large screen the filters stay at the top while the page scrolls.
    expect(y).toBeGreaterThanOrEqual(Math.max(0, filters.y + filters.height));
    expect(y).toBeLessThan(viewportHeight / 2);
  },
);

test('the page says what is missing to check the skipped clauses, and links to them', async (context) => {
  const { page } = await openReport(context, mixedReport);
  const table = page.getByRole('table');
  expect(await table.getByRole('row').allInnerTexts()).toEqual([
    'Clauses\tMissing\tIds',
    '1\t--include rate-limit\tRATE-EXCESS-01',
  ]);
  // Neither the collapsed section nor a filter hides the clause from the link.
  await page.getByLabel('skipped 1').uncheck();
  await page.getByRole('heading', { name: 'Limits' }).click();
  expect(await page.locator('#RATE-EXCESS-01').isVisible()).toBe(false);
  await table.getByRole('link', { name: 'RATE-EXCESS-01' }).click();
  await page.locator('#RATE-EXCESS-01').getByText('on demand only').waitFor();
});

test('without scripts all clauses can be shown, and the filters are hidden', async (context) => {
  const { page } = await openReport(context, mixedReport, { javaScriptEnabled: false });
  await page.getByRole('heading', { name: 'Limits' }).click();
  expect(await visibleClauseIds(page)).toHaveLength(5);
  expect(await page.locator('form').isVisible()).toBe(false);
});

test('text returned by a target is escaped, and fits on a phone and on a desktop', async (context) => {
  const { page, pageProblems } = await openReport(context, hostileReport([...hostileStrings, 'x'.repeat(400)]));
  await page.evaluate(expandAllScript);
  const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
  for (const hostile of hostileStrings) expect(text).toContain(hostile.replace(/\s+/g, ' '));
  // If a text had injected a handler with `onfocus`, focusing the control would run it.
  for (const control of await page.locator('input, select').all()) await control.focus();
  expect(await page.evaluate('window.hurt')).toBeUndefined();
  for (const width of [320, 1_280]) {
    await page.setViewportSize({ width, height: viewportHeight });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  // The script of the report itself.
  expect(await page.locator('script, svg, img, [onload], [onerror], [onfocus]').count()).toBe(1);
  expect(pageProblems).toEqual([]);
});

test('axe finds no accessibility problem in the page, and no colors of low contrast in the dark scheme', async (context) => {
  const { page } = await openReport(context, mixedReport, { colorScheme: 'light' });
  await page.evaluate(expandAllScript);
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page, { runOnly: ['color-contrast', 'link-in-text-block'] })).toEqual([]);
});

test('all text grows with the font size that is set in the browser', async (context) => {
  const { page } = await openReport(context, mixedReport);
  await page.evaluate(expandAllScript);
  expect(await fixedSizeTexts(page)).toEqual([]);
});
