import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError, type Simulator, type SimulatorAccount, startSimulator, UserError } from '../../src/index.js';
import { tempFolder } from '../support/temp-folder.js';

/** The library refuses what the control API refuses, even when called from plain JavaScript, which no compiler checks. */

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});
afterAll(() => simulator.close());

const invalidNameMessage = 'name must be 1 to 63 lowercase letters, digits, hyphens and underscores';
const missingIdMessage = 'the id or name of the record must be a number or a string, not undefined';
const tracePathMessage = "the path of the trace must be a non-empty string such as 'trace.html'";

/** Invalid calls on an account with the demo records, with the message of the error. */
const invalidCalls: readonly [call: string, (account: SimulatorAccount) => Promise<unknown>, message: string][] = [
  ["snapshots.save('')", ({ snapshots }) => snapshots.save(''), invalidNameMessage],
  ["snapshots.save('Before Check-out')", ({ snapshots }) => snapshots.save('Before Check-out'), invalidNameMessage],
  ["snapshots.save('..')", ({ snapshots }) => snapshots.save('..'), invalidNameMessage],
  ["snapshots.save('a/b')", ({ snapshots }) => snapshots.save('a/b'), invalidNameMessage],
  // @ts-expect-error: the name is not a string
  ['snapshots.save(5)', ({ snapshots }) => snapshots.save(5), 'name must be a string'],
  [
    "snapshots.import(file, '')",
    async ({ snapshots }) => {
      await snapshots.save('saved');
      return snapshots.import(await snapshots.export('saved'), '');
    },
    invalidNameMessage,
  ],
  [
    'customers.create with an unknown currency',
    ({ customers }) => customers.create({ name: 'Ada', email: 'ada@example.com', currency: 'zz' }),
    'currency must be the code of a currency in use, such as EUR',
  ],
  [
    'customers.create without an email address',
    // @ts-expect-error: the email address is missing
    ({ customers }) => customers.create({ name: 'Ada' }),
    'email is required',
  ],
  [
    'customers.create with an unknown property',
    // @ts-expect-error: the property is unknown
    ({ customers }) => customers.create({ name: 'Ada', email: 'ada@example.com', nmae: 'Ada' }),
    'unknown field `nmae`; did you mean `name`?',
  ],
  [
    'customers.create with a property that every object inherits',
    // @ts-expect-error: the property is unknown
    ({ customers }) => customers.create({ name: 'Ada', email: 'ada@example.com', toString: 'Ada' }),
    'unknown field `toString`',
  ],
  [
    'apiTokens.create with an unknown scope',
    // @ts-expect-error: the scope is unknown
    ({ apiTokens }) => apiTokens.create({ name: 'reader', scopes: ['foo'] }),
    'scopes.0 must be one of billing.read, billing.write',
  ],
  [
    'apiTokens.create without scopes',
    // @ts-expect-error: the scopes are missing
    ({ apiTokens }) => apiTokens.create({ name: 'reader' }),
    'scopes is required',
  ],
  // @ts-expect-error: the amount is not a number
  ["invoices.pay(2, { amount: '5' })", ({ invoices }) => invoices.pay(2, { amount: '5' }), 'amount must be a number'],
  [
    'invoices.pay(2, { amount: -500 })',
    ({ invoices }) => invoices.pay(2, { amount: -500 }),
    'amount must be more than 0',
  ],
  ['invoices.pay(2, { amount: 0 })', ({ invoices }) => invoices.pay(2, { amount: 0 }), 'amount must be more than 0'],
  [
    'invoices.pay(2, { amount: NaN })',
    ({ invoices }) => invoices.pay(2, { amount: Number.NaN }),
    'amount must be a number',
  ],
  [
    'invoices.pay(2, { amount: 5n })',
    // @ts-expect-error: the amount is a bigint
    ({ invoices }) => invoices.pay(2, { amount: 5n }),
    'the input cannot be written as JSON: Do not know how to serialize a BigInt',
  ],
  [
    'paymentLinks.pay(1, () => {})',
    // @ts-expect-error: the input is a function
    ({ paymentLinks }) => paymentLinks.pay(1, () => {}),
    'the body must be an object',
  ],
  [
    'invoices.pay with an unknown method',
    ({ invoices }) => invoices.pay(2, { method: 'barter' }),
    'method must be one of card',
  ],
  [
    'paymentLinks.pay with an unknown outcome',
    // @ts-expect-error: the outcome is unknown
    ({ paymentLinks }) => paymentLinks.pay(1, { outcome: 'lost' }),
    'outcome must be one of paid, failed, pending',
  ],
  // @ts-expect-error: the secret is not a string
  ['webhooks.configure({ secret: 5 })', ({ webhooks }) => webhooks.configure({ secret: 5 }), 'secret must be a string'],
  [
    'webhooks.configure({ uri })',
    // @ts-expect-error: the setting is unknown
    ({ webhooks }) => webhooks.configure({ uri: 'http://127.0.0.1:9/' }),
    'unknown option `uri`; did you mean `url`?',
  ],
  [
    "webhooks.configure('http://…')",
    // @ts-expect-error: the settings are a string
    ({ webhooks }) => webhooks.configure('http://127.0.0.1:9/'),
    "the options must be an object, not 'http://127.0.0.1:9/'",
  ],
  [
    'webhooks.next with a misspelled option',
    // @ts-expect-error: the option is unknown
    ({ webhooks }) => webhooks.next('deposit.captured', { timeot: 1 }),
    'unknown option `timeot`; did you mean `timeout`?',
  ],
  [
    'clock.advance with a misspelled option',
    // @ts-expect-error: the option is unknown
    ({ clock }) => clock.advance('1d', { timeot: 1 }),
    'unknown option `timeot`; did you mean `timeout`?',
  ],
  [
    'clock.set with a misspelled option',
    // @ts-expect-error: the option is unknown
    ({ clock }) => clock.set('2026-03-02', { timeot: 1 }),
    'unknown option `timeot`; did you mean `timeout`?',
  ],
  [
    'deposits.list with a misspelled filter',
    // @ts-expect-error: the filter is unknown
    ({ deposits }) => deposits.list({ staus: 'expired' }),
    'unknown option `staus`; did you mean `status`?',
  ],
  [
    'customers.list with an email that is not a string',
    // @ts-expect-error: the email is not a string
    ({ customers }) => customers.list({ email: 5 }),
    'email must be a string',
  ],
  [
    'settings.update with a misspelled option',
    // @ts-expect-error: the option is unknown
    ({ settings }) => settings.update({ rateLimt: true }),
    'unknown option `rateLimt`; did you mean `rateLimit`?',
  ],
  [
    'settings.update with an option of a wrong type',
    // @ts-expect-error: the rate limit is on or off
    ({ settings }) => settings.update({ rateLimit: 'on' }),
    'rateLimit must be true or false',
  ],
  [
    'settings.update with an unknown choice',
    ({ settings }) => settings.update({ profile: { 'list.order': 'random' } }),
    'list.order',
  ],
  [
    'trigger with a misspelled option',
    // @ts-expect-error: the option is unknown
    (account) => account.trigger('deposit.captured', { depsit: 1 }),
    'unknown option `depsit`; did you mean `deposit`?',
  ],
  [
    'webhooks.next for a misspelled event',
    // @ts-expect-error: the event is unknown
    ({ webhooks }) => webhooks.next('deposit.captred', { timeout: 60_000 }),
    'unknown event `deposit.captred`; did you mean `deposit.captured`?',
  ],
  [
    'webhooks.next without an event',
    // @ts-expect-error: the event is missing
    ({ webhooks }) => webhooks.next(undefined, { timeout: 60_000 }),
    'unknown event `undefined`; available: `payment.succeeded`, `deposit.created`',
  ],
  [
    'trigger of a deposit event on a payment link',
    (account) => account.trigger('deposit.expired', { paymentLink: 1 }),
    'invalid: paymentLink: deposit.expired can only be triggered on a deposit',
  ],
  // @ts-expect-error: the input is missing
  ['apiTokens.create()', ({ apiTokens }) => apiTokens.create(), 'the options must be an object, not undefined'],
  [
    'apiTokens.create with an unknown property',
    // @ts-expect-error: the property is unknown
    ({ apiTokens }) => apiTokens.create({ name: 'powerless', scopes: [], role: 'reader' }),
    'unknown option `role`; available: `name`, `scopes`',
  ],
  // @ts-expect-error: the id is missing
  ['deposits.authorize()', ({ deposits }) => deposits.authorize(), missingIdMessage],
  [
    'invoices.send of a record instead of its id',
    // @ts-expect-error: the id is an object
    ({ invoices }) => invoices.send({ id: 2 }),
    'the id or name of the record must be a number or a string, not { id: 2 }',
  ],
  // @ts-expect-error: the record is missing
  ["scenarios.run('no-show')", ({ scenarios }) => scenarios.run('no-show'), missingIdMessage],
  // @ts-expect-error: the name is missing
  ['snapshots.restore()', ({ snapshots }) => snapshots.restore(), missingIdMessage],
  // @ts-expect-error: the name is missing
  ['snapshots.export()', ({ snapshots }) => snapshots.export(), missingIdMessage],
  // @ts-expect-error: the id is missing
  ['webhooks.resend()', ({ webhooks }) => webhooks.resend(), missingIdMessage],
  // @ts-expect-error: the id is missing
  ['request()', (account) => account.request(), missingIdMessage],
  // @ts-expect-error: the path is missing
  ['trace.save()', ({ trace }) => trace.save(), `${tracePathMessage}, not undefined`],
  ["trace.save('')", ({ trace }) => trace.save(''), `${tracePathMessage}, not ''`],
  [
    'trigger of an unknown event',
    // @ts-expect-error: the event is unknown
    (account) => account.trigger('deposit.lost'),
    'event must be one of payment.succeeded, deposit.created',
  ],
];

