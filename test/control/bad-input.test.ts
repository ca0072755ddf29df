import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventNames } from '../../src/domain/records.js';
import { contentsOf } from '../../src/simulation/world.js';
import { invalidControlFieldBody } from '../support/envelope.js';
import { type ControlServer, startControlServer } from './control-server.js';

/** Invalid values are refused: the error says what is wrong, and the stored data does not change. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/**
 * An invalid body and its expected error. A body that is a string is sent unchanged, for JSON that an object literal
 * cannot express. If the message ends with `…`, the actual message only has to contain the text before it.
 */
type InvalidBody = readonly [description: string, body: unknown, field: string, message: string];

/** Defines a test for each body: the response is a 422 with the message, and nothing changes. */
function testInvalidBodies(method: string, path: string, cases: readonly InvalidBody[]): void {
  test.each(cases)(`${method} ${path} with %s is refused`, async (_description, body, field, message) => {
    const contentsBefore = contentsOf(sim.server.world);
    const response = await sim.callControl(method, path, body);
    if (message.endsWith('…')) {
      const partialMessage = expect.stringContaining(message.slice(0, -1));
      const errors = { [field]: expect.arrayContaining([partialMessage]) };
      expect(response).toMatchObject({ status: 422, body: { success: false, error: partialMessage, errors } });
    } else expect(response).toMatchObject({ status: 422, body: invalidControlFieldBody(field, message) });
    expect(contentsOf(sim.server.world)).toEqual(contentsBefore);
  });
}

const nameRule = '1 to 63 lowercase letters, digits, hyphens and underscores, the first a letter or digit';
// Error messages.
const invalidNameMessage = (field: string): string => `${field} must be ${nameRule}`;
const invalidCharactersMessage = (field: string): string => `${field} must be text without NUL and unpaired surrogates`;
const notAStringMessage = (field: string, sent: string): string => `${field} must be a string, not ${sent}`;
const tooLongMessage = (field: string, limit: number): string => `${field} must have at most ${limit} characters`;
const notOneOfMessage = (field: string, ...allowed: string[]): string =>
  `${field} must be one of ${allowed.join(', ')}`;
const missingMessage = (field: string): string => `${field} is required`;
const emptyMessage = (field: string): string => `${field} must not be empty`;
const invalidDurationMessage = (field: string): string => `${field} must be a duration such as 8d, 2h 30m or P8D`;
const invalidTimeMessage = (field: string): string =>
  `${field} must be a date or a time in 1970 or later, such as 2026-03-01 or 2026-03-01T09:00:00Z`;
const invalidSeedMessage = 'seed must be demo, empty or an object';
const deliveryStatuses = ['unsent', 'waiting', 'retrying', 'delivered', 'failed'];
const paymentOutcomes = ['paid', 'failed', 'pending'];

/** Strings that are not a time, or that are a time to which a clock cannot be set. */
const invalidTimes = [
  'tomorrow',
  '',
  '2026-03-01T09:00:00',
  '2026-02-30T00:00:00Z',
  '2026-02-30',
  '1969-12-31',
  '2026-13-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '+012026-03-01T09:00:00Z',
  // A leap second.
  '2016-12-31T23:59:60Z',
];

const invalidDurations = ['', ' ', '8', 'd', '-8d', '8 bananas', '8 d bogus', '1e3s', 'P', 'PT', 'P1', 'NaN', '∞'];

const seed = {
  currency: 'EUR',
  time_zone: 'UTC',
  customers: [],
  invoices: [],
  payment_links: [],
  payments: [],
  deposits: [],
};
const customer = {
  id: 1,
  name: 'Ada',
  email: 'ada@inn.example',
  company: null,
  phone: null,
  address: null,
  city: null,
  postal_code: null,
  country: null,
  currency: null,
};
// `created` is relative to the creation of the account.
const link = { id: 1, description: 'Breakfast', amount: 10, is_active: true, created: '0' };
const payment = {
  id: 1,
  payment_link_id: 1,
  customer_id: 1,
  amount: 5,
  status: 'paid',
  payment_method: 'card',
  created: '0',
};

