import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/service-error.js';
import { errorText } from '../../src/http/service/errors.js';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { snapshotFile } from '../control/operation-samples.js';
import { jsonOf } from '../support/json.js';

/**
 * Methods of the library do what operations of the control API do: with the same result, the same errors and the same
 * activity.
 */

type Id = number | string;

/** A method, and the equivalent operation. */
interface ComparedMethod {
  readonly method: string;
  /** Method and path below the account. `ID` stands for each of `ids`, or the id that `prepare` returns. */
  readonly operation: string;
  readonly body?: object;
  readonly call: (account: SimulatorAccount, id: Id) => Promise<unknown>;
  /** Field of the response that the method returns: empty for the whole response, undefined if it returns nothing. */
  readonly result?: string;
  readonly ids?: readonly Id[];
  readonly prepare?: (account: SimulatorAccount) => Promise<unknown>;
}

/** A numeric id as a number and as a string, and ids that do not exist. */
const idsLike = (id: number): Id[] => [id, String(id), 999, 'none'];

const addFault = ({ faults }: SimulatorAccount) => faults.add({ effect: 'status=503' });
const saveSnapshot = ({ snapshots }: SimulatorAccount) => snapshots.save('saved');
const createDelivery = async (account: SimulatorAccount) => {
  await account.trigger('deposit.created');
  // Nothing listens on port 9.
  await account.webhooks.configure({ url: 'http://127.0.0.1:9/' });
  return (await account.webhooks.next('deposit.created')).id;
};
const scenario = { name: 'later', description: 'Authorizes after an hour.', for: 'deposit' } as const;

// An id after those of `idsLike` belongs to a record whose status forbids the action.
const depositActions = [
  ['authorize', [...idsLike(1), 7]],
  ['decline', idsLike(1)],
  ['expire', idsLike(2)],
] as const;
const invoiceActions = [
  ['finalize', [...idsLike(1), 2]],
  ['send', idsLike(2)],
  ['view', [...idsLike(3), 9]],
  ['cancel', [...idsLike(2), 5]],
] as const;
const paymentActions = [
  ['succeed', [...idsLike(3), 1]],
  ['fail', idsLike(3)],
] as const;