test.each(invalidCalls)('%s is refused with a message that says what is wrong', async (_call, call, message) => {
  const account = await simulator.createAccount({ seed: 'demo' });
  await expect(call(account)).rejects.toThrow(message);
});

test('an error lists each violation once, even if several schemas forbid the value', async () => {
  const { webhooks } = await simulator.createAccount();
  // @ts-expect-error: the secret is not a string
  await expect(webhooks.configure({ secret: 5 })).rejects.toMatchObject({
    violations: [{ path: ['secret'], rule: 'type', params: { type: 'string' } }],
  });
});

test('a data folder can be opened again after refused calls, and after a call with an undefined property', async () => {
  const options = { data: tempFolder(), log: () => undefined };
  const first = await startSimulator(options);
  const account = await first.createAccount({ id: 'hotel', seed: 'demo' });
  for (const [, call] of invalidCalls) await call(account).catch(() => undefined);
  // @ts-expect-error: the compiler refuses undefined; JavaScript does not
  const customer = await account.customers.create({ name: 'Ada', email: 'ada@example.com', city: undefined });
  expect(customer.city).toBeNull();
  await first.close();
  const second = await startSimulator(options);
  await second.close();
});

describe('a call with an invalid option', () => {
  test.each<[call: string, create: () => Promise<unknown>, message: string]>([
    [
      'createAccount({ randomSeed: 5 })',
      // @ts-expect-error: the random seed is not a string
      () => simulator.createAccount({ randomSeed: 5 }),
      'randomSeed must be a string',
    ],
    [
      "startSimulator({ durability: 'DISK' })",
      // @ts-expect-error: the durability is unknown
      () => startSimulator({ durability: 'DISK' }),
      'unknown durability `DISK`; did you mean `disk`?',
    ],
    [
      'createAccount({ webhookSecret: 5 })',
      // @ts-expect-error: the secret is not a string
      () => simulator.createAccount({ webhookSecret: 5 }),
      'webhookSecret must be a string',
    ],
    [
      "createAccount({ rateLimit: 'off' })",
      // @ts-expect-error: the rate limit is neither true nor false
      () => simulator.createAccount({ rateLimit: 'off' }),
      'rateLimit must be true or false',
    ],
    [
      "createAccount({ id: 'Grand Hotel' })",
      () => simulator.createAccount({ id: 'Grand Hotel' }),
      'id must be 1 to 63 lowercase letters',
    ],
    [
      'startSimulator({ webhookSecret: 5 })',
      // @ts-expect-error: the secret is not a string
      () => startSimulator({ webhookSecret: 5 }),
      'webhookSecret must be a string',
    ],
    // @ts-expect-error: the host is a number
    ['startSimulator({ host: 5 })', () => startSimulator({ host: 5 }), 'host must be a non-empty string, not 5'],
    [
      "startSimulator({ host: '0.0.0.0' })",
      () => startSimulator({ host: '0.0.0.0' }),
      'the host 0.0.0.0 may be reachable from other machines; also set a control token (--control-token, or controlToken in the library)',
    ],
    [
      'startSimulator({ controlToken: 5 })',
      // @ts-expect-error: the token is a number
      () => startSimulator({ controlToken: 5 }),
      'controlToken must be a string, not 5',
    ],
    [
      'startSimulator({ data: null })',
      // @ts-expect-error: the folder is null
      () => startSimulator({ data: null }),
      'data must be a non-empty string, not null',
    ],
    ["startSimulator({ data: '' })", () => startSimulator({ data: '' }), "data must be a non-empty string, not ''"],
    [
      "startSimulator({ host: '' })",
      () => startSimulator({ host: '', controlToken: 'a' }),
      "host must be a non-empty string, not ''",
    ],
    [
      "startSimulator({ memory: 'false' })",
      // @ts-expect-error: the option is neither true nor false
      () => startSimulator({ memory: 'false' }),
      "memory must be true or false, not 'false'",
    ],
    // @ts-expect-error: the log is a string
    ["startSimulator({ log: 'x' })", () => startSimulator({ log: 'x' }), "log must be a function, not 'x'"],
    [
      'startSimulator({ cors: 5 })',
      // @ts-expect-error: the origins are a number
      () => startSimulator({ cors: 5 }),
      'cors must be a string or an array of strings, not 5',
    ],
    [
      'startSimulator({ cors: [5] })',
      // @ts-expect-error: an origin is a number
      () => startSimulator({ cors: [5] }),
      'cors must be a string or an array of strings, not [ 5 ]',
    ],
    [
      'startSimulator({ scenarios: {} })',
      // @ts-expect-error: the scenarios are an object
      () => startSimulator({ scenarios: {} }),
      'scenarios must be an array, not {}',
    ],
    [
      'startSimulator with a URL in allowedHosts',
      () => startSimulator({ allowedHosts: ['build-7', 'http://build-8'] }),
      'allowedHosts: expected a host name or address without a scheme, port or path, for example build-7 or [fd00::1], not `http://build-8`',
    ],
    [
      'startSimulator with a missing name in allowedHosts',
      // @ts-expect-error: the name is a string
      () => startSimulator({ allowedHosts: ['build-7', undefined] }),
      "allowedHosts must be a string or an array of strings, not [ 'build-7', undefined ]",
    ],
    [
      'startSimulator with a port in allowedHosts',
      () => startSimulator({ allowedHosts: ['build-7:4010'] }),
      'allowedHosts: expected a host name or address without a scheme, port or path',
    ],
    [
      'startSimulator({ rateLimt: false })',
      // @ts-expect-error: the option is unknown
      () => startSimulator({ rateLimt: false }),
      'unknown option `rateLimt`; did you mean `rateLimit`?',
    ],
    [
      "createAccount({ sed: 'demo' })",
      // @ts-expect-error: the option is unknown
      () => simulator.createAccount({ sed: 'demo' }),
      'unknown option `sed`; did you mean `seed`?',
    ],
    // @ts-expect-error: the options are a string
    ["startSimulator('x')", () => startSimulator('x'), "the options must be an object, not 'x'"],
    // @ts-expect-error: the options are null
    ['startSimulator(null)', () => startSimulator(null), 'the options must be an object, not null'],
    // @ts-expect-error: the options are null
    ['createAccount(null)', () => simulator.createAccount(null), 'the options must be an object, not null'],
    [
      "startSimulator({ profile: 'nope.yaml' })",
      // @ts-expect-error: the profile is the path of a file
      () => startSimulator({ profile: 'nope.yaml' }),
      "profile must be an object of choices, such as { 'list.order': 'oldest-first' }, not 'nope.yaml'",
    ],
    [
      "createAccount({ profile: 'nope.yaml' })",
      // @ts-expect-error: the profile is the path of a file
      () => simulator.createAccount({ profile: 'nope.yaml' }),
      "profile must be an object of choices, such as { 'list.order': 'oldest-first' }, not 'nope.yaml'",
    ],
    [
      'startSimulator({ seed: [] })',
      // @ts-expect-error: the seed is an array
      () => startSimulator({ seed: [] }),
      'seed must be `demo`, `empty`, the path of a file or an object with records, not []',
    ],
    [
      "startSimulator({ seed: { currency: 'EUR' } })",
      // @ts-expect-error: the time zone is missing
      () => startSimulator({ seed: { currency: 'EUR' } }),
      'seed: `time_zone` is missing',
    ],
    [
      'createAccount({ seed: [] })',
      // @ts-expect-error: the seed is an array
      () => simulator.createAccount({ seed: [] }),
      'seed must be `demo`, `empty`, the path of a file or an object with records, not []',
    ],
    [
      "createAccount({ seed: { currency: 'EUR' } })",
      // @ts-expect-error: the time zone is missing
      () => simulator.createAccount({ seed: { currency: 'EUR' } }),
      'seed: `time_zone` is missing',
    ],
    [
      "startSimulator({ port: 'x' })",
      // @ts-expect-error: the port is a string
      () => startSimulator({ port: 'x' }),
      "port must be an integer from 0 to 65535, not 'x'",
    ],
    [
      'startSimulator({ port: 70000 })',
      () => startSimulator({ port: 70_000 }),
      'port must be an integer from 0 to 65535, not 70000',
    ],
  ])('%s is refused with a message that says why', async (_call, create, message) => {
    await expect(create()).rejects.toThrow(message);
  });
});

