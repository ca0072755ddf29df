import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { maxActivities } from '../../src/simulation/activity/activity-log.js';
import { BodyRing, maxRecordedBytes } from '../../src/simulation/activity/request-log.js';
import { dashboardOf } from '../pages/dashboard-forms.js';
import { clientOf } from '../support/client.js';
import { openReceiver } from '../webhooks/receiver.js';
import { readPage } from './page.js';

const [, section = ''] = readPage('docs/data.md').split('## How long data is kept\n');

/** Returns the numbers in the Kept column of a row of the table. */
function documentedFigures(kindOfData: string): number[] {
  const row = section.split('\n').find((line) => line.startsWith(`| ${kindOfData} |`));
  return [...(row?.split('|')[2] ?? '').matchAll(/\d[\d,]*/g)].map(([figure]) => Number(figure.replaceAll(',', '')));
}

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});
afterAll(() => simulator.close());

/** Creates a deposit, with an idempotency key if `key` is set. @returns its id */
async function createDeposit(account: SimulatorAccount, key?: string): Promise<number> {
  const client = clientOf(simulator.baseUrl, account.tokens.full);
  const { data } = await client.POST('/deposits', {
    body: { booking_reference: 'BK-1', amount: 300 },
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });
  const id = Number(data?.data.id);
  expect(id).toBeGreaterThan(0);
  return id;
}

/** Creates an invoice and sends a reminder for it, which creates an email. */
async function createReminder(account: SimulatorAccount): Promise<void> {
  const client = clientOf(simulator.baseUrl, account.tokens.full);
  const customer = await account.customers.create({ name: 'Ada', email: 'ada@example.com' });
  const items = [{ description: 'Night', quantity: 1, unit_price: 90 }];
  const { data } = await client.POST('/invoices', {
    body: { customer_id: customer.id, date: '2026-03-01', due_date: '2026-03-15', items },
  });
  await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: Number(data?.data.id) } } });
}

test('the documented number of requests is kept', async () => {
  const [documentedCount = 0] = documentedFigures('Requests');
  const account = await simulator.createAccount();
  const headers = { Authorization: `Bearer ${account.tokens.full}` };
  for (let sent = 0; sent <= documentedCount; sent++) {
    await (await fetch(`${account.baseUrl}/deposits`, { headers })).arrayBuffer();
  }
  expect(await account.requests()).toHaveLength(documentedCount);
});

test('the documented size of bodies is kept', () => {
  const ring = new BodyRing();
  // Longer than the limit, so that only its beginning is kept.
  const body = 'x'.repeat(maxRecordedBytes + 1);
  const first = ring.add(body, body.length);
  let addedBytes = first.size;
  while (ring.read(first) !== null) addedBytes += ring.add(body, body.length).size;
  expect(documentedFigures('Bodies of requests and responses')).toEqual([
    first.size,
    // The last body that was added pushed the first one out, so all but one fit. All have the same size.
    (addedBytes - first.size) / 1_000_000,
  ]);
});

test('the documented number of activity entries is the limit of the activity log', () => {
  expect(documentedFigures('Entries of the activity log')).toEqual([maxActivities]);
});

test('an idempotency key is kept for the documented time', async () => {
  const [hours = 0] = documentedFigures('Idempotency keys');
  const account = await simulator.createAccount();
  const id = await createDeposit(account, 'key-1');
  await account.clock.advance(`${hours * 3_600 - 1}s`);
  expect(await createDeposit(account, 'key-1')).toBe(id);
  await account.clock.advance('1s');
  expect(await createDeposit(account, 'key-1')).not.toBe(id);
});

test('a reset forgets idempotency keys', async () => {
  const account = await simulator.createAccount();
  await createDeposit(account, 'key-1');
  expect(await account.agenda()).toContainEqual(expect.objectContaining({ kind: 'key-forgotten' }));
  await account.reset();
  expect(await account.agenda()).not.toContainEqual(expect.objectContaining({ kind: 'key-forgotten' }));
  // If the key were still known, the stored response would be returned, and no deposit created.
  await createDeposit(account, 'key-1');
  const { data } = await clientOf(simulator.baseUrl, account.tokens.full).GET('/deposits');
  expect(data?.data.total).toBe(1);
});

test('deliveries and emails are kept until the account is reset', async () => {
  const account = await simulator.createAccount();
  await createDeposit(account);
  await createReminder(account);
  const [deliveries, mails] = [await account.webhooks.all(), await account.mails.all()];
  expect(deliveries).not.toEqual([]);
  expect(mails).toHaveLength(1);
  await account.clock.advance('3650d');
  const idsAfterTenYears = (await account.webhooks.all()).map(({ id }) => id);
  expect(idsAfterTenYears).toEqual(expect.arrayContaining(deliveries.map(({ id }) => id)));
  expect(await account.mails.all()).toEqual(mails);
  await account.reset();
  expect([await account.webhooks.all(), await account.mails.all()]).toEqual([[], []]);
});

test('the documented number of bytes of a response to an attempt is kept', async () => {
  const [documentedCount = 0] = documentedFigures('Deliveries and their attempts');
  const receiver = await openReceiver((_request, response) => void response.end('x'.repeat(documentedCount + 1)));
  const account = await simulator.createAccount({ webhookUrl: receiver.url });
  await createDeposit(account);
  // Waits until the webhook has been sent.
  await account.clock.advance('1s');
  const [delivery] = await account.webhooks.all();
  const details = await fetch(`${simulator.url}/_sim/accounts/${account.id}/deliveries/${delivery?.id}`);
  expect(await details.json()).toMatchObject({ attempts: [{ response_body: 'x'.repeat(documentedCount) }] });
});

test('the documented number of automatic snapshots is kept, and every snapshot that a user has saved', async () => {
  const [documentedCount = 0] = documentedFigures(
    'Snapshots before resets and restores in the dashboard, to undo them',
  );
  const account = await simulator.createAccount();
  const saved = Array.from({ length: documentedCount + 2 }, (_, index) => `saved-${index}`);
  for (const name of saved) {
    await account.snapshots.save(name);
    await dashboardOf(simulator.url, account.id).submitForm('snapshots', 'resetAccount');
  }
  const names = await account.snapshots.names();
  expect(names.filter((name) => name.startsWith('before-reset-'))).toHaveLength(documentedCount);
  expect(names).toEqual(expect.arrayContaining(saved));
});
