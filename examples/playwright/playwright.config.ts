import { defineConfig } from '@playwright/test';

/** Path of an installed browser. By default, Playwright uses the browser from `npx playwright install chromium`. */
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  use: { launchOptions: executablePath === undefined ? {} : { executablePath } },
});