describe('a new account', () => {
  testInvalidBodies('POST', '/accounts', [
    ...['', 'Hotel', '-hotel', '_hotel', 'ho tel', 'hotel/x', '../x', 'hôtel', '__proto__', 'a'.repeat(64)].map(
      (id): InvalidBody => [`the id ${id.slice(0, 12)}`, { id }, 'id', invalidNameMessage('id')],
    ),
    ['an id that is a number', { id: 5 }, 'id', notAStringMessage('id', 'the number 5')],
    ['an id that is null', { id: null }, 'id', notAStringMessage('id', 'null')],
    ['an unknown name of a seed', { seed: 'dmo' }, 'seed', invalidSeedMessage],
    ['a path to a seed file', { seed: './fixtures/accounts/demo.json' }, 'seed', invalidSeedMessage],
    ['a seed that is a number', { seed: 5 }, 'seed', invalidSeedMessage],
    ['a seed that is an array', { seed: [] }, 'seed', invalidSeedMessage],
    ['an empty seed', { seed: {} }, 'seed', 'seed: `currency` and `time_zone` are missing'],
    [
      'a seed with a duplicate id',
      { seed: { ...seed, payment_links: [link, link] } },
      'seed',
      'seed.payment_links[1].id: payment_links[0] already has the id 1',
    ],
    [
      'a seed with an unknown field',
      { seed: { ...seed, a: 1 } },
      'seed',
      'seed: unknown key `a`; available: `currency`, `time_zone`, `tokens`, `customers`, `invoices`, `payment_links`, `payments`, `deposits`',
    ],
    [
      'a seed with a field of the wrong type',
      { seed: { ...seed, customers: {} } },
      'seed',
      'seed.customers: must be a list, not a mapping',
    ],
    [
      'a seed with an unknown time zone',
      { seed: { ...seed, time_zone: 'Mars' } },
      'seed',
      'seed.time_zone: `Mars` is not a time zone (for example Europe/Berlin)',
    ],
    ...[
      { record: 'customer 9', field: 'customer_id', payment: { ...payment, customer_id: 9 } },
      { record: 'payment link 9', field: 'payment_link_id', payment: { ...payment, payment_link_id: 9 } },
      { record: 'invoice 9', field: 'invoice_id', payment: { ...payment, payment_link_id: undefined, invoice_id: 9 } },
    ].map(
      ({ record, field, payment: invalidPayment }): InvalidBody => [
        `a seed whose payment refers to ${record}, which the seed does not contain`,
        { seed: { ...seed, customers: [customer], payment_links: [link], payments: [invalidPayment] } },
        'seed',
        `seed.payments[0].${field}: the seed has no ${record}`,
      ],
    ),
    [
      'a seed with an invalid time',
      { seed: { ...seed, payment_links: [{ ...link, created: '-8 bananas' }] } },
      'seed',
      'seed.payment_links[0].created: `-8 bananas` is not a time relative to the seeding (for example -8d, 2h or 0)',
    ],
    ...[1e300, Number.MAX_SAFE_INTEGER, 0, 1.5].map(
      (id): InvalidBody => [
        `a seed with the id ${id}`,
        { seed: { ...seed, payment_links: [{ ...link, id }] } },
        'seed',
        'seed.payment_links[0].id: must be…',
      ],
    ),
    [
      'a seed with a huge amount',
      { seed: { ...seed, payment_links: [{ ...link, amount: 1e300 }] } },
      'seed',
      'seed.payment_links[0].amount: must be 999999.99 or less',
    ],
    [
      'a seed with an amount that the API would refuse',
      { seed: { ...seed, payment_links: [{ ...link, amount: 1.999 }] } },
      'seed',
      'seed.payment_links[0].amount: must have at most 2 decimal places',
    ],
    [
      'a seed with an amount that the API would refuse with the profile of the account',
      {
        seed: { ...seed, payment_links: [{ ...link, amount: 501 }] },
        profile: { 'amount.maximum': { maximum: 500 } },
      },
      'seed',
      'seed.payment_links[0].amount: must be 500 or less',
    ],
    [
      'a profile with a misspelled gap',
      { profile: { 'list.ordr': 'oldest-first' } },
      'profile',
      'unknown gap `list.ordr`; did you mean `list.order`?',
    ],
    [
      'a profile with an unknown choice',
      { profile: { 'list.order': 'oldest' } },
      'profile',
      'list.order has no choice `oldest`; did you mean `oldest-first`? Available: `newest-first`, `oldest-first`',
    ],
    [
      'a profile with an invalid value',
      { profile: { 'deposit.window': { for: 'a while' } } },
      'profile',
      'deposit.window: `for` takes a value…',
    ],
    ['a profile with the gap __proto__', '{"profile":{"__proto__":"x"}}', 'profile', 'unknown gap `__proto__`…'],
    ['a profile with the gap constructor', { profile: { constructor: 'x' } }, 'profile', 'unknown gap `constructor`…'],
    [
      'a profile with the choice __proto__',
      { profile: { 'list.order': '__proto__' } },
      'profile',
      'list.order has no choice `__proto__`…',
    ],
    ['a profile that is a string', { profile: 'demo' }, 'profile', 'profile must be an object, not the string `demo`'],
    ...invalidTimes.map((now): InvalidBody => [`the time ${now}`, { now }, 'now', invalidTimeMessage('now')]),
    ['a time that is a number', { now: 5 }, 'now', notAStringMessage('now', 'the number 5')],
    [
      'a random seed that is a number',
      { random_seed: 5 },
      'random_seed',
      notAStringMessage('random_seed', 'the number 5'),
    ],
    [
      'a random seed that is too long',
      { random_seed: 'x'.repeat(256) },
      'random_seed',
      tooLongMessage('random_seed', 255),
    ],
    ['a random seed with NUL in it', { random_seed: 'a\0b' }, 'random_seed', invalidCharactersMessage('random_seed')],
    [
      'a rate limit that is a string',
      { rate_limit: 'off' },
      'rate_limit',
      'rate_limit must be true or false, not the string `off`',
    ],
    ['an empty secret', { webhook_secret: '' }, 'webhook_secret', emptyMessage('webhook_secret')],
    [
      'a secret with half a surrogate pair',
      '{"webhook_secret":"\\ud800"}',
      'webhook_secret',
      invalidCharactersMessage('webhook_secret'),
    ],
  ]);

  test('with an existing id is refused with 409', async () => {
    expect(await sim.callControl('POST', '/accounts', { id: 'demo' })).toMatchObject({
      status: 409,
      body: { success: false, error: 'Account already exists', code: 'account-exists' },
    });
  });

  test('with several errors gets a message for each', async () => {
    const unknownFieldMessage =
      'unknown field `color`; available: `id`, `seed`, `profile`, `now`, `random_seed`, `rate_limit`, `webhook_url`, `webhook_secret`';
    const { status, body } = await sim.callControl('POST', '/accounts', { id: 'A', rate_limit: 1, color: 'red' });
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        success: false,
        error: `${unknownFieldMessage} (and 2 more errors)`,
        code: 'invalid',
        errors: {
          color: [unknownFieldMessage],
          id: [invalidNameMessage('id')],
          rate_limit: ['rate_limit must be true or false, not the number 1'],
        },
      },
    });
  });
});

