import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demo } from '../../src/generated/seed-demo.js';
import { parseJson } from '../../src/lib/json.js';
import { type ControlServer, startControlServer } from '../control/control-server.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { dashboardOf } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The lists of records: filters, sorting, pages and exports. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
  await sim.callControl('POST', '/accounts', { id: 'empty', seed: 'empty' });
  await sim.callControl('POST', '/accounts', { id: 'large', seed: 'demo', now: '2026-03-01T09:00:00Z' });
  const paymentLinks = Array.from({ length: 3 }, (_, index) => ({
    id: index + 1,
    description: `Link ${index + 1}`,
    amount: 10,
    is_active: true,
    created: `-${[20, 30, 25][index]}d`,
  }));
  const linkPayments = [10, 1, 2].map((days, index) => ({
    id: index + 1,
    payment_link_id: 1,
    customer_id: 1,
    amount: 10,
    status: 'failed' as const,
    payment_method: 'card',
    created: `-${days}d`,
  }));
  // Without these, the statuses of some invoices would be wrong.
  const invoicePayments = (demo.payments ?? []).filter(({ invoice_id }) => invoice_id !== undefined);
  const payments = [...linkPayments, ...invoicePayments];
  // In this account the order of ids differs from the order of creation. The tokens are omitted, because the demo
  // account has them already.
  const seed = { ...demo, payment_links: paymentLinks, payments, tokens: undefined };
  await sim.callControl('POST', '/accounts', { id: 'shuffled', seed, now: '2026-03-01T09:00:00Z' });
  const large = sim.server.world.accounts.get('large');
  const invoice = large?.invoices.get(1);
  if (!large || !invoice) throw new Error('the account has not been seeded');
  const invoices = Array.from({ length: 100_000 }, (_, index) => ({
    ...invoice,
    // After the ids of the nine invoices of the demo seed.
    id: index + 10,
    invoice_number: `BIG-${index}`,
    created_at: '2026-03-01T09:00:00.000Z',
  }));
  large.load({ invoices });
});

afterAll(() => sim.server.close());

/** Visible texts of the first column. */
function firstColumnOf(html: string): string[] {
  return [...html.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, text = '']) => visibleText(text));
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
  const html = await dashboardOf(sim.url).readHtml(`${section}?${query}`);
  expect(firstColumnOf(html)).toEqual(found);
  expect(visibleText(html).includes('match. Show all')).toBe(found.length === 0);
});

test.each(['deposits', 'customers', 'payment-links'])(
  'the form for new %s is open only in an account without any, regardless of the search',
  async (section) => {
    expect(await dashboardOf(sim.url, 'empty').readHtml(section)).toContain('<details class="sheet" open>');
    expect(await dashboardOf(sim.url).readHtml(`${section}?q=zzzzz`)).toContain('<details class="sheet">');
  },
);

test('the suggested booking reference depends on the number of all deposits, not only of those that the search finds', async () => {
  expect(await dashboardOf(sim.url, 'shuffled').readHtml('deposits?status=expired')).toContain('value="BOOKING-8"');
});

test.each([
  ['invoices', 'Create one above, or, once there is a customer, through the API: curl'],
  ['payment-links', 'curl'],
  ['payments', 'Create a payment link'],
  ['deposits', 'curl'],
  ['customers', 'Create one above'],
  ['overview', 'No records yet: create a deposit'],
  ['', 'Start here: create a deposit'],
])('without records, the page "%s" shows what to do next: %s', async (section, instruction) => {
  expect(await dashboardOf(sim.url, 'empty').readText(section)).toContain(instruction);
});

test('a list of one row is described in the singular', async () => {
  expect(await dashboardOf(sim.url, 'large').readText('payment-links?q=1')).toContain(
    ' 1 of 1 payment link, newest first',
  );
});

test('the command that creates a payment link has an amount that the currency of the account allows', async () => {
  const seed = { currency: 'JPY', time_zone: 'UTC' };
  const { data: account } = await sim.control.POST('/accounts', { body: { id: 'yen', seed } });
  const [, body = ''] = /-d '(.*?)'/.exec(await dashboardOf(sim.url, 'yen').readText('payment-links')) ?? [];
  const response = await sim.callService(account?.tokens.full ?? '', 'POST', '/payment-links', parseJson(body));
  expect(response).toMatchObject({ status: 201, body: { data: { currency: 'JPY' } } });
});

