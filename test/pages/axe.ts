import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
// The minified source compiles in two thirds of the time, and each page has to compile it.
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns the accessibility violations that axe finds on a page, each as the id of the rule and the HTML of the
 * elements. Playwright injects axe, so the page's content security policy does not block it. Axe reports violations
 * only, because collecting the passed checks would take most of the time.
 * @param options further options of `axe.run`
 */
export async function violationsOf(page: Page, options: object = {}): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeSource);
  // Axe does not check the contrast of text in front of gradients, such as the shadows at the edges of wide tables.
  await page.evaluate(`for (const element of document.querySelectorAll('.scroll')) element.style.background = 'none'`);
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
}