describe.each([
  ['POST', '/accounts'],
  ['PATCH', '/accounts/demo/settings'],
])('%s %s with a webhook URL', (method, path) => {
  const notAUrlMessage = 'the webhook URL is not a valid URL';
  const schemeMessage = 'the webhook URL must begin with http:// or https://';
  const credentialsMessage = 'the webhook URL contains credentials';

  test.each<[string, string]>([
    ['', notAUrlMessage],
    ['nowhere', notAUrlMessage],
    ['//host/path', notAUrlMessage],
    ['http://', notAUrlMessage],
    ['http://host:99999/', notAUrlMessage],
    ['ftp://host/', schemeMessage],
    ['file:///etc/passwd', schemeMessage],
    ['javascript:alert(1)', schemeMessage],
    ['data:text/plain,a', schemeMessage],
    ['http://user:secret@host/', credentialsMessage],
    ['http://user@host/', credentialsMessage],
  ])('%s is refused', async (webhook_url, reason) => {
    const { status, body, headers } = await sim.callControl(method, path, { webhook_url });
    expect({ status, body, hint: headers.get('x-sim-hint') }).toEqual({
      status: 422,
      body: {
        success: false,
        error: 'Webhooks cannot be sent to this URL',
        code: 'webhook-url-invalid',
        errors: { webhook_url: [reason] },
      },
      hint: reason,
    });
  });

  test.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://LOCALHOST',
    'http://localhost.',
    'http://sim.localhost',
    'http://127.1',
    'http://2130706433',
    'http://0x7f.0.0.1',
    'http://127.255.255.254',
    'http://[::1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://0.0.0.0',
    'https://127.0.0.1',
  ])('%s with the port of the simulator is refused', async (origin) => {
    const { port } = new URL(sim.url);
    const { status, body } = await sim.callControl(method, path, { webhook_url: `${origin}:${port}/webhooks` });
    const errors = { webhook_url: ['the webhook URL points to the simulator itself'] };
    expect({ status, body }).toMatchObject({ status: 422, body: { errors } });
  });

  test('a URL of 2,001 characters is refused', async () => {
    const webhookUrl = `http://host/${'x'.repeat(1_989)}`;
    const { status, body } = await sim.callControl(method, path, { webhook_url: webhookUrl });
    const errors = { webhook_url: ['the webhook URL is longer than 2000 characters'] };
    expect({ status, body }).toMatchObject({ status: 422, body: { errors } });
  });

  testInvalidBodies(method, path, [
    [
      'a URL that is a number',
      { webhook_url: 80 },
      'webhook_url',
      'webhook_url must be a string or null, not the number 80',
    ],
  ]);
});

