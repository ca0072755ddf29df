import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountTokens, type Simulator, startSimulator } from '../../src/index.js';
import { countRecords, demoCounts } from '../support/counts.js';
import { expectServiceJson, invalidFieldBody } from '../support/envelope.js';
import { type ReceivedResponse, type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';

/**
 * Well-formed requests with invalid values, and the valid values next to them. Nearly all requests that must be refused
 * go to the `demo` account, which must stay unchanged. Requests that must create a record go to other accounts.
 */

const log: string[] = [];
let sim: Simulator;
/** Tokens of an account that has the records of `demo`, and also invoice 10 and deposit 8. */
let otherAccountTokens: AccountTokens;

beforeAll(async () => {
  sim = await startSimulator({
    now: '2026-03-01T09:00:00Z',
    randomSeed: 'bad values',
    rateLimit: false,
    log: (line) => log.push(line),
  });
  otherAccountTokens = await createAccount('demo');
  await post('/invoices', invoiceWith(), otherAccountTokens.full);
  await post('/deposits', '{"booking_reference":"BK-8","amount":1}', otherAccountTokens.full);
});

afterAll(() => sim.close());

let accountCount = 0;

/** Returns the tokens of the new account. */
async function createAccount(seed: 'demo' | 'empty'): Promise<AccountTokens> {
  accountCount += 1;
  const { tokens } = await sim.createAccount({ id: `account-${accountCount}`, seed, now: '2026-03-01T09:00:00Z' });
  return tokens;
}

const callService = (request: RequestToSend): Promise<ReceivedResponse> =>
  sendHttpRequest(sim.url, { ...request, path: `/api/v1${request.path}` });
const get = (path: string, token = 'demo_full'): Promise<ReceivedResponse> => callService({ path, token });
const post = (path: string, body: string, token = 'demo_full'): Promise<ReceivedResponse> =>
  callService({ method: 'POST', path, body, token });

/** JSON text of a valid invoice, with the fields of `changes` (name to JSON text) replaced or added. */
function invoiceWith(changes: Record<string, string> = {}): string {
  const item = '{"description":"Consulting","quantity":1,"unit_price":1}';
  return jsonObject({
    customer_id: '1',
    date: '"2025-02-01"',
    due_date: '"2025-03-01"',
    items: `[${item}]`,
    ...changes,
  });
}

/** Like `invoiceWith`, for an item of an invoice. */
function itemWith(changes: Record<string, string>): string {
  return jsonObject({ description: '"Consulting"', quantity: '1', unit_price: '100', ...changes });
}

/** Like `invoiceWith`, for a deposit. */
function depositWith(changes: Record<string, string>): string {
  return jsonObject({ booking_reference: '"BK-1"', amount: '1', ...changes });
}

/** JSON text of an object whose values are JSON text already, so that tests can write `1e400` or `-0`. */
function jsonObject(fields: Record<string, string>): string {
  return `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
}

const invoiceNotFound = { success: false, error: 'Invoice not found' };
const depositNotFound = { success: false, error: 'Deposit not found' };

describe.each([
  '0',
  '-1',
  '-0',
  '001',
  '1.5',
  '1.0',
  '1e0',
  '0x1',
  '99999999999999999999',
  '9007199254740993',
  '__proto__',
  'constructor',
  'abc',
  '%20',
  '1%20',
  // The fullwidth digit 1.
  '%EF%BC%91',
  // The id of an invoice in another account only.
  '10',
  'null',
])('the id %s', (id) => {
  test('is not found as an invoice', async () => {
    expectServiceJson(await get(`/invoices/${id}`), 404, invoiceNotFound);
  });

  test('is not found for a reminder', async () => {
    expectServiceJson(await post(`/invoices/${id}/reminder`, ''), 404, invoiceNotFound);
  });

  test('is not found as a deposit', async () => {
    expectServiceJson(await get(`/deposits/${id}`), 404, depositNotFound);
  });

  test('is not found for a capture', async () => {
    expectServiceJson(await post(`/deposits/${id}/capture`, '{}'), 404, depositNotFound);
  });

  test('is not found for a release', async () => {
    expectServiceJson(await post(`/deposits/${id}/release`, ''), 404, depositNotFound);
  });
});

describe('a record of another account', () => {
  test.each([
    ['GET', '/invoices/10', invoiceNotFound],
    ['POST', '/invoices/10/reminder', invoiceNotFound],
    ['GET', '/deposits/8', depositNotFound],
    ['POST', '/deposits/8/capture', depositNotFound],
    ['POST', '/deposits/8/release', depositNotFound],
  ])('is not found by %s %s', async (method, path, body) => {
    expectServiceJson(await callService({ method, path, token: 'demo_full' }), 404, body);
  });

  test.each(['/invoices/10', '/deposits/8'])("is found with that account's token at %s", async (path) => {
    const { status } = await get(path, otherAccountTokens.full);
    expect(status).toBe(200);
  });
});

describe.each(['/invoices', '/payment-links', '/payments', '/deposits'])('the list %s', (path) => {
  test.each([
    ['per_page=0', 'per_page', 'The per page field must be at least 1.'],
    ['per_page=-1', 'per_page', 'The per page field must be at least 1.'],
    ['per_page=025', 'per_page', 'The per page field must be an integer.'],
    ['per_page=1e3', 'per_page', 'The per page field must be an integer.'],
    ['per_page=1.5', 'per_page', 'The per page field must be an integer.'],
    ['per_page=1.0', 'per_page', 'The per page field must be an integer.'],
    ['per_page=abc', 'per_page', 'The per page field must be an integer.'],
    ['per_page=%2B1', 'per_page', 'The per page field must be an integer.'],
    ['per_page=%ZZ', 'per_page', 'The per page field must be an integer.'],
    ['per_page=1&per_page=2', 'per_page', 'The per page field must be an integer.'],
    ['per_page=-99999999999999999999', 'per_page', 'The per page field must be at least 1.'],
    ['page=0', 'page', 'The page field must be at least 1.'],
    ['page=-1', 'page', 'The page field must be at least 1.'],
    ['page=1e3', 'page', 'The page field must be an integer.'],
    ['page=abc', 'page', 'The page field must be an integer.'],
    ['page=1&page=1', 'page', 'The page field must be an integer.'],
  ])('refuses %s', async (query, field, message) => {
    expectServiceJson(await get(`${path}?${query}`), 422, invalidFieldBody(field, message));
  });

  test('reports an invalid per_page and an invalid page in one response', async () => {
    expectServiceJson(await get(`${path}?per_page=0&page=abc`), 422, {
      success: false,
      error: 'The per page field must be at least 1. (and 1 more error)',
      errors: {
        per_page: ['The per page field must be at least 1.'],
        page: ['The page field must be an integer.'],
      },
    });
  });

  test.each(['per_page[]=1', 'PER_PAGE=0', '__proto__=1', 'constructor=1', 'limit=0', '&&', '='])(
    'ignores %s',
    async (query) => {
      const [withQuery, withoutQuery] = await Promise.all([get(`${path}?${query}`), get(path)]);
      expect(withQuery.text).toBe(withoutQuery.text);
    },
  );
});

describe('an empty list', () => {
  let emptyAccountTokens: AccountTokens;
  beforeAll(async () => {
    emptyAccountTokens = await createAccount('empty');
  });

  test.each([
    ['/invoices?per_page=101', { current_page: 1, data: [], per_page: 100, total: 0, last_page: 1 }],
    ['/payment-links?per_page=101', { current_page: 1, data: [], per_page: 100, total: 0, last_page: 1 }],
    ['/payments?per_page=101', { current_page: 1, data: [], per_page: 100, total: 0, last_page: 1 }],
    ['/deposits?per_page=101', { current_page: 1, data: [], per_page: 100, total: 0, last_page: 1 }],
    ['/deposits?per_page=99999999999999999999', { current_page: 1, data: [], per_page: 100, total: 0, last_page: 1 }],
    ['/invoices?page=101', { current_page: 101, data: [], per_page: 25, total: 0, last_page: 1 }],
    [
      '/payments?page=9007199254740991&per_page=100',
      { current_page: 9007199254740991, data: [], per_page: 100, total: 0, last_page: 1 },
    ],
    [
      `/invoices?page=${'9'.repeat(400)}`,
      { current_page: 9007199254740991, data: [], per_page: 25, total: 0, last_page: 1 },
    ],
  ])('is returned for %s', async (path, data) => {
    expectServiceJson(await get(path, emptyAccountTokens.full), 200, { success: true, data });
  });
});

const badDates = [
  '"2025-02-30"',
  '"2025-2-3"',
  '"2025-02-03T00:00:00Z"',
  '"2025-02-03 "',
  '"03.02.2025"',
  '"20250203"',
  '"2025-13-01"',
  '"2025-02-00"',
  '"2023-02-29"',
  '"+2025-02-03"',
];

describe.each(badDates)('the date %s', (value) => {
  test.each([
    ['/invoices', 'date', 'The date field must match the format Y-m-d.'],
    ['/deposits', 'check_in_date', 'The check in date field must match the format Y-m-d.'],
    ['/deposits', 'check_out_date', 'The check out date field must match the format Y-m-d.'],
  ])('is refused by %s in %s', async (path, field, message) => {
    const body =
      path === '/invoices'
        ? invoiceWith({ due_date: '"9999-12-31"', [field]: value })
        : depositWith({ [field]: value });
    expectServiceJson(await post(path, body), 422, invalidFieldBody(field, message));
  });

  test.each([
    ['from', 'The from field must match the format Y-m-d.'],
    ['to', 'The to field must match the format Y-m-d.'],
  ])('is refused by /payments in %s', async (field, message) => {
    const text = encodeURIComponent(JSON.parse(value));
    expectServiceJson(await get(`/payments?${field}=${text}`), 422, invalidFieldBody(field, message));
  });
});

describe.each(['20250203', 'true', '[]', '{}'])('the non-string date %s', (value) => {
  test.each([
    ['/invoices', 'date', 'The date field must be a string.'],
    ['/invoices', 'due_date', 'The due date field must be a string.'],
    ['/deposits', 'check_in_date', 'The check in date field must be a string.'],
    ['/deposits', 'check_out_date', 'The check out date field must be a string.'],
  ])('is refused by %s in %s', async (path, field, message) => {
    const body = path === '/invoices' ? invoiceWith({ [field]: value }) : depositWith({ [field]: value });
    expectServiceJson(await post(path, body), 422, invalidFieldBody(field, message));
  });
});

describe.each(['""', 'null'])('the required date %s', (value) => {
  test.each([
    ['date', 'The date field must'],
    ['due_date', 'The due date field must'],
  ])('is refused by /invoices in %s', async (field, message) => {
    const { status, text } = await post('/invoices', invoiceWith({ [field]: value }));
    expect([status, JSON.parse(text).errors[field]]).toEqual([
      422,
      expect.arrayContaining([expect.stringContaining(message)]),
    ]);
  });
});

describe.each(['"today"', '"٢٠٢٥-٠٢-٠٣"'])('the invalid date %s, which sorts after every valid date,', (value) => {
  test('is refused by /invoices in due_date', async () => {
    const message = 'The due date field must match the format Y-m-d.';
    expectServiceJson(
      await post('/invoices', invoiceWith({ due_date: value })),
      422,
      invalidFieldBody('due_date', message),
    );
  });
});

describe('two dates', () => {
  test('of an invoice must be in order', async () => {
    const body = invoiceWith({ date: '"2025-03-01"', due_date: '"2025-02-28"' });
    const message = 'The due date field must be a date after or equal to date.';
    expectServiceJson(await post('/invoices', body), 422, invalidFieldBody('due_date', message));
  });

  test('of a deposit must be in order', async () => {
    const body = depositWith({ check_in_date: '"2025-03-01"', check_out_date: '"2025-02-28"' });
    const message = 'The check out date field must be a date after or equal to check in date.';
    expectServiceJson(await post('/deposits', body), 422, invalidFieldBody('check_out_date', message));
  });

  test('may be equal', async () => {
    const { full } = await createAccount('demo');
    const invoice = await post('/invoices', invoiceWith({ date: '"2025-03-01"', due_date: '"2025-03-01"' }), full);
    const days = { check_in_date: '"2025-03-01"', check_out_date: '"2025-03-01"' };
    const deposit = await post('/deposits', depositWith(days), full);
    expect([invoice.status, deposit.status]).toStrictEqual([201, 201]);
  });

  test('in reverse order match no payments when they are used as filters', async () => {
    expectServiceJson(await get('/payments?from=2026-03-01&to=2026-01-01'), 200, {
      success: true,
      data: { current_page: 1, data: [], per_page: 25, total: 0, last_page: 1 },
    });
  });
});

describe.each(['/payment-links', '/deposits', '/deposits/2/capture'])('the amount sent to %s', (path) => {
  test.each([
    ['"10"', 'The amount field must be a number.'],
    ['"NaN"', 'The amount field must be a number.'],
    ['"1e2"', 'The amount field must be a number.'],
    ['""', 'The amount field must be a number.'],
    ['true', 'The amount field must be a number.'],
    ['[1]', 'The amount field must be a number.'],
    ['1e400', 'The amount field must be a number.'],
    ['-1e400', 'The amount field must be a number.'],
    ['10.005', 'The amount field must have 0-2 decimal places.'],
    ['0.001', 'The amount field must have 0-2 decimal places.'],
    ['5e-324', 'The amount field must have 0-2 decimal places.'],
    ['0.30000000000000004', 'The amount field must have 0-2 decimal places.'],
    ['1000000', 'The amount field must not be greater than 999999.99.'],
    ['1e308', 'The amount field must not be greater than 999999.99.'],
    ['0', 'The amount field must be greater than 0.'],
    ['-0', 'The amount field must be greater than 0.'],
    ['-1', 'The amount field must be greater than 0.'],
  ])('may not be %s', async (amount, message) => {
    const body = `{"description":"a","booking_reference":"a","amount":${amount}}`;
    // The body of a capture names no currency. Before the deposit is looked up, an amount is refused for its decimal
    // places only if it has more than three, the most that any currency allows. The error then says 0-3.
    const isInvalidInEveryCurrency = path.endsWith('capture') && ['5e-324', '0.30000000000000004'].includes(amount);
    const expected = isInvalidInEveryCurrency ? message.replace('0-2', '0-3') : message;
    expectServiceJson(await post(path, body), 422, invalidFieldBody('amount', expected));
  });
});

test.each(['/payment-links', '/deposits'])('the required amount sent to %s may not be null', async (path) => {
  const body = '{"description":"a","booking_reference":"a","amount":null}';
  expectServiceJson(await post(path, body), 422, invalidFieldBody('amount', 'The amount field must be a number.'));
});

// A capture has no field `currency`, so the currency of the deposit determines the decimal places.
test.each(['{"amount":450.01}', '{"amount":450.01,"currency":"JPY"}', '{"amount":450.01,"currency":5}'])(
  'a capture may not exceed the remaining amount: %s',
  async (body) => {
    expectServiceJson(await post('/deposits/2/capture', body), 422, {
      success: false,
      error: 'Amount exceeds the remaining authorization',
    });
  },
);

test.each([
  // [amount as sent, amount in the response]
  ['0.01', 0.01],
  ['999999.99', 999999.99],
  ['1e2', 100],
  ['19.90', 19.9],
  ['1.0', 1],
])('the amount %s is accepted', async (amount, returned) => {
  const { full } = await createAccount('empty');
  const { text } = await post('/payment-links', `{"description":"a","amount":${amount}}`, full);
  expect(JSON.parse(text).data.amount).toBe(returned);
});

describe('an item', () => {
  test.each([
    ['quantity', '0', 'The items.0.quantity field must be at least 0.01.'],
    ['quantity', '-1', 'The items.0.quantity field must be at least 0.01.'],
    ['quantity', '"1"', 'The items.0.quantity field must be a number.'],
    ['quantity', '1e400', 'The items.0.quantity field must be a number.'],
    ['quantity', '0.011', 'The items.0.quantity field must have 0-2 decimal places.'],
    ['quantity', '1000000', 'The items.0.quantity field must not be greater than 999999.99.'],
    ['unit_price', '-0.01', 'The items.0.unit_price field must be at least 0.'],
    ['unit_price', '"1"', 'The items.0.unit_price field must be a number.'],
    ['unit_price', '1e400', 'The items.0.unit_price field must be a number.'],
    ['unit_price', '0.001', 'The items.0.unit_price field must have 0-2 decimal places.'],
    ['unit_price', '1000000', 'The items.0.unit_price field must not be greater than 999999.99.'],
    ['tax_rate', '-1', 'The items.0.tax_rate field must be at least 0.'],
    ['tax_rate', '100.01', 'The items.0.tax_rate field must not be greater than 100.'],
    ['tax_rate', '"20"', 'The items.0.tax_rate field must be a number.'],
    ['description', '""', 'The items.0.description field is required.'],
    ['description', '1', 'The items.0.description field must be a string.'],
    ['description', 'null', 'The items.0.description field must be a string.'],
  ])('may not have the %s %s', async (field, value, message) => {
    const body = invoiceWith({ items: `[${itemWith({ [field]: value })}]` });
    expectServiceJson(await post('/invoices', body), 422, invalidFieldBody(`items.0.${field}`, message));
  });

  test('with the quantity 0.009 violates two rules, and both are reported', async () => {
    const body = invoiceWith({ items: `[${itemWith({ quantity: '0.009' })}]` });
    expectServiceJson(await post('/invoices', body), 422, {
      success: false,
      error: 'The items.0.quantity field must be at least 0.01. (and 1 more error)',
      errors: {
        'items.0.quantity': [
          'The items.0.quantity field must be at least 0.01.',
          'The items.0.quantity field must have 0-2 decimal places.',
        ],
      },
    });
  });

  test.each([
    ['0.01', '100', 1],
    ['1', '0', 0],
    ['1', '999999.99', 999999.99],
  ])('may have the quantity %s and the unit price %s', async (quantity, price, amount) => {
    const { full } = await createAccount('demo');
    const body = invoiceWith({ items: `[${itemWith({ quantity, unit_price: price })}]` });
    const { text } = await post('/invoices', body, full);
    expect(JSON.parse(text).data.amount).toBe(amount);
  });
});

describe('the items of an invoice', () => {
  test.each([
    ['[]', 'The items field must have at least 1 items.'],
    ['{}', 'The items field must be an array.'],
    ['{"0":{"description":"a","quantity":1,"unit_price":1}}', 'The items field must be an array.'],
    ['null', 'The items field must be an array.'],
    ['"a"', 'The items field must be an array.'],
  ])('may not be %s', async (items, message) => {
    expectServiceJson(await post('/invoices', invoiceWith({ items })), 422, invalidFieldBody('items', message));
  });

  test.each(['1', 'null', '[]', '"a"'])('may not contain %s', async (item) => {
    const message = 'The items.0 field must be an object.';
    expectServiceJson(
      await post('/invoices', invoiceWith({ items: `[${item}]` })),
      422,
      invalidFieldBody('items.0', message),
    );
  });

  test('may not exceed the maximum amount in total', async () => {
    const item = itemWith({ unit_price: '999999.99', quantity: '2' });
    const message = 'The total of the items must not be greater than 999999.99.';
    expectServiceJson(
      await post('/invoices', invoiceWith({ items: `[${item}]` })),
      422,
      invalidFieldBody('items', message),
    );
  });

  test('may not number 10,000, because the body would exceed 100 kB', async () => {
    const items = Array(10_000).fill('{"description":"a","quantity":1,"unit_price":1}');
    expectServiceJson(await post('/invoices', invoiceWith({ items: `[${items.join()}]` })), 413, {
      success: false,
      error: 'The request body is larger than 100 kB.',
    });
  });

  test('may number 2,000', async () => {
    const { full } = await createAccount('demo');
    const items = Array(2_000).fill('{"description":"a","quantity":1,"unit_price":1}');
    const { text } = await post('/invoices', invoiceWith({ items: `[${items.join()}]` }), full);
    expect(JSON.parse(text).data).toMatchObject({ amount: 2000, invoice_items: { length: 2000 } });
  });

  test('are refused if 33,000 of them are empty, and the response lists 100 of the errors', async () => {
    const items = Array(33_000).fill('{}');
    const { status, text } = await post('/invoices', invoiceWith({ items: `[${items.join()}]` }));
    const { error, errors } = JSON.parse(text);
    expect({ status, error, listed: Object.keys(errors).length }).toEqual({
      status: 422,
      error: 'The items.0.description field is required. (and 98999 more errors)',
      listed: 100,
    });
  });
});

describe('the customer id of an invoice', () => {
  test.each([
    ['5', 'The selected customer id is invalid.'],
    ['9007199254740991', 'The selected customer id is invalid.'],
    ['99999999999999999999', 'The selected customer id is invalid.'],
    ['0', 'The customer id field must be at least 1.'],
    ['-1', 'The customer id field must be at least 1.'],
    ['1.5', 'The customer id field must be an integer.'],
    ['"1"', 'The customer id field must be an integer.'],
    ['"__proto__"', 'The customer id field must be an integer.'],
    ['null', 'The customer id field must be an integer.'],
    ['[1]', 'The customer id field must be an integer.'],
    ['1e400', 'The customer id field must be an integer.'],
  ])('may not be %s', async (id, message) => {
    expectServiceJson(
      await post('/invoices', invoiceWith({ customer_id: id })),
      422,
      invalidFieldBody('customer_id', message),
    );
  });

  test('is refused with a hint how to list customers, which the service cannot do', async () => {
    const response = await post('/invoices', invoiceWith({ customer_id: '5' }));
    expect(response.headers['x-sim-hint']).toMatch(
      /^the account has no customer 5; billing-sim customer list --account [\w-]+ shows its customers$/,
    );
  });

  test('may not be the id of a customer in another account', async () => {
    const { full } = await createAccount('empty');
    const response = await post('/invoices', invoiceWith({ customer_id: '1' }), full);
    expectServiceJson(response, 422, invalidFieldBody('customer_id', 'The selected customer id is invalid.'));
  });
});

describe('a currency', () => {
  test.each([
    ['"eur"', 'The selected currency is invalid.'],
    ['"EURO"', 'The selected currency is invalid.'],
    ['"XXX"', 'The selected currency is invalid.'],
    ['""', 'The selected currency is invalid.'],
    ['"__proto__"', 'The selected currency is invalid.'],
  ])('may not be %s', async (currency, message) => {
    const body = `{"description":"a","amount":1,"currency":${currency}}`;
    expectServiceJson(await post('/payment-links', body), 422, invalidFieldBody('currency', message));
  });
});

const texts: [string, string][] = [
  ['an emoji of seven code points', '👩‍👩‍👧‍👦 Café'],
  ['Hebrew and Arabic', 'שלום עולם · السلام عليكم'],
  ['a right-to-left override', 'invoice\u202Efdp.exe'],
  ['a letter and a combining accent', 'e\u0301'],
  ['a ligature', 'ﬁ'],
  ['markup', '<script>alert("1")</script>&amp;'],
  ['quotes and backslashes', `"'\\ \\u0000 \\n`],
  ['line breaks and tabs', '\r\n\t\v\f'],
  ['the line separators of Unicode', '\u2028\u2029'],
  ['a byte order mark', '\uFEFFa\uFEFF'],
  ['control characters other than NUL', '\u0001\u001B[31m\u007F\u0085'],
  ['non-characters', '\uFFFE\uFFFF\u{1FFFF}'],
  ['the last code point', '\u{10FFFF}'],
  ['leading and trailing spaces', '  a  '],
  ['template syntax', '{{7*7}} <%= 7*7 %> %s %00'],
  ['SQL', "Robert'); DROP TABLE invoices;--"],
  ['255 emoji', '🚀'.repeat(255)],
];

describe.each(texts)('a string with %s', (_name, value) => {
  let tokens: AccountTokens;
  beforeAll(async () => {
    tokens = await createAccount('demo');
  });

  test('is returned unchanged by a payment link', async () => {
    const created = await post('/payment-links', JSON.stringify({ description: value, amount: 1 }), tokens.full);
    const listed = await get('/payment-links?per_page=1', tokens.full);
    expect([JSON.parse(created.text).data.description, JSON.parse(listed.text).data.data[0].description]).toStrictEqual(
      [value, value],
    );
  });

  test('is returned unchanged by a deposit', async () => {
    const deposit = {
      booking_reference: value,
      amount: 1,
      customer: { name: value },
      metadata: { [value.slice(0, 40)]: value },
    };
    const created = await post('/deposits', JSON.stringify(deposit), tokens.full);
    const listed = await get(`/deposits?booking_reference=${encodeURIComponent(value)}`, tokens.full);
    const returned = {
      booking_reference: value,
      customer: { name: value, email: null },
      metadata: { [value.slice(0, 40)]: value },
    };
    expect([JSON.parse(created.text).data, JSON.parse(listed.text).data.data[0]]).toMatchObject([returned, returned]);
  });

  test('is returned unchanged by an invoice', async () => {
    const item = { description: value, quantity: 1, unit_price: 1 };
    const invoice = {
      customer_id: 1,
      date: '2025-02-01',
      due_date: '2025-03-01',
      // An invoice number that consists of spaces counts as omitted (gap invoice.number-blank).
      invoice_number: value.trim() === '' ? `N${value}` : value,
      reference: value,
      notes: value,
      items: [item],
    };
    const created = await post('/invoices', JSON.stringify(invoice), tokens.full);
    const listed = await get('/invoices?per_page=1', tokens.full);
    const read = await get(`/invoices/${JSON.parse(created.text).data.id}`, tokens.full);
    const { invoice_number } = invoice;
    const returned = { invoice_number, reference: value, invoice_items: [{ description: value }] };
    expect([
      JSON.parse(created.text).data,
      JSON.parse(listed.text).data.data[0],
      JSON.parse(read.text).data,
    ]).toMatchObject([returned, returned, { ...returned, notes: value }]);
  });
});

describe.each([
  ['only a NUL', '\\u0000'],
  ['a NUL inside', 'a\\u0000b'],
  ['a lone high surrogate', 'a\\ud800'],
  ['a lone low surrogate', '\\udc00b'],
  ['two surrogates in the wrong order', '\\udc00\\ud800'],
])('a string with %s', (_name, value) => {
  test.each([
    [
      '/payment-links',
      'description',
      `{"description":"${value}","amount":1}`,
      'The description field contains invalid characters.',
    ],
    [
      '/deposits',
      'booking_reference',
      depositWith({ booking_reference: `"${value}"` }),
      'The booking reference field contains invalid characters.',
    ],
    [
      '/deposits',
      'customer.name',
      depositWith({ customer: `{"name":"${value}"}` }),
      'The customer.name field contains invalid characters.',
    ],
    [
      '/deposits',
      'metadata.a',
      depositWith({ metadata: `{"a":"${value}"}` }),
      'The metadata.a field contains invalid characters.',
    ],
    [
      '/deposits/2/capture',
      'description',
      `{"description":"${value}"}`,
      'The description field contains invalid characters.',
    ],
    [
      '/invoices',
      'reference',
      invoiceWith({ reference: `"${value}"` }),
      'The reference field contains invalid characters.',
    ],
    ['/invoices', 'notes', invoiceWith({ notes: `"${value}"` }), 'The notes field contains invalid characters.'],
    [
      '/invoices',
      'items.0.description',
      invoiceWith({ items: `[${itemWith({ description: `"${value}"` })}]` }),
      'The items.0.description field contains invalid characters.',
    ],
  ])('is refused by %s in %s', async (path, field, body, message) => {
    expectServiceJson(await post(path, body), 422, invalidFieldBody(field, message));
  });
});

describe('a string that is too long', () => {
  test.each([
    [
      '/payment-links',
      'description',
      JSON.stringify({ description: '🚀'.repeat(256), amount: 1 }),
      'The description field must not be greater than 255 characters.',
    ],
    [
      '/payment-links',
      'description',
      JSON.stringify({ description: 'a'.repeat(90_000), amount: 1 }),
      'The description field must not be greater than 255 characters.',
    ],
    [
      '/invoices',
      'notes',
      invoiceWith({ notes: `"${'a'.repeat(5001)}"` }),
      'The notes field must not be greater than 5000 characters.',
    ],
  ])('is refused by %s in %s', async (path, field, body, message) => {
    expectServiceJson(await post(path, body), 422, invalidFieldBody(field, message));
  });
});

describe('a filter', () => {
  test.each([
    ['/payments?description=%00', 'description', 'The description field contains invalid characters.'],
    ['/payments?description=a&description=b', 'description', 'The description field must be a string.'],
    ['/payments?status=PAID', 'status', 'The selected status is invalid.'],
    ['/deposits?status=__proto__', 'status', 'The selected status is invalid.'],
    [
      '/deposits?booking_reference=%00',
      'booking_reference',
      'The booking reference field contains invalid characters.',
    ],
  ])('%s is refused', async (path, field, message) => {
    expectServiceJson(await get(path), 422, invalidFieldBody(field, message));
  });

  test.each([
    '/payments?description=.*',
    '/payments?description=%25',
    '/payments?description=__proto__',
    '/deposits?booking_reference=constructor',
  ])('%s is compared as plain text, and matches nothing', async (path) => {
    expectServiceJson(await get(path), 200, {
      success: true,
      data: { current_page: 1, data: [], per_page: 25, total: 0, last_page: 1 },
    });
  });
});

test.each([
  ['a key __proto__', '{"__proto__":{"booking_reference":"BK-1","amount":1}}'],
  ['a key constructor', '{"constructor":{"prototype":{"booking_reference":"BK-1","amount":1}}}'],
])('required fields are not read from %s of the body', async (_name, body) => {
  expectServiceJson(await post('/deposits', body), 422, {
    success: false,
    error: 'The booking reference field is required. (and 1 more error)',
    errors: {
      booking_reference: ['The booking reference field is required.'],
      amount: ['The amount field is required.'],
    },
  });
});

describe('metadata', () => {
  const metadataWithKeys = (count: number): string =>
    jsonObject(Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, '1'])));

  test.each([
    ['51 keys', metadataWithKeys(51), 'metadata', 'The metadata field must not have more than 50 items.'],
    [
      'a key of 41 characters',
      `{"${'k'.repeat(41)}":1}`,
      `metadata.${'k'.repeat(41)}`,
      `The metadata.${'k'.repeat(41)} field must not be greater than 40 characters.`,
    ],
    [
      'a value of 501 characters',
      `{"a":"${'v'.repeat(501)}"}`,
      'metadata.a',
      'The metadata.a field must not be greater than 500 characters.',
    ],
    ['an object as a value', '{"a":{"b":1}}', 'metadata.a', 'The metadata.a field must be valid.'],
    ['an array as a value', '{"a":[1]}', 'metadata.a', 'The metadata.a field must be valid.'],
    [
      'objects nested 10,000 levels deep',
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      'metadata.a',
      'The metadata.a field must be valid.',
    ],
    [
      'an object named __proto__',
      '{"__proto__":{"polluted":true}}',
      'metadata.__proto__',
      'The metadata.__proto__ field must be valid.',
    ],
    [
      'an object named constructor',
      '{"constructor":{"prototype":{"polluted":true}}}',
      'metadata.constructor',
      'The metadata.constructor field must be valid.',
    ],
    ['a number too large for JavaScript', '{"a":1e400}', 'metadata.a', 'The metadata.a field must be valid.'],
    [
      'an invalid value under a key with slashes',
      '{"a/b~c":[]}',
      'metadata.a/b~c',
      'The metadata.a/b~c field must be valid.',
    ],
    [
      'an invalid value under a key of many digits',
      '{"99999999999999999999":[]}',
      'metadata.99999999999999999999',
      'The metadata.99999999999999999999 field must be valid.',
    ],
    [
      'an invalid value under a key with leading zeros',
      '{"007":[]}',
      'metadata.007',
      'The metadata.007 field must be valid.',
    ],
  ])('may not have %s', async (_name, metadata, field, message) => {
    expectServiceJson(await post('/deposits', depositWith({ metadata })), 422, invalidFieldBody(field, message));
  });

  test.each(['[]', '"a"', '1'])('may not be %s', async (metadata) => {
    const message = 'The metadata field must be an object.';
    expectServiceJson(await post('/deposits', depositWith({ metadata })), 422, invalidFieldBody('metadata', message));
  });

  test.each([
    ['50 keys', metadataWithKeys(50)],
    ['a key of 40 characters', `{"${'k'.repeat(40)}":1}`],
    ['a value of 500 characters', `{"a":"${'v'.repeat(500)}"}`],
    ['a value of 500 emoji', `{"a":"${'🚀'.repeat(500)}"}`],
    ['an empty key', '{"":""}'],
    ['every kind of value', '{"text":"a","number":1.005,"yes":true,"no":false,"nothing":null}'],
    ['keys that objects inherit', '{"__proto__":"a","constructor":"b","toString":null,"hasOwnProperty":1}'],
  ])('may have %s, which is returned unchanged', async (_name, metadata) => {
    const { full } = await createAccount('empty');
    const created = await post('/deposits', depositWith({ metadata }), full);
    const listed = await get('/deposits', full);
    expect([created.text, listed.text]).toStrictEqual([
      expect.stringContaining(`"metadata":${metadata},`),
      expect.stringContaining(`"metadata":${metadata},`),
    ]);
  });

  test('cannot pollute Object.prototype', () => {
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toStrictEqual([
      '__defineGetter__',
      '__defineSetter__',
      '__lookupGetter__',
      '__lookupSetter__',
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'isPrototypeOf',
      'propertyIsEnumerable',
      'toLocaleString',
      'toString',
      'valueOf',
    ]);
  });
});

describe('after all these requests', () => {
  test('the server still answers', async () => {
    const { status } = await get('/invoices/stats');
    expect(status).toBe(200);
  });

  test('the `demo` account has as many records as before', async () => {
    expect(await countRecords(sim.url, 'demo_full')).toStrictEqual(demoCounts);
  });

  test('the other account has as many records as `demo`, plus the invoice and the deposit that were added', async () => {
    const counts = { ...demoCounts, invoices: demoCounts.invoices + 1, deposits: demoCounts.deposits + 1 };
    expect(await countRecords(sim.url, otherAccountTokens.full)).toStrictEqual(counts);
  });

  test('deposit 2, whose captures were all refused, is unchanged', async () => {
    const { text } = await get('/deposits/2');
    expect(JSON.parse(text).data).toMatchObject({ status: 'authorized', captured_amount: 0, remaining_amount: 450 });
  });

  test('the simulator has reported no internal errors', () => {
    expect(log).toStrictEqual([]);
  });
});
