import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demo } from '../../src/generated/seed-demo.js';
import { type ControlServer, startControlServer } from '../control/control-server.js';
import { dashboardOf, readable } from './dashboard-forms.js';

/** The lists of records: what is found, and how much of it is shown. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
  await sim.ask('POST', '/accounts', { id: 'bare', seed: 'empty' });
  await sim.ask('POST', '/accounts', { id: 'large', seed: 'demo', now: '2026-03-01T09:00:00Z' });
  const { customers, ...records } = demo;
  const links = Array.from({ length: 3 }, (_, at) => ({
    id: at + 1,
    description: `Link ${at + 1}`,
    amount: 10,
    is_active: true,
    created: `-${[20, 30, 25][at]}d`,
  }));
  const payments = [10, 1, 2].map((days, at) => ({
    id: at + 1,
    payment_link_id: 1,
    customer_id: 1,
    amount: 10,
    status: 'failed' as const,
    payment_method: 'card',
    created: `-${days}d`,
  }));
  const seed = { ...records, customers, payment_links: links, payments, tokens: undefined };
  await sim.ask('POST', '/accounts', { id: 'shuffled', seed, now: '2026-03-01T09:00:00Z' });
  const large = sim.server.world.accounts.get('large');
  const [invoice] = large?.invoices.rows ?? [];
  if (!large || !invoice) throw new Error('the account has not been seeded');
  const invoices = Array.from({ length: 100_000 }, (_, at) => ({
    ...invoice,
    id: at + 10,
    invoice_number: `BIG-${at}`,
    created_at: '2026-03-01T09:00:00.000Z',
  }));
  large.load({ invoices });
});

afterAll(() => sim.server.close());

/** The texts of the first column. */
function rowsOf(html: string): string[] {
  return [...html.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, text = '']) => readable(text));
}

test.each([
  [
    'invoices',
    '',
    [
      'DEMO-0001',
      'DEMO-0002',
      'DEMO-0003',
      'DEMO-0004',
      'DEMO-0006',
      'DEMO-0009',
      'DEMO-0005',
      'DEMO-0008',
      'DEMO-0007',
    ],
  ],
  ['invoices', 'q=demo-0002', ['DEMO-0002']],
  ['invoices', 'q=PO-184', ['DEMO-0001', 'DEMO-0002']],
  ['invoices', 'q=LOVELACE&status=pending', ['DEMO-0002']],
  ['invoices', 'status=overdue', ['DEMO-0008', 'DEMO-0007']],
  ['invoices', 'q=.*', []],
  ['payment-links', 'q=workshop', ['Workshop 2019']],
  ['payment-links', 'status=inactive', ['Workshop 2019']],
  ['payments', 'q=pay-000003', ['PAY-000003']],
  ['payments', 'status=open', ['PAY-000004']],
  ['deposits', 'q=bk-1002', ['BK-1002']],
  ['deposits', 'q=meitner', ['BK-1002']],
  ['deposits', 'status=expired', ['BK-1006']],
  ['customers', 'q=%C3%89MILIE', ['Émilie du Châtelet']],
  ['customers', 'q=(', []],
] as const)('%s?%s finds %j', async (section, query, found) => {
  const html = await dashboardOf(sim.url).open(`${section}?${query}`);
  expect(rowsOf(html)).toEqual(found);
  if (found.length === 0) expect(readable(html)).toContain('match. Show all');
});

test.each([
  ['invoices', 'curl'],
  ['payment-links', 'curl'],
  ['payments', 'Create a payment link'],
  ['deposits', 'curl'],
  ['customers', 'Create one above'],
  ['', 'No records yet: create a deposit'],
])('where there are no %s the page says what to do next: %s', async (section, next) => {
  expect(await dashboardOf(sim.url, 'bare').read(section)).toContain(next);
});

/** The times in the column of this label, from top to bottom. */
function timesOf(html: string, label: string): string[] {
  const labels = [...html.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, text]) => text);
  const column = labels.indexOf(label);
  const rows = [...html.matchAll(/<tr>(<th scope="row">.*?)<\/tr>/g)].map(([, row = '']) => row.split(/<\/t[hd]>/));
  return rows.map((cells) => readable(cells[column] ?? ''));
}

test.each(['invoices', 'payment-links', 'payments', 'deposits'])(
  'the list of %s is sorted by time, newest first, whatever the ids of the seed',
  async (section) => {
    const html = await dashboardOf(sim.url, 'shuffled').open(section);
    expect(readable(html)).toContain('newest first');
    const times = timesOf(html, 'Created (UTC)');
    expect(new Set(times).size).toBeGreaterThan(2);
    expect(times).toEqual([...times].sort().reverse());
  },
);

test('the payments of a record are listed newest first by their time', async () => {
  const times = timesOf(await dashboardOf(sim.url, 'shuffled').open('payment-links/1'), 'Created (UTC)');
  expect(times).toEqual(['2026-02-28 09:00:00', '2026-02-27 09:00:00', '2026-02-19 09:00:00']);
});

describe('of 100,000 invoices', () => {
  test.each(['invoices', 'invoices?q=big', 'invoices?status=draft', 'invoices?q=lovelace', 'customers/1'])(
    '%s shows 25',
    async (page) => {
      expect(rowsOf(await dashboardOf(sim.url, 'large').open(page))).toHaveLength(25);
    },
  );

  test('pages link to the next and previous page, and keep the search', async () => {
    const dashboard = dashboardOf(sim.url, 'large');
    const html = await dashboard.open('invoices?q=big&status=draft&page=2');
    expect(rowsOf(html).slice(0, 2)).toEqual(['BIG-99974', 'BIG-99973']);
    expect(readable(html)).toContain('26–50 of 100,000 invoices, newest first');
    const links = [...html.matchAll(/<a href="([^"]*)" rel="(prev|next)">/g)].map(([, href, rel]) => [rel, href]);
    expect(links).toEqual([
      ['prev', '/dashboard/large/invoices?q=big&amp;status=draft&amp;page=1'],
      ['next', '/dashboard/large/invoices?q=big&amp;status=draft&amp;page=3'],
    ]);
  });

  test.each(['0', '-1', '1.5', 'x', '9'.repeat(20)])('page %s is the first one', async (page) => {
    expect(rowsOf(await dashboardOf(sim.url, 'large').open(`invoices?page=${page}`))[0]).toBe('BIG-99999');
  });

  test('a page beyond the end is the last one', async () => {
    expect(rowsOf(await dashboardOf(sim.url, 'large').open('invoices?page=99999')).at(-1)).toBe('DEMO-0007');
  });

  test('the overview shows the statistics of the service, and no more of the agenda than fits', async () => {
    const html = await dashboardOf(sim.url, 'large').open('');
    expect(readable(html)).toContain('Invoices 100,009 Awaiting payment 4 Paid 1 Overdue 2 Outstanding €3,726.32');
    expect(html.match(/falls due|expires/g)?.length).toBeLessThan(20);
  });
});
