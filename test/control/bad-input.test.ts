import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventNames } from '../../src/domain/records.js';
import { contentsOf } from '../../src/simulation/world.js';
import { invalidFieldBody } from '../support/envelope.js';
import { type ControlServer, startControlServer } from './control-server.js';

/** Invalid values: each response says what is wrong, and nothing changes. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** An invalid body and the expected error. A message that ends with `…` only has to be contained in the actual one. */
type Case = readonly [what: string, body: unknown, field: string, message: string];

function testRefusals(method: string, path: string, cases: readonly Case[]): void {
  test.each(cases)(`${method} ${path}: %s`, async (_what, body, field, message) => {
    const before = contentsOf(sim.server.world);
    const answer = await sim.callControl(method, path, body);
    if (message.endsWith('…')) {
      const contained = expect.stringContaining(message.slice(0, -1));
      const errors = { [field]: expect.arrayContaining([contained]) };
      expect(answer).toMatchObject({ status: 422, body: { success: false, error: contained, errors } });
    } else expect(answer).toMatchObject({ status: 422, body: invalidFieldBody(field, message) });
    expect(contentsOf(sim.server.world)).toEqual(before);
  });
}

const nameRule = '1 to 63 lower-case letters, digits, hyphens and underscores, the first a letter or digit';
const invalidName = (field: string): string => `${field} must be ${nameRule}`;
const invalidCharacters = (field: string): string => `${field} must be text without NUL and halves of surrogate pairs`;
const notAString = (field: string): string => `${field} must be a string`;
const tooLong = (field: string, limit: number): string => `${field} must have at most ${limit} characters`;
const notOneOf = (field: string, ...allowed: string[]): string => `${field} must be one of ${allowed.join(', ')}`;
const isMissing = (field: string): string => `${field} is required`;
const mustNotBeEmpty = (field: string): string => `${field} must not be empty`;
const invalidDuration = (field: string): string => `${field} must be a duration such as 8d, 2h 30m or P8D`;
const invalidTime = (field: string): string => `${field} must be a time from 1970 on, such as 2026-03-01T09:00:00Z`;
const invalidSeed = 'seed must be demo, empty or an object';
const deliveryStatuses = ['unsent', 'waiting', 'retrying', 'delivered', 'failed'];
const paymentOutcomes = ['paid', 'failed', 'pending'];

/** Values that are not a time, or not one that a clock can be set to. */
const invalidTimes = [
  'tomorrow',
  '',
  '2026-03-01',
  '2026-03-01T09:00:00',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '+012026-03-01T09:00:00Z',
  // A leap second.
  '2016-12-31T23:59:60Z',
];

const invalidDurations = [
  '',
  ' ',
  '8',
  'd',
  '-8d',
  '8 bananas',
  '8 d bogus',
  '1e3s',
  'P',
  'PT',
  'P1',
  '365251d',
  'NaN',
  '∞',
];

const seed = {
  currency: 'EUR',
  time_zone: 'UTC',
  customers: [],
  invoices: [],
  payment_links: [],
  payments: [],
  deposits: [],
};
const link = { id: 1, description: 'Breakfast', amount: 10, is_active: true, created: '0' };

