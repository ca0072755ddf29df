import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished, type TestContext } from 'vitest';

// The headless shell comes first: it needs half the CPU time of the others, which are full browsers in headless mode.
const browserPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Opens pages that share no cookies and no storage. */
export interface TestBrowser {
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

let sharedBrowser: Promise<Browser> | undefined;

/** Launches the browser that all tests of this worker share, as a launch takes longer than most tests. */
function launchShared(executablePath: string): Promise<Browser> {
  sharedBrowser ??= chromium.launch({
    executablePath,
    args: [
      // Chromium's sandbox does not start as root, as in most containers.
      '--no-sandbox',
      // Without a GPU, the GPU process only draws pages in software. As a thread of the browser it needs less CPU time.
      '--in-process-gpu',
      // The others switch off what no test uses.
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
 * Launches the installed Chromium or Chrome. If there is none, the test is skipped with a note on how to install one.
 * The caller closes the pages.
 */
export async function launchBrowser(context: TestContext): Promise<Browser> {
  const executablePath = [process.env['CHROMIUM'] ?? '', ...browserPaths].find(
    (path) => path !== '' && existsSync(path),
  );
  if (executablePath === undefined) {
    context.skip('Chromium not found: run `apt-get install chromium-headless-shell`, or set CHROMIUM to its path');
  }
  return launchShared(executablePath);
}

/** Like `launchBrowser`; its pages are closed when the test ends. */
export async function openBrowser(context: TestContext): Promise<TestBrowser> {
  const browser = await launchBrowser(context);
  return {
    async newPage(options) {
      const page = await browser.newPage(options);
      onTestFinished(() => page.context().close());
      return page;
    },
  };
}
