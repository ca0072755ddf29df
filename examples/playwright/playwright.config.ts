import { defineConfig } from '@playwright/test';

/** An installed browser; by default, Playwright uses the one of `npx playwright install chromium`. */
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  use: { launchOptions: executablePath === undefined ? {} : { executablePath } },
});
