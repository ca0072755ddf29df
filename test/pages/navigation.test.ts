import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionGroups } from '../../src/http/dashboard/components/sections.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createAccountWithDashboard } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The navigation of the dashboard: groups of sections, and counts. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

function navigationOf(html: string): string {
  return /<nav aria-label="Sections">.*?<\/nav>/s.exec(html)?.[0] ?? '';
}

/** The labels of the sections that a page marks as current. */
function currentSections(html: string): (string | undefined)[] {
  return [...html.matchAll(/aria-current="page">([^<]*?) ?</g)].map(([, label]) => label);
}

test('sections are in groups', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const groups = [...navigationOf(await dashboard.readHtml('clock')).matchAll(/<h2>(.*?)<\/h2>/g)].map(
    ([, label]) => label,
  );
  expect(groups).toEqual(['Billing', 'Traffic', 'Simulate', 'Verify', 'Settings']);
});

test('each section has its own key', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const keys = [...navigationOf(await dashboard.readHtml('')).matchAll(/data-key="(\w)"/g)].map(([, key]) => key);
  expect(keys).toHaveLength(sectionGroups.flatMap((group) => [...group.sections]).length);
  expect([...new Set(keys)]).toEqual(keys);
});

test('the title of a page is the name of its section, which is marked as current', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const navigation = navigationOf(await dashboard.readHtml(''));
  const links = [...navigation.matchAll(/href="\/dashboard\/[\w-]+\/?([\w-]*)"[^>]*>([^<]*?) ?</g)];
  expect(links).toHaveLength(sectionGroups.flatMap((group) => [...group.sections]).length);
  for (const [, section = '', label = ''] of links) {
    const html = await dashboard.readHtml(section);
    expect(html).toContain(`<h1>${label}</h1>`);
    expect(currentSections(html)).toEqual([label]);
  }
});

test.each([
  ['resetCoverage', 'coverage', 'Coverage'],
  ['rotateWebhookSecret', 'webhooks?status=failed', 'Webhooks'],
  ['clearFaults', 'deposits/1#timeline', 'Deposits'],
  ['clearFaults', '', 'Activity'],
])(
  'the confirmation page of %s, opened from "%s", marks the section %s as current',
  async (operation, page, section) => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const query = new URLSearchParams([['return_to', `/dashboard/${account.id}/${page}`]]);
    expect(currentSections(await dashboard.readHtml(`confirm/${operation}?${query}`))).toEqual([section]);
  },
);

test('the navigation shows the number of records and requests, and of faults that can still fire', async () => {
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  await account.faults.add({ effect: 'status=503', times: 1 });
  await account.faults.add({ effect: 'latency=1ms' });
  await account.faults.add({ effect: 'hang' });
  await account.faults.clear(3);
  // The fault with `times: 1` fires here, so only the second one is left.
  await client.GET('/deposits');
  await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 30 } });
  const text = visibleText(navigationOf(await dashboard.readHtml('tokens')));
  const total = (await client.GET('/deposits')).data?.data.total;
  // Each count is followed by the label of the next section.
  expect(text).toContain(`Deposits ${total} Customers`);
  expect(text).toContain('Requests 2 Webhooks');
  expect(text).toContain('Faults 1 Scenarios');
});

test.each([
  ['deposits', '/deposits'],
  ['', ''],
  ['unknown', ''],
])('the account switcher in the "%s" section leads to /dashboard/{account}%s', async (section, sectionPath) => {
  const { account } = await createAccountWithDashboard(sim);
  const { headers } = await sendHttpRequest(sim.url, { path: `/dashboard?account=${account.id}&section=${section}` });
  expect(headers['location']).toBe(`/dashboard/${account.id}${sectionPath}`);
});
