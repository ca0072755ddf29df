import { vi } from 'vitest';
import type { JsonObject } from '../json.js';
import type { Sequence, Tape } from './tape.js';

// The seed has 3 customers, 120 invoices, links and payments, and 7 deposits; a new record gets the next number.

const draft: JsonObject = {
  customer_id: 2,
  date: '2026-05-05',
  due_date: '2026-05-19',
  invoice_number: 'OWN-1',
  reference: 'R 1',
  notes: 'Thanks',
  items: [
    { description: 'Night', quantity: 0.01, unit_price: 19.99, tax_rate: 7 },
    { description: 'Cleaning', quantity: 1, unit_price: 35.5 },
  ],
};

const draftWith = (changes: JsonObject): JsonObject => ({ ...draft, invoice_number: null, ...changes });

const draftWithItem = (changes: JsonObject): JsonObject =>
  draftWith({ items: [{ description: 'Night', quantity: 1, unit_price: 10, ...changes }] });

const booking: JsonObject = { booking_reference: 'TAPE-1', amount: 100 };

const operations: readonly (readonly ['GET' | 'POST', string, JsonObject?])[] = [
  ['GET', '/invoices'],
  ['GET', '/invoices/1'],
  ['GET', '/invoices/stats'],
  ['GET', '/invoices/overdue'],
  ['POST', '/invoices', draft],
  ['POST', '/invoices/1/reminder'],
  ['POST', '/payment-links', { description: 'Tape', amount: 45.5 }],
  ['GET', '/payment-links'],
  ['GET', '/payments'],
  ['POST', '/deposits', booking],
  ['GET', '/deposits'],
  ['GET', '/deposits/2'],
  ['POST', '/deposits/2/capture'],
  ['POST', '/deposits/3/release'],
];

async function envelope(tape: Tape): Promise<void> {
  for (const [method, path, body] of operations) await tape.ask(method, path, body === undefined ? {} : { body });
  await tape.get('/invoices?per_page=50', '/invoices?per_page=50&page=2', '/invoices?per_page=50&page=3');
  await tape.get('/invoices/999', '/deposits/999', '/nowhere');
  await tape.post('/invoices', {});
  await tape.ask('GET', '/invoices', { authorization: undefined });
}

async function reading(tape: Tape): Promise<void> {
  await tape.get('/invoices', '/invoices?per_page=7', '/invoices?per_page=100', '/invoices?per_page=101');
  await tape.get('/invoices/1', '/invoices/2', '/invoices/3', '/invoices/5', '/invoices/stats', '/invoices/overdue');
  await tape.get('/invoices/1x');
  await tape.post('/invoices', draftWith({ date: '2020-01-01', due_date: '2020-01-31', reference: 'Жук' }));
  for (const id of [1, 5, 100]) await tape.second.markInvoicePaid({ id });
  await tape.get('/invoices', '/invoices?per_page=100&page=2', '/invoices/5', '/invoices/121', '/invoices/stats');
  await tape.get('/invoices/overdue');
}

async function writing(tape: Tape): Promise<void> {
  await tape.post('/invoices', draft);
  await tape.get('/invoices/121');
  await tape.post('/invoices', draftWith({ due_date: '2026-05-05', reference: null }));
  const required = ['customer_id', 'date', 'due_date', 'items'];
  for (const field of required) await tape.post('/invoices', draftWith({ [field]: null }));
  await tape.post('/invoices', draftWith({ items: [] }));
  await tape.post('/invoices', draftWith({ customer_id: 999 }));
  await tape.post('/invoices', draftWith({ due_date: '2026-05-04' }));
  for (const field of ['description', 'quantity', 'unit_price']) {
    await tape.post('/invoices', draftWithItem({ [field]: null }));
  }
  await tape.post('/invoices', draftWithItem({ quantity: 0.009 }));
  await tape.post('/invoices', draftWithItem({ tax_rate: 8.1 }));
  const [item = null] = [draft['items'] ?? []].flat();
  await tape.post('/invoices', draftWith({ items: [item, item], date: '2020-01-01', due_date: '2020-01-31' }));
  await tape.post('/invoices/124/reminder');
  await tape.post('/invoices', draftWith({ date: '2026-02-30' }));
  await tape.post('/invoices', draftWith({ date: '01.05.2020', due_date: '2026-05-19' }));
  await tape.post('/invoices', draftWith({ due_date: '2027-02-30' }));
  await tape.post('/invoices/1/reminder');
  await tape.second.markInvoicePaid({ id: 1 });
  await tape.post('/invoices/1/reminder');
  await tape.post('/invoices/999/reminder');
}

async function links(tape: Tape): Promise<void> {
  await tape.get('/payment-links');
  for (const description of ['Booking-AB', 'booking-ab', 'Booking-AB']) {
    await tape.post('/payment-links', { description, amount: 45.5 });
  }
  await tape.post('/payment-links', { description: 'No amount' });
  await tape.post('/payment-links', { amount: 1 });
  for (const description of ['Booking-AB-2', 'Ж 漢 🏨']) {
    await tape.post('/payment-links', { description, amount: 45.5, currency: 'USD' });
  }
  await tape.second.payLink({ id: 100 });
  await tape.second.payLink({ id: 122 });
  await tape.get('/payment-links', '/payment-links?per_page=7', '/payment-links?per_page=100');
  await tape.get('/payment-links?per_page=101');
}