test.each<[call: string, create: () => Promise<unknown>]>([
  ['startSimulator', () => startSimulator({ webhookUrl: 'ftp://127.0.0.1/' })],
  ['createAccount', () => simulator.createAccount({ webhookUrl: 'ftp://127.0.0.1/' })],
])('%s says in a sentence why webhooks cannot be sent to a URL', async (_call, create) => {
  await expect(create()).rejects.toMatchObject({
    code: 'webhook-url-invalid',
    message:
      'Webhooks cannot be sent to this URL (webhook-url-invalid): the webhook URL must begin with http:// or https://',
  });
});

test('violations with the same message are reported once', async () => {
  // The schema of the secret (`RequiredText`) and the one that it refers to (`Text`) both require a string.
  // @ts-expect-error: the secret is not a string
  await expect(simulator.createAccount({ webhookSecret: 5 })).rejects.toThrow(
    /^invalid: webhookSecret must be a string, not the number 5$/,
  );
});

describe('an error', () => {
  test.each<[call: string, (account: SimulatorAccount) => Promise<unknown>, code: string, message: string]>([
    [
      'for an unknown record',
      ({ deposits }) => deposits.authorize(999),
      'deposit-not-found',
      'Deposit not found (deposit-not-found)',
    ],
    [
      'for an unknown snapshot',
      ({ snapshots }) => snapshots.restore('lost'),
      'snapshot-not-found',
      'Snapshot not found (snapshot-not-found)',
    ],
    [
      'for an unknown scenario',
      ({ scenarios }) => scenarios.run('no-shwo', 1),
      'scenario-not-found',
      expect.stringMatching(/^Scenario not found \(scenario-not-found\): available: /),
    ],
    [
      'for a transition that the status does not allow',
      ({ deposits }) => deposits.expire(4),
      'transition-not-allowed',
      "The current status does not allow this (transition-not-allowed): the deposit's status is captured, which is final",
    ],
    [
      'for the id of an existing account',
      ({ id }) => simulator.createAccount({ id }),
      'account-exists',
      'Account already exists (account-exists)',
    ],
  ])('%s says what is wrong in a sentence, and has the code', async (_error, call, code, message) => {
    const account = await simulator.createAccount({ seed: 'demo' });
    await expect(call(account)).rejects.toMatchObject({ name: 'ServiceError', code, message });
  });
});