/** Texts of the cells in the column with this heading, top to bottom; for a time, the date and time in its tooltip. */
function cellsOf(html: string, label: string): string[] {
  const labels = [...html.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, text = '']) => visibleText(text));
  const column = labels.findIndex((text) => text.replace(/ [↑↓]$/, '') === label);
  const rows = [...html.matchAll(/<tr>(<th scope="row">.*?)<\/tr>/g)].map(([, row = '']) => row.split(/<\/t[hd]>/));
  return rows.map((cells) => {
    const cell = cells[column] ?? '';
    return /title="([^"]*) UTC"/.exec(cell)?.[1] ?? visibleText(cell);
  });
}

test.each(['invoices', 'payment-links', 'payments', 'deposits'])(
  'the list of %s is sorted by creation time, newest first, not by id',
  async (section) => {
    const html = await dashboardOf(sim.url, 'shuffled').readHtml(section);
    expect(visibleText(html)).toContain('newest first');
    const times = cellsOf(html, 'Created');
    expect(new Set(times).size).toBeGreaterThan(2);
    expect(times).toEqual([...times].sort().reverse());
  },
);

test('the payments of a payment link are sorted by creation time, newest first', async () => {
  const times = cellsOf(await dashboardOf(sim.url, 'shuffled').readHtml('payment-links/1'), 'Created');
  expect(times).toEqual(['2026-02-28 09:00:00', '2026-02-27 09:00:00', '2026-02-19 09:00:00']);
});

test('times are relative to the clock of the account', async () => {
  const html = await dashboardOf(sim.url, 'shuffled').readHtml('payments');
  expect(html).toContain('<time datetime="2026-02-19T09:00:00.000Z" title="2026-02-19 09:00:00 UTC">10 d ago</time>');
});

describe('a list is sorted by a column', () => {
  test.each([
    ['invoices', 'sort=amount&order=desc', 'Amount'],
    ['invoices', 'sort=invoice_number&order=asc', 'Number'],
    ['deposits', 'sort=booking_reference&order=desc', 'Booking'],
    ['customers', 'sort=name&order=asc', 'Name'],
    ['payments', 'sort=reference&order=asc', 'Reference'],
  ])('%s?%s sorts by the %s column', async (section, query, label) => {
    const dashboard = dashboardOf(sim.url);
    const cells = cellsOf(await dashboard.readHtml(`${section}?${query}`), label);
    expect(cells).not.toEqual(cellsOf(await dashboard.readHtml(section), label));
    const keys = cells.map((cell) => (/^[€$]/.test(cell) ? Number(cell.replace(/[^\d.]/g, '')) : cell.toLowerCase()));
    const ascending = [...keys].sort((a, b) => (a < b ? -1 : Number(a > b)));
    expect(keys.length).toBeGreaterThan(2);
    expect(keys).toEqual(query.endsWith('desc') ? ascending.toReversed() : ascending);
  });

  test('rows without a value come last, in either direction', async () => {
    const dashboard = dashboardOf(sim.url);
    for (const order of ['asc', 'desc']) {
      const companies = cellsOf(await dashboard.readHtml(`customers?sort=company&order=${order}`), 'Company');
      const namedCompanies = companies.filter((company) => company !== '');
      expect(namedCompanies).not.toEqual([]);
      expect(companies).toEqual([...namedCompanies, '']);
    }
  });

  test.each(['asc', 'desc'])('ids that are numbers sort below those that are strings (%s)', async (order) => {
    const id = `mixed-${order}`;
    await sim.callControl('POST', '/accounts', { id, seed: 'demo' });
    await sim.callControl('PATCH', `/accounts/${id}/settings`, { profile: { 'deposit.id': 'uuid' } });
    for (let count = 0; count < 4; count++) {
      await sim.callControl('POST', `/accounts/${id}/trigger`, { event: 'deposit.created' });
    }
    const ids = cellsOf(await dashboardOf(sim.url, id).readHtml(`deposits?sort=id&order=${order}`), 'Id');
    const texts = ids.filter((text) => text.includes('-')).sort();
    expect(texts).toHaveLength(4);
    const ascending = ['1', '2', '3', '4', '5', '6', '7', ...texts];
    expect(ids).toEqual(order === 'asc' ? ascending : ascending.toReversed());
  });

  test('the heading shows the order, and its link reverses it', async () => {
    const dashboard = dashboardOf(sim.url);
    const headingOf = (html: string, label: string) =>
      new RegExp(`<th scope="col"([^>]*)><a href="[^?]*\\?([^"]*)"[^>]*>${label}`).exec(html)?.slice(1);
    const defaultOrder = await dashboard.readHtml('invoices?q=demo');
    expect(headingOf(defaultOrder, 'Created')).toEqual([
      ' aria-sort="descending"',
      'q=demo&amp;sort=created_at&amp;order=asc',
    ]);
    expect(headingOf(defaultOrder, 'Amount')).toEqual([' class="numeric"', 'q=demo&amp;sort=amount&amp;order=desc']);
    const sorted = await dashboard.readHtml('invoices?q=demo&sort=amount&order=desc');
    expect(headingOf(sorted, 'Amount')).toEqual([
      ' class="numeric" aria-sort="descending"',
      'q=demo&amp;sort=amount&amp;order=asc',
    ]);
    expect(visibleText(sorted)).toContain('of 9 invoices, by Amount, descending');
    expect(sorted).toContain('<input type="hidden" name="sort" value="amount">');
  });

  test.each(['__proto__', 'notes', 'constructor'])('sorting by the unknown field %s changes nothing', async (field) => {
    const dashboard = dashboardOf(sim.url);
    expect(firstColumnOf(await dashboard.readHtml(`invoices?sort=${field}`))).toEqual(
      firstColumnOf(await dashboard.readHtml('invoices')),
    );
  });
});

