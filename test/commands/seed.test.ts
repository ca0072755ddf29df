import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addGeneratedRecords } from '../../src/app/add-generated-records.js';
import { runCli, startSimulatorInProcess } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { demoCounts } from '../support/counts.js';
import { tempFolder } from '../support/temp-folder.js';

/** The fields of stored records that tests read. No table has all of them. */
interface StoredRow {
  readonly id: number;
  readonly created_at: string;
  readonly status: string;
  readonly invoice_number: string;
  readonly amount: number;
  readonly payment_link_id: number | null;
  readonly invoice_id: number | null;
  readonly payments_count: number;
  readonly revenue: number;
}

/** With the default random seed, 16 of the 40 invoices are generated as paid, and each of these gets a payment. */
const countFlags = ['--customers', '7', '--invoices', '40', '--links', '5', '--payments', '9', '--deposits', '6'];

test('seed adds the given numbers of invoices, links, payments and deposits to the records of `demo`, and a payment for each paid invoice', async () => {
  const folder = tempFolder();
  expect(await runCli('seed', '--data', folder, ...countFlags)).toMatchObject({ code: 0 });
  const { ready } = await startSimulatorInProcess('--data', folder);
  const client = clientOf(ready.baseUrl);
  const lists = await Promise.all([
    client.GET('/invoices'),
    client.GET('/payment-links'),
    client.GET('/payments'),
    client.GET('/deposits'),
  ]);
  const { invoices, payment_links: links, payments, deposits } = demoCounts;
  expect(lists.map(({ data }) => data?.data.total)).toEqual([
    invoices + 40,
    links + 5,
    payments + 9 + 16,
    deposits + 6,
  ]);
});

test.each<[readonly string[], string]>([
  [[], 'Added 7 customers, 40 invoices, 5 payment links, 25 payments and 6 deposits to FOLDER\n'],
  [['--json'], '{"folder":"FOLDER","customers":7,"invoices":40,"payment_links":5,"payments":25,"deposits":6}\n'],
])('seed %j prints what it has added', async (flags, output) => {
  const folder = tempFolder();
  const { stdout } = await runCli('seed', '--data', folder, ...countFlags, ...flags);
  expect(stdout.replace(folder, 'FOLDER')).toBe(output);
});

test('seed names only the kinds of records that it has added', async () => {
  const folder = tempFolder();
  const { stdout } = await runCli('seed', '--data', folder, '--deposits', '1');
  expect(stdout).toBe(`Added 1 deposit to ${folder}\n`);
});

test('seed generates the same invoices for the same random seed, and different ones for another random seed', async () => {
  const generateInvoices = async (randomSeed: string): Promise<string[]> => {
    const folder = tempFolder();
    await runCli('seed', '--data', folder, '--random-seed', randomSeed, ...countFlags);
    const { accounts } = JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8'));
    return accounts.demo.invoices.map((invoice: { amount: number; items: { description: string }[] }) =>
      JSON.stringify([invoice.amount, invoice.items.map(({ description }) => description)]),
    );
  };
  const [first, sameSeed, otherSeed] = [
    await generateInvoices('3'),
    await generateInvoices('3'),
    await generateInvoices('4'),
  ];
  expect(sameSeed).toEqual(first);
  expect(otherSeed).not.toEqual(first);
});

test('seed generates consistent records: higher ids are newer, and links count their paid payments', async () => {
  const folder = tempFolder();
  await runCli('seed', '--data', folder, '--customers', '5', '--links', '4', '--payments', '600', '--invoices', '30');
  const { accounts } = JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8'));
  const { payments, payment_links: links, invoices }: Record<string, StoredRow[]> = accounts.demo;
  for (const [rows, demoCount] of [
    [payments, demoCounts.payments],
    [links, demoCounts.payment_links],
    [invoices, demoCounts.invoices],
  ] as const) {
    // The demo records, which have the lowest ids, are not in the order of their times.
    const generated = rows?.filter(({ id }) => id > demoCount).map(({ created_at }) => created_at) ?? [];
    expect(generated).not.toEqual([]);
    expect(generated).toEqual([...generated].sort());
  }
  for (const { id, payments_count, revenue } of links ?? []) {
    const paid = payments?.filter(({ status, payment_link_id }) => status === 'paid' && payment_link_id === id) ?? [];
    expect(payments_count).toBe(paid.length);
    expect(revenue).toBeCloseTo(paid.reduce((sum, { amount }) => sum + amount, 0));
  }
});

test('seed generates payments only through links that existed at that time', async () => {
  const folder = tempFolder();
  await runCli('seed', '--data', folder, '--links', '10', '--payments', '200');
  const { accounts } = JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8'));
  const { payments = [], payment_links: links = [] }: Record<string, StoredRow[]> = accounts.demo;
  const createdById = new Map(links.map(({ id, created_at }) => [id, created_at]));
  const linkPayments = payments.filter(({ payment_link_id }) => payment_link_id !== null);
  expect(new Set(linkPayments.map(({ payment_link_id }) => payment_link_id)).size).toBeGreaterThan(10);
  for (const { created_at, payment_link_id } of linkPayments)
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(Date.parse(createdById.get(payment_link_id ?? 0) ?? ''));
});