describe('a new account', () => {
  testRefusals('POST', '/accounts', [
    ...['', 'Hotel', '-hotel', '_hotel', 'ho tel', 'hotel/x', '../x', 'hôtel', '__proto__', 'a'.repeat(64)].map(
      (id): Case => [`the id ${id.slice(0, 12)}`, { id }, 'id', invalidName('id')],
    ),
    ['an id that is a number', { id: 5 }, 'id', notAString('id')],
    ['an id that is null', { id: null }, 'id', notAString('id')],
    ['an unknown name of a seed', { seed: 'dmo' }, 'seed', invalidSeed],
    ['a path to a seed file', { seed: './fixtures/accounts/demo.json' }, 'seed', invalidSeed],
    ['a seed that is a number', { seed: 5 }, 'seed', invalidSeed],
    ['a seed that is a list', { seed: [] }, 'seed', invalidSeed],
    ['an empty seed', { seed: {} }, 'seed', "this is not a valid seed: it must have required property 'currency'"],
    [
      'a seed with an id twice',
      { seed: { ...seed, payment_links: [link, link] } },
      'seed',
      'the seed has id 1 twice in one list',
    ],
    [
      'a seed with an unknown field',
      { seed: { ...seed, a: 1 } },
      'seed',
      'this is not a valid seed: it must NOT have additional properties',
    ],
    [
      'a seed with a field of another type',
      { seed: { ...seed, customers: {} } },
      'seed',
      'this is not a valid seed: it/customers must be array',
    ],
    [
      'a seed with an unknown time zone',
      { seed: { ...seed, time_zone: 'Mars' } },
      'seed',
      'the time zone of the seed is not known: Mars',
    ],
    [
      'a seed that refers to a customer that it does not contain',
      {
        seed: {
          ...seed,
          payment_links: [link],
          payments: [
            {
              id: 1,
              payment_link_id: 1,
              customer_id: 9,
              amount: 5,
              status: 'paid',
              payment_method: 'card',
              created: '0',
            },
          ],
        },
      },
      'seed',
      'the seed refers to customer 9, which it does not contain',
    ],
    [
      'a seed with an invalid time',
      { seed: { ...seed, payment_links: [{ ...link, created: '-8 bananas' }] } },
      'seed',
      '"-8 bananas" in the seed is not a time such as -8d',
    ],
    ...[1e300, Number.MAX_SAFE_INTEGER, 0, 1.5].map(
      (id): Case => [
        `a seed with the id ${id}`,
        { seed: { ...seed, payment_links: [{ ...link, id }] } },
        'seed',
        'this is not a valid seed: it/payment_links/0/id must be…',
      ],
    ),
    [
      'a seed with a huge amount',
      { seed: { ...seed, payment_links: [{ ...link, amount: 1e300 }] } },
      'seed',
      'this is not a valid seed: it/payment_links/0/amount must be <= 9999999999.99',
    ],
    [
      'a profile with a misspelt gap',
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
      'a profile with a value that does not fit',
      { profile: { 'deposit.window': { for: 'a while' } } },
      'profile',
      'deposit.window: `for` takes a value…',
    ],
    ['a profile that names __proto__', '{"profile":{"__proto__":"x"}}', 'profile', 'unknown gap `__proto__`…'],
    ['a profile that names constructor', { profile: { constructor: 'x' } }, 'profile', 'unknown gap `constructor`…'],
    [
      'a choice of __proto__',
      { profile: { 'list.order': '__proto__' } },
      'profile',
      'list.order has no choice `__proto__`…',
    ],
    ['a profile that is a name', { profile: 'demo' }, 'profile', 'profile must be an object'],
    ...invalidTimes.map((now): Case => [`the time ${now}`, { now }, 'now', invalidTime('now')]),
    ['a time that is a number', { now: 5 }, 'now', notAString('now')],
    ['a random seed that is a number', { random_seed: 5 }, 'random_seed', notAString('random_seed')],
    ['a random seed that is too long', { random_seed: 'x'.repeat(256) }, 'random_seed', tooLong('random_seed', 255)],
    ['a random seed with NUL in it', { random_seed: 'a\0b' }, 'random_seed', invalidCharacters('random_seed')],
    ['a rate limit that is a string', { rate_limit: 'off' }, 'rate_limit', 'rate_limit must be true or false'],
    ['an empty secret', { webhook_secret: '' }, 'webhook_secret', mustNotBeEmpty('webhook_secret')],
    ['half a surrogate pair', '{"webhook_secret":"\\ud800"}', 'webhook_secret', invalidCharacters('webhook_secret')],
  ]);

  test('with an existing id', async () => {
    expect(await sim.callControl('POST', '/accounts', { id: 'demo' })).toMatchObject({
      status: 409,
      body: { success: false, error: 'Account already exists' },
    });
  });

  test('with several mistakes gets a message for each', async () => {
    const unknown =
      'unknown field `colour`; available: `id`, `seed`, `profile`, `now`, `random_seed`, `rate_limit`, `webhook_url`, `webhook_secret`';
    const { status, body } = await sim.callControl('POST', '/accounts', { id: 'A', rate_limit: 1, colour: 'red' });
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        success: false,
        error: `${unknown} (and 2 more errors)`,
        errors: {
          colour: [unknown],
          id: [invalidName('id')],
          rate_limit: ['rate_limit must be true or false'],
        },
      },
    });
  });
});

