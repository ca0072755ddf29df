import { afterAll, describe, expect, test } from 'vitest';
import type { Choices } from '../../src/index.js';
import { closeServers, openAccount } from './test-account.js';

/** Combinations of choices for several gaps that affect the same behavior. */

afterAll(closeServers);

const item = { description: 'Consulting', quantity: 1, unit_price: 10 };
const invoice = { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items: [item] };
const deposit = { booking_reference: 'BK-1', amount: 1 };

test('a page size above the maximum is refused, even if other invalid page sizes are replaced by the default', async () => {
  const client = await openAccount({ 'page.over-maximum': 'refused', 'page.invalid': 'default' });
  expect((await client.get('/invoices?per_page=101')).status).toBe(422);
  expect((await client.get('/invoices?per_page=0')).valueAt('data.per_page')).toBe(25);
});

test('an empty page is refused, even if other invalid pages are replaced by the default', async () => {
  const client = await openAccount({ 'query.empty': 'refused', 'page.invalid': 'default' });
  expect((await client.get('/invoices?page=')).status).toBe(422);
  expect((await client.get('/invoices?page=0')).valueAt('data.current_page')).toBe(1);
});

test('an invalid filter is refused, and the only error, if invalid page numbers are replaced by the default', async () => {
  const client = await openAccount({ 'page.invalid': 'default' });
  expect((await client.get('/payments?status=lost&page=0')).valueAt('errors')).toEqual({
    status: [expect.any(String)],
  });
});

test.each(['', '0', 'abc', '1&page=2'])(
  'a list that always returns its first page accepts every `page`, even if empty parameters are refused: %j',
  async (page) => {
    const client = await openAccount({ 'page.page-everywhere': 'ignored', 'query.empty': 'refused' });
    const response = await client.get(`/deposits?page=${page}`);
    expect([response.status, response.valueAt('data.current_page')]).toEqual([200, 1]);
    expect((await client.get(`/invoices?page=${page}`)).status).toBe(422);
  },
);

test.each<[Choices]>([
  [{ 'status.created': '200', 'deposit.replay-status': '200' }],
  [{ 'deposit.replay-status': '200', 'status.created': '200' }],
])('creations and replays have status 200 if the profile sets it for both, in any order: %o', async (choices) => {
  const client = await openAccount(choices);
  const headers = { 'Idempotency-Key': 'key-1' };
  expect((await client.post('/deposits', deposit, { headers })).status).toBe(200);
  expect((await client.post('/deposits', deposit, { headers })).status).toBe(200);
});

test('a slug with an unpaired surrogate is encoded in the URL', async () => {
  const client = await openAccount({ 'link.slug': 'percent-encoded', 'text.characters': 'accepted' });
  const created = await client.post('/payment-links', { description: 'half \uD83D', amount: 1 });
  expect(created.valueAt('data.url')).toMatch(/\/half%20%EF%BF%BD$/);
  expect((await client.get('/payment-links')).status).toBe(200);
});

describe.each([
  ['/payment-links', 'link.amount-range', { description: 'March' }],
  ['/deposits', 'deposit.amount-range', { booking_reference: 'BK-1' }],
])('the maximum applies to an amount before it is rounded: %s', (path, gap, body) => {
  test.each([
    [500, 500, 201],
    [500, 500.004, 422],
    [500, 500.01, 422],
    [5_000_000, 5_000_000, 201],
    [5_000_000, 5_000_000.01, 422],
  ])('with a maximum of %d, an amount of %d returns %d', async (maximum, amount, status) => {
    const client = await openAccount({ 'amount.maximum': { maximum }, [gap]: 'rounded' });
    expect((await client.post(path, { ...body, amount })).status).toBe(status);
  });
});

