import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlServer, startControlServer } from '../control/control-server.js';
import { dashboardOf } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The charts of the overview. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

const createAccount = (id: string, seed: string) =>
  sim.callControl('POST', '/accounts', { id, seed, now: '2026-03-01T09:00:00Z' });

/** The HTML of the section of a chart on the overview of an account. */
async function chartOf(account: string, id: string): Promise<string> {
  const html = await dashboardOf(sim.url, account).open('overview');
  return new RegExp(`<section class="sheet" aria-labelledby="${id}">.*?</section>`, 's').exec(html)?.[0] ?? '';
}

/** The numbers beside the bars, by label. */
function figuresOf(chart: string): Record<string, string> {
  const items = [...chart.matchAll(/<li[^>]*>(.*?)<span class="count">(.*?)<\/span>/g)];
  return Object.fromEntries(items.map(([, label = '', count = '']) => [visibleText(label).trim(), count]));
}

/** Widths of the bars, in percent of the track. */
function widthsOf(chart: string): number[] {
  return [...chart.matchAll(/<rect class="chart-bar (?!track)[^"]*"[^>]* width="([\d.]+)%"/g)].map(([, width]) =>
    Number(width),
  );
}

describe('invoices by status', () => {
  beforeAll(() => createAccount('invoices', 'demo'));

  test('the chart has the number of invoices of each status', async () => {
    const figures = figuresOf(await chartOf('invoices', 'invoices-by-status'));
    const rows = sim.server.world.accounts.get('invoices')?.invoices.rows ?? [];
    const listed = Object.keys(figures).map((status) => [status, rows.filter((row) => row.status === status).length]);
    expect(figures).toEqual(Object.fromEntries(listed.map(([status, count]) => [status, String(count)])));
    expect(Object.keys(figures)).toHaveLength(8);
    expect(Object.values(figures).filter((count) => count !== '0').length).toBeGreaterThan(3);
  });

  test('each status is a link to the list', async () => {
    const chart = await chartOf('invoices', 'invoices-by-status');
    expect(chart).toContain('<a href="/dashboard/invoices/invoices?status=overdue">overdue</a>');
  });

  test('the chart has a title, a description with the numbers, and no inline styles', async () => {
    const chart = await chartOf('invoices', 'invoices-by-status');
    expect(chart).toMatch(/<svg role="img" aria-labelledby="([\w-]+)" aria-describedby="([\w-]+)"/);
    expect(chart).toContain('<title id="invoices-by-status-title">Invoices by status</title>');
    const figures = figuresOf(chart);
    const described = Object.entries(figures).map(([status, count]) => `${status}: ${count}`);
    expect(chart).toContain(`<desc id="invoices-by-status-figures">${described.join(', ')}</desc>`);
    expect(chart).not.toMatch(/style=|<script|<style/);
  });

  test('the longest bar fills its track, and a count of zero has none', async () => {
    const chart = await chartOf('invoices', 'invoices-by-status');
    const counts = Object.values(figuresOf(chart)).map(Number);
    const highest = Math.max(...counts);
    expect(widthsOf(chart)).toEqual(counts.map((count) => Math.round((count / highest) * 1000) / 10));
  });
});

test('an account without records has no bars', async () => {
  await createAccount('empty', 'empty');
  expect(visibleText(await chartOf('empty', 'events-by-day'))).toContain('No events in the last 14 days.');
  expect(visibleText(await chartOf('empty', 'deliveries-by-status'))).toContain('No deliveries yet.');
  expect(visibleText(await chartOf('empty', 'invoices-by-status'))).toContain('No invoices yet.');
});

test('events are counted by day of the simulated clock, in the last 14 days', async () => {
  await createAccount('events', 'empty');
  const trigger = (): Promise<unknown> =>
    sim.callControl('POST', '/accounts/events/trigger', { event: 'deposit.created' });
  const advance = (by: string): Promise<unknown> => sim.callControl('POST', '/accounts/events/clock/advance', { by });
  await trigger();
  await advance('1d');
  await trigger();
  await trigger();
  // 23:59:59, then the next day.
  await advance('PT14H59M59S');
  await trigger();
  await advance('1s');
  await trigger();
  await advance('12d');
  const chart = await chartOf('events', 'events-by-day');
  const figures = figuresOf(chart);
  expect(Object.keys(figures)).toHaveLength(14);
  expect(Object.entries(figures).slice(0, 2)).toEqual([
    ['2026-03-02', '3'],
    ['2026-03-03', '1'],
  ]);
  expect(Object.keys(figures).at(-1)).toBe('2026-03-15');
  const deliveries = figuresOf(await chartOf('events', 'deliveries-by-status'));
  expect(deliveries).toEqual({ delivered: '0', retrying: '0', waiting: '0', failed: '0', unsent: '5' });
});