test('seed generates no payments from before the creation of the first link, even if the link is recent', async () => {
  const folder = tempFolder();
  const seed = join(folder, 'seed.yaml');
  writeFileSync(
    seed,
    'currency: EUR\ntime_zone: UTC\ncustomers: [{ id: 1, name: Ada, email: ada@inn.example }]\n' +
      'payment_links: [{ id: 1, description: Breakfast, amount: 10, created: -1h }]\n',
  );
  const data = join(folder, 'data');
  await startAndStop('--data', data, '--seed', seed);
  await runCli('seed', '--data', data, '--payments', '20');
  const { accounts } = JSON.parse(readFileSync(join(data, 'db.json'), 'utf8'));
  const { payments = [], payment_links: links = [] }: Record<string, StoredRow[]> = accounts.demo;
  expect(payments).toHaveLength(20);
  expect(Date.parse(payments[0]?.created_at ?? '')).toBeGreaterThan(Date.parse(links[0]?.created_at ?? ''));
});

test('seed does not give a new invoice the number of another one', async () => {
  const folder = tempFolder();
  const takenNumber = `GEN-${String(demoCounts.invoices + 4).padStart(7, '0')}`;
  const { ready, end } = await startSimulatorInProcess('--data', folder);
  const body = {
    customer_id: 1,
    invoice_number: takenNumber,
    date: '2026-03-01',
    due_date: '2026-03-31',
    items: [{ description: 'Room', quantity: 1, unit_price: 80 }],
  };
  expect((await clientOf(ready.baseUrl).POST('/invoices', { body })).response.status).toBe(201);
  await end('SIGTERM');
  await runCli('seed', '--data', folder, '--invoices', '5');
  const { accounts } = JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8'));
  const { invoices = [] }: Record<string, StoredRow[]> = accounts.demo;
  const numbers = invoices.map(({ invoice_number }) => invoice_number);
  expect(numbers).toHaveLength(demoCounts.invoices + 6);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('seed adds a payment of the whole amount for each paid invoice', async () => {
  const folder = tempFolder();
  const { stdout } = await runCli('seed', '--data', folder, '--invoices', '700', '--json');
  const { accounts } = JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8'));
  const { payments, invoices }: Record<string, StoredRow[]> = accounts.demo;
  const newPayments = payments?.filter(({ id }) => id > demoCounts.payments) ?? [];
  const paidInvoices = invoices?.filter(({ id, status }) => id > demoCounts.invoices && status === 'paid') ?? [];
  expect(newPayments.map(({ invoice_id }) => invoice_id).sort()).toEqual(paidInvoices.map(({ id }) => id).sort());
  for (const { invoice_id, ...payment } of newPayments) {
    const invoice = paidInvoices.find(({ id }) => id === invoice_id);
    expect(payment).toMatchObject({ status: 'paid', amount: invoice?.amount, payment_link_id: null });
    expect(Date.parse(payment.created_at)).toBeGreaterThanOrEqual(Date.parse(invoice?.created_at ?? ''));
  }
  expect(JSON.parse(stdout).payments).toBe(newPayments.length);
});

test('a generation of records that is interrupted ends after a batch of 500, and returns what it has added', async () => {
  const stopController = new AbortController();
  const counts = { customers: 2, invoices: 0, links: 0, payments: 0, deposits: 1_000 };
  const added = await addGeneratedRecords(tempFolder(), counts, {
    randomSeed: 1,
    onProgress: ({ added: addedCount }) => {
      if (addedCount > 2) stopController.abort();
    },
    log: () => undefined,
    stopSignal: stopController.signal,
  });
  expect(added).toEqual({ ...counts, deposits: 500 });
});

test('seed refuses an invalid number', async () => {
  expect(await runCli('seed', '--invoices', 'many')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "error: option '--invoices <number>' argument 'many' is invalid: expected a whole number up to 10,000,000\n",
  });
});

test('seed without a number of records is refused, and creates no folder', async () => {
  const folder = join(tempFolder(), 'new');
  expect(await runCli('seed', '--data', folder)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: nothing to add; give a number, for example --invoices 1000\n',
  });
  expect(existsSync(folder)).toBe(false);
});

test.each([
  [['--customers', '0', '--invoices', '3'], 'invoices and payments need a customer: add --customers 1 or more'],
  [['--customers', '1', '--payments', '3'], 'payments need a payment link: add --links 1 or more'],
])('seed %j is refused if the account lacks the records to which new ones refer', async (flags, problem) => {
  const folder = tempFolder();
  await startAndStop('--data', folder, '--seed', 'empty');
  expect(await runCli('seed', '--data', folder, ...flags)).toMatchObject({ code: 2, stderr: `error: ${problem}\n` });
});

/** Starts a simulator, which stores its seed, and stops it. */
async function startAndStop(...flags: string[]): Promise<void> {
  const { end } = await startSimulatorInProcess(...flags);
  await end('SIGTERM');
}
