import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openWatchedPage } from './watched-page.js';

/** The documents as Swagger UI shows them. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z' });
});

afterAll(() => sim.close());

/**
 * What axe complains of, run by the debugger, which the policy of the page does not concern. A scheme changes nothing but
 * colours, and a whole run on these pages takes half a minute: in the dark one only the rules about colours run.
 */
async function violationsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = colorScheme === 'dark' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify(options)})`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const rows = ['/docs', '/docs/control'].flatMap((path) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ path, colorScheme })),
);

test.for(rows)(
  '$path is within reach of everybody in the $colorScheme scheme',
  { timeout: 180_000 },
  async (row, context) => {
    const { path, colorScheme } = row;
    const { page, trouble } = await openWatchedPage(context, { isOwn: (url) => url.startsWith(sim.url), colorScheme });
    await page.goto(sim.url + path);
    await page.locator('.opblock').first().waitFor();
    const dark = await page.evaluate(`getComputedStyle(document.body).backgroundColor`);
    expect(dark).toBe(colorScheme === 'dark' ? 'rgb(28, 32, 34)' : 'rgb(255, 255, 255)');
    // One operation of each method, with its fields and its answers.
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      const block = page.locator(`.opblock-${method}`).first();
      if ((await block.count()) === 0) continue;
      await block.locator('.opblock-summary-control').click();
      await block.locator('.responses-wrapper').waitFor();
    }
    // Closed operations are alike: of each group one stays, since axe takes most of its time on them.
    await page.evaluate(
      `for (const group of document.querySelectorAll('.opblock-tag-section'))
        for (const closed of [...group.querySelectorAll('.opblock:not(.is-open)')].slice(1)) closed.remove()`,
    );
    expect(await violationsOf(page, colorScheme)).toEqual([]);
    expect(trouble).toEqual([]);
  },
);

test('the scheme is followed when it changes', async (context) => {
  const { page } = await openWatchedPage(context, { isOwn: () => true, colorScheme: 'light' });
  await page.goto(`${sim.url}/docs`);
  await page.locator('html:not(.dark-mode) .opblock').first().waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html.dark-mode .opblock').first().waitFor();
});

test.for(['/docs', '/docs/control'])('%s leads back to the dashboard', async (path, context) => {
  const { page, trouble } = await openWatchedPage(context, { isOwn: (url) => url.startsWith(sim.url) });
  await page.goto(sim.url + path);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(trouble).toEqual([]);
});