describe('settings', () => {
  testInvalidBodies('PATCH', '/accounts/demo/settings', [
    ['a secret that is null', { webhook_secret: null }, 'webhook_secret', notAStringMessage('webhook_secret', 'null')],
    ['a rate limit that is null', { rate_limit: null }, 'rate_limit', 'rate_limit must be true or false, not null'],
    ['a profile that is null', { profile: null }, 'profile', 'profile must be an object, not null'],
    ['a profile with a misspelled gap', { profile: { 'list.ordr': 'x' } }, 'profile', 'unknown gap `list.ordr`…'],
    [
      'a field name in camel case',
      { webhookUrl: null },
      'webhookUrl',
      'unknown field `webhookUrl`; did you mean `webhook_url`?',
    ],
  ]);
});

describe('the clock', () => {
  testInvalidBodies('PATCH', '/accounts/demo/clock', [
    ['an unknown mode', { mode: 'stopped' }, 'mode', notOneOfMessage('mode', 'real', 'frozen')],
    ['a mode of the wrong type', { mode: 5 }, 'mode', 'mode must be a string…'],
    ...invalidTimes.map((now): InvalidBody => [`the time ${now}`, { now }, 'now', invalidTimeMessage('now')]),
  ]);
  testInvalidBodies('POST', '/accounts/demo/clock/advance', [
    ['neither a duration nor a time', {}, 'body', 'exactly one of by, to is required'],
    ['a duration and a time', { by: '1d', to: '2027-01-01T00:00:00Z' }, 'body', 'exactly one of by, to is required'],
    ['only a timeout', { timeout: '1s' }, 'body', 'exactly one of by, to is required'],
    ['only a timeout of a wrong type', { timeout: 1 }, 'body', 'exactly one of by, to is required…'],
    ...invalidDurations.map((by): InvalidBody => [`the duration ${by}`, { by }, 'by', invalidDurationMessage('by')]),
    // The longest duration is 1,000 years of 365.25 days.
    [
      'a duration of more than 1,000 years',
      { by: '365243d' },
      'by',
      `${invalidDurationMessage('by')}; the longest is 365242d`,
    ],
    ['a duration of 101 characters', { by: `${' '.repeat(99)}1d` }, 'by', tooLongMessage('by', 100)],
    ['a duration that is a number', { by: 8 }, 'by', notAStringMessage('by', 'the number 8')],
    ...invalidTimes.map((to): InvalidBody => [`the time ${to}`, { to }, 'to', invalidTimeMessage('to')]),
    ...invalidDurations.map(
      (timeout): InvalidBody => [
        `the timeout ${timeout}`,
        { by: '1d', timeout },
        'timeout',
        invalidDurationMessage('timeout'),
      ],
    ),
    ['a timeout that is too long', { by: '1d', timeout: '601s' }, 'timeout', 'timeout must be at most 10m'],
  ]);

  test.each([
    ['PATCH', '/accounts/demo/clock', { now: '2026-03-01T08:59:59Z' }],
    ['PATCH', '/accounts/demo/clock', { now: '2026-03-01T08:59:59Z', mode: 'real' }],
    ['POST', '/accounts/demo/clock/advance', { to: '2026-03-01T08:59:59Z' }],
    ['POST', '/accounts/demo/clock/advance', { to: '1970-01-01T00:00:00Z' }],
  ])('%s %s refuses the past time %o, and a hint says how to go back', async (method, path, body) => {
    const contentsBefore = contentsOf(sim.server.world);
    const response = await sim.callControl(method, path, body);
    expect(response).toMatchObject({ status: 409, body: { success: false, error: 'The clock cannot be set back' } });
    expect(response.headers.get('x-sim-hint')).toBe(
      'the clock shows 2026-03-01T09:00:00.000Z and only moves forward; restore a snapshot to go back',
    );
    expect(contentsOf(sim.server.world)).toEqual(contentsBefore);
  });

  test('does not go beyond the year 8999', async () => {
    await sim.callControl('POST', '/accounts', { id: 'late', now: '8998-12-31T00:00:00Z' });
    const response = await sim.callControl('POST', '/accounts/late/clock/advance', { by: '730d' });
    const error = 'The clock does not go beyond the year 8999';
    expect(response).toMatchObject({ status: 422, body: { success: false, error } });
    expect(response.headers.get('x-sim-hint')).toBe('the latest possible time is 8999-12-31T23:59:59.999Z');
    expect(await sim.callControl('GET', '/accounts/late/clock')).toMatchObject({
      body: { now: '8998-12-31T00:00:00.000Z' },
    });
    const refusedCreation = await sim.callControl('POST', '/accounts', { id: 'later', now: '9000-01-01T00:00:00Z' });
    expect(refusedCreation).toMatchObject({ status: 422, body: { success: false, error } });
  });
});

