import { vi } from 'vitest';
import type { JsonObject } from '../json.js';
import type { Recorder, Sequence } from './recorder.js';

// The seed has 3 customers, 120 invoices, 120 links, 120 payments, and one deposit for each of the 7 statuses: deposit
// 2 is authorized, deposit 3 partially captured. A new record gets the next identifier: the first new invoice and the
// first new link have the identifier 121, the first new deposit has the identifier 8.

const invoiceItem: JsonObject = { description: 'Night', quantity: 0.01, unit_price: 19.99, tax_rate: 7 };

const invoiceBody: JsonObject = {
  customer_id: 2,
  date: '2026-05-05',
  due_date: '2026-05-19',
  invoice_number: 'OWN-1',
  reference: 'R 1',
  notes: 'Thanks',
  items: [invoiceItem, { description: 'Cleaning', quantity: 1, unit_price: 35.5 }],
};

const invoiceWith = (changes: JsonObject): JsonObject => ({ ...invoiceBody, invoice_number: null, ...changes });

const invoiceWithItem = (changes: JsonObject): JsonObject =>
  invoiceWith({ items: [{ description: 'Night', quantity: 1, unit_price: 10, ...changes }] });

const booking: JsonObject = { booking_reference: 'TAPE-1', amount: 100 };

/** A successful request for each operation of the API. */
const operations: readonly (readonly [method: 'GET' | 'POST', path: string, body?: JsonObject])[] = [
  ['GET', '/invoices'],
  ['GET', '/invoices/1'],
  ['GET', '/invoices/stats'],
  ['GET', '/invoices/overdue'],
  ['POST', '/invoices', invoiceBody],
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

async function recordEnvelope(recorder: Recorder): Promise<void> {
  for (const [method, path, body] of operations) await recorder.send(method, path, body === undefined ? {} : { body });
  await recorder.get('/invoices?per_page=50', '/invoices?per_page=50&page=2', '/invoices?per_page=50&page=3');
  await recorder.get('/invoices?page=2', '/invoices?per_page=-1');
  await recorder.get('/invoices/999', '/deposits/999', '/nowhere', '/payments?per_page=0');
  for (const amount of [10, 20]) await recorder.post('/deposits', { ...booking, amount }, 'used key');
  await recorder.post('/invoices', {});
  for (const path of ['/payment-links', '/invoices']) await recorder.post(path, []);
  await recorder.send('GET', '/invoices', { authorization: undefined });
}

async function recordInvoiceReading(recorder: Recorder): Promise<void> {
  await recorder.get('/invoices', '/invoices?per_page=7', '/invoices?per_page=100', '/invoices?per_page=101');
  // An overdue invoice, a paid one, a partially paid one, and one with a subscription.
  await recorder.get(
    '/invoices/1',
    '/invoices/2',
    '/invoices/3',
    '/invoices/5',
    '/invoices/stats',
    '/invoices/overdue',
  );
  await recorder.get('/invoices/1x');
  await recorder.post('/invoices', invoiceWith({ reference: '007' }));
  await recorder.post(
    '/invoices',
    invoiceWith({
      date: '2020-01-01',
      due_date: '2020-01-31',
      reference: 'Жук',
      notes: 'Two\nlines',
      items: [
        { ...invoiceItem, quantity: 1, unit_price: 1090.35 },
        { ...invoiceItem, unit_price: 0 },
      ],
    }),
  );
  for (const id of [1, 5, 100]) await recorder.service.markInvoicePaid({ id });
  await recorder.get('/invoices', '/invoices?per_page=100&page=2', '/invoices/5', '/invoices/122', '/invoices/stats');
  await recorder.get('/invoices/overdue');
}

async function recordInvoiceWriting(recorder: Recorder): Promise<void> {
  await recorder.post('/invoices', invoiceBody);
  await recorder.get('/invoices/121');
  await recorder.post('/invoices', invoiceWith({ due_date: '2026-05-05', reference: null }));
  const required = ['customer_id', 'date', 'due_date', 'items'];
  for (const field of required) await recorder.post('/invoices', invoiceWith({ [field]: null }));
  await recorder.post('/invoices', invoiceWith({ items: [] }));
  for (const customer_id of [999, 2.5]) await recorder.post('/invoices', invoiceWith({ customer_id }));
  await recorder.post('/invoices', invoiceWith({ due_date: '2026-05-04' }));
  for (const field of ['description', 'quantity', 'unit_price']) {
    await recorder.post('/invoices', invoiceWithItem({ [field]: null }));
  }
  await recorder.post('/invoices', invoiceWithItem({ quantity: 0.009 }));
  await recorder.post('/invoices', invoiceWithItem({ tax_rate: 8.25 }));
  await recorder.post(
    '/invoices',
    invoiceWith({ items: [invoiceItem, invoiceItem], date: '2020-01-01', due_date: '2020-01-31' }),
  );
  // Invoice 124, which the request above creates, is overdue.
  await recorder.post('/invoices/124/reminder');
  await recorder.post('/invoices', invoiceWith({ date: '2026-02-30' }));
  await recorder.post('/invoices', invoiceWith({ date: '01.05.2020', due_date: '2026-05-19' }));
  await recorder.post('/invoices', invoiceWith({ due_date: '2027-02-30' }));
  await recorder.post('/invoices/1/reminder');
  await recorder.service.markInvoicePaid({ id: 1 });
  await recorder.post('/invoices/1/reminder');
  await recorder.post('/invoices/999/reminder');
  await recorder.post('/invoices', invoiceWith({ items: [invoiceItem, { description: 'Free', quantity: 1 }] }));
  const longText = 'long '.repeat(60);
  await recorder.post(
    '/invoices',
    invoiceWith({
      invoice_number: '2026/1 A',
      reference: "Guest's",
      notes: longText,
      items: [{ description: longText, quantity: 0.01, unit_price: 29, tax_rate: 0.5 }],
    }),
  );
  await recorder.get('/invoices/125');
  await recorder.post('/invoices', invoiceWithItem({ tax_rate: 27 }));
  await recorder.post('/invoices', invoiceWith({ items: [{ ...invoiceItem, quantity: 0 }, invoiceItem] }));
}

async function recordLinks(recorder: Recorder): Promise<void> {
  await recorder.get('/payment-links');
  for (const [index, description] of ['Booking-AB', 'booking-ab', 'Booking-AB'].entries()) {
    await recorder.post('/payment-links', { description, amount: 45.5 + index });
  }
  for (const description of ['Booking-A', 'Ж', '漢', 'À'])
    await recorder.post('/payment-links', { description, amount: 1 });
  await recorder.post('/payment-links', { description: 'No amount' });
  await recorder.post('/payment-links', { amount: 1 });
  await recorder.post('/payment-links', { description: 'In yen', amount: 500, currency: 'JPY' });
  for (const description of ['Booking-AB-2', 'Ж 漢 🏨']) {
    await recorder.post('/payment-links', { description, amount: 45.5, currency: 'USD' });
  }
  await recorder.service.payLink({ id: 100 });
  await recorder.service.payLink({ id: 122 });
  await recorder.get('/payment-links', '/payment-links?per_page=7', '/payment-links?per_page=100');
  await recorder.get('/payment-links?per_page=101');
}

async function recordPayments(recorder: Recorder): Promise<void> {
  await recorder.post('/payment-links', { description: 'Stay OF-Ann', amount: 45.5 });
  await recorder.service.payLink({ id: 121 });
  await recorder.get('/payments');
  await recorder.post('/payment-links', { description: "Odd (10 %) ÄÖ Жук's", amount: 45.5, currency: 'USD' });
  await recorder.service.payLink({ id: 122 });
  for (const text of ['äö ж', 'Ä', '(10 %)', "Жук's", 'Od%Жук', 'O_d', 'O.d']) {
    await recorder.get(`/payments?description=${encodeURIComponent(text)}`);
  }
  await recorder.get('/payments?from=2000-01-01&to=2099-12-31');
  await recorder.service.payLink({ id: 121 });
  await recorder.get('/payments', '/payments?per_page=7', '/payments?per_page=100', '/payments?per_page=101');
  await recorder.get('/payments?description=of-ann', '/payments?description=OF-Ann', '/payments?description=stay');
  await recorder.get(
    '/payments?status=failed',
    '/payments?status=open',
    '/payments?from=2026-05-05',
    '/payments?to=2026-05-04',
    '/payments?status=unknown',
    '/payments?description=seed&from=2026-05-05',
    '/payments?description=seed&to=2026-05-04',
    '/payments?description=seed&per_page=1',
  );
}

async function recordDeposits(recorder: Recorder): Promise<void> {
  await recorder.get('/deposits');
  await recorder.post('/deposits', booking, 'key 1');
  await recorder.post('/deposits', booking, 'key 1');
  await recorder.get(
    '/deposits?booking_reference=TAPE-1',
    '/deposits?status=authorized',
    '/deposits?status=partially_captured',
    '/deposits?per_page=3',
  );
  await recorder.service.authorizeDeposit({ id: 8 });
  await recorder.post('/deposits', booking, 'key 1');
  await recorder.get('/deposits/8', '/deposits/2');
  await recorder.post('/deposits/8/capture', { amount: 30, description: 'Lamp' });
  await recorder.post('/deposits/8/capture', { amount: 20 });
  await recorder.post('/deposits/8/capture');
  await recorder.post('/deposits', booking, 'key 1');
  await recorder.get('/deposits/8');
  await recorder.post('/deposits/2/release');
  const depositInDollars = { booking_reference: 'Жук 1', amount: 100, currency: 'USD' };
  for (const key of ['key 2', 'key 3', 'key 2']) await recorder.post('/deposits', depositInDollars, key);
  await recorder.post('/deposits', { ...depositInDollars, amount: 64.57 });
  for (const id of [9, 10, 11]) await recorder.service.authorizeDeposit({ id });
  await recorder.post('/deposits/11/capture', { amount: 2.5 });
  for (const amount of [30, 20]) await recorder.post('/deposits/9/capture', { amount });
  await recorder.get('/deposits/9', '/deposits/10');
  await recorder.post('/deposits/9/release');
  await recorder.service.expireDeposit({ id: 3 });
  await recorder.get('/deposits/3');
  for (const key of ['key 2', 'KEY 2']) await recorder.post('/deposits', depositInDollars, key);
  await recorder.get('/deposits/9', '/deposits/10', '/deposits', '/deposits?booking_reference=TAPE%25');
  await recorder.get(`/deposits?booking_reference=${encodeURIComponent('Жук 1')}`);
  await recorder.post('/deposits', {
    ...booking,
    booking_reference: '007',
    customer: { name: 'Ann', email: 'ann@example.com' },
    metadata: { room: '12', floor: '3' },
  });
  await recorder.get('/deposits', '/deposits/13', '/deposits/9');
  for (const key of ['key 2', 'key 2', 'key-2', `${'k'.repeat(36)} 1`, `${'k'.repeat(36)} 2`])
    await recorder.post('/deposits', depositInDollars, key);
  await recorder.service.declineDeposit({ id: 15 });
  await recorder.post('/deposits', depositInDollars, `${'k'.repeat(36)} 1`);
  await recorder.service.authorizeDeposit({ id: 14 });
  for (const amount of [2.01, 100, 97.99]) await recorder.post('/deposits/14/capture', { amount });
  // In floating point, the sum of the captures is more than 64.57.
  for (const amount of [0.01, 62.06]) await recorder.post('/deposits/11/capture', { amount });
  await recorder.get('/deposits?booking_reference=0007', '/deposits?booking_reference=TAPE_1');
  // The deposits of the seed that expired and failed.
  await recorder.get('/deposits?booking_reference=SEED-5', '/deposits?booking_reference=SEED-6');
  const unusualReference = 'A, 9%41';
  await recorder.post('/deposits', { ...booking, booking_reference: unusualReference });
  await recorder.get(`/deposits?booking_reference=${encodeURIComponent(unusualReference)}`);
  for (const amount of [20, 100]) await recorder.post('/deposits', { ...depositInDollars, amount }, 'key 2');
}

async function recordAccess(recorder: Recorder): Promise<void> {
  await recordTokensWithOneScope(recorder);
  const { full, read, write, scopeless, otherAccount } = recorder.service.tokens;
  const bearers = ['nobody', read, write, scopeless, otherAccount].map((token) => `Bearer ${token}`);
  const authorizations = [...bearers, `Basic ${full}`];
  const basicUserName = `Basic ${Buffer.from(`${full}:`).toString('base64')}`;
  const malformedAuthorizations = [
    full,
    basicUserName,
    ...[full.slice(0, -1), `${full}s`, full.toUpperCase(), `${full} s`].map((token) => `Bearer ${token}`),
  ];
  for (const authorization of malformedAuthorizations) await recorder.send('GET', '/invoices/stats', { authorization });
  await recorder.send('GET', `/invoices/stats?access_token=${full}`, { authorization: undefined });
  await recorder.send('GET', '/invoices/stats', { authorization: undefined, cookie: `token=${full}` });
  await recorder.send('GET', '/invoices/stats/', { authorization: undefined });
  for (const [method, path, body] of operations) {
    for (const authorization of [undefined, ...authorizations]) {
      await recorder.send(method, method === 'GET' ? `${path}?per_page=1` : path, {
        authorization,
        ...(body === undefined ? {} : { body }),
      });
    }
  }
  await recorder.get('/invoices/stats');
  await recorder.send('GET', '/invoices/stats', { authorization: undefined });
}

/** Changes records with a token that can only write, and reads them before and afterwards with one that can only read. */
async function recordTokensWithOneScope(recorder: Recorder): Promise<void> {
  const { read, write } = recorder.service.tokens;
  const paths = ['/invoices', '/invoices/1', '/invoices/stats', '/invoices/overdue', '/payment-links', '/payments'];
  const readAll = async (): Promise<void> => {
    for (const path of [...paths, '/deposits', '/deposits/2'])
      await recorder.send('GET', path, { authorization: `Bearer ${read}` });
  };
  const post = (path: string, body: JsonObject): Promise<void> =>
    recorder.send('POST', path, { authorization: `Bearer ${write}`, body });
  await readAll();
  await post('/invoices', invoiceWith({}));
  await recorder.service.markInvoicePaid({ id: 1 });
  await post('/payment-links', { description: 'Stay', amount: 45.5 });
  await recorder.service.payLink({ id: 120 });
  await post('/deposits', booking);
  await post('/deposits/2/capture', {});
  await post('/deposits/3/release', {});
  await readAll();
}

async function recordLimits(recorder: Recorder): Promise<void> {
  await recorder.post('/invoices', invoiceBody);
  await recorder.post('/invoices', {});
  await recorder.get('/invoices/overdue', '/invoices/999');
  await recorder.send('GET', '/invoices', { authorization: undefined });
  await recorder.send('GET', '/invoices', { authorization: `Bearer ${recorder.service.tokens.scopeless}` });
  // The limit is 12, and a burst allows 20 requests. Four with this token were sent above, so the last 4 are refused.
  for (let count = 0; count < 20; count += 1) await recorder.get('/invoices/stats');
  // A new window, since a window lasts 60 seconds.
  vi.setSystemTime(Date.now() + 61_000);
  await recorder.get('/invoices/stats');
}

async function recordEvents(recorder: Recorder): Promise<void> {
  // The second receiver and its secret must replace the first ones.
  await recorder.receiveWebhooks('old secret');
  await recorder.receiveWebhooks('secret');
  await recorder.post('/payment-links', { description: 'Stay OF-Ann', amount: 45.5 });
  await recorder.service.payLink({ id: 121 });
  await recorder.post('/payment-links', { description: 'Ж 漢 🏨', amount: 45.5 });
  await recorder.service.payLink({ id: 122 });
  for (let id = 8; id < 12; id += 1) await recorder.post('/deposits', booking);
  for (let id = 8; id < 11; id += 1) await recorder.service.authorizeDeposit({ id });
  await recorder.post('/deposits/8/capture', { amount: 30 });
  await recorder.post('/deposits/8/capture');
  await recorder.post('/deposits/9/release');
  await recorder.service.expireDeposit({ id: 10 });
  await recorder.service.declineDeposit({ id: 11 });
  await recorder.post('/deposits', { ...booking, booking_reference: 'Жук 1' });
  await recorder.post('/deposits/10/capture');
  await recorder.service.authorizeDeposit({ id: 12 });
  await recorder.send('POST', '/deposits/12/capture', { authorization: `Bearer ${recorder.service.tokens.write}` });
  const { secret } = await recorder.service.rotateWebhookSecret();
  await recorder.post('/deposits', booking);
  await recorder.service.settled();
  recorder.refuseNextWebhook();
  await recorder.post('/deposits', booking);
  await recorder.recordWebhooks('secret', secret);
}

/**
 * Requests for each group of faults (`faults/`). With any fault of the group, the service sends at least one response or
 * webhook that differs from what it sends without a fault.
 */
export const sequences = {
  envelope: { run: recordEnvelope },
  invoiceReading: { run: recordInvoiceReading },
  invoiceWriting: { run: recordInvoiceWriting },
  links: { run: recordLinks },
  payments: { run: recordPayments },
  deposits: { run: recordDeposits },
  access: { run: recordAccess },
  limits: { run: recordLimits, options: { limit: 12 } },
  events: { run: recordEvents },
} satisfies Record<string, Sequence>;
