import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Choices } from '../../src/index.js';
import { type ControlServer, startControlServer } from '../control/control-server.js';
import { dashboardOf } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The key figures and the charts of the overview. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

const createAccount = (id: string, seed: string, profile: Choices = {}) =>
  sim.callControl('POST', '/accounts', { id, seed, profile, now: '2026-03-01T09:00:00Z' });

/** Returns the HTML of a chart's section on an account's overview. */
async function chartOf(account: string, id: string): Promise<string> {
  const html = await dashboardOf(sim.url, account).readHtml('overview');
  return new RegExp(`<section class="sheet" aria-labelledby="${id}">.*?</section>`, 's').exec(html)?.[0] ?? '';
}

/** Returns the counts beside the bars, by label. */
function countsOf(chart: string): Record<string, string> {
  const items = [...chart.matchAll(/<li[^>]*>(.*?)<span class="count">(.*?)<\/span>/g)];
  return Object.fromEntries(items.map(([, label = '', count = '']) => [visibleText(label).trim(), count]));
}

/** Returns the widths of the bars, as percentages of the track. */
function widthsOf(chart: string): number[] {
  return [...chart.matchAll(/<rect class="chart-bar (?!track)[^"]*"[^>]* width="([\d.]+)%"/g)].map(([, width]) =>
    Number(width),
  );
}

describe('invoices by status', () => {
  beforeAll(() => createAccount('invoices', 'demo'));

  test('the chart has the number of invoices of each status', async () => {
    expect(countsOf(await chartOf('invoices', 'invoices-by-status'))).toEqual({
      draft: '1',
      pending: '1',
      sent: '1',
      viewed: '1',
      partial: '1',
      paid: '1',
      overdue: '2',
      cancelled: '1',
    });
  });

  test('a status is a link to the list of the invoices with that status', async () => {
    const chart = await chartOf('invoices', 'invoices-by-status');
    expect(chart).toContain('<a href="/dashboard/invoices/invoices?status=overdue">overdue</a>');
  });

  test('the chart has a title, a description with the numbers, and no inline styles', async () => {
    const chart = await chartOf('invoices', 'invoices-by-status');
    expect(chart).toMatch(/<svg role="img" aria-labelledby="([\w-]+)" aria-describedby="([\w-]+)"/);
    expect(chart).toContain('<title id="invoices-by-status-title">Invoices by status</title>');
    const counts = Object.entries(countsOf(chart)).map(([status, count]) => `${status}: ${count}`);
    expect(chart).toContain(`<desc id="invoices-by-status-counts">${counts.join(', ')}</desc>`);
    expect(chart).not.toMatch(/style=|<script|<style/);
  });

  test('the width of each bar is its count as a percentage of the highest count', async () => {
    const chart = await chartOf('invoices', 'invoices-by-status');
    const counts = Object.values(countsOf(chart));
    // The highest count is 2.
    expect(widthsOf(chart)).toEqual(counts.map((count) => (Number(count) / 2) * 100));
  });
});

test.each<[account: string, profile: Choices, counts: Record<string, number>]>([
  ['defaults', {}, { 'Awaiting payment': 4, Overdue: 2 }],
  ['with-overdue', { 'invoice.pending-count': 'with-overdue' }, { 'Awaiting payment': 6, Overdue: 2 }],
  // The status of these invoices never becomes `overdue`.
  ['never-overdue', { 'invoice.overdue-moment': 'never' }, { 'Awaiting payment': 4, Overdue: 2 }],
])('each figure about invoices links to the list of these invoices (%s)', async (account, profile, counts) => {
  await createAccount(account, 'demo', profile);
  const dashboard = dashboardOf(sim.url, account);
  const html = await dashboard.readHtml('overview');
  const figures = html.matchAll(/<dt><a href="\/dashboard\/[\w-]+\/([^"]*)">([^<]*)<\/a><\/dt><dd>([^<]*)</g);
  const pages = new Map([...figures].map(([, page = '', label = '', value = '']) => [label, { page, value }]));
  for (const [label, count] of Object.entries({ ...counts, Paid: 1 })) {
    const { page = '', value } = pages.get(label) ?? {};
    expect({ label, value }).toEqual({ label, value: String(count) });
    expect(await dashboard.readText(page)).toContain(
      count === 1 ? ' 1 of 1 invoice,' : ` 1–${count} of ${count} invoices,`,
    );
  }
  expect(pages.get('Overdue amount')?.page).toBe(pages.get('Overdue')?.page);
  expect(await dashboard.readText(pages.get('Outstanding')?.page ?? '')).toContain('1–6 of 6 invoices');
});

test('unpaid amounts have one sum for each currency in which something is unpaid, that of the account first', async () => {
  await createAccount('currencies', 'demo', { 'invoice.currency': 'customer' });
  const { readText } = dashboardOf(sim.url, 'currencies');
  expect(await readText('overview')).toContain('Outstanding €3,326.32 + $400.00 Overdue amount €912.00');
  // The only unpaid invoice in US dollars.
  await sim.callControl('POST', '/accounts/currencies/invoices/6/pay', {});
  expect(await readText('overview')).toContain('Outstanding €3,326.32 Overdue amount €912.00');
});

test('the charts of an account without records have a message instead of bars', async () => {
  await createAccount('empty', 'empty');
  for (const [id, text] of [
    ['events-by-day', 'No events in the last 14 days.'],
    ['deliveries-by-status', 'No deliveries yet.'],
    ['invoices-by-status', 'No invoices yet.'],
  ] as const) {
    const chart = await chartOf('empty', id);
    expect(visibleText(chart)).toContain(text);
    expect(widthsOf(chart)).toEqual([]);
  }
});

test("events of the last 14 days are counted per day of the account's clock", async () => {
  await createAccount('events', 'empty');
  const trigger = (): Promise<unknown> =>
    sim.callControl('POST', '/accounts/events/trigger', { event: 'deposit.created' });
  const advance = (by: string): Promise<unknown> => sim.callControl('POST', '/accounts/events/clock/advance', { by });
  await trigger();
  await advance('1d');
  await trigger();
  await trigger();
  // From 09:00:00 to 23:59:59, the last second of the day.
  await advance('PT14H59M59S');
  await trigger();
  await advance('1s');
  await trigger();
  await advance('12d');
  const chart = await chartOf('events', 'events-by-day');
  const counts = Object.entries(countsOf(chart));
  expect(counts).toHaveLength(14);
  // The chart begins the day after the first event.
  expect(counts.slice(0, 2)).toEqual([
    ['2026-03-02', '3'],
    ['2026-03-03', '1'],
  ]);
  expect(counts.at(-1)).toEqual(['2026-03-15', '0']);
  expect(widthsOf(chart)).toHaveLength(14);
  // Three events, one, and none.
  expect(widthsOf(chart).slice(0, 3)).toEqual([100, 33.3, 0]);
  const deliveries = countsOf(await chartOf('events', 'deliveries-by-status'));
  expect(deliveries).toEqual({ delivered: '0', retrying: '0', waiting: '0', failed: '0', unsent: '5' });
});