describe('a query', () => {
  test.each(['foo', 'deposit', '8', ''])('of activity: record=%s is refused', async (record) => {
    const response = await sim.callControl('GET', `/accounts/demo/activity?record=${record}`);
    const message = 'record must be a kind of record and an id, such as deposit:8 or payment_link:4';
    expect(response).toMatchObject({ status: 422, body: invalidControlFieldBody('record', message) });
  });

  const paths = ['agenda', 'customers', 'deliveries', 'mails', 'scenarios'];

  describe.each(paths)('of %s', (path) => {
    const tooSmallMessage = 'per_page must be at least 1';
    const tooLargeMessage = 'per_page must be at most 10000';
    const notAnIntegerMessage = (sent: string): string => `per_page must be an integer, not the string \`${sent}\``;

    test.each([
      ['0', tooSmallMessage],
      ['-1', tooSmallMessage],
      ['10001', tooLargeMessage],
      ['9007199254740991', tooLargeMessage],
      ['9'.repeat(400), tooLargeMessage],
      ['1e3', notAnIntegerMessage('1e3')],
      ['1.5', notAnIntegerMessage('1.5')],
      ['', notAnIntegerMessage('')],
      ['x', notAnIntegerMessage('x')],
      ['1&per_page=2', 'parameter `per_page` must be given only once'],
    ])('per_page=%s is refused', async (perPage, message) => {
      const response = await sim.callControl('GET', `/accounts/demo/${path}?per_page=${perPage}`);
      expect(response).toMatchObject({ status: 422, body: invalidControlFieldBody('per_page', message) });
    });
  });

  test.each([
    ['get', 'unknown method `get`; did you mean `GET`?'],
    ['postt', 'unknown method `postt`; did you mean `POST`?'],
  ])('of requests: method=%s is refused', async (method, message) => {
    const response = await sim.callControl('GET', `/accounts/demo/requests?method=${method}`);
    expect(response).toMatchObject({ status: 422, body: invalidControlFieldBody('method', message) });
  });

  test.each(['lost', '4xx', '42', '0422'])('of activity: status=%s is refused', async (status) => {
    const response = await sim.callControl('GET', `/accounts/demo/activity?status=${status}`);
    const message =
      'status must be an HTTP status such as 422, `none`, or a status of a record or run such as `expired`';
    expect(response).toMatchObject({ status: 422, body: invalidControlFieldBody('status', message) });
  });

  test('of activity: a misspelled status is refused with the probable one', async () => {
    const { body } = await sim.callControl('GET', '/accounts/demo/activity?status=Captured');
    expect(body).toMatchObject({ error: expect.stringMatching(/such as `expired`; did you mean `captured`\?$/) });
  });

  test.each([
    ['event=deposit.lost', 'event', eventNames],
    ['event=', 'event', eventNames],
    ['status=lost', 'status', deliveryStatuses],
    ['status=__proto__', 'status', deliveryStatuses],
  ])('of deliveries: %s is refused', async (query, field, allowed) => {
    const response = await sim.callControl('GET', `/accounts/demo/deliveries?${query}`);
    expect(response).toMatchObject({
      status: 422,
      body: invalidControlFieldBody(field, notOneOfMessage(field, ...allowed)),
    });
  });
});

