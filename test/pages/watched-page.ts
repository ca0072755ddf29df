import type { Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { openBrowser, type PageOptions } from '../support/browser.js';

export interface WatchOptions extends PageOptions {
  /** Returns true for a URL that the page may load. */
  readonly isAllowedUrl: (url: string) => boolean;
  /** Ignores the console error that a browser logs for a response with a 4xx status. */
  readonly expectsErrorStatus?: boolean | undefined;
}

/** A browser page whose errors are recorded. */
interface WatchedPage {
  readonly page: Page;
  /** Console errors, uncaught exceptions, and the URLs of requests that are not allowed. */
  readonly pageErrors: readonly string[];
}

/** Opens a browser page and records its errors; it is closed when the test ends. */
export async function openWatchedPage(
  context: TestContext,
  { isAllowedUrl, expectsErrorStatus, ...options }: WatchOptions,
): Promise<WatchedPage> {
  const browser = await openBrowser(context);
  return recordPageErrors(await browser.newPage(options), { isAllowedUrl, expectsErrorStatus });
}

/** Records the errors of a page from now on. */
export function recordPageErrors(
  page: Page,
  { isAllowedUrl, expectsErrorStatus = false }: Pick<WatchOptions, 'isAllowedUrl' | 'expectsErrorStatus'>,
): WatchedPage {
  const pageErrors: string[] = [];
  page.on('request', (request) => {
    if (!isAllowedUrl(request.url())) pageErrors.push(request.url());
  });
  page.on('console', (message) => {
    const isExpected = expectsErrorStatus && /^Failed to load resource: .* status of 4/.test(message.text());
    // Leaving a page aborts a live update that is in progress, and htmx logs the abort as an error.
    const isAborted = /^htmx:(?:sendAbort|afterRequest)\b/.test(message.text());
    if (message.type() === 'error' && !isExpected && !isAborted) pageErrors.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => pageErrors.push(`${page.url()}: ${error.message}`));
  return { page, pageErrors };
}
