import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { demoCounts } from '../support/counts.js';

/** Examples of what the specification says about most endpoints. */
describe('the service', () => {
  let sim: Simulator;
  const get = (path: string) => request(sim.baseUrl).get(path).auth('demo_full', { type: 'bearer' });
  const post = (path: string, body?: object) =>
    request(sim.baseUrl).post(path).auth('demo_full', { type: 'bearer' }).send(body);
  const invoice = {
    customer_id: 1,
    date: '2026-03-01',
    due_date: '2026-03-31',
    items: [{ description: 'Work', quantity: 3, unit_price: 33.33, tax_rate: 19.6 }],
  };
  beforeAll(async () => {
    sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
  });
  afterAll(() => sim.close());

  describe('POST /invoices', () => {
    test('responds with 201, the message, the fields that GET /invoices returns, and status pending', async () => {
      const { status, body } = await post('/invoices', { ...invoice, reference: 'PO-1' });
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          success: true,
          message: 'Invoice created successfully',
          data: {
            id: expect.any(Number),
            invoice_number: 'INV-2026-00001',
            reference: 'PO-1',
            amount: 119.59,
            currency: 'EUR',
            status: 'pending',
            date: '2026-03-01',
            due_date: '2026-03-31',
            customer: {
              id: 1,
              name: 'Ada Lovelace',
              email: 'ada@analytical-engines.example',
              company: 'Analytical Engines Ltd',
            },
            invoice_items: [{ description: 'Work', quantity: 3, unit_price: 33.33, tax_rate: 19.6, total: 119.59 }],
          },
        },
      });
    });

    test('numbers invoices consecutively, skipping numbers that clients chose', async () => {
      const numbers = [];
      for (const invoice_number of [undefined, 'INV-2026-00004', undefined, undefined]) {
        numbers.push((await post('/invoices', { ...invoice, invoice_number })).body.data.invoice_number);
      }
      expect(numbers).toEqual(['INV-2026-00002', 'INV-2026-00004', 'INV-2026-00003', 'INV-2026-00005']);
    });

    test('uses a tax rate of 0 by default', async () => {
      const items = [
        { description: 'A', quantity: 1, unit_price: 0.1 },
        { description: 'B', quantity: 1, unit_price: 0.2 },
      ];
      const { body } = await post('/invoices', { ...invoice, items });
      expect([body.data.amount, body.data.invoice_items[0].tax_rate]).toEqual([0.3, 0]);
    });
  });

  test('GET /invoices/{invoice} adds the notes, all customer fields, transactions and subscription', async () => {
    const { body } = await get('/invoices/5');
    expect(body.data).toMatchObject({
      notes: 'Thank you.',
      customer: { phone: null, address: null, city: null, postal_code: null, country: null },
      transactions: [
        {
          id: 6,
          amount: 250,
          currency: 'EUR',
          payment_method: 'card',
          status: 'paid',
          reference: 'PAY-000006',
          created_at: '2026-02-23T09:00:00+00:00',
        },
      ],
      subscription: { id: 1, name: 'Compiler maintenance', interval: 'month', status: 'active' },
    });
  });

  test('GET /invoices/overdue returns the days overdue, and a link unless a payment is in progress', async () => {
    const { body } = await get('/invoices/overdue');
    expect(body).toMatchObject({ success: true, count: 2, total_outstanding: 912, currency: 'EUR' });
    expect(
      body.data.map(({ id, days_overdue, payment_link }: Record<string, unknown>) => [id, days_overdue, payment_link]),
    ).toEqual([
      [8, 10, null],
      [7, 15, `${sim.url}/pay/inv_7`],
    ]);
  });

  test.each([
    ['an overdue', 7, 200, { success: true, message: 'Invoice reminder sent successfully' }],
    ['a paid', 5, 400, { success: false, error: 'Invoice is already paid' }],
    ['an unknown', 999, 404, { success: false, error: 'Invoice not found' }],
  ])('POST /invoices/{invoice}/reminder for %s invoice (%i) responds with %i', async (_which, id, status, body) => {
    expect(await post(`/invoices/${id}/reminder`)).toMatchObject({ status, body });
  });

  describe('POST /payment-links', () => {
    test('derives the slug from the description, with -2, -3 and so on if it is taken', async () => {
      const urls = [];
      for (const description of ['Room 7', 'ROOM 7', 'Room 7-2', 'room-7', 'Room 7']) {
        urls.push((await post('/payment-links', { description, amount: 10 })).body.data.url.replace(sim.url, ''));
      }
      expect(urls).toEqual(['/pay/room-7', '/pay/room-7-2', '/pay/room-7-2-2', '/pay/room-7-3', '/pay/room-7-4']);
    });

    test('gives links that are created at the same time different slugs', async () => {
      const links = await Promise.all(
        Array.from({ length: 30 }, () => post('/payment-links', { description: 'Rush', amount: 1 })),
      );
      const slugs = links.map(({ body }) => body.data.url.replace(`${sim.url}/pay/`, ''));
      const expected = ['rush', ...Array.from({ length: 29 }, (_, index) => `rush-${index + 2}`)];
      expect(slugs.sort()).toEqual(expected.sort());
    });
  });

  describe('GET /payments', () => {
    test.each([
      ['description=consulting', [2, 1]],
      ['status=pending', [8, 3]],
      ['from=2026-02-20&to=2026-02-23', [6, 7]],
      ['description=ATELIER&status=paid', [5]],
      ['from=2026-03-01', [4]],
      ['to=2026-02-02', [2, 1]],
      ['description=nothing', []],
    ])('?%s returns the payments %j', async (query, ids) => {
      const { body } = await get(`/payments?${query}`);
      expect(body.data.data.map(({ id }: { id: number }) => id).sort()).toEqual([...ids].sort());
    });
  });

  describe('a deposit', () => {
    test('is created once by concurrent requests with the same Idempotency-Key, which all return it', async () => {
      const createDeposit = () =>
        post('/deposits', { booking_reference: 'BK-9', amount: 80 }).set('Idempotency-Key', 'k9');
      const [first, ...others] = await Promise.all([createDeposit(), createDeposit(), createDeposit()]);
      expect(others.map(({ status, text }) => [status, text])).toEqual([
        [201, first?.text],
        [201, first?.text],
      ]);
      expect((await get('/deposits?booking_reference=BK-9')).body.data.total).toBe(1);
    });

    test('is not captured beyond its authorized amount by concurrent captures', async () => {
      // 450 is authorized, which is enough for seven captures of 60.
      const captures = await Promise.all(Array.from({ length: 20 }, () => post('/deposits/2/capture', { amount: 60 })));
      expect(captures.filter(({ status }) => status === 200)).toHaveLength(7);
      expect(captures.filter(({ status }) => status === 422)).toHaveLength(13);
      expect((await get('/deposits/2')).body.data).toMatchObject({ captured_amount: 420, remaining_amount: 30 });
    });

    test('is captured completely by a capture without an amount, and cannot be released afterwards', async () => {
      const captured = await post('/deposits/3/capture');
      expect(captured.body.data).toMatchObject({ status: 'captured', captured_amount: 500, remaining_amount: 0 });
      expect(await post('/deposits/3/release')).toMatchObject({
        status: 409,
        body: { success: false, error: 'Deposit cannot be released' },
      });
    });
  });
});

