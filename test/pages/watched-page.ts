import type { BrowserContextOptions, Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { openBrowser } from '../support/browser.js';

interface WatchOptions extends BrowserContextOptions {
  /** Returns true for an address that the page may load from. */
  readonly isOwn: (url: string) => boolean;
  /** Allows pages with an error status, which browsers log as an error. */
  readonly expectsErrorStatus?: boolean | undefined;
}

/** A page of a browser, what it has complained of, and what it has asked of anybody else. */
interface WatchedPage {
  readonly page: Page;
  readonly pageErrors: readonly string[];
}

/** Opens a page that is closed when the test is over. */
export async function openWatchedPage(
  context: TestContext,
  { isOwn, expectsErrorStatus, ...options }: WatchOptions,
): Promise<WatchedPage> {
  const browser = await openBrowser(context);
  return watch(await browser.newPage(options), { isOwn, expectsErrorStatus });
}

/** Notes the trouble of a page from now on. */
export function watch(
  page: Page,
  { isOwn, expectsErrorStatus = false }: Pick<WatchOptions, 'isOwn' | 'expectsErrorStatus'>,
): WatchedPage {
  const pageErrors: string[] = [];
  page.on('request', (request) => {
    if (!isOwn(request.url())) pageErrors.push(request.url());
  });
  page.on('console', (message) => {
    const isMeant = expectsErrorStatus && /^Failed to load resource: .* status of 4/.test(message.text());
    // A live update that is in progress when the page is left is aborted; htmx logs that as an error.
    const isAborted = /^htmx:(?:sendAbort|afterRequest)\b/.test(message.text());
    if (message.type() === 'error' && !isMeant && !isAborted) pageErrors.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => pageErrors.push(`${page.url()}: ${error.message}`));
  return { page, pageErrors };
}