describe('tokens, customers and snapshots', () => {
  testInvalidBodies('POST', '/accounts/demo/tokens', [
    ['no name', { scopes: ['billing.read'] }, 'name', missingMessage('name')],
    ['an empty name', { name: '', scopes: ['billing.read'] }, 'name', emptyMessage('name')],
    ['no scopes', { name: 'a' }, 'scopes', missingMessage('scopes')],
    ['an empty list of scopes', { name: 'a', scopes: [] }, 'scopes', emptyMessage('scopes')],
    [
      'an unknown scope',
      { name: 'a', scopes: ['billing.admin'] },
      'scopes.0',
      notOneOfMessage('scopes.0', 'billing.read', 'billing.write'),
    ],
    [
      'a duplicate scope',
      { name: 'a', scopes: ['billing.read', 'billing.read'] },
      'scopes',
      'scopes must not have the same item twice',
    ],
    [
      'scopes that are a string',
      { name: 'a', scopes: 'billing.read' },
      'scopes',
      'scopes must be an array, not the string `billing.read`',
    ],
    [
      'a token chosen by the client',
      { name: 'a', scopes: ['billing.read'], token: 'x' },
      'token',
      'unknown field `token`…',
    ],
  ]);
  testInvalidBodies('POST', '/accounts/demo/customers', [
    ['no name', { email: 'a@b.example' }, 'name', missingMessage('name')],
    ['no email', { name: 'Ada' }, 'email', missingMessage('email')],
    ['an invalid email address', { name: 'Ada', email: 'ada' }, 'email', 'email must be an email address'],
    ['an id chosen by the client', { id: 9, name: 'Ada', email: 'a@b.example' }, 'id', 'unknown field `id`…'],
    [
      'an unknown currency',
      { name: 'Ada', email: 'a@b.example', currency: 'eur' },
      'currency',
      'currency must be the code of a currency in use, such as EUR',
    ],
    [
      'a currency that is not in use',
      { name: 'Ada', email: 'a@b.example', currency: 'XYZ' },
      'currency',
      'currency must be the code of a currency in use, such as EUR',
    ],
    [
      'a company that is too long',
      { name: 'A', email: 'a@b.example', company: 'x'.repeat(256) },
      'company',
      tooLongMessage('company', 255),
    ],
  ]);
  testInvalidBodies('POST', '/accounts/demo/snapshots', [
    ['no name', {}, 'name', missingMessage('name')],
    ...['', 'Before', '-a', '../a', 'a/b', 'a b', '__proto__', 'a'.repeat(64)].map(
      (name): InvalidBody => [`the name ${name.slice(0, 12)}`, { name }, 'name', invalidNameMessage('name')],
    ),
  ]);
});

describe('payments', () => {
  testInvalidBodies('POST', '/accounts/demo/invoices/2/pay', [
    ['an amount of zero', { amount: 0 }, 'amount', 'amount must be more than 0'],
    ['a negative amount', { amount: -1 }, 'amount', 'amount must be more than 0'],
    ['an amount of half a cent', { amount: 0.005 }, 'amount', 'amount must have at most 2 decimal places'],
    ['an amount that is a string', { amount: '10' }, 'amount', 'amount must be a number, not the string `10`'],
    ['a huge amount', { amount: 1e300 }, 'amount', 'amount must be at most 9999999999999.99'],
    [
      'an amount that overflows a number',
      '{"amount":1e999}',
      'amount',
      'amount must be a number, not a number that is too large',
    ],
    ['an unknown outcome', { outcome: 'lost' }, 'outcome', notOneOfMessage('outcome', ...paymentOutcomes)],
    ['an unknown method', { method: 'shells' }, 'method', 'method must be one of card, …'],
    ['the method __proto__', { method: '__proto__' }, 'method', 'method must be one of card, …'],
  ]);
  testInvalidBodies('POST', '/accounts/demo/payment-links/1/pay', [
    ['an amount', { amount: 5 }, 'amount', 'unknown field `amount`…'],
    ['an unknown outcome', { outcome: 'open' }, 'outcome', notOneOfMessage('outcome', ...paymentOutcomes)],
    ['an unknown method', { method: '' }, 'method', 'method must be one of card, …'],
  ]);

  test('of an invoice may not exceed its unpaid amount', async () => {
    const response = await sim.callControl('POST', '/accounts/demo/invoices/2/pay', { amount: 999_999 });
    expect(response).toMatchObject({
      status: 422,
      body: { success: false, error: 'Amount exceeds the unpaid amount', code: 'payment-too-large' },
    });
  });
});