const comparedMethods: readonly ComparedMethod[] = [
  ...(['deposits', 'invoices', 'payments', 'paymentLinks'] as const).map(
    (records): ComparedMethod => ({
      method: `${records}.get`,
      operation: `GET /${records === 'paymentLinks' ? 'payment-links' : records}/ID`,
      ids: idsLike(1),
      call: (account, id) => account[records].get(id),
      result: '',
    }),
  ),
  ...[{}, { status: 'authorized' } as const, { status: 'lost' }].map(
    (filters): ComparedMethod => ({
      method: 'deposits.list',
      operation: `GET /deposits?${new URLSearchParams(filters)}`,
      // @ts-expect-error: one status is unknown
      call: ({ deposits }) => deposits.list(filters),
      result: 'data',
    }),
  ),
  {
    method: 'invoices.list',
    operation: 'GET /invoices?status=paid',
    call: ({ invoices }) => invoices.list({ status: 'paid' }),
    result: 'data',
  },
  {
    method: 'payments.list',
    operation: 'GET /payments?status=failed',
    call: ({ payments }) => payments.list({ status: 'failed' }),
    result: 'data',
  },
  {
    method: 'paymentLinks.list',
    operation: 'GET /payment-links',
    call: ({ paymentLinks }) => paymentLinks.list(),
    result: 'data',
  },
  ...[{}, { email: 'ada@analytical-engines.example' }, { email: 'nobody@inn.example' }].map(
    (filters): ComparedMethod => ({
      method: 'customers.list',
      operation: `GET /customers?${new URLSearchParams(filters)}`,
      call: ({ customers }) => customers.list(filters),
      result: 'data',
    }),
  ),
  {
    method: 'customers.get',
    operation: 'GET /customers/ID',
    ids: idsLike(1),
    call: ({ customers }, id) => customers.get(id),
    result: '',
  },
  {
    method: 'settings.show',
    operation: 'GET /settings',
    call: ({ settings }) => settings.show(),
    result: '',
  },
  ...[{ rateLimit: true }, { rateLimit: false, profile: { 'validation.status': 400 } }].map(
    ({ rateLimit, profile }): ComparedMethod => ({
      method: 'settings.update',
      operation: 'PATCH /settings',
      body: { rate_limit: rateLimit, profile },
      call: ({ settings }) => settings.update(profile === undefined ? { rateLimit } : { rateLimit, profile }),
      result: '',
    }),
  ),
  {
    method: 'settings.update',
    operation: 'PATCH /settings',
    body: { webhook_url: 'http://127.0.0.1:9/', webhook_secret: 'shared', profile: { 'list.ordr': 'oldest-first' } },
    call: ({ settings }) =>
      settings.update({
        webhookUrl: 'http://127.0.0.1:9/',
        webhookSecret: 'shared',
        profile: { 'list.ordr': 'oldest-first' },
      }),
  },
  ...depositActions.map(
    ([action, ids]): ComparedMethod => ({
      method: `deposits.${action}`,
      operation: `POST /deposits/ID/${action}`,
      ids,
      call: (account, id) => account.deposits[action](id),
      result: 'deposit',
    }),
  ),
  ...invoiceActions.map(
    ([action, ids]): ComparedMethod => ({
      method: `invoices.${action}`,
      operation: `POST /invoices/ID/${action}`,
      ids,
      call: (account, id) => account.invoices[action](id),
      result: 'invoice',
    }),
  ),
  ...paymentActions.map(
    ([action, ids]): ComparedMethod => ({
      method: `payments.${action}`,
      operation: `POST /payments/ID/${action}`,
      ids,
      call: (account, id) => account.payments[action](id),
      result: 'payment',
    }),
  ),
  ...[{}, { amount: 1 }, { amount: -1 }, { amount: 0.001 }, { amount: 1_000_000 }, { method: 'barter' }].map(
    (body): ComparedMethod => ({
      method: 'invoices.pay',
      operation: 'POST /invoices/ID/pay',
      body,
      ids: idsLike(3),
      call: (account, id) => account.invoices.pay(id, body),
      result: 'payment',
    }),
  ),
  ...[{}, { outcome: 'pending', method: 'sepa_debit' } as const, { method: 'barter' }].map(
    (body): ComparedMethod => ({
      method: 'paymentLinks.pay',
      operation: 'POST /payment-links/ID/pay',
      body,
      ids: [...idsLike(1), 3],
      call: (account, id) => account.paymentLinks.pay(id, body),
      result: 'payment',
    }),
  ),
  ...['ada@example.com', 'ada'].map(
    (email): ComparedMethod => ({
      method: 'customers.create',
      operation: 'POST /customers',
      body: { name: 'Ada', email },
      call: ({ customers }) => customers.create({ name: 'Ada', email }),
      result: '',
    }),
  ),
  ...['reader', ''].map(
    (name): ComparedMethod => ({
      method: 'apiTokens.create',
      operation: 'POST /tokens',
      body: { name, scopes: ['billing.read'] },
      call: async ({ apiTokens }) => (await apiTokens.create({ name, scopes: ['billing.read'] })).token,
      result: 'token',
    }),
  ),
  {
    method: 'apiTokens.revoke',
    operation: 'DELETE /tokens/ID',
    prepare: ({ apiTokens }) => apiTokens.revoke(2),
    ids: [1, 2, 999],
    call: ({ apiTokens }, id) => apiTokens.revoke(Number(id)),
  },
  ...[0, 5_000, 600_000].map(
    (timeout): ComparedMethod => ({
      method: 'clock.advance',
      operation: 'POST /clock/advance',
      body: { by: '8d', timeout: `${timeout}ms` },
      call: ({ clock }) => clock.advance('8d', { timeout }),
      result: '',
    }),
  ),
  ...['2026-03-09T09:00:00Z', '2026-02-28T09:00:00Z', '9999-01-01T00:00:00Z'].map(
    (to): ComparedMethod => ({
      method: 'clock.set',
      operation: 'POST /clock/advance',
      body: { to },
      call: ({ clock }) => clock.set(to),
      result: '',
    }),
  ),
  {
    method: 'clock.freeze',
    operation: 'PATCH /clock',
    body: { mode: 'frozen' },
    call: ({ clock }) => clock.freeze(),
  },
  {
    method: 'clock.resume',
    operation: 'PATCH /clock',
    body: { mode: 'real' },
    call: ({ clock }) => clock.resume(),
  },
  ...['status=503', 'statsu=503', 'status=50;type='].map(
    (effect): ComparedMethod => ({
      method: 'faults.add',
      operation: 'POST /faults',
      body: { effect },
      call: ({ faults }) => faults.add({ effect }),
      result: '',
    }),
  ),
  {
    method: 'faults.clear',
    operation: 'DELETE /faults',
    prepare: addFault,
    call: ({ faults }) => faults.clear(),
    result: 'cleared',
  },
  {
    method: 'faults.clear',
    operation: 'DELETE /faults/ID',
    prepare: addFault,
    ids: [1, 2],
    call: async ({ faults }, id) => void (await faults.clear(Number(id))),
  },
  ...[{}, { deposit: 1 }, { deposit: '1' }, { deposit: 999 }, { deposit: 'none' }].map(
    (on): ComparedMethod => ({
      method: 'trigger',
      operation: 'POST /trigger',
      body: { event: 'deposit.captured', ...on },
      call: (account) => account.trigger('deposit.captured', on),
      result: 'subject',
    }),
  ),
  ...[{}, { payment_link: 1 }, { payment_link: 999 }, { deposit: 99_999 }].map(
    (on): ComparedMethod => ({
      method: 'trigger',
      operation: 'POST /trigger',
      body: { event: 'payment.succeeded', ...on },
      call: (account) =>
        account.trigger('payment.succeeded', 'payment_link' in on ? { paymentLink: on.payment_link } : on),
      result: 'subject',
    }),
  ),
  {
    method: 'trigger',
    operation: 'POST /trigger',
    body: { event: 'payment.succeeded', payment_link: 1 },
    call: (account) => account.trigger('payment.succeeded', { paymentLink: '1' }),
    result: 'subject',
  },
  {
    method: 'scenarios.add',
    operation: 'PUT /scenarios/later',
    body: { ...scenario, steps: [{ after: '1h', do: 'authorize' }] },
    call: ({ scenarios }) => scenarios.add({ ...scenario, steps: [{ after: 3_600_000, do: 'authorize', with: {} }] }),
  },
  ...[1, '1', 999].map(
    (deposit): ComparedMethod => ({
      method: 'scenarios.run',
      operation: 'POST /scenarios/ID/run',
      body: { deposit },
      ids: ['no-show', 'unknown'],
      call: ({ scenarios }, name) => scenarios.run(String(name), deposit),
      result: '',
    }),
  ),
  ...[3, '3', 999].map(
    (invoice): ComparedMethod => ({
      method: 'scenarios.run',
      operation: 'POST /scenarios/late-payment/run',
      body: { invoice: Number(invoice) },
      call: ({ scenarios }) => scenarios.run('late-payment', invoice),
      result: '',
    }),
  ),
  {
    method: 'scenarios.cancel',
    operation: 'DELETE /runs/ID',
    prepare: ({ scenarios }) => scenarios.run('no-show', 1),
    ids: [1, 2],
    call: ({ scenarios }, id) => scenarios.cancel(Number(id)),
    result: '',
  },
  ...['saved', 'No name'].map(
    (name): ComparedMethod => ({
      method: 'snapshots.save',
      operation: 'POST /snapshots',
      body: { name },
      call: ({ snapshots }) => snapshots.save(name),
    }),
  ),
  {
    method: 'snapshots.restore',
    operation: 'POST /snapshots/ID/restore',
    prepare: saveSnapshot,
    ids: ['saved', 'unknown'],
    call: ({ snapshots }, name) => snapshots.restore(String(name)),
  },
  {
    method: 'snapshots.remove',
    operation: 'DELETE /snapshots/ID',
    prepare: saveSnapshot,
    ids: ['saved', 'unknown'],
    call: ({ snapshots }, name) => snapshots.remove(String(name)),
  },
  {
    method: 'snapshots.export',
    operation: 'GET /snapshots/ID/export',
    prepare: saveSnapshot,
    ids: ['saved', 'unknown'],
    call: ({ snapshots }, name) => snapshots.export(String(name)),
    result: '',
  },
  {
    method: 'snapshots.import',
    operation: 'POST /snapshots/import',
    body: { file: { format: 'unknown' } },
    call: ({ snapshots }) => snapshots.import({ format: 'unknown' }),
  },
  ...['copy', 'No name'].map(
    (name): ComparedMethod => ({
      method: 'snapshots.import',
      operation: 'POST /snapshots/import',
      body: { file: snapshotFile, name },
      call: ({ snapshots }) => snapshots.import(snapshotFile, name),
      result: 'name',
    }),
  ),
  ...[{ secret: 'shared' }, { url: 'http://127.0.0.1:9/' }, { url: 'ftp://127.0.0.1/' }].map(
    ({ secret, url }): ComparedMethod => ({
      method: 'webhooks.configure',
      operation: 'PATCH /settings',
      body: { webhook_url: url, webhook_secret: secret },
      call: ({ webhooks }) => webhooks.configure(url === undefined ? { secret } : { url }),
    }),
  ),
  {
    method: 'webhooks.resend',
    operation: 'POST /deliveries/ID/resend',
    prepare: createDelivery,
    call: async ({ webhooks }, id) => (await webhooks.resend(String(id))).status,
    result: 'status',
  },
  {
    method: 'webhooks.resend',
    operation: 'POST /deliveries/ID/resend',
    ids: ['none'],
    call: ({ webhooks }, id) => webhooks.resend(String(id)),
  },
  { method: 'resetCoverage', operation: 'DELETE /coverage', call: (account) => account.resetCoverage() },
  { method: 'reset', operation: 'POST /reset', call: (account) => account.reset() },
  { method: 'remove', operation: 'DELETE ', call: (account) => account.remove() },
];