async function payments(tape: Tape): Promise<void> {
  await tape.post('/payment-links', { description: 'Stay OF-Ann', amount: 45.5 });
  await tape.second.payLink({ id: 121 });
  await tape.get('/payments');
  await tape.post('/payment-links', { description: 'Odd (10 %) ÄÖ Жук', amount: 45.5, currency: 'USD' });
  await tape.second.payLink({ id: 122 });
  for (const text of ['äö ж', 'Ä', '(10 %)', 'Od%Жук', 'O_d', 'O.d']) {
    await tape.get(`/payments?description=${encodeURIComponent(text)}`);
  }
  await tape.get('/payments?from=2000-01-01&to=2099-12-31');
  await tape.get('/payments', '/payments?per_page=7', '/payments?per_page=100', '/payments?per_page=101');
  await tape.get('/payments?description=of-ann', '/payments?description=OF-Ann', '/payments?description=stay');
  await tape.get(
    '/payments?status=failed',
    '/payments?status=open',
    '/payments?from=2026-05-05',
    '/payments?to=2026-05-04',
  );
}

async function deposits(tape: Tape): Promise<void> {
  await tape.get('/deposits');
  await tape.post('/deposits', booking, 'key 1');
  await tape.post('/deposits', booking, 'key 1');
  await tape.get(
    '/deposits?booking_reference=TAPE-1',
    '/deposits?status=authorized',
    '/deposits?status=partially_captured',
    '/deposits?per_page=3',
  );
  await tape.second.authorizeDeposit({ id: 8 });
  await tape.post('/deposits', booking, 'key 1');
  await tape.get('/deposits/8', '/deposits/2');
  await tape.post('/deposits/8/capture', { amount: 30, description: 'Lamp' });
  await tape.post('/deposits/8/capture', { amount: 20 });
  await tape.post('/deposits/8/capture');
  await tape.get('/deposits/8');
  await tape.post('/deposits/2/release');
  const odd = { booking_reference: 'Жук 1', amount: 100, currency: 'USD' };
  for (const key of ['key 2', 'key 3', 'key 2']) await tape.post('/deposits', odd, key);
  for (const id of [9, 10]) await tape.second.authorizeDeposit({ id });
  for (const amount of [30, 20]) await tape.post('/deposits/9/capture', { amount });
  await tape.get('/deposits/9', '/deposits/10');
  await tape.post('/deposits/9/release');
  await tape.get('/deposits/9', '/deposits/10', '/deposits', '/deposits?booking_reference=TAPE%25');
  await tape.get(`/deposits?booking_reference=${encodeURIComponent('Жук 1')}`);
  await tape.post('/deposits', { ...booking, metadata: { room: '12' } });
}

async function access(tape: Tape): Promise<void> {
  const { full, read, write, none } = tape.second.tokens;
  const headers = ['Bearer nobody', `Basic ${full}`, `Bearer ${read}`, `Bearer ${write}`, `Bearer ${none}`];
  const userName = `Basic ${Buffer.from(`${full}:`).toString('base64')}`;
  const malformedTokens = [
    full,
    userName,
    ...[full.slice(0, -1), `${full}s`, full.toUpperCase(), `${full} s`].map((token) => `Bearer ${token}`),
  ];
  for (const authorization of malformedTokens) await tape.ask('GET', '/invoices/stats', { authorization });
  await tape.ask('GET', `/invoices/stats?access_token=${full}`, { authorization: undefined });
  await tape.ask('GET', '/invoices/stats', { authorization: undefined, cookie: `token=${full}` });
  for (const [method, path, body] of operations) {
    for (const authorization of [undefined, ...headers]) {
      await tape.ask(method, method === 'GET' ? `${path}?per_page=1` : path, {
        authorization,
        ...(body === undefined ? {} : { body }),
      });
    }
  }
}

async function limits(tape: Tape): Promise<void> {
  await tape.post('/invoices', draft);
  await tape.post('/invoices', {});
  await tape.get('/invoices/overdue', '/invoices/999');
  await tape.ask('GET', '/invoices', { authorization: undefined });
  await tape.ask('GET', '/invoices', { authorization: `Bearer ${tape.second.tokens.none}` });
  for (let count = 0; count < 20; count += 1) await tape.get('/invoices/stats');
  vi.setSystemTime(Date.now() + 61_000);
  await tape.get('/invoices/stats');
}

async function events(tape: Tape): Promise<void> {
  await tape.listen('old secret');
  await tape.listen('secret');
  await tape.post('/payment-links', { description: 'Stay OF-Ann', amount: 45.5 });
  await tape.second.payLink({ id: 121 });
  await tape.post('/payment-links', { description: 'Ж 漢 🏨', amount: 45.5 });
  await tape.second.payLink({ id: 122 });
  for (let id = 8; id < 12; id += 1) await tape.post('/deposits', booking);
  for (let id = 8; id < 11; id += 1) await tape.second.authorizeDeposit({ id });
  await tape.post('/deposits/8/capture', { amount: 30 });
  await tape.post('/deposits/8/capture');
  await tape.post('/deposits/9/release');
  await tape.second.expireDeposit({ id: 10 });
  await tape.second.declineDeposit({ id: 11 });
  await tape.post('/deposits', { ...booking, booking_reference: 'Жук 1' });
  const { secret } = await tape.second.rotateWebhookSecret();
  await tape.post('/deposits', booking);
  await tape.hear('secret', secret);
}

export const sequences = {
  envelope: { play: envelope },
  reading: { play: reading },
  writing: { play: writing },
  links: { play: links },
  payments: { play: payments },
  deposits: { play: deposits },
  access: { play: access },
  limits: { play: limits, options: { limit: 12 } },
  events: { play: events },
} satisfies Record<string, Sequence>;