describe('accounts', () => {
  test('are isolated from each other', async () => {
    const sim = await startSimulator();
    const { tokens } = await sim.createAccount({ id: 'other', seed: 'demo' });
    const postLink = (token: string) => request(sim.baseUrl).post('/payment-links').auth(token, { type: 'bearer' });
    const first = await postLink('demo_full').send({ description: 'Room 7', amount: 5 });
    const second = await postLink(tokens.full).send({ description: 'Room 7', amount: 5 });
    expect([first.body.data.url, second.body.data.url]).toEqual([
      `${sim.url}/pay/room-7`,
      `${sim.url}/pay/other/room-7`,
    ]);
    const list = await request(sim.baseUrl).get('/payment-links').auth(tokens.read, { type: 'bearer' });
    expect(list.body.data.total).toBe(demoCounts.payment_links + 1);
    await sim.close();
  });

  test.each<[string, (hotel: SimulatorAccount) => Promise<unknown>, resetAt: string]>([
    ['has expired', (hotel) => hotel.clock.advance('1h'), '2026-03-01T10:01:00+00:00'],
    ['was revoked', (hotel) => hotel.apiTokens.revoke(1), '2026-03-01T09:01:00+00:00'],
  ])(
    'refuse a token that %s under their own profile and rate limit, and log the request',
    async (_reason, invalidate, resetAt) => {
      const sim = await startSimulator({ now: '2026-04-01T09:00:00Z' });
      const hotel = await sim.createAccount({
        now: '2026-03-01T09:00:00Z',
        profile: {
          'auth.token-lifetime': { after: '1h' },
          'auth.unauthenticated': { answer: { status: 403, error: 'No access.' } },
          'rate.burst': 'never',
          'rate.reset-unit': 'iso',
        },
      });
      await invalidate(hotel);
      const { status, body, headers } = await request(sim.baseUrl)
        .get('/deposits')
        .auth(hotel.tokens.full, { type: 'bearer' });
      expect([status, body.error]).toEqual([403, 'No access.']);
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-reset': resetAt });
      expect(await hotel.requests()).toMatchObject([{ path: '/api/v1/deposits', status: 403 }]);
      expect(await sim.account.requests()).toEqual([]);
      await sim.close();
    },
  );

  test('cannot be created with an id that is invalid in a URL or already exists', async () => {
    const sim = await startSimulator();
    await expect(sim.createAccount({ id: '../x y' })).rejects.toThrow('invalid');
    await expect(sim.createAccount({ id: 'demo' })).rejects.toThrow('account-exists');
    await sim.close();
  });
});

