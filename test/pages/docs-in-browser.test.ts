import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { billingDocument, operationIds as serviceOperationIds } from '../../src/generated/billing-document.js';
import { operationIds as controlOperationIds } from '../../src/generated/control-document.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { launchBrowser } from '../support/browser.js';
import { isFullRun } from '../support/sample.js';
import { violationsOf } from './axe.js';
import { overflowOf } from './overflow.js';
import { recordPageErrors } from './watched-page.js';

/** Swagger UI shows the API documents, and loads everything from the simulator. */

interface ShownDocument {
  readonly path: string;
  /** Ids of the operations, and names of the webhooks. */
  readonly operations: readonly string[];
  /** The operation that the test executes. */
  readonly operation: string;
  /** Text that its response contains. */
  readonly response: string;
  readonly token?: string;
}

const documents: readonly ShownDocument[] = [
  {
    path: '/docs',
    operations: [...serviceOperationIds, ...Object.keys(billingDocument.webhooks ?? {})],
    operation: 'Invoices-getInvoiceStats',
    response: '"total_invoices": 9',
    token: 'demo_full',
  },
  {
    path: '/docs/control',
    operations: controlOperationIds,
    operation: 'Accounts-listAccounts',
    response: '"id": "demo"',
  },
];

const white = 'rgb(255, 255, 255)';
const dark = 'rgb(28, 32, 34)';

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z' });
});

afterAll(() => sim.close());

// Swagger UI takes two seconds of processor time to show a document, so its tests share one page and run in order.
describe.each(documents)('$path', ({ path, operations, operation, response, token }) => {
  let sharedPage: Promise<ReturnType<typeof recordPageErrors>> | undefined;
  afterAll(async () => {
    await (await sharedPage)?.page.context().close();
  });

  const open = async (context: TestContext): Promise<Page> => {
    const browser = await launchBrowser(context);
    sharedPage ??= browser.newPage({ colorScheme: 'light' }).then(async (page) => {
      const watched = recordPageErrors(page, {
        isAllowedUrl: (url) => url.startsWith(sim.url) || url.startsWith('data:'),
      });
      await page.goto(sim.url + path);
      await page.locator('.opblock').first().waitFor();
      return watched;
    });
    return (await sharedPage).page;
  };

  test('lists all operations without a warning', async (context) => {
    const page = await open(context);
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    expect(await page.getByText('Warning').count()).toBe(0);
  });

  test('executes an operation and shows the response', async (context) => {
    const page = await open(context);
    if (token !== undefined) {
      await page.getByRole('button', { name: 'Authorize', exact: true }).click();
      const dialog = page.locator('.modal-ux');
      await dialog.getByRole('textbox').fill(token);
      await dialog.locator('button.authorize').click();
      await dialog.locator('button.btn-done').click();
    }
    const block = page.locator(`#operations-${operation}`);
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Execute' }).click();
    const shown = block.locator('.live-responses-table .highlight-code').first();
    await shown.waitFor();
    expect(await shown.textContent()).toContain(response);
    await block.locator('.opblock-summary-control').click();
  });

  test('does not scroll sideways on a phone', async (context) => {
    const page = await open(context);
    const size = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflowOf(page, 320)).toEqual([]);
    if (size) await page.setViewportSize(size);
  });

  test('is accessible in both colour schemes', async (context) => {
    if (!isFullRun && path !== '/docs/control') {
      context.skip('only /docs/control, which has every HTTP method, is checked; `npm run test:full` checks both');
    }
    const page = await open(context);
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    // Opens one operation of each method, with its fields and its responses.
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      const block = page.locator(`.opblock-${method}`).first();
      if ((await block.count()) === 0) continue;
      await block.locator('.opblock-summary-control').click();
      await block.locator('.responses-wrapper').waitFor();
    }
    // Closed operations look alike, and axe would spend most of its time on them, so one of each group remains.
    await page.evaluate(
      `for (const group of document.querySelectorAll('.opblock-tag-section'))
        for (const closed of [...group.querySelectorAll('.opblock:not(.is-open)')].slice(1)) closed.remove()`,
    );
    await page.locator('html:not(.dark-mode)').waitFor();
    expect(await background()).toBe(white);
    expect(await violationsOf(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    // Buttons take a moment to change their colour.
    await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
    expect(await background()).toBe(dark);
    // The colour scheme changes only colours.
    expect(await violationsOf(page, { runOnly: ['color-contrast', 'link-in-text-block'] })).toEqual([]);
  });

  test('links to both documents and to the dashboard, and loads nothing from other hosts', async (context) => {
    const page = await open(context);
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const targets = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(targets).toEqual(['/dashboard', ...documents.map((document) => document.path)]);
    await links.filter({ hasText: 'Dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    expect((await sharedPage)?.pageErrors).toEqual([]);
  });
});