describe('the error for', () => {
  test.each<
    [
      cause: string,
      type: typeof ServiceError | typeof UserError | RangeErrorConstructor,
      (account: SimulatorAccount) => unknown,
    ]
  >([
    ['an unknown record', ServiceError, ({ deposits }) => deposits.authorize(999)],
    // @ts-expect-error: the field is unknown
    ['an unknown field', ServiceError, ({ paymentLinks }) => paymentLinks.pay(1, { outcom: 'paid' })],
    ['an amount that is not a number', ServiceError, ({ invoices }) => invoices.pay(2, { amount: Number.NaN })],
    // @ts-expect-error: the event is unknown
    ['an unknown event to trigger', ServiceError, (account) => account.trigger('deposit.lost')],
    // @ts-expect-error: the rate limit is a string
    ['an invalid setting of an account', ServiceError, () => startSimulator({ rateLimit: 'on' })],
    [
      'a profile that cannot be written as JSON',
      UserError,
      () => simulator.createAccount({ profile: { 'deposit.window': { for: 8n } } }),
    ],
    [
      'a profile of a simulator that cannot be written as JSON',
      UserError,
      () => startSimulator({ profile: { 'deposit.window': { for: 8n } } }),
    ],
    [
      'a delay without a prototype',
      UserError,
      ({ scenarios }) =>
        scenarios.add({
          name: 'late',
          description: '',
          for: 'deposit',
          steps: [{ after: Object.create(null), do: 'authorize' }],
        }),
    ],
    // @ts-expect-error: the option is unknown
    ['an unknown option', UserError, () => startSimulator({ rateLimt: true })],
    ['an invalid port', UserError, () => startSimulator({ port: 70_000 })],
    // @ts-expect-error: the id is missing
    ['a missing id', UserError, ({ deposits }) => deposits.authorize()],
    // @ts-expect-error: the path is missing
    ['a missing path', UserError, ({ trace }) => trace.save()],
    ['a misspelled fault', UserError, ({ faults }) => faults.add({ effect: 'lose-respons' })],
    ['a file that cannot be read', UserError, () => startSimulator({ seed: 'no-such-file.yaml' })],
    ['an invalid time', RangeError, ({ clock }) => clock.set('soon')],
    ['an invalid duration', RangeError, ({ clock }) => clock.advance('soon')],
    ['an invalid timeout', RangeError, ({ webhooks }) => webhooks.next('deposit.created', { timeout: -1 })],
    // @ts-expect-error: the event is unknown
    ['an unknown event to wait for', RangeError, ({ webhooks }) => webhooks.next('deposit.lost')],
  ])('%s is of the documented class', async (_cause, type, call) => {
    const account = await simulator.createAccount({ seed: 'demo' });
    await expect(call(account)).rejects.toBeInstanceOf(type);
  });
});