describe('an amount to capture, if amounts of deposits are rounded', () => {
  test.each<[string, number, Choices, number, unknown]>([
    ['rounded half up', 1.005, {}, 200, 1.01],
    ['refused if it rounds to zero', 0.004, {}, 422, undefined],
    ['compared with the remaining amount after rounding', 10.004, {}, 200, 10],
    ['refused if it exceeds the remaining amount after rounding', 10.005, {}, 422, undefined],
    ['compared with the maximum before rounding', 10.004, { 'amount.maximum': { maximum: 10 } }, 422, undefined],
    [
      'capped after rounding',
      10.005,
      { 'deposit.capture-when': { answers: { otherwise: 409, above: 'capped' } } },
      200,
      10,
    ],
    ['rounded to the decimal places of the profile', 1.005, { 'amount.minor-units': 'two' }, 200, 1.01],
  ])('is %s: %d', async (_rule, amount, choices, status, captured) => {
    const client = await openAccount({ 'deposit.amount-range': 'rounded', ...choices });
    const id = Number((await client.post('/deposits', { ...deposit, amount: 10 })).valueAt('data.id'));
    client.authorize(id);
    const response = await client.post(`/deposits/${id}/capture`, { amount });
    expect([response.status, response.valueAt('data.captured_amount')]).toEqual([status, captured]);
  });
});

describe.each([
  ['refused', 422],
  ['accepted', 201],
])('if NUL and unpaired surrogates are %s', (choice, status) => {
  test.each([[{ room: { note: '\0' } }], [{ guests: ['Ada', ['\uD800']] }], [{ room: { '\uDC00': 1 } }]])(
    'the same applies in nested metadata: %j',
    async (metadata) => {
      const client = await openAccount({ 'metadata.values': 'any', 'text.characters': choice });
      const created = await client.post('/deposits', { ...deposit, metadata });
      expect([created.status, created.valueAt('data.metadata')]).toEqual(
        status === 201 ? [201, metadata] : [422, undefined],
      );
      expect((await client.post('/deposits', { ...deposit, metadata: { room: ['😀', { é: 'ü' }] } })).status).toBe(201);
    },
  );
});

test('the bounds of metadata do not apply inside its objects and arrays', async () => {
  const client = await openAccount({ 'metadata.values': 'any' });
  const [longText, longKey] = ['x'.repeat(501), 'k'.repeat(41)];
  const statusWith = async (metadata: object) => (await client.post('/deposits', { ...deposit, metadata })).status;
  expect(await statusWith({ room: { [longKey]: [longText] } })).toBe(201);
  expect([await statusWith({ room: longText }), await statusWith({ [longKey]: 'x' })]).toEqual([422, 422]);
});

test('an invalid body is refused as invalid, even if a used key returns the original deposit', async () => {
  const client = await openAccount({ 'deposit.key-mismatch': 'original' });
  const post = (body: object) => client.post('/deposits', body, { headers: { 'Idempotency-Key': 'key-1' } });
  const original = await post(deposit);
  expect((await post({ ...deposit, amount: 2 })).valueAt('data.id')).toBe(original.valueAt('data.id'));
  expect((await post({ ...deposit, amount: '2' })).valueAt('errors.amount')).toEqual([
    'The amount field must be a number.',
  ]);
});

test("a required currency of a deposit does not default to the account's currency", async () => {
  const client = await openAccount({ 'deposit.required': 'all', 'deposit.currency': 'account' });
  expect((await client.post('/deposits', deposit)).valueAt('errors.currency')).toEqual([
    'The currency field is required.',
  ]);
});

test.each<[choice: string, notFound: NonNullable<Choices['request.not-found']>, error: string]>([
  ['the default', 'named', 'Page not found'],
  ['one text', { error: 'Nothing here' }, 'Nothing here'],
  [
    'a text for each resource',
    { errors: { invoice: 'No invoice', deposit: 'No deposit', route: 'No place' } },
    'Page not found',
  ],
])(
  'a page beyond the end that is not found has the error of request.not-found: %s',
  async (_choice, notFound, error) => {
    const client = await openAccount({ 'page.beyond-end': '404', 'request.not-found': notFound });
    const response = await client.get('/invoices?page=99');
    expect([response.status, response.error]).toEqual([404, error]);
  },
);

test('a deposit without a booking is not found by a part of one', async () => {
  const client = await openAccount({ 'deposit.booking-filter': 'partial', 'deposit.required': 'amount' });
  const created = await client.post('/deposits', { amount: 5, booking_reference: null });
  expect([created.status, created.valueAt('data.booking_reference')]).toEqual([201, null]);
  const list = await client.get('/deposits?booking_reference=null');
  expect([list.status, list.valueAt('data.total')]).toEqual([200, 0]);
});