describe.each([
  ['POST', '/accounts'],
  ['PATCH', '/accounts/demo/settings'],
])('%s %s with a webhook URL', (method, path) => {
  const notAUrl = 'the webhook URL is not a valid URL';
  const scheme = 'the webhook URL is neither http: nor https:';
  const credentials = 'the webhook URL has credentials in it';

  test.each<[string, string]>([
    ['', notAUrl],
    ['nowhere', notAUrl],
    ['//host/path', notAUrl],
    ['http://', notAUrl],
    ['http://host:99999/', notAUrl],
    ['ftp://host/', scheme],
    ['file:///etc/passwd', scheme],
    ['javascript:alert(1)', scheme],
    ['data:text/plain,a', scheme],
    ['http://user:secret@host/', credentials],
    ['http://user@host/', credentials],
  ])('%s is refused', async (webhook_url, why) => {
    const { status, body, headers } = await sim.callControl(method, path, { webhook_url });
    expect({ status, body, hint: headers.get('x-sim-hint') }).toEqual({
      status: 422,
      body: { success: false, error: 'Webhooks cannot be sent to this URL', errors: { webhook_url: [why] } },
      hint: why,
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
    const errors = { webhook_url: ['the webhook URL is the simulator itself'] };
    expect({ status, body }).toMatchObject({ status: 422, body: { errors } });
  });

  testRefusals(method, path, [
    [
      'of 2,001 characters',
      { webhook_url: `http://host/${'x'.repeat(1_990)}` },
      'webhook_url',
      tooLong('webhook_url', 2000),
    ],
    ['that is a number', { webhook_url: 80 }, 'webhook_url', 'webhook_url must be a string or null'],
  ]);
});

describe('settings', () => {
  testRefusals('PATCH', '/accounts/demo/settings', [
    ['a secret of null', { webhook_secret: null }, 'webhook_secret', notAString('webhook_secret')],
    ['a rate limit of null', { rate_limit: null }, 'rate_limit', 'rate_limit must be true or false'],
    ['a profile of null', { profile: null }, 'profile', 'profile must be an object'],
    ['a profile with a misspelt gap', { profile: { 'list.ordr': 'x' } }, 'profile', 'unknown gap `list.ordr`…'],
    [
      'a former name of a field',
      { webhookUrl: null },
      'webhookUrl',
      'unknown field `webhookUrl`; did you mean `webhook_url`?',
    ],
  ]);
});

describe('the clock', () => {
  testRefusals('PATCH', '/accounts/demo/clock', [
    ['an unknown mode', { mode: 'stopped' }, 'mode', notOneOf('mode', 'real', 'frozen')],
    ['a mode of another type', { mode: 5 }, 'mode', 'mode must be a string…'],
    ...invalidTimes.map((now): Case => [`the time ${now}`, { now }, 'now', invalidTime('now')]),
  ]);
  testRefusals('POST', '/accounts/demo/clock/advance', [
    ['nothing', {}, 'body', 'exactly one of by, to is required'],
    ['both', { by: '1d', to: '2027-01-01T00:00:00Z' }, 'body', 'exactly one of by, to is required'],
    ['a timeout alone', { timeout: '1s' }, 'body', 'exactly one of by, to is required'],
    ...invalidDurations.map((by): Case => [`the duration ${by}`, { by }, 'by', invalidDuration('by')]),
    ['a duration of 101 characters', { by: `${' '.repeat(99)}1d` }, 'by', tooLong('by', 100)],
    ['a duration that is a number', { by: 8 }, 'by', notAString('by')],
    ...invalidTimes.map((to): Case => [`the time ${to}`, { to }, 'to', invalidTime('to')]),
    ...invalidDurations.map(
      (timeout): Case => [`timeout ${timeout}`, { by: '1d', timeout }, 'timeout', invalidDuration('timeout')],
    ),
    ['a timeout that is too long', { by: '1d', timeout: '601s' }, 'timeout', 'timeout must be at most 10m'],
  ]);

  test.each([
    ['PATCH', '/accounts/demo/clock', { now: '2026-03-01T08:59:59Z' }],
    ['PATCH', '/accounts/demo/clock', { now: '2026-03-01T08:59:59Z', mode: 'real' }],
    ['POST', '/accounts/demo/clock/advance', { to: '2026-03-01T08:59:59Z' }],
    ['POST', '/accounts/demo/clock/advance', { to: '1970-01-01T00:00:00Z' }],
  ])('%s %s does not go back to %o, and hints at how to', async (method, path, body) => {
    const before = contentsOf(sim.server.world);
    const answer = await sim.callControl(method, path, body);
    expect(answer).toMatchObject({ status: 409, body: { success: false, error: 'The clock cannot be set back' } });
    expect(answer.headers.get('x-sim-hint')).toBe(
      'the clock shows 2026-03-01T09:00:00.000Z and goes forward only; restore a snapshot to go back',
    );
    expect(contentsOf(sim.server.world)).toEqual(before);
  });

  test('does not go beyond the year 8999', async () => {
    await sim.callControl('POST', '/accounts', { id: 'late', now: '8998-12-31T00:00:00Z' });
    const answer = await sim.callControl('POST', '/accounts/late/clock/advance', { by: '730d' });
    const error = 'The clock does not go beyond the year 8999';
    expect(answer).toMatchObject({ status: 422, body: { success: false, error } });
    expect(answer.headers.get('x-sim-hint')).toBe('the latest possible time is 8999-12-31T23:59:59.999Z');
    expect(await sim.callControl('GET', '/accounts/late/clock')).toMatchObject({
      body: { now: '8998-12-31T00:00:00.000Z' },
    });
    const born = await sim.callControl('POST', '/accounts', { id: 'later', now: '9000-01-01T00:00:00Z' });
    expect(born).toMatchObject({ status: 422, body: { success: false, error } });
  });
});

describe('a query', () => {
  const paths = ['agenda', 'customers', 'deliveries', 'mails', 'scenarios'];

  describe.each(paths)('of %s', (path) => {
    const atLeast = 'per_page must be at least 1';
    const atMost = 'per_page must be at most 10000';
    const integer = 'per_page must be an integer';

    test.each([
      ['0', atLeast],
      ['-1', atLeast],
      ['10001', atMost],
      ['9007199254740991', atMost],
      ['9'.repeat(400), integer],
      ['1e3', integer],
      ['1.5', integer],
      ['', integer],
      ['x', integer],
      ['1&per_page=2', integer],
    ])('per_page=%s', async (perPage, message) => {
      const answer = await sim.callControl('GET', `/accounts/demo/${path}?per_page=${perPage}`);
      expect(answer).toMatchObject({ status: 422, body: invalidFieldBody('per_page', message) });
    });
  });

  test.each([
    ['event=deposit.lost', 'event', eventNames],
    ['event=', 'event', eventNames],
    ['status=lost', 'status', deliveryStatuses],
    ['status=__proto__', 'status', deliveryStatuses],
  ])('of deliveries: %s', async (query, field, allowed) => {
    const answer = await sim.callControl('GET', `/accounts/demo/deliveries?${query}`);
    expect(answer).toMatchObject({ status: 422, body: invalidFieldBody(field, notOneOf(field, ...allowed)) });
  });
});

describe('tokens, customers and snapshots', () => {
  testRefusals('POST', '/accounts/demo/tokens', [
    ['no name', { scopes: ['billing.read'] }, 'name', isMissing('name')],
    ['an empty name', { name: '', scopes: ['billing.read'] }, 'name', mustNotBeEmpty('name')],
    ['no scopes', { name: 'a' }, 'scopes', isMissing('scopes')],
    ['an empty list of scopes', { name: 'a', scopes: [] }, 'scopes', mustNotBeEmpty('scopes')],
    [
      'an unknown scope',
      { name: 'a', scopes: ['billing.admin'] },
      'scopes.0',
      notOneOf('scopes.0', 'billing.read', 'billing.write'),
    ],
    [
      'a scope twice',
      { name: 'a', scopes: ['billing.read', 'billing.read'] },
      'scopes',
      'scopes must not have the same item twice',
    ],
    ['a scope that is not a list', { name: 'a', scopes: 'billing.read' }, 'scopes', 'scopes must be a list'],
    ['a chosen token', { name: 'a', scopes: ['billing.read'], token: 'x' }, 'token', 'unknown field `token`…'],
  ]);
  testRefusals('POST', '/accounts/demo/customers', [
    ['no name', { email: 'a@b.example' }, 'name', isMissing('name')],
    ['no email', { name: 'Ada' }, 'email', isMissing('email')],
    ['an invalid e-mail address', { name: 'Ada', email: 'ada' }, 'email', 'email must be an e-mail address'],
    ['a chosen id', { id: 9, name: 'Ada', email: 'a@b.example' }, 'id', 'unknown field `id`…'],
    [
      'an unknown currency',
      { name: 'Ada', email: 'a@b.example', currency: 'eur' },
      'currency',
      'currency must be three capital letters such as EUR',
    ],
    [
      'a long company',
      { name: 'A', email: 'a@b.example', company: 'x'.repeat(256) },
      'company',
      tooLong('company', 255),
    ],
  ]);
  testRefusals('POST', '/accounts/demo/snapshots', [
    ['no name', {}, 'name', isMissing('name')],
    ...['', 'Before', '-a', '../a', 'a/b', 'a b', '__proto__', 'a'.repeat(64)].map(
      (name): Case => [`the name ${name.slice(0, 12)}`, { name }, 'name', invalidName('name')],
    ),
  ]);
});

describe('payments', () => {
  testRefusals('POST', '/accounts/demo/invoices/2/pay', [
    ['zero', { amount: 0 }, 'amount', 'amount must be more than 0'],
    ['a negative amount', { amount: -1 }, 'amount', 'amount must be more than 0'],
    ['half a cent', { amount: 0.005 }, 'amount', 'amount must have at most 2 decimal places'],
    ['a string', { amount: '10' }, 'amount', 'amount must be a number'],
    ['a huge amount', { amount: 1e300 }, 'amount', 'amount must be at most 9999999999.99'],
    ['more than a number can hold', '{"amount":1e999}', 'amount', 'amount must be a number'],
    ['an unknown outcome', { outcome: 'lost' }, 'outcome', notOneOf('outcome', ...paymentOutcomes)],
    ['an unknown method', { method: 'shells' }, 'method', 'method must be one of card, …'],
    ['a method of __proto__', { method: '__proto__' }, 'method', 'method must be one of card, …'],
  ]);
  testRefusals('POST', '/accounts/demo/payment-links/1/pay', [
    ['an amount', { amount: 5 }, 'amount', 'unknown field `amount`…'],
    ['an unknown outcome', { outcome: 'open' }, 'outcome', notOneOf('outcome', ...paymentOutcomes)],
    ['an unknown method', { method: '' }, 'method', 'method must be one of card, …'],
  ]);

  test('more than is unpaid is refused', async () => {
    const answer = await sim.callControl('POST', '/accounts/demo/invoices/2/pay', { amount: 999_999 });
    expect(answer).toMatchObject({ status: 422, body: { success: false, error: 'Amount exceeds what is unpaid' } });
  });
});

describe('transitions that the status does not allow', () => {
  const present = 'The present status does not allow this';

  test.each([
    ['deposits/2/authorize', present, 'the deposit is authorized; possible next: expire, capture, release'],
    ['deposits/4/expire', present, 'the deposit is captured; this status is final'],
    ['deposits/7/decline', present, 'the deposit is failed; this status is final'],
    ['payment-links/3/pay', 'Payment link is not active', null],
    ['payments/1/succeed', present, expect.stringContaining('the payment is paid')],
    ['payments/2/fail', present, expect.stringContaining('the payment is failed')],
    ['invoices/9/send', present, expect.stringContaining('the invoice is cancelled')],
    ['invoices/5/cancel', present, expect.stringContaining('the invoice is paid')],
    ['invoices/5/pay', present, expect.stringContaining('the invoice is paid')],
  ])('%s', async (path, error, hint) => {
    const before = contentsOf(sim.server.world);
    const answer = await sim.callControl('POST', `/accounts/demo/${path}`, {});
    expect(answer).toMatchObject({ status: 409, body: { success: false, error } });
    expect(answer.headers.get('x-sim-hint')).toEqual(hint);
    expect(contentsOf(sim.server.world)).toEqual(before);
  });
});

describe('events', () => {
  testRefusals('POST', '/accounts/demo/trigger', [
    ['no event', {}, 'event', isMissing('event')],
    ['an unknown event', { event: 'deposit.lost' }, 'event', notOneOf('event', ...eventNames)],
    [
      'an event that the service does not have',
      { event: 'invoice.created' },
      'event',
      notOneOf('event', ...eventNames),
    ],
    ['a deposit for a payment', { event: 'payment.succeeded', deposit: 1 }, 'deposit', 'unknown field `deposit`…'],
    [
      'a payment link for a deposit',
      { event: 'deposit.expired', payment_link: 1 },
      'payment_link',
      'unknown field `payment_link`…',
    ],
    [
      'a deposit that is not an integer',
      { event: 'deposit.expired', deposit: 1.5 },
      'deposit',
      'deposit must be an integer or a string',
    ],
  ]);

  test.each([
    [{ event: 'deposit.expired', deposit: 99 }, 404, 'Deposit not found'],
    [{ event: 'deposit.expired', deposit: '__proto__' }, 404, 'Deposit not found'],
    [{ event: 'payment.succeeded', payment_link: 99 }, 404, 'Payment link not found'],
    [{ event: 'payment.succeeded', payment_link: 3 }, 409, 'Payment link is not active'],
    [{ event: 'deposit.authorized', deposit: 4 }, 409, 'The present status does not allow this'],
    [{ event: 'deposit.created', deposit: 1 }, 409, 'The present status does not allow this'],
  ])('%o', async (body, status, error) => {
    const before = contentsOf(sim.server.world);
    expect(await sim.callControl('POST', '/accounts/demo/trigger', body)).toMatchObject({ status, body: { error } });
    expect(contentsOf(sim.server.world)).toEqual(before);
  });
});

describe('scenarios', () => {
  const steps = [{ do: 'authorize' }];
  const good = { description: 'a', for: 'deposit', steps };

  testRefusals('PUT', '/accounts/demo/scenarios/mine', [
    ['nothing', {}, 'body', '`description` is missing'],
    ['another name than the path', { ...good, name: 'yours' }, 'name', 'name must be mine, as in the path'],
    ['an unknown verb', { ...good, steps: [{ do: 'authorise' }] }, 'steps.0.do', 'steps 1: unknown verb `authorise`…'],
    [
      'a wrong duration',
      { ...good, steps: [{ after: '8 bananas', do: 'authorize' }] },
      'steps.0.after',
      'steps 1: after: …',
    ],
    ['no steps', { ...good, steps: [] }, 'steps', 'steps: must not be empty'],
    [
      'a fault of an unknown operation',
      { ...good, steps: [{ do: 'fault', with: { effect: 'reset', match: { operation: 'createDepost' } } }] },
      'steps.0.with.match.operation',
      'steps 1: with: match: unknown operation `createDepost`; did you mean `createDeposit`?',
    ],
    [
      'a scenario that never ends',
      { ...good, for: 'invoice', trigger: { event: 'payment.succeeded' }, steps: [{ do: 'pay' }] },
      'steps.0',
      'step 1 (pay) causes payment.succeeded, which starts this scenario again: it would never end',
    ],
  ]);
  testRefusals('PUT', '/accounts/demo/scenarios/Mine', [
    ['an invalid name', good, 'name', 'name: `Mine` is not a valid name…'],
  ]);
  testRefusals('PUT', '/accounts/demo/scenarios/__proto__', [
    ['__proto__', good, 'name', 'name: `__proto__` is not a valid name…'],
  ]);
  testRefusals('POST', '/accounts/demo/scenarios/no-show/run', [
    ['no record', {}, 'deposit', isMissing('deposit')],
    ['a record of another kind', { invoice: 1 }, 'invoice', 'unknown field `invoice`…'],
    ['two records', { deposit: 1, invoice: 1 }, 'invoice', 'unknown field `invoice`…'],
    ['null', { deposit: null }, 'deposit', 'deposit must be an integer or a string'],
  ]);

  test('an unknown scenario is reported with the available ones', async () => {
    const answer = await sim.callControl('POST', '/accounts/demo/scenarios/no-shwo/run', { deposit: 1 });
    expect(answer).toMatchObject({ status: 404, body: { success: false, error: 'Scenario not found' } });
    expect(answer.headers.get('x-sim-hint')).toMatch(/^there are .*no-show/);
  });

  test('an unknown record is reported', async () => {
    const answer = await sim.callControl('POST', '/accounts/demo/scenarios/no-show/run', { deposit: 99 });
    expect(answer).toMatchObject({ status: 404, body: { success: false, error: 'Deposit not found' } });
  });

  test('a finished run cannot be cancelled', async () => {
    await sim.callControl('POST', '/accounts', { id: 'runs', seed: 'demo' });
    await sim.callControl('POST', '/accounts/runs/scenarios/no-show/run', { deposit: 1 });
    await sim.callControl('DELETE', '/accounts/runs/runs/1');
    const answer = await sim.callControl('DELETE', '/accounts/runs/runs/1');
    expect(answer).toMatchObject({ status: 409, body: { success: false, error: 'The run is over' } });
    expect(answer.headers.get('x-sim-hint')).toBe('it is cancelled');
  });
});

test('the default account cannot be deleted', async () => {
  const answer = await sim.callControl('DELETE', '/accounts/demo');
  const error = 'The default account cannot be removed';
  expect(answer).toMatchObject({ status: 409, body: { success: false, error } });
  expect(answer.headers.get('x-sim-hint')).toBe('reset it instead');
});

test('errors of the control API do not depend on the profile of the account', async () => {
  const profile = {
    'validation.status': '400-without-errors',
    'request.not-found': { error: 'Gone' },
    'request.method': '404',
  };
  await sim.callControl('POST', '/accounts', { id: 'other-words', profile });
  const advance = '/accounts/other-words/clock/advance';
  expect(await sim.callControl('POST', advance, { by: 'x' })).toMatchObject({
    status: 422,
    body: invalidFieldBody('by', invalidDuration('by')),
  });
  const unknown = await sim.callControl('POST', '/accounts/other-words/deposits/1/expire');
  expect(unknown).toMatchObject({ status: 404, body: { success: false, error: 'Deposit not found' } });
  expect((await sim.callControl('GET', advance)).status).toBe(405);
});
