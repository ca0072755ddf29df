import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Returns the accessibility violations that axe finds on a page. Playwright evaluates axe, so the page's content security
 * policy does not block it. Axe reports violations only, because collecting passed checks would take most of the time.
 */
export async function violationsOf(page: Page, options: object = {}): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
}