describe('a list is exported with its search and order', () => {
  const download = async (path: string) => {
    const { status, headers, text } = await sendHttpRequest(sim.url, { path: `/dashboard/${path}` });
    return { status, name: headers['content-disposition'], type: headers['content-type'], text };
  };

  test('as CSV, with the rows of all pages', async () => {
    const { status, name, type, text } = await download(
      'demo/invoices.csv?q=demo&sort=invoice_number&order=asc&page=7',
    );
    expect({ status, name, type }).toEqual({
      status: 200,
      name: 'attachment; filename="demo-invoices.csv"',
      type: 'text/csv; charset=utf-8',
    });
    const [header, ...lines] = text.trimEnd().split('\r\n');
    expect(header).toBe(
      'id,invoice_number,reference,customer_id,customer,status,date,due_date,amount,paid_amount,currency,created_at',
    );
    expect(lines.map((line) => line.split(',')[1])).toEqual(
      Array.from({ length: 9 }, (_, index) => `DEMO-000${index + 1}`),
    );
  });

  test('as JSON, with the fields of the CSV', async () => {
    const { text, type } = await download('demo/deposits.json?status=expired');
    expect(type).toBe('application/json');
    const records: Record<string, unknown>[] = JSON.parse(text);
    expect(records).toMatchObject([{ booking_reference: 'BK-1006', status: 'expired', amount: expect.any(Number) }]);
    const csv = (await download('demo/deposits.csv')).text;
    expect(Object.keys(records[0] ?? {}).join(',')).toBe(csv.split('\r\n')[0]);
  });

  test.each(['payment-links', 'payments', 'customers', 'requests', 'webhooks', 'mails'])(
    'with all rows of %s',
    async (section) => {
      // The reminder adds a request and an email, and the trigger adds a webhook event.
      await sim.callService('demo_full', 'POST', '/invoices/3/reminder');
      await sim.callControl('POST', '/accounts/demo/trigger', { event: 'deposit.created' });
      const total = JSON.parse((await download(`demo/${section}.json`)).text).length;
      expect(total).toBeGreaterThan(0);
      expect(await dashboardOf(sim.url).readText(section)).toContain(`of ${total} `);
      // The first line has the names of the fields.
      expect((await download(`demo/${section}.csv`)).text.trimEnd().split('\r\n')).toHaveLength(total + 1);
    },
  );

  test('with formulas and quotes escaped for spreadsheets', async () => {
    await sim.callControl('POST', '/accounts', { id: 'formulas', seed: 'empty' });
    await sim.callControl('POST', '/accounts/formulas/customers', {
      name: '=1+1',
      email: 'a@b.example',
      company: 'A "B", C',
    });
    expect((await download('formulas/customers.csv')).text).toContain(`,'=1+1,"A ""B"", C",a@b.example,`);
  });

  test('with at most 10,000 rows, as the page says', async () => {
    const { text } = await download('large/invoices.csv?sort=invoice_number&order=desc');
    // A line with the names of the fields, and 10,000 rows.
    expect(text.trimEnd().split('\r\n')).toHaveLength(10_001);
    expect(await dashboardOf(sim.url, 'large').readText('invoices')).toContain('Export CSV JSON (the first 10,000)');
  });
});

