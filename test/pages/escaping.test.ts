import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { hostileTexts } from '../support/hostile-texts.js';
import { sampleUnlessFull } from '../support/sample.js';
import { createAccountWithDashboard, dashboardOf } from './dashboard-forms.js';
import { dashboardPaths } from './dashboard-paths.js';
import { createRecordsWithText } from './records-with-text.js';

/** Input from clients, webhook receivers and users is escaped on every page of the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/**
 * Matches markup that no page may contain, in HTML from `withoutAttributeValues`. An `svg` element with a role is
 * allowed, since the charts and drawings of the dashboard have one.
 */
const dangerousMarkup =
  /<(?:svg(?! (?:class="" )?role="")|img|base|meta http-equiv|iframe srcdoc|[a-z][^>]* on[a-z]+=)|<script(?! src="" defer><\/script>)/i;

/** HTML with every attribute value replaced by an empty one. */
const withoutAttributeValues = (html: string): string => html.replace(/"[^"]*"/g, '""');

test.each(sampleUnlessFull(hostileTexts, { oneIn: 6 }))('the dashboard escapes %s', async (hostileText) => {
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  const recordIds = await createRecordsWithText(hostileText, { account, client, url: sim.url });
  const parameters = { q: hostileText, status: hostileText, effect: hostileText, page: hostileText };
  const query = `?${new URLSearchParams(parameters)}`;
  const singleSpacedText = hostileText.replace(/\s+/g, ' ');
  const pagesWithoutText: string[] = [];
  for (const path of dashboardPaths(recordIds)) {
    // The HTML of an email is not a page of the dashboard; test/mail tests it.
    if (path.endsWith('/html')) continue;
    const page = path.slice(1);
    for (const html of [await dashboard.readHtml(page), await dashboard.readHtml(page + query)]) {
      expect(withoutAttributeValues(html), page).not.toMatch(dangerousMarkup);
      expect(html, page).not.toMatch(/(?:href|src|action)="javascript:/);
      // Only the page's own icon, style sheet and heading.
      expect(html.match(/<(?:h1|link)\b/g), page).toEqual(['<link', '<link', '<h1']);
    }
    // The path of a request cannot contain spaces, so the logged paths have + instead.
    const expectedText = page.startsWith('requests') ? singleSpacedText.replaceAll(' ', '+') : singleSpacedText;
    if (!(await dashboard.readText(page)).includes(expectedText)) pagesWithoutText.push(page);
  }
  // All pages but these show the text. The webhooks page has it only in the value of a field; scenarios and snapshots
  // cannot have this text as their name.
  expect(pagesWithoutText).toEqual([
    'overview',
    'clock',
    'webhooks',
    'scenarios/new',
    'scenarios/runs/1',
    'snapshots',
    'contract',
    'profile',
    'accounts',
    'search',
  ]);
  const { html, isRefused } = await dashboard.postFields('faults', 'addFault', { effect: hostileText });
  expect(withoutAttributeValues(html)).not.toMatch(dangerousMarkup);
  expect(isRefused).toBe(true);
});

test('an error page escapes the id of an account that does not exist', async () => {
  const response = await fetch(`${sim.url}/dashboard/${encodeURIComponent(hostileTexts[0] ?? '')}/clock`);
  expect(response.status).toBe(404);
  expect(withoutAttributeValues(await response.text())).not.toMatch(dangerousMarkup);
  // The simulator still responds to other requests.
  await dashboardOf(sim.url).readHtml('clock');
});