describe('a transition that the status does not allow is refused:', () => {
  const notAllowed = 'The current status does not allow this';

  test.each([
    [
      'deposits/2/authorize',
      notAllowed,
      "the deposit's status is authorized, which allows only expire, capture, release",
    ],
    ['deposits/4/expire', notAllowed, "the deposit's status is captured, which is final"],
    ['deposits/7/decline', notAllowed, "the deposit's status is failed, which is final"],
    ['payment-links/3/pay', 'Payment link is not active', null],
    ['payments/1/succeed', notAllowed, expect.stringContaining("the payment's status is paid")],
    ['payments/2/fail', notAllowed, expect.stringContaining("the payment's status is failed")],
    ['invoices/9/send', notAllowed, expect.stringContaining("the invoice's status is cancelled")],
    ['invoices/5/cancel', notAllowed, expect.stringContaining("the invoice's status is paid")],
    ['invoices/5/pay', notAllowed, expect.stringContaining("the invoice's status is paid")],
  ])('%s', async (path, error, hint) => {
    const contentsBefore = contentsOf(sim.server.world);
    const response = await sim.callControl('POST', `/accounts/demo/${path}`, {});
    expect(response).toMatchObject({ status: 409, body: { success: false, error } });
    expect(response.headers.get('x-sim-hint')).toEqual(hint);
    expect(contentsOf(sim.server.world)).toEqual(contentsBefore);
  });
});

describe('a trigger of an event', () => {
  test('deposit.created with a deposit is refused, and the hint says what to do', async () => {
    const body = { event: 'deposit.created', deposit: 1 };
    const response = await sim.callControl('POST', '/accounts/demo/trigger', body);
    expect([response.status, response.headers.get('x-sim-hint')]).toEqual([
      409,
      'deposit.created is sent only for a new deposit; leave out the deposit to create one',
    ]);
  });

  testInvalidBodies('POST', '/accounts/demo/trigger', [
    ['no event', {}, 'event', missingMessage('event')],
    ['an unknown event', { event: 'deposit.lost' }, 'event', notOneOfMessage('event', ...eventNames)],
    [
      'an event that the service does not have',
      { event: 'invoice.created' },
      'event',
      notOneOfMessage('event', ...eventNames),
    ],
    [
      'a deposit for an event of payments',
      { event: 'payment.succeeded', deposit: 1 },
      'deposit',
      'deposit: payment.succeeded can only be triggered on a payment link',
    ],
    [
      'a payment link for an event of deposits',
      { event: 'deposit.expired', payment_link: 1 },
      'payment_link',
      'payment_link: deposit.expired can only be triggered on a deposit',
    ],
    [
      'a deposit that is not an integer',
      { event: 'deposit.expired', deposit: 1.5 },
      'deposit',
      'deposit must be an integer or a string, not the number 1.5',
    ],
  ]);

  test.each([
    [{ event: 'deposit.expired', deposit: 99 }, 404, 'Deposit not found'],
    [{ event: 'deposit.expired', deposit: '__proto__' }, 404, 'Deposit not found'],
    [{ event: 'payment.succeeded', payment_link: 99 }, 404, 'Payment link not found'],
    [{ event: 'payment.succeeded', payment_link: 3 }, 409, 'Payment link is not active'],
    [{ event: 'deposit.authorized', deposit: 4 }, 409, 'The current status does not allow this'],
    [{ event: 'deposit.created', deposit: 1 }, 409, 'The current status does not allow this'],
  ])('with the body %o fails with %i: %s', async (body, status, error) => {
    const contentsBefore = contentsOf(sim.server.world);
    expect(await sim.callControl('POST', '/accounts/demo/trigger', body)).toMatchObject({ status, body: { error } });
    expect(contentsOf(sim.server.world)).toEqual(contentsBefore);
  });
});

