import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page, type ViewportSize } from 'playwright-core';
import { onTestFinished, type TestContext } from 'vitest';

// The headless shell comes first: it needs half the CPU time of the others, which are full browsers in headless mode.
const browserPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export interface PageOptions {
  readonly viewport?: ViewportSize;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  /** The language that pages are requested in. */
  readonly locale?: string;
}

export interface TestBrowser {
  /**
   * Opens a blank page without cookies, which belongs to the test until the test ends. Later tests reuse the page, so
   * do not add anything to it that lasts (`addInitScript`, `exposeFunction`, `clock`).
   */
  newPage(options?: PageOptions): Promise<Page>;
}

const defaultViewport: ViewportSize = { width: 1_280, height: 720 };

/**
 * Pages that no test is using at the moment, keyed by the options of their contexts. Reusing a page needs less than half
 * the CPU time of a new one.
 */
const idlePages = new Map<string, Page[]>();

let sharedBrowser: Promise<Browser> | undefined;

/** Returns the browser that all tests of this worker share, as a launch takes longer than most tests. */
function getSharedBrowser(executablePath: string): Promise<Browser> {
  sharedBrowser ??= chromium.launch({
    executablePath,
    args: [
      // Chromium's sandbox does not work as root, which is the usual user in containers.
      '--no-sandbox',
      // Without a GPU, the GPU process only draws pages in software. As a thread of the browser it needs less CPU time.
      '--in-process-gpu',
      // The remaining options switch off what no test uses.
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return sharedBrowser;
}

/**
 * Returns the worker's browser: the installed Chromium or Chrome. If none is installed, the test is skipped with a note
 * on how to install one. The caller closes the pages that it opens, but not the browser.
 */
export async function getBrowser(context: TestContext): Promise<Browser> {
  const executablePath = [process.env['CHROMIUM_PATH'] ?? '', ...browserPaths].find(
    (path) => path !== '' && existsSync(path),
  );
  if (executablePath === undefined) {
    context.skip('Chromium not found: run `apt-get install chromium-headless-shell`, or set CHROMIUM_PATH to its path');
  }
  return getSharedBrowser(executablePath);
}

/** Like `getBrowser`, but takes pages from `idlePages`, and puts them back when the test ends. */
export async function openBrowser(context: TestContext): Promise<TestBrowser> {
  const browser = await getBrowser(context);
  return {
    async newPage({ viewport = defaultViewport, colorScheme, javaScriptEnabled = true, locale } = {}) {
      const contextOptions = { javaScriptEnabled, ...(locale === undefined ? {} : { locale }) };
      const key = JSON.stringify(contextOptions);
      const idle = idlePages.get(key) ?? [];
      idlePages.set(key, idle);
      const page = idle.pop() ?? (await browser.newPage(contextOptions));
      onTestFinished(async ({ task }) => {
        // A failed test may leave the page unresponsive.
        if (task.result?.state === 'fail') return page.context().close();
        await clearPage(page);
        idle.push(page);
      });
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: colorScheme ?? null });
      return page;
    },
  };
}

/**
 * Navigates to a blank page, and removes cookies, permissions, routes and listeners. Storage can stay: each simulator
 * has its own port, and so its own storage. Closes the windows that the page has opened, because a dashboard page would
 * try to reconnect to its closed simulator until the end of the run.
 */
async function clearPage(page: Page): Promise<void> {
  page.removeAllListeners();
  for (const opened of page.context().pages()) if (opened !== page) await opened.close();
  await page.unrouteAll();
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.context().clearPermissions();
}
