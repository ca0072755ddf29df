import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { hostileTexts } from '../support/hostile-texts.js';
import { tempFolder } from '../support/temp-folder.js';
import { violationsOf } from './axe.js';
import { fixedSizeTexts } from './fixed-size-texts.js';
import { createDemoAccount } from './guest.js';
import { phoneScreen } from './phone-screen.js';
import { createRecordsWithText } from './records-with-text.js';
import { openWatchedPage } from './watched-page.js';

/** A trace, in a browser: an HTML file with the activity of an account, which opens without a simulator. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('a trace opens from disk, loads nothing, is accessible, and shows hostile input as text', async (context) => {
  const { account, client } = await createDemoAccount(sim);
  const hostile = hostileTexts.join(' ').slice(0, 200);
  await createRecordsWithText(hostile, { account, client, url: sim.url });
  const file = join(tempFolder(), 'trace.html');
  await account.trace.save(file);
  const fileUrl = pathToFileURL(file).href;
  const { page, pageErrors } = await openWatchedPage(context, { isAllowedUrl: (url) => url === fileUrl });
  await page.goto(fileUrl);
  await page.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true; })");
  expect(await violationsOf(page)).toEqual([]);
  expect(await fixedSizeTexts(page)).toEqual([]);
  expect(await page.evaluate('window.hurt')).toBeUndefined();
  expect(await page.evaluate('document.scripts.length')).toBe(0);
  // The style sheet in the file is applied.
  expect(await page.evaluate("getComputedStyle(document.querySelector('section')).borderRadius")).toBe('8px');
  const text = await page.locator('body').innerText();
  expect(text).toContain(`Trace of account ${account.id}`);
  expect(text).toContain('POST /api/v1/deposits → 201');
  expect(text).toContain('pending → authorized (authorize)');
  expect(text).toContain(JSON.stringify(hostile).slice(1, -1));
  expect(pageErrors).toEqual([]);
  for (const width of [phoneScreen.width, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});