test.each<[Choices]>([
  [{ 'deposit.required': 'amount' }],
  [{ 'deposit.required': { fields: ['amount', 'currency'] } }],
])('a booking reference that is not required may be null, unless null is refused: %o', async (choices) => {
  const body = { ...deposit, booking_reference: null, currency: 'EUR' };
  const client = await openAccount(choices);
  expect((await client.post('/deposits', body)).valueAt('data.booking_reference')).toBeNull();
  const strictClient = await openAccount({ ...choices, 'validation.null-optional': 'refused' });
  expect((await strictClient.post('/deposits', body)).status).toBe(422);
});

test('an invoice number pattern may repeat the year and the number', async () => {
  const client = await openAccount({ 'invoice.number-format': { pattern: '{year}-{number}/{number:4}-{year}' } });
  expect((await client.post('/invoices', invoice)).valueAt('data.invoice_number')).toBe('2026-1/0001-2026');
});

test('the number in an invoice number pattern may have more than nine digits', async () => {
  const client = await openAccount({ 'invoice.number-format': { pattern: 'R{number:12}' } });
  expect((await client.post('/invoices', invoice)).valueAt('data.invoice_number')).toBe('R000000000001');
});

test('an invoice number pattern may contain the year of creation', async () => {
  const client = await openAccount({ 'invoice.number-format': { pattern: '{this_year}/{year}/{number}' } });
  const created = await client.post('/invoices', { ...invoice, date: '2020-01-01' });
  expect(created.valueAt('data.invoice_number')).toBe('2026/2020/1');
});

test('a generated invoice number skips numbers that are taken', async () => {
  const client = await openAccount({ 'invoice.number-format': { pattern: 'DEMO-{number:4}' } });
  // DEMO-0001 to DEMO-0009 exist.
  expect((await client.post('/invoices', invoice)).valueAt('data.invoice_number')).toBe('DEMO-0010');
});

test('a second release succeeds, even if the first release left the deposit captured', async () => {
  const client = await openAccount({ 'deposit.release-when': 'repeated', 'deposit.release-partial': 'captured' });
  expect((await client.post('/deposits/3/release')).valueAt('data.status')).toBe('captured');
  expect((await client.post('/deposits/3/release')).status).toBe(200);
});

test('a replay of a refused request has the status that the profile sets for invalid requests', async () => {
  const client = await openAccount({ 'deposit.key-failed': 'replayed', 'validation.status': '400-without-errors' });
  const headers = { 'Idempotency-Key': 'key-1' };
  const refused = await client.post('/deposits', {}, { headers });
  const replayed = await client.post('/deposits', deposit, { headers });
  expect([refused.status, replayed.status, replayed.valueAt('errors')]).toEqual([400, 400, undefined]);
});

test('accounts of one server have their own choices', async () => {
  const client = await openAccount({ 'decimal.encoding': 'string', 'list.order': 'oldest-first' });
  const otherClient = await openAccount({});
  // The oldest deposit has the amount 250, and the newest the amount 300.
  expect((await client.get('/deposits')).valueAt('data.data.0.amount')).toBe('250.00');
  expect((await otherClient.get('/deposits')).valueAt('data.data.0.amount')).toBe(300);
});

test('webhooks follow the choices for several gaps at once', async () => {
  const client = await openAccount({
    'event.payload': 'top-level',
    'event.digest': 'base64',
    'event.payment-signature': { header: 'X-Payment-Signature' },
    'event.invoice-payment': 'none',
    'event.order': 'none',
    'event.retries': 'none',
    'decimal.encoding': 'string',
    'deposit.id': 'uuid',
    'null.optional': 'absent',
    'payment.paid-at-unpaid': 'absent',
  });
  const receiver = await client.startReceiver(() => ({ status: 500 }));
  const created = await client.post('/deposits', deposit);
  await client.advance('1d');
  expect([client.payInvoice(2), client.payLink(1)]).toEqual(['paid', 'paid']);
  await client.advance('1d');
  const payment = await client.get('/payments?per_page=1');
  expect(receiver.messages().map(({ event, json }) => [event, json])).toEqual([
    ['deposit.created', created.valueAt('data')],
    ['payment.succeeded', payment.valueAt('data.data.0')],
  ]);
});