describe('scenarios', () => {
  const steps = [{ do: 'authorize' }];
  const validScenario = { description: 'a', for: 'deposit', steps };

  testInvalidBodies('PUT', '/accounts/demo/scenarios/mine', [
    ['an empty object', {}, 'body', '`description`, `for` and `steps` are missing'],
    [
      'a name that differs from the path',
      { ...validScenario, name: 'yours' },
      'name',
      'name must be mine, as in the path',
    ],
    [
      'an unknown verb',
      { ...validScenario, steps: [{ do: 'authorise' }] },
      'steps.0.do',
      'step 1: unknown verb `authorise`…',
    ],
    [
      'an invalid duration',
      { ...validScenario, steps: [{ after: '8 bananas', do: 'authorize' }] },
      'steps.0.after',
      'step 1: after: …',
    ],
    ['no steps', { ...validScenario, steps: [] }, 'steps', 'steps: must not be empty'],
    [
      'a fault that matches an unknown operation',
      { ...validScenario, steps: [{ do: 'fault', with: { effect: 'reset', match: { operation: 'createDepost' } } }] },
      'steps.0.with.match.operation',
      'step 1: with: match: unknown operation `createDepost`; did you mean `createDeposit`?',
    ],
    [
      'a fault that matches an unknown token',
      { ...validScenario, steps: [...steps, { do: 'fault', with: { effect: 'reset', match: { token: 'ful' } } }] },
      'steps.1.with.match.token',
      'step 2: with: match: unknown token `ful`; did you mean `full`?',
    ],
    [
      'a fault that ends in the past',
      { ...validScenario, steps: [{ do: 'fault', with: { effect: 'reset', until: '2026-02-28' } }] },
      'steps.0.with.until',
      "step 1: with: until: must be later than the account's time, which is 2026-…",
    ],
    [
      'a scenario that never ends',
      { ...validScenario, for: 'invoice', trigger: { event: 'payment.succeeded' }, steps: [{ do: 'pay' }] },
      'steps.0',
      'step 1 (pay) causes payment.succeeded, which starts this scenario again: it would never end',
    ],
  ]);
  testInvalidBodies('PUT', '/accounts/demo/scenarios/Mine', [
    ['an invalid name', validScenario, 'name', 'name: `Mine` is not a valid name…'],
  ]);
  testInvalidBodies('PUT', '/accounts/demo/scenarios/__proto__', [
    ['the name __proto__', validScenario, 'name', 'name: `__proto__` is not a valid name…'],
  ]);
  testInvalidBodies('POST', '/accounts/demo/scenarios/no-show/run', [
    ['no record', {}, 'deposit', missingMessage('deposit')],
    ['a record of another type', { invoice: 1 }, 'invoice', 'unknown field `invoice`…'],
    ['two records', { deposit: 1, invoice: 1 }, 'invoice', 'unknown field `invoice`…'],
    ['a deposit that is null', { deposit: null }, 'deposit', 'deposit must be an integer or a string, not null'],
  ]);

  test('running an unknown scenario fails, and a hint lists the available ones', async () => {
    const response = await sim.callControl('POST', '/accounts/demo/scenarios/no-shwo/run', { deposit: 1 });
    expect(response).toMatchObject({ status: 404, body: { success: false, error: 'Scenario not found' } });
    expect(response.headers.get('x-sim-hint')).toMatch(/^available: .*no-show/);
  });

  test('running a scenario on an unknown record fails with 404', async () => {
    const response = await sim.callControl('POST', '/accounts/demo/scenarios/no-show/run', { deposit: 99 });
    expect(response).toMatchObject({ status: 404, body: { success: false, error: 'Deposit not found' } });
  });

  test('a cancelled run cannot be cancelled again', async () => {
    await sim.callControl('POST', '/accounts', { id: 'runs', seed: 'demo' });
    await sim.callControl('POST', '/accounts/runs/scenarios/no-show/run', { deposit: 1 });
    await sim.callControl('DELETE', '/accounts/runs/runs/1');
    const response = await sim.callControl('DELETE', '/accounts/runs/runs/1');
    expect(response).toMatchObject({ status: 409, body: { success: false, error: 'The run has ended' } });
    expect(response.headers.get('x-sim-hint')).toBe('its status is cancelled');
  });
});

test('the default account cannot be deleted', async () => {
  const response = await sim.callControl('DELETE', '/accounts/demo');
  const error = 'The default account cannot be removed';
  expect(response).toMatchObject({ status: 409, body: { success: false, error } });
  expect(response.headers.get('x-sim-hint')).toBe('reset it instead');
});

test('errors of the control API do not depend on the profile of the account', async () => {
  const profile = {
    'validation.status': '400-without-errors',
    'request.not-found': { error: 'Gone' },
    'request.method': '404',
  };
  await sim.callControl('POST', '/accounts', { id: 'custom-errors', profile });
  const advance = '/accounts/custom-errors/clock/advance';
  expect(await sim.callControl('POST', advance, { by: 'x' })).toMatchObject({
    status: 422,
    body: invalidControlFieldBody('by', invalidDurationMessage('by')),
  });
  const notFound = await sim.callControl('POST', '/accounts/custom-errors/deposits/1/expire');
  expect(notFound).toMatchObject({ status: 404, body: { success: false, error: 'Deposit not found' } });
  expect((await sim.callControl('GET', advance)).status).toBe(405);
});
