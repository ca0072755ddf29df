import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { createAccountWithDashboard } from '../pages/dashboard-forms.js';
import { runCli } from '../support/cli.js';

/** The details of actions in the activity log: what an action was about, if its consequences do not say it. */

let sim: Simulator;
beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z' });
});
afterAll(() => sim.close());

const fault = { effect: 'status=503', match: { operation: 'createDeposit' }, times: 1 } as const;
const scenario = {
  description: 'Expires after a day.',
  for: 'deposit',
  steps: [{ after: '1d', do: 'expire' }],
} as const;

interface ActionCase {
  /** Such as `POST /clock/advance`, below `/_sim/accounts/{account}`. */
  readonly call: string;
  readonly body?: unknown;
  readonly prepare?: (account: SimulatorAccount) => Promise<unknown>;
  readonly details: string | null;
}

const cases: readonly ActionCase[] = [
  { call: 'POST /clock/advance', body: { by: '8d' }, details: 'by 8 d to 2026-03-09 09:00:00' },
  {
    call: 'POST /clock/advance',
    body: { to: '2026-03-02T10:30:15Z' },
    details: 'by 1 d 1 h 30 min 15 s to 2026-03-02 10:30:15',
  },
  {
    call: 'PATCH /clock',
    body: { now: '2026-03-02', mode: 'frozen' },
    details: 'by 15 h to 2026-03-02 00:00:00, frozen',
  },
  { call: 'PATCH /clock', body: { mode: 'real' }, details: 'running' },
  { call: 'POST /faults', body: fault, details: 'fault 1, status=503 on createDeposit, once' },
  {
    call: 'POST /faults',
    body: { effect: ['duplicate', { name: 'delay', by: '2h' }], match: { event: 'deposit.*' }, for: '1h' },
    details: 'fault 1, duplicate, delay=2h on deposit.*, until 2026-03-01 10:00:00',
  },
  {
    call: 'DELETE /faults/1',
    prepare: ({ faults }) => faults.add(fault),
    details: 'fault 1, status=503 on createDeposit, once',
  },
  {
    call: 'DELETE /faults',
    prepare: async ({ faults }) => {
      await faults.add(fault);
      await faults.add({ effect: 'hang' });
    },
    details: 'fault 1, status=503 on createDeposit, once; fault 2, hang on every request',
  },
  { call: 'DELETE /faults', details: 'no faults' },
  { call: 'PUT /scenarios/later', body: scenario, details: 'later' },
  {
    call: 'DELETE /scenarios/later',
    prepare: ({ scenarios }) => scenarios.add({ name: 'later', ...scenario }),
    details: 'later',
  },
  { call: 'POST /scenarios/no-show/run', body: { deposit: 1 }, details: 'no-show on deposit 1' },
  {
    call: 'DELETE /runs/1',
    prepare: ({ scenarios }) => scenarios.run('no-show', 1),
    details: 'run 1, no-show on deposit 1',
  },
  {
    call: 'PATCH /settings',
    body: { webhook_url: 'http://127.0.0.1:9/hooks', webhook_secret: 'whsec_my_own', rate_limit: false },
    details: 'webhook URL http://127.0.0.1:9/hooks, new webhook secret, rate limit off',
  },
  {
    call: 'PATCH /settings',
    body: { webhook_url: null },
    prepare: ({ webhooks }) => webhooks.configure({ url: 'http://127.0.0.1:9/' }),
    details: 'no webhook URL',
  },
  { call: 'PATCH /settings', body: { rate_limit: true }, details: 'no changes' },
  {
    call: 'PATCH /settings',
    body: { profile: { 'list.order': 'oldest-first', 'deposit.window': { for: '30d' }, 'deposit.decline': 'failed' } },
    details: 'list.order newest-first → oldest-first, deposit.window week → for 30d',
  },
  {
    call: 'PUT /profile/payment.methods',
    body: { choice: { only: ['card', 'ideal'] } },
    details: 'payment.methods common → only ["card","ideal"]',
  },
  { call: 'POST /webhook-secret/rotate', details: null },
  { call: 'POST /tokens', body: { name: 'nightly', scopes: ['billing.read'] }, details: 'nightly, billing.read' },
  { call: 'DELETE /tokens/2', details: 'read' },
  { call: 'POST /snapshots', body: { name: 'before-test' }, details: 'before-test' },
  {
    call: 'POST /snapshots/before-test/restore',
    prepare: ({ snapshots }) => snapshots.save('before-test'),
    details: 'before-test',
  },
  {
    call: 'DELETE /snapshots/before-test',
    prepare: ({ snapshots }) => snapshots.save('before-test'),
    details: 'before-test',
  },
  { call: 'POST /trigger', body: { event: 'deposit.expired', deposit: 1 }, details: 'deposit.expired' },
  { call: 'POST /payment-links/1/pay', body: {}, details: 'payment link 1' },
  { call: 'POST /invoices/3/pay', body: {}, details: 'invoice 3' },
  { call: 'POST /deposits/1/authorize', details: null },
  { call: 'POST /reset', details: null },
];

/** The actions in the log of an account, oldest first. */
async function readActions(account: Pick<SimulatorAccount, 'activity'>) {
  const chains = await account.activity();
  return chains
    .toReversed()
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.kind === 'action');
}