describe('the X-Sim-Hint header', () => {
  test('of a 429 names the command that turns the limit off', async () => {
    const sim = await startSimulator({ now: '2026-03-01T09:00:00Z' });
    const get = () => request(sim.baseUrl).get('/invoices/stats').auth('demo_read', { type: 'bearer' });
    // The burst of 100 requests per minute, at the same time, since even a slow machine must send them within a minute.
    const accepted = await Promise.all(Array.from({ length: 100 }, get));
    expect(accepted.filter(({ status }) => status !== 200)).toEqual([]);
    const refused = await get();
    expect({ status: refused.status, body: refused.body, headers: refused.headers }).toMatchObject({
      status: 429,
      body: { success: false, error: 'Too Many Attempts.' },
      headers: {
        'x-sim-hint': `wait as long as Retry-After says (in real time, although the clock is frozen), or advance the clock: billing-sim clock advance 60s --url ${sim.url}; to turn the limit off: billing-sim settings set --rate-limit off --url ${sim.url}`,
        'retry-after': '60',
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Date.parse('2026-03-01T09:01:00Z') / 1000),
      },
    });
    await sim.close();
  });

  test.each([
    ['/api/v1/invoices/', 'remove the trailing slash'],
    ['/api/v1/nope/', '/openapi.json lists all paths'],
    ['/api/v1/nope', '/openapi.json lists all paths'],
    ['/api/v1', 'add the path of an operation, for example /invoices'],
    ['/api/v1/', 'add the path of an operation, for example /invoices'],
    ['/_sim/accounts/', 'remove the trailing slash'],
    ['/_sim/nope/', '/_sim/openapi.json lists all paths'],
    ['/_sim', 'add the path of an operation, for example /accounts'],
    ['/_sim/', 'add the path of an operation, for example /accounts'],
  ])('of a 404 for the path %s says how to correct the path, or where the paths are listed', async (path, hint) => {
    const sim = await startSimulator();
    const { status, headers } = await request(sim.url).get(path).auth('demo_full', { type: 'bearer' });
    expect([status, headers['x-sim-hint']]).toEqual([404, hint]);
    await sim.close();
  });

  test('of a 405 of the control API names the methods that the path accepts', async () => {
    const sim = await startSimulator();
    const { status, headers } = await request(sim.url).post('/_sim/accounts/demo/snapshots/before');
    expect([status, headers['x-sim-hint']]).toEqual([405, 'this path accepts GET, HEAD, DELETE']);
    await sim.close();
  });

  test.each(['/api/v1/deposits', '/_sim/accounts'])('of a 415 for %s says which header to send', async (path) => {
    const sim = await startSimulator();
    const { status, headers } = await request(sim.url)
      .post(path)
      .auth('demo_full', { type: 'bearer' })
      .type('form')
      .send({ amount: '300' });
    expect([status, headers['x-sim-hint']]).toEqual([415, 'send the header Content-Type: application/json']);
    await sim.close();
  });

  test('of a 429 names the account whose clock can be advanced', async () => {
    const sim = await startSimulator();
    const { tokens, baseUrl } = await sim.createAccount({ id: 'hotel', now: '2026-03-01T09:00:00Z', rateLimit: true });
    const get = () => request(baseUrl).get('/invoices/stats').auth(tokens.full, { type: 'bearer' });
    for (let count = 0; count < 100; count++) await get();
    expect((await get()).headers['x-sim-hint']).toBe(
      `wait as long as Retry-After says (in real time, although the clock is frozen), or advance the clock: billing-sim clock advance 60s --account hotel --url ${sim.url}; to turn the limit off: billing-sim settings set --rate-limit off --account hotel --url ${sim.url}`,
    );
    await sim.close();
  });

  test('of a 401 says whether the token was revoked or may have expired', async () => {
    const sim = await startSimulator();
    const hotel = await sim.createAccount({ profile: { 'auth.token-lifetime': { after: '1h' } } });
    const hintFor = async (token: string): Promise<unknown> => {
      const { status, headers } = await request(sim.baseUrl).get('/deposits').auth(token, { type: 'bearer' });
      return [status, headers['x-sim-hint']];
    };
    await hotel.clock.advance('1h');
    expect(await hintFor(hotel.tokens.full)).toEqual([
      401,
      'the token has expired (gap auth.token-lifetime) or was revoked; create another on the dashboard',
    ]);
    await sim.account.apiTokens.revoke(1);
    expect(await hintFor('demo_full')).toEqual([401, 'the token was revoked; create another on the dashboard']);
    await sim.close();
  });

  const notBearerHint =
    'the Authorization header does not have the form `Bearer <token>`; send a token of an account, such as those printed at startup';
  test.each([
    [
      undefined,
      'the Authorization header is missing; send Authorization: Bearer and a token of an account, such as those printed at startup',
    ],
    ['demo_full', notBearerHint],
    ['Basic ZGVtb19mdWxs', notBearerHint],
    ['Bearer', notBearerHint],
    ['Bearer demo full', notBearerHint],
    ['', notBearerHint],
    [
      'Bearer demo_fulll',
      'the token is unknown, perhaps because its account has been removed; send a token of an account, such as those printed at startup',
    ],
  ])('of a 401 for the Authorization header %j says what is wrong with it', async (authorization, hint) => {
    const sim = await startSimulator();
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const response = await request(sim.baseUrl).get('/deposits').set(headers);
    expect([response.status, response.headers['x-sim-hint']]).toEqual([401, hint]);
    await sim.close();
  });

  test('of a 403 names the missing scope', async () => {
    const sim = await startSimulator();
    const { status, headers } = await request(sim.baseUrl).get('/deposits').auth('demo_write', { type: 'bearer' });
    expect([status, headers['x-sim-hint']]).toEqual([403, 'the token lacks the scope billing.read']);
    await sim.close();
  });

  test.each([
    ['/invoices?page=1&page=2', 'page was sent twice'],
    ['/payments?page=1&per_page=5&per_page=6&per_page=7', 'per_page was sent 3 times'],
    ['/payments?status=paid&status=paid', 'status was sent twice'],
    ['/invoices?page=one', 'page must be an integer, not the string `one`'],
    ['/invoices?per_page=0', 'per_page must be at least 1'],
    ['/payments?status=payed', 'status must be one of paid, open, pending, failed'],
    ['/payments?from=2026-02-30', 'from must be a date that exists, such as 2026-03-31'],
  ])('of a 422 says what a parameter must be, or that it was sent more than once: %s', async (path, hint) => {
    const sim = await startSimulator();
    const { status, headers } = await request(sim.baseUrl).get(path).auth('demo_full', { type: 'bearer' });
    expect([status, headers['x-sim-hint']]).toEqual([422, hint]);
    await sim.close();
  });

  test.each<[fields: object, hint: string | undefined]>([
    [
      { metadata: { rooms: ['12', '14'] } },
      'metadata.rooms must be a string, a number, true or false or null, not an array',
    ],
    [
      { metadata: { room: { floor: 2 } } },
      'metadata.room must be a string, a number, true or false or null, not an object',
    ],
    [{ metadata: 'sea view' }, 'metadata must be an object, not the string `sea view`'],
    [{ amount: '5' }, 'amount must be a number, not the string `5`'],
    // A long text could be a token, of which a shortened quote would show a part.
    [{ amount: 'x'.repeat(50) }, 'amount must be a number, not a string of 50 characters'],
    [{ currency: 'E'.repeat(50) }, 'currency must be one of 155 values such as AED, AFN and ALL'],
    [{ metadata: { ['k'.repeat(200)]: 'a' } }, `the key metadata.${'k'.repeat(71)}? must have at most 40 characters`],
    [
      { metadata: Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`key ${index}`, [index]])) },
      'metadata must have at most 50 members; metadata.key 0 must be a string, a number, true or false or null, not an array; metadata.key 1 must be a string, a number, true or false or null, not an array; and 118 more',
    ],
    [{ amount: true }, 'amount must be a number, not true'],
    [{ amount: null }, 'amount must be a number, not null'],
    [{ booking_reference: 7 }, 'booking_reference must be a string, not the number 7'],
    [{ amount: -5 }, 'amount must be more than 0'],
    [{ amount: 5.005 }, 'amount must have at most 2 decimal places'],
    [{ currency: 'eur' }, 'currency must be one of 155 values such as AED, AFN and ALL; did you mean `EUR`?'],
    [{ currency: '???' }, 'currency must be one of 155 values such as AED, AFN and ALL'],
    [{ check_in_date: '2026-02-30' }, 'check_in_date must be a date that exists, such as 2026-03-31'],
    [{ check_in_date: '2026-03-02', check_out_date: '2026-03-01' }, 'check_out_date must not be before check_in_date'],
    [{ customer: { email: 'ada' } }, 'customer.email must be an email address'],
    [{ booking_reference: '' }, 'booking_reference must not be empty'],
    [{ booking_reference: 'a\0' }, 'booking_reference must be text without NUL and unpaired surrogates'],
    [
      { metadata: { [`room${'s'.repeat(40)}`]: 'a' } },
      `the key metadata.room${'s'.repeat(40)} must have at most 40 characters`,
    ],
    [{ metadata: { room: 'a'.repeat(501) } }, 'metadata.room must have at most 500 characters'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, index])) },
      'metadata must have at most 50 members',
    ],
    [
      { booking_reference: '', amount: 0, currency: 'EURO', check_in_date: '', customer: 'Ada' },
      'booking_reference must not be empty; amount must be more than 0; currency must be one of 155 values such as AED, AFN and ALL; did you mean `EUR`?; and 2 more',
    ],
  ])('of a 422 says what the fields must be: %j', async (fields, hint) => {
    const sim = await startSimulator();
    const { status, headers } = await request(sim.baseUrl)
      .post('/deposits')
      .auth('demo_full', { type: 'bearer' })
      .send({ booking_reference: 'BK-1', amount: 5, ...fields });
    expect([status, headers['x-sim-hint']]).toEqual([422, hint]);
    await sim.close();
  });
});

