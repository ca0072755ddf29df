import type { TestContext } from 'vitest';
import type { Simulator } from '../../src/index.js';
import { createDemoAccount } from './guest.js';
import { openWatchedPage, type WatchOptions } from './watched-page.js';

/**
 * Creates an account with demo records and a frozen clock, and opens a blank browser page, which may load only URLs of
 * the simulator.
 */
export async function openDashboardPage(context: TestContext, sim: Simulator, options: Partial<WatchOptions> = {}) {
  const watched = await openWatchedPage(context, { isAllowedUrl: (url) => url.startsWith(sim.url), ...options });
  const { account, client } = await createDemoAccount(sim);
  return { ...watched, account, client, dashboardUrl: `${sim.url}/dashboard/${account.id}` };
}