describe('the clock of an account', () => {
  test('refuses a duration that is not a string', async () => {
    const { clock } = await simulator.createAccount();
    // @ts-expect-error: the duration is a number
    await expect(clock.advance(5000)).rejects.toThrow('5000 is not a duration (for example 8d, 2h 30m or P8D)');
  });

  test.each<[what: string, value: unknown, shown: string]>([
    ['a bigint', 8n, '8n'],
    ['a symbol', Symbol('8d'), 'Symbol(8d)'],
    ['an object without a prototype', Object.create(null), '[Object: null prototype] {}'],
    ['undefined', undefined, 'undefined'],
    ['an array', ['8d'], "[ '8d' ]"],
  ])('rejects %s as a duration and as a time, as does `webhooks.next` as an event', async (_what, value, shown) => {
    const { clock, webhooks } = await simulator.createAccount();
    const calls: readonly [call: (input: never) => Promise<unknown>, message: string][] = [
      [(by) => clock.advance(by), `${shown} is not a duration`],
      [(time) => clock.set(time), `${shown} is neither a date nor a time`],
      [(event) => webhooks.next(event), `unknown event \`${shown}\``],
    ];
    for (const [call, message] of calls) {
      const error = await Reflect.apply(call, undefined, [value]).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RangeError);
      expect(error).toHaveProperty('message', expect.stringContaining(message));
    }
  });

  test('can be frozen at a Date, and set to one', async () => {
    const { clock } = await simulator.createAccount({ now: new Date('2026-05-01T10:00:00Z') });
    expect(await clock.show()).toEqual({ now: '2026-05-01T10:00:00.000Z', mode: 'frozen' });
    await clock.set(new Date('2026-05-02T10:00:00Z'));
    expect(await clock.show()).toMatchObject({ now: '2026-05-02T10:00:00.000Z' });
  });

  test('can be frozen at a Date for all accounts, by an option of startSimulator', async () => {
    const other = await startSimulator({ now: new Date('2026-05-01T10:00:00Z') });
    const account = await other.createAccount();
    expect(await other.account.clock.show()).toMatchObject({ now: '2026-05-01T10:00:00.000Z' });
    expect(await account.clock.show()).toMatchObject({ now: '2026-05-01T10:00:00.000Z' });
    await other.close();
  });

  test('refuses an invalid Date', async () => {
    await expect(simulator.createAccount({ now: new Date('yesterday') })).rejects.toThrow(
      'Invalid Date is neither a date nor a time',
    );
  });
});

test('a token without scopes can be created', async () => {
  const account = await simulator.createAccount();
  const { token } = await account.apiTokens.create({ name: 'powerless', scopes: [] });
  const response = await fetch(`${simulator.baseUrl}/invoices`, { headers: { Authorization: `Bearer ${token}` } });
  expect(response.status).toBe(403);
});

test('the input of a call is not changed', async () => {
  const account = await simulator.createAccount({ seed: 'demo' });
  const input = { amount: 1 };
  await account.invoices.pay(3, input);
  expect(input).toEqual({ amount: 1 });
});