describe('the X-Sim-Hint header says that an unknown field or parameter is ignored', () => {
  let sim: Simulator;
  beforeAll(async () => {
    sim = await startSimulator({ rateLimit: false });
  });
  afterAll(() => sim.close());

  const captureDeposit2 = '/deposits/2/capture';
  const link = { description: 'March', amount: 5 };
  const deposit = { booking_reference: 'BK-1', amount: 5 };
  const item = { description: 'Night', quantity: 1, unit_price: 90 };
  const invoice = { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31' };
  test.each<[path: string, body: object, status: number, hint: string | undefined]>([
    [
      captureDeposit2,
      { amount: 1, descripton: 'Lamp' },
      200,
      'unknown field `descripton` is ignored; did you mean `description`?',
    ],
    [captureDeposit2, { amout: 10 }, 200, 'unknown field `amout` is ignored; did you mean `amount`?'],
    // The similar field `amount` was sent as well, so it is not suggested.
    ['/payment-links', { ...link, amounts: 5 }, 201, 'unknown field `amounts` is ignored'],
    ['/payment-links', { ...link, note: 'x' }, 201, 'unknown field `note` is ignored'],
    [
      '/payment-links',
      { ...link, Currency: 'USD', note: 'x' },
      201,
      'unknown fields `Currency` and `note` are ignored; did you mean `currency`?',
    ],
    [
      '/payment-links',
      { ...link, a: 1, b: 1, c: 1, d: 1, e: 1 },
      201,
      'unknown fields `a`, `b`, `c` and 2 more are ignored',
    ],
    [
      '/deposits',
      { bookingReference: 'BK-1', amount: 5 },
      422,
      'booking_reference is required; unknown field `bookingReference` is ignored; did you mean `booking_reference`?',
    ],
    [
      '/deposits',
      { amount: '5', bokoing_reference: 'BK-1' },
      422,
      'booking_reference is required; amount must be a number, not the string `5`; unknown field `bokoing_reference` is ignored; did you mean `booking_reference`?',
    ],
    [
      '/deposits',
      { booking_reference: 'BK-1', amount: 5, curency: 'EUR', metadata: { scenario: 'nope' } },
      201,
      expect.stringMatching(
        /^no scenario for deposits is called nope; .*; unknown field `curency` is ignored; did you mean `currency`\?$/,
      ),
    ],
    [
      '/deposits',
      { ...deposit, customer: { nmae: 'Ada' } },
      201,
      'unknown field `customer.nmae` is ignored; did you mean `customer.name`?',
    ],
    [
      '/deposits',
      { ...deposit, customer: { name: 'Ada', nmae: 'Ada' }, note: 'x' },
      201,
      'unknown fields `customer.nmae` and `note` are ignored',
    ],
    [
      '/deposits',
      { ...deposit, customer: { name: 'Ada' }, metadata: { nmae: 'x', inner: { amout: 1 } } },
      422,
      'metadata.inner must be a string, a number, true or false or null, not an object',
    ],
    [
      '/invoices',
      { ...invoice, items: [item, { ...item, taxrate: 21 }] },
      201,
      'unknown field `items.1.taxrate` is ignored; did you mean `items.1.tax_rate`?',
    ],
    [
      '/invoices',
      { ...invoice, items: [null, 'x', [item]] },
      422,
      'items.0 must be an object, not null; items.1 must be an object, not the string `x`; items.2 must be an object, not an array',
    ],
    ['/payment-links?descripton=x', link, 201, 'unknown parameter `descripton` is ignored'],
    ['/payment-links', link, 201, undefined],
    ['/payment-links', [], 422, 'the body must be an object, not an array'],
  ])('%s %j', async (path, body, expectedStatus, hint) => {
    const { status, headers } = await request(sim.baseUrl).post(path).auth('demo_full', { type: 'bearer' }).send(body);
    expect([status, headers['x-sim-hint']]).toEqual([expectedStatus, hint]);
  });

  test.each<[path: string, status: number, hint: string | undefined]>([
    ['/payments?stat=paid', 200, 'unknown parameter `stat` is ignored; did you mean `status`?'],
    ['/payments?STATUS=paid', 200, 'unknown parameter `STATUS` is ignored; did you mean `status`?'],
    ['/payments?status=paid&stat=open&foo=1', 200, 'unknown parameters `stat` and `foo` are ignored'],
    ['/payments?foo=1&foo=2', 200, 'unknown parameter `foo` is ignored'],
    ['/invoices/stats?page=2', 200, 'unknown parameter `page` is ignored'],
    // Some clients put a token into the query, which the request log must not show.
    ['/payments?K9vTq2', 200, undefined],
    ['/payments?status=paid&page=1&per_page=100', 200, undefined],
    ['/invoices?per_page=1000', 200, 'per_page is limited to 100'],
    [
      '/invoices?per_page=1000&pages=2',
      200,
      'unknown parameter `pages` is ignored; did you mean `page`? per_page is limited to 100',
    ],
    ['/invoices?per_page=0500', 422, 'per_page must be an integer, not the string `0500`'],
    ['/invoices?per_page=500&per_page=5', 422, 'per_page was sent twice'],
    [
      '/invoices?per_page=many&pages=2',
      422,
      'per_page must be an integer, not the string `many`; unknown parameter `pages` is ignored; did you mean `page`?',
    ],
  ])('GET %s', async (path, expectedStatus, hint) => {
    const { status, headers } = await request(sim.baseUrl).get(path).auth('demo_full', { type: 'bearer' });
    expect([status, headers['x-sim-hint']]).toEqual([expectedStatus, hint]);
  });

  test('and says nothing about a limit if the profile refuses values above the maximum', async () => {
    const { baseUrl, tokens } = await sim.createAccount({ profile: { 'page.over-maximum': 'refused' } });
    const { status, headers } = await request(baseUrl)
      .get('/invoices?per_page=1000')
      .auth(tokens.full, { type: 'bearer' });
    expect([status, headers['x-sim-hint']]).toEqual([422, 'per_page must be at most 100']);
  });

  test('unless the profile refuses unknown fields', async () => {
    const { baseUrl, tokens } = await sim.createAccount({ profile: { 'validation.unknown-fields': 'refused' } });
    const body = { ...link, note: 'x' };
    const { status, headers } = await request(baseUrl)
      .post('/payment-links')
      .auth(tokens.full, { type: 'bearer' })
      .send(body);
    expect([status, headers['x-sim-hint']]).toEqual([
      422,
      'unknown field `note`; available: `description`, `amount`, `currency`',
    ]);
  });

  test.each([
    {
      path: '/deposits/3/capture',
      body: { amount: 1 },
      hint: 'captureDeposit ignores the Idempotency-Key; only createDeposit accepts one',
    },
    {
      path: '/payment-links',
      body: link,
      hint: 'createPaymentLink ignores the Idempotency-Key; only createDeposit accepts one',
    },
    { path: '/deposits', body: deposit, hint: undefined },
  ])('or that an Idempotency-Key is ignored: POST $path', async ({ path, body, hint }) => {
    const { headers } = await request(sim.baseUrl)
      .post(path)
      .auth('demo_full', { type: 'bearer' })
      .set('Idempotency-Key', 'key-1')
      .send(body);
    expect(headers['x-sim-hint']).toBe(hint);
  });
});

describe('the `demo` account', () => {
  test.each(['2026-03-01T00:00:00Z', '2026-03-31T23:30:00Z', '2031-12-31T12:00:00Z'])(
    'seeded at %s has invoices, payments and deposits in every status, and overdue invoices with and without a link',
    async (now) => {
      const sim = await startSimulator({ now });
      const get = async (path: string) =>
        (await request(sim.baseUrl).get(path).auth('demo_full', { type: 'bearer' })).body;
      const statuses = async (list: string): Promise<string[]> => {
        const rows: { status: string }[] = (await get(`/${list}?per_page=100`)).data.data;
        return [...new Set(rows.map(({ status }) => status))].sort();
      };
      expect(await statuses('invoices')).toEqual(
        ['draft', 'pending', 'sent', 'viewed', 'paid', 'partial', 'overdue', 'cancelled'].sort(),
      );
      expect(await statuses('payments')).toEqual(['failed', 'open', 'paid', 'pending']);
      expect(await statuses('deposits')).toEqual(
        ['pending', 'authorized', 'partially_captured', 'captured', 'released', 'expired', 'failed'].sort(),
      );
      const overdue: { payment_link: string | null }[] = (await get('/invoices/overdue')).data;
      expect(overdue.map(({ payment_link }) => payment_link === null).sort()).toEqual([false, true]);
      await sim.close();
    },
  );
});