/** Methods that only read, or wait. Unlike those of the control API, their lists have no pages. */
const readingMethods = [
  'activity',
  'agenda',
  'clock.show',
  'coverage',
  'faults.list',
  'mails.all',
  'request',
  'requests',
  'scenarios.runs',
  'snapshots.names',
  'trace.html',
  'trace.json',
  'trace.save',
  'webhooks.all',
  'webhooks.next',
  'webhooks.settled',
];

let librarySimulator: Simulator;
let controlSimulator: Simulator;

beforeAll(async () => {
  // With the same public URL and the same random seed, both simulators return equal records.
  const options = {
    now: '2026-03-01T09:00:00Z',
    randomSeed: 'same',
    rateLimit: false,
    publicUrl: 'http://simulator.test',
  };
  librarySimulator = await startSimulator(options);
  controlSimulator = await startSimulator(options);
});
afterAll(() => Promise.all([librarySimulator.close(), controlSimulator.close()]));

const cases = comparedMethods.flatMap((change) =>
  (change.ids ?? [undefined]).map((id) => {
    const input = [id, change.body].map((part) => JSON.stringify(part) ?? '').join(' ');
    return [`${change.method} does what ${change.operation} does: ${input}`, { ...change, id }] as const;
  }),
);

test.each(cases)('%s', async (_title, change) => {
  const [account, twin] = [await createDemo(librarySimulator), await createDemo(controlSimulator)];
  const preparedId = await change.prepare?.(account);
  await change.prepare?.(twin);
  const id = change.id ?? (typeof preparedId === 'string' ? preparedId : '');

  const outcome = await change.call(account, id).then((result) => ({ result }), failureOf);

  expect(outcome).toEqual(await callOperation(twin, { ...change, id }));
  if (change.method !== 'remove') expect(await activityOf(account)).toEqual(await activityOf(twin));
});

