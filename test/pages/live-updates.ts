import type { Page } from 'playwright-core';

/** Opens a dashboard page, and waits until its live updates are connected. */
export async function openWithLiveUpdates(page: Page, url: string): Promise<void> {
  const connected = page.waitForResponse(/\/dashboard\/[\w-]+\/live\?/);
  await page.goto(url);
  await connected;
}

/** Waits for two frames: by then, the page shows the content of a response that it has received. */
export async function waitForTwoFrames(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}
