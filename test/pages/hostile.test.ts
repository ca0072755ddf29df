import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { hostileTexts } from '../mail/sample.js';
import { dashboardAddresses } from './dashboard-addresses.js';
import { dashboardOf, openDashboard } from './dashboard-forms.js';
import { createRecordsWith } from './hostile-records.js';

/** Input of clients, receivers and people is escaped on every page of the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Markup that none of these pages may contain, apart from attribute values; drawings have a role. */
const dangers =
  /<(?:svg(?! (?:class="" )?role="")|img|base|meta http-equiv|iframe srcdoc|[a-z][^>]* on[a-z]+=)|<script(?! src="" defer><\/script>)/i;

const bare = (html: string): string => html.replace(/"[^"]*"/g, '""');

test.each(hostileTexts)('%s', async (hostile) => {
  const { account, client, dashboard } = await openDashboard(sim);
  const names = await createRecordsWith(hostile, { account, client, url: sim.url });
  const query = `?${new URLSearchParams({ q: hostile, status: hostile, effect: hostile, page: hostile })}`;
  const text = hostile.replace(/\s+/g, ' ');
  const silent: string[] = [];
  for (const address of dashboardAddresses(names)) {
    // A mail is not made by a page; see the tests of mails.
    if (address.endsWith('/html')) continue;
    const page = address.slice(1);
    for (const html of [await dashboard.open(page), await dashboard.open(page + query)]) {
      expect(bare(html), page).not.toMatch(dangers);
      expect(html, page).not.toMatch(/(?:href|src|action)="javascript:/);
      expect(html.match(/<(?:h1|link)\b/g), page).toEqual(['<link', '<link', '<h1']);
    }
    const shown = page.startsWith('requests') ? text.replaceAll(' ', '+') : text;
    if (!(await dashboard.read(page)).includes(shown)) silent.push(page);
  }
  // All others show the text; where webhooks go is in a field.
  expect(silent).toEqual([
    'overview',
    'clock',
    'webhooks',
    'scenarios/new',
    'contract',
    'profile',
    'accounts',
    'search',
  ]);
  const refused = await dashboard.post('faults', 'addFault', { effect: hostile });
  expect(bare(refused.html)).not.toMatch(dangers);
  expect(refused.html).toContain('class="notice refused"');
});

test('an account that does not exist has no page', async () => {
  const reply = await fetch(`${sim.url}/dashboard/${encodeURIComponent(hostileTexts[0] ?? '')}/clock`);
  expect(reply.status).toBe(404);
  expect(bare(await reply.text())).not.toMatch(dangers);
  await dashboardOf(sim.url).open('clock');
});
