import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { hostileTexts } from '../mail/sample.js';
import { dashboardAddresses } from './dashboard-addresses.js';
import { dashboardOf, openDashboard } from './dashboard-forms.js';
import { createRecordsWith } from './hostile-records.js';

/** Input of clients, receivers and users is escaped on every page of the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Markup that no page may contain once attribute values are removed. The only allowed `svg` elements have a role. */
const dangerousMarkup =
  /<(?:svg(?! (?:class="" )?role="")|img|base|meta http-equiv|iframe srcdoc|[a-z][^>]* on[a-z]+=)|<script(?! src="" defer><\/script>)/i;

/** HTML with every attribute value replaced by an empty one. */
const withoutAttributeValues = (html: string): string => html.replace(/"[^"]*"/g, '""');

test.each(hostileTexts)('the dashboard escapes %s', async (hostile) => {
  const { account, client, dashboard } = await openDashboard(sim);
  const recordIds = await createRecordsWith(hostile, { account, client, url: sim.url });
  const query = `?${new URLSearchParams({ q: hostile, status: hostile, effect: hostile, page: hostile })}`;
  const text = hostile.replace(/\s+/g, ' ');
  const pagesWithoutText: string[] = [];
  for (const address of dashboardAddresses(recordIds)) {
    // The HTML of a mail is not a page of the dashboard; test/mail tests it.
    if (address.endsWith('/html')) continue;
    const page = address.slice(1);
    for (const html of [await dashboard.open(page), await dashboard.open(page + query)]) {
      expect(withoutAttributeValues(html), page).not.toMatch(dangerousMarkup);
      expect(html, page).not.toMatch(/(?:href|src|action)="javascript:/);
      expect(html.match(/<(?:h1|link)\b/g), page).toEqual(['<link', '<link', '<h1']);
    }
    const shown = page.startsWith('requests') ? text.replaceAll(' ', '+') : text;
    if (!(await dashboard.read(page)).includes(shown)) pagesWithoutText.push(page);
  }
  // All other pages show the text. The webhooks page has it only in the value of a field.
  expect(pagesWithoutText).toEqual([
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
  expect(withoutAttributeValues(refused.html)).not.toMatch(dangerousMarkup);
  expect(refused.html).toContain('class="notice refused"');
});

test('an account that does not exist has no page', async () => {
  const reply = await fetch(`${sim.url}/dashboard/${encodeURIComponent(hostileTexts[0] ?? '')}/clock`);
  expect(reply.status).toBe(404);
  expect(withoutAttributeValues(await reply.text())).not.toMatch(dangerousMarkup);
  await dashboardOf(sim.url).open('clock');
});
