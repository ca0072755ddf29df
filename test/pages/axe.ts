import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Accessibility errors of a page by the rules of axe, which the debugger runs: the policy of the page does not
 * concern it. Nothing is kept of what is in order; that would take most of the time.
 */
export async function violationsOf(page: Page, options: object = {}): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
}
