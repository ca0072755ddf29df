import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { billingDocument, operationIds as serviceOperationIds } from '../../src/generated/billing-document.js';
import { operationIds as controlOperationIds } from '../../src/generated/control-document.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { getBrowser } from '../support/browser.js';
import { isFullRun, sampleUnlessFull } from '../support/sample.js';
import { violationsOf } from './axe.js';
import { overflowOf } from './overflow.js';
import { phoneScreen } from './phone-screen.js';
import { recordPageErrors } from './watched-page.js';

/** The pages where Swagger UI shows the API documents of the service and of the control API. */

interface ShownDocument {
  readonly path: string;
  /** Ids of the operations, and names of the webhooks. */
  readonly operations: readonly string[];
  /** Id of the operation that the test executes. */
  readonly executedOperation: string;
  /** Text that the response of that operation contains. */
  readonly responseText: string;
  /** Bearer token for that operation. */
  readonly token?: string;
}

const documents: readonly ShownDocument[] = [
  {
    path: '/docs',
    operations: [...serviceOperationIds, ...Object.keys(billingDocument.webhooks ?? {})],
    executedOperation: 'Invoices-getInvoiceStats',
    responseText: '"total_invoices": 9',
    token: 'demo_full',
  },
  {
    path: '/docs/control',
    operations: controlOperationIds,
    executedOperation: 'Accounts-listAccounts',
    responseText: '"id": "demo"',
  },
];

const lightBackground = 'rgb(255, 255, 255)';
const darkBackground = 'rgb(28, 32, 34)';

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z' });
});

afterAll(() => sim.close());

// Swagger UI takes two seconds of processor time to show a document. So all tests of a document use the same page.
describe.each(sampleUnlessFull(documents, { oneIn: 2 }))(
  '$path',
  ({ path, operations, executedOperation, responseText, token }) => {
    let sharedPage: Promise<ReturnType<typeof recordPageErrors>> | undefined;
    afterAll(async () => {
      await (await sharedPage)?.page.context().close();
    });

    const openSharedPage = async (context: TestContext): Promise<Page> => {
      const browser = await getBrowser(context);
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
      const page = await openSharedPage(context);
      expect(await page.locator('.opblock').count()).toBe(operations.length);
      expect(await page.getByText('Warning').count()).toBe(0);
    });

    test('executes an operation and shows the response', async (context) => {
      const page = await openSharedPage(context);
      if (token !== undefined) {
        await page.getByRole('button', { name: 'Authorize', exact: true }).click();
        const dialog = page.locator('.modal-ux');
        await dialog.getByRole('textbox').fill(token);
        await dialog.locator('button.authorize').click();
        await dialog.locator('button.btn-done').click();
      }
      const block = page.locator(`#operations-${executedOperation}`);
      await block.locator('.opblock-summary-control').click();
      await block.getByRole('button', { name: 'Execute' }).click();
      const responseBody = block.locator('.live-responses-table .highlight-code').first();
      await responseBody.waitFor();
      expect(await responseBody.textContent()).toContain(responseText);
      // Closes the operation for the tests that follow.
      await block.locator('.opblock-summary-control').click();
    });

    test('does not scroll sideways on a phone', async (context) => {
      const page = await openSharedPage(context);
      const size = page.viewportSize();
      await page.setViewportSize(phoneScreen);
      const overflow = await overflowOf(page, phoneScreen.width);
      // Before the assertion, since the tests that follow use the same page.
      if (size) await page.setViewportSize(size);
      expect(overflow).toEqual([]);
    });

    test('is accessible in both color schemes', async (context) => {
      const page = await openSharedPage(context);
      const backgroundColor = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      // Opens the first operation of each method, or only of POST in a partial run, with its fields and responses.
      for (const method of sampleUnlessFull(['post', 'get', 'put', 'patch', 'delete'], { oneIn: 5 })) {
        const block = page.locator(`.opblock-${method}`).first();
        if ((await block.count()) === 0) continue;
        await block.locator('.opblock-summary-control').click();
        await block.locator('.responses-wrapper').waitFor();
      }
      // Closed operations look alike, but axe would spend most of its time on them. So only one of each group remains.
      await page.evaluate(
        `for (const group of document.querySelectorAll('.opblock-tag-section'))
        for (const closed of [...group.querySelectorAll('.opblock:not(.is-open)')].slice(1)) closed.remove()`,
      );
      await page.locator('html:not(.dark-mode)').waitFor();
      expect(await backgroundColor()).toBe(lightBackground);
      // In a partial run, only the colors of the dark scheme are checked.
      if (isFullRun) expect(await violationsOf(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark-mode').waitFor();
      // Buttons take a moment to change their color.
      await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
      expect(await backgroundColor()).toBe(darkBackground);
      // The color scheme changes only colors.
      expect(await violationsOf(page, { runOnly: ['color-contrast', 'link-in-text-block'] })).toEqual([]);
    });

    test('links to both documents and to the dashboard, and loads nothing from other hosts', async (context) => {
      const page = await openSharedPage(context);
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      const hrefs = await links.evaluateAll((elements) => elements.map((link) => link.getAttribute('href')));
      expect(hrefs).toEqual(['/dashboard', ...documents.map((document) => document.path)]);
      expect(await links.and(page.locator('[aria-current="page"]')).getAttribute('href')).toBe(path);
      await links.filter({ hasText: 'Dashboard' }).click();
      await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
      expect((await sharedPage)?.pageErrors).toEqual([]);
    });
  },
);

test.each([
  ['/docs', '/openapi.json'],
  ['/docs/control', '/_sim/openapi.json'],
])('without scripts, %s says that it needs them, and links to the document', async (path, documentUrl) => {
  const html = await (await fetch(sim.url + path)).text();
  const [, content = ''] = /<noscript>(.*?)<\/noscript>/s.exec(html) ?? [];
  expect(content).toContain('This page needs JavaScript.');
  expect(content).toContain(`href="${documentUrl}"`);
});
