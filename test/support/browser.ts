import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished, type TestContext } from 'vitest';

// The shell needs half the processor time of the others, which are whole browsers without a window.
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Opens pages whose cookies and storage are shared with no other page. */
export interface TestBrowser {
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

let running: Promise<Browser> | undefined;

/** Launched once by each worker, as a launch takes longer than most tests; it ends with the worker. */
function launch(executablePath: string): Promise<Browser> {
  running ??= chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return running;
}

/**
 * Launches Chromium as Debian has it. Where there is none the test is skipped, saying how to get it. Whoever opens a page
 * closes it.
 */
export async function launchBrowser(context: TestContext): Promise<Browser> {
  const executablePath = [process.env['CHROMIUM'] ?? '', ...places].find((place) => place !== '' && existsSync(place));
  if (executablePath === undefined) {
    context.skip('no Chromium: `apt-get install chromium-headless-shell`, or set CHROMIUM to where it is');
  }
  return launch(executablePath);
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