test('every method is compared, or only reads or waits', () => {
  const methods = [...comparedMethods.map(({ method }) => method), ...readingMethods];
  expect(methodsOf(librarySimulator.account).sort()).toEqual([...new Set(methods)].sort());
});

/**
 * Creates an account. The nth account of one simulator equals the nth of the other, since both have the same random
 * seed.
 */
function createDemo(simulator: Simulator): Promise<SimulatorAccount> {
  return simulator.createAccount({ seed: 'demo' });
}

interface Outcome {
  readonly result?: unknown;
  /** Status and reason of an error. */
  readonly status?: number;
  readonly reason?: unknown;
}

function failureOf(error: unknown): Outcome {
  if (!(error instanceof ServiceError)) return { status: 422, reason: error instanceof Error ? error.message : error };
  if (error.code === 'invalid') return { status: 422, reason: error.hint };
  const { status, error: text } = errorText(error, resolveProfile({}));
  return { status, reason: error.hint ?? text };
}

async function callOperation(
  { url, id: account }: SimulatorAccount,
  { operation, id, body, result }: Pick<ComparedMethod, 'operation' | 'body' | 'result'> & { readonly id: Id },
): Promise<Outcome> {
  const [method = '', path = ''] = operation.split(' ');
  const response = await fetch(`${url}/_sim/accounts/${account}${path.replace('ID', String(id))}`, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const content = jsonOf(await response.text());
  if (response.ok) {
    if (result === undefined) return { result };
    return { result: result === '' ? content.value : content.valueAt(result) };
  }
  const messages = Object.values(content.valueAt('errors') ?? {})
    .flat()
    .join('; ')
    // The only field whose name in the library differs.
    .replace('payment_link', 'paymentLink');
  return {
    status: response.status,
    reason: messages || (response.headers.get('X-Sim-Hint') ?? content.valueAt('error')),
  };
}

/** Activity of an account, without the difference between the library and the control API. */
async function activityOf(account: SimulatorAccount): Promise<unknown> {
  const activityJson = JSON.stringify(await account.activity());
  return JSON.parse(activityJson.replaceAll('"by":"control-api"', '"by":"library"'));
}

/** Names of the methods of an object and of its parts, such as `deposits.authorize`. */
function methodsOf(object: object): string[] {
  return Object.entries(object).flatMap(([name, member]) => {
    if (typeof member === 'function') return name;
    return typeof member === 'object' ? methodsOf(member).map((method) => `${name}.${method}`) : [];
  });
}
