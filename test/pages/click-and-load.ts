import type { Locator, Page } from 'playwright-core';

/**
 * Clicks a button that opens another page, and waits until that page has loaded. `click` alone returns when the new
 * page begins to load, so a script that runs right after it may find an empty document.
 */
export async function clickAndLoad(page: Page, button: Locator): Promise<void> {
  await Promise.all([page.waitForEvent('load'), button.click()]);
}
