import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { onTestFinished, type TestContext } from 'vitest';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Opens Chromium as Debian has it. Where there is none the test is skipped, saying how to get it. */
export async function openBrowser(context: TestContext): Promise<Browser> {
  const executablePath = [process.env['CHROMIUM'] ?? '', ...places].find((place) => place !== '' && existsSync(place));
  if (executablePath === undefined) {
    context.skip('no Chromium: `apt-get install chromium`, or set CHROMIUM to where it is');
  }
  const browser = await chromium.launch({
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
  onTestFinished(() => browser.close());
  return browser;
}