describe('with 100,000 invoices', () => {
  const rowsPerPage = 25;

  test.each([
    ['asc', 1],
    ['asc', 2_000],
    ['desc', 1],
    // The last page has 9 of the 100,009 invoices.
    ['desc', 4_001],
  ] as const)('sorted by number in the order %s, page %i has the correct rows', async (order, page) => {
    const numbers = [
      ...Array.from({ length: 100_000 }, (_, index) => `BIG-${index}`),
      ...Array.from({ length: 9 }, (_, index) => `DEMO-000${index + 1}`),
    ].sort();
    const sorted = order === 'asc' ? numbers : numbers.toReversed();
    const html = await dashboardOf(sim.url, 'large').readHtml(
      `invoices?sort=invoice_number&order=${order}&page=${page}`,
    );
    expect(firstColumnOf(html)).toEqual(sorted.slice((page - 1) * rowsPerPage, page * rowsPerPage));
    expect(visibleText(html)).toContain(`Page ${page.toLocaleString('en')} of 4,001`);
  });

  test.each(['invoices', 'invoices?q=big', 'invoices?status=draft', 'invoices?q=lovelace', 'customers/1'])(
    '%s shows one page of rows',
    async (page) => {
      expect(firstColumnOf(await dashboardOf(sim.url, 'large').readHtml(page))).toHaveLength(rowsPerPage);
    },
  );

  test('the search of all sections links to the list if it finds no invoice among the last 20,000', async () => {
    const dashboard = dashboardOf(sim.url, 'large');
    expect(await dashboard.readText('search?q=DEMO-000')).toContain(
      'Invoices Nothing matches in the last 20,000 rows. Show all matching invoices',
    );
    expect(await dashboard.readText('invoices?q=DEMO-000')).toContain('1–9 of 9 invoices');
  });

  test('pages link to the next and previous page, and keep the search', async () => {
    const dashboard = dashboardOf(sim.url, 'large');
    const html = await dashboard.readHtml('invoices?q=big&status=draft&page=2');
    expect(firstColumnOf(html).slice(0, 2)).toEqual(['BIG-99974', 'BIG-99973']);
    expect(visibleText(html)).toContain('26–50 of 100,000 invoices, newest first');
    const links = [...html.matchAll(/<a href="([^"]*)" rel="(prev|next)">/g)].map(([, href, rel]) => [rel, href]);
    expect(links).toEqual([
      ['prev', '/dashboard/large/invoices?q=big&amp;status=draft&amp;page=1'],
      ['next', '/dashboard/large/invoices?q=big&amp;status=draft&amp;page=3'],
    ]);
  });

  test.each(['0', '-1', '1.5', 'x'])('the page number %s shows the first page', async (page) => {
    expect(firstColumnOf(await dashboardOf(sim.url, 'large').readHtml(`invoices?page=${page}`))[0]).toBe('BIG-99999');
  });

  test.each(['99999', '9'.repeat(20)])('the page number %s beyond the end shows the last page', async (page) => {
    expect(firstColumnOf(await dashboardOf(sim.url, 'large').readHtml(`invoices?page=${page}`)).at(-1)).toBe(
      'DEMO-0007',
    );
  });

  test('the overview shows the statistics of the service and fewer than 20 agenda items', async () => {
    const html = await dashboardOf(sim.url, 'large').readHtml('overview');
    expect(visibleText(html)).toContain('Invoices 100,009 Awaiting payment 4 Paid 1 Overdue 2 Outstanding €3,726.32');
    expect(html.match(/falls due|expires/g)?.length).toBeLessThan(20);
  });
});