async function callControl(account: string, call: string, body: unknown = {}): Promise<unknown> {
  const [method = '', path = ''] = call.split(' ');
  const response = await fetch(`${sim.url}/_sim${account === '' ? '' : `/accounts/${account}`}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect({ isOk: response.ok, text }).toEqual({ isOk: true, text });
  return JSON.parse(text);
}

test.each(cases)('the details of $call $body are $details', async ({ call, body, prepare, details }) => {
  const account = await sim.createAccount({ seed: 'demo', randomSeed: 'details' });
  await prepare?.(account);
  await callControl(account.id, call, body);
  expect((await readActions(account)).at(-1)).toMatchObject({ by: 'control-api', details });
});

test.each([
  ['demo', 'from-demo with the seed demo'],
  [undefined, 'from-undefined with the seed empty'],
])('the details of the creation of an account name its seed %s', async (seed, details) => {
  await callControl('', 'POST /accounts', { id: `from-${seed}`, seed });
  expect((await readActions(sim.account)).at(-1)).toMatchObject({ operation: 'createAccount', details });
});

test('the details of a second advance begin where the first one ended, even if both were requested together', async () => {
  const account = await sim.createAccount();
  await Promise.all([account.clock.advance('1d'), account.clock.advance('2d')]);
  expect((await readActions(account)).map(({ details }) => details)).toEqual([
    'by 1 d to 2026-03-02 09:00:00',
    'by 2 d to 2026-03-04 09:00:00',
  ]);
});

test('the details of a resent webhook and of a replayed request name them', async () => {
  const account = await sim.createAccount();
  await account.webhooks.configure({ url: 'http://127.0.0.1:9/' });
  const headers = { Authorization: `Bearer ${account.tokens.full}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ booking_reference: 'BK-1', amount: 300 });
  await fetch(`${sim.baseUrl}/deposits`, { method: 'POST', headers, body });
  const [request] = await account.requests();
  const { id } = await account.webhooks.next('deposit.created');
  await account.webhooks.resend(id);
  await callControl(account.id, `POST /deliveries/${id}/resend`);
  await callControl(account.id, `POST /requests/${request?.id}/replay`);
  expect((await readActions(account)).slice(1).map(({ details }) => details)).toEqual([
    `deposit.created ${id}`,
    `deposit.created ${id}`,
    `${request?.id} POST /api/v1/deposits`,
  ]);
});

test('the details of an imported snapshot are its name, in the file or chosen', async () => {
  const account = await sim.createAccount();
  await account.snapshots.save('exported');
  const file = await account.snapshots.export('exported');
  await callControl(account.id, 'POST /snapshots/import', { file });
  await account.snapshots.import(file, 'chosen');
  expect((await readActions(account)).slice(1).map(({ details }) => details)).toEqual(['exported', 'chosen']);
});

test('the details of a scenario that the dashboard saves as text, and of webhooks that it resends', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  const text = 'name: later\ndescription: Expires.\nfor: deposit\nsteps: [{ after: 1d, do: expire }]\n';
  await dashboard.postFields('scenarios', 'saveScenarioText', { text });
  await account.webhooks.configure({ url: 'http://127.0.0.1:9/' });
  await account.trigger('deposit.created');
  await account.webhooks.settled();
  await dashboard.postFields('webhooks', 'resendDeliveries', { which: 'failed' });
  expect((await readActions(account)).filter(({ by }) => by === 'dashboard')).toMatchObject([
    { operation: 'saveScenarioText', details: 'later' },
    { operation: 'resendDeliveries', details: '1 delivery' },
  ]);
});

test('long details are shortened', async () => {
  const account = await sim.createAccount();
  await account.webhooks.configure({ url: `http://127.0.0.1:9/${'a'.repeat(1_000)}` });
  const [action] = await readActions(account);
  expect(action?.details).toMatch(/^webhook URL http:\/\/127\.0\.0\.1:9\/a+…$/);
  expect(action?.details).toHaveLength(501);
});

test('actions in the dashboard have the same details there, on the command line and in the library', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  await dashboard.submitForm('clock', 'advanceClock', { by: '1d' });
  await dashboard.postFields('faults', 'addFault', { effect: 'status=503', 'match.operation': 'createDeposit' });
  await dashboard.submitForm('faults', 'clearFault/1');
  await dashboard.submitForm('snapshots', 'saveSnapshot', { name: 'before' });
  await dashboard.submitForm('snapshots', 'restoreSnapshot/before');
  const expected = [
    'Advance clock in the dashboard: by 1 d to 2026-03-02 09:00:00',
    'Add fault in the dashboard: fault 1, status=503 on createDeposit',
    'Clear fault in the dashboard: fault 1, status=503 on createDeposit',
    'Save snapshot in the dashboard: before',
    'Restore snapshot in the dashboard: before',
  ];
  const page = await dashboard.readText('?kind=action');
  const { stdout } = await runCli('activity', '--kind', 'action', '--url', sim.url, '--account', account.id);
  const details = (await readActions(account)).map((action) => action.details);
  for (const text of expected) {
    expect(page).toContain(text);
    expect(stdout.split('\n').map((line) => line.replace(/^\S+ \S+ {2}/, ''))).toContain(text);
    expect(details).toContain(text.replace(/^[^:]*: /, ''));
  }
});
