import { afterAll, beforeAll, expect, test } from 'vitest';
import { shippedScenarios } from '../../src/generated/scenarios.js';
import { type ControlServer, dataOf, pageOf, startControlServer } from './control-server.js';

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

async function openAccount() {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z' };
  const { id: account, tokens } = dataOf(await sim.control.POST('/accounts', { body }));
  const callControl = async (method: string, path: string, content?: unknown) =>
    (await sim.callControl(method, `/accounts/${account}${path}`, content)).body;
  const list = async () =>
    dataOf(await sim.control.GET('/accounts/{account}/scenarios', { params: { path: { account } } }));
  const runs = async () => dataOf(await sim.control.GET('/accounts/{account}/runs', { params: { path: { account } } }));
  return { account, tokens, callControl, list, runs };
}

const mine = { description: 'Mine.', for: 'deposit', steps: [{ after: '1h', do: 'authorize' }] };

test('lists the built-in scenarios', async () => {
  const { list } = await openAccount();
  const shown = shippedScenarios.map((scenario) => ({
    ...scenario,
    own: false,
    steps: scenario.steps.map(({ fault: _fault, ...step }) => step),
  }));
  expect(await list()).toEqual(pageOf(shown));
});

test('a scenario runs: its next step is on the agenda, and its last step ends it', async () => {
  const { callControl, runs } = await openAccount();
  const run = {
    id: 1,
    scenario: 'no-show',
    subject: { resource: 'deposit', id: 1 },
    status: 'running',
    reason: null,
    played: 0,
    steps: 2,
    due_at: '2026-03-01T09:02:00.000Z',
    started_at: '2026-03-01T09:00:00.000Z',
  };
  expect(await callControl('POST', '/scenarios/no-show/run', { deposit: 1 })).toEqual(run);
  expect(await callControl('GET', '/agenda?per_page=1')).toMatchObject({ data: [{ kind: 'scenario-step', id: 1 }] });
  await callControl('POST', '/clock/advance', { by: '2m' });
  const next = { ...run, played: 1, due_at: '2026-03-02T09:02:00.000Z' };
  expect(await runs()).toEqual(pageOf([next]));
  await callControl('POST', '/clock/advance', { by: '1d' });
  expect((await runs()).data).toEqual([{ ...run, status: 'done', played: 2, due_at: null }]);
});

test('a run is cancelled', async () => {
  const { callControl, runs } = await openAccount();
  await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
  expect(await callControl('DELETE', '/runs/1')).toMatchObject({ id: 1, status: 'cancelled', due_at: null });
  await callControl('POST', '/clock/advance', { by: '3d' });
  expect((await runs()).data).toMatchObject([{ status: 'cancelled', played: 0 }]);
});

test('a run whose record reaches a final state is stopped with a reason', async () => {
  const { callControl, runs } = await openAccount();
  await callControl('POST', '/scenarios/no-show/run', { deposit: 4 });
  await callControl('POST', '/clock/advance', { by: '3d' });
  const reason = expect.stringContaining('the deposit is captured');
  expect((await runs()).data).toMatchObject([{ status: 'stopped', played: 0, reason }]);
});

test.each([
  ['late-payment', { invoice: 2 }, { resource: 'invoice', id: 2 }],
  ['flaky-receiver', { deposit: 1 }, { resource: 'deposit', id: 1 }],
])('%s is run on %o', async (name, body, subject) => {
  const { callControl } = await openAccount();
  expect(await callControl('POST', `/scenarios/${name}/run`, body)).toMatchObject({
    scenario: name,
    subject,
    status: 'running',
  });
});

test('a scenario added to the account can be run, and replaces a built-in one of the same name', async () => {
  const { callControl, list, runs } = await openAccount();
  const put = { name: 'mine', ...mine, own: true, steps: [{ after: 3_600_000, do: 'authorize', with: {} }] };
  expect(await callControl('PUT', '/scenarios/mine', mine)).toEqual(put);
  expect(await callControl('PUT', '/scenarios/no-show', { ...mine, name: 'no-show' })).toEqual({
    ...put,
    name: 'no-show',
  });
  const { data: scenarios } = await list();
  expect(scenarios.filter(({ own }) => own).map(({ name }) => name)).toEqual(['mine', 'no-show']);
  expect(scenarios.filter(({ name }) => name === 'no-show')).toHaveLength(1);

  await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
  // A change of the scenario does not affect a run that has begun.
  await callControl('PUT', '/scenarios/no-show', { ...mine, steps: [{ do: 'decline' }] });
  await callControl('POST', '/clock/advance', { by: '1h' });
  expect((await runs()).data).toMatchObject([{ scenario: 'no-show', status: 'done', steps: 1 }]);
  const other = await openAccount();
  expect((await other.list()).data.some(({ own }) => own)).toBe(false);
});

test('deleting an added scenario brings back the built-in one, and its runs continue', async () => {
  const { callControl, list, runs } = await openAccount();
  const before = await list();
  const shipped = await callControl('GET', '/scenarios/no-show');
  await callControl('PUT', '/scenarios/no-show', mine);
  await callControl('PUT', '/scenarios/mine', mine);
  await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
  expect(await callControl('DELETE', '/scenarios/no-show')).toMatchObject({
    name: 'no-show',
    own: true,
    description: 'Mine.',
  });
  expect(await callControl('GET', '/scenarios/no-show')).toEqual(shipped);
  await callControl('DELETE', '/scenarios/mine');
  expect(await callControl('GET', '/scenarios/mine')).toMatchObject({ error: 'Scenario not found' });
  expect(await list()).toEqual(before);
  await callControl('POST', '/clock/advance', { by: '1h' });
  expect(await runs()).toMatchObject({ data: [{ scenario: 'no-show', status: 'done' }] });
});

test('a built-in scenario cannot be deleted', async () => {
  const { callControl, list } = await openAccount();
  expect(await callControl('DELETE', '/scenarios/no-show')).toMatchObject({
    error: 'A shipped scenario cannot be deleted',
  });
  expect((await list()).data).toContainEqual(expect.objectContaining({ name: 'no-show' }));
});

test('a scenario with a fault step is shown as it was written, and adds the fault', async () => {
  const { tokens, callControl } = await openAccount();
  const newFault = { effect: 'status=503', match: { operation: 'listDeposits' }, times: 1, for: '1h' };
  const steps = [{ do: 'fault', with: newFault }];
  const shown = { name: 'failing', steps: [{ after: 0, do: 'fault', with: newFault }] };
  expect(await callControl('PUT', '/scenarios/failing', { ...mine, steps })).toEqual({ ...mine, ...shown, own: true });
  await callControl('POST', '/scenarios/failing/run', { deposit: 1 });
  expect(await callControl('GET', '/faults')).toMatchObject({
    data: [{ effects: [{ name: 'status', status: 503 }], times: 1, until: '2026-03-01T10:00:00.000Z' }],
  });
  const statuses = [];
  for (let number = 0; number < 2; number++) {
    statuses.push((await sim.callService(tokens.full, 'GET', '/deposits')).status);
  }
  expect(statuses).toEqual([503, 200]);
});

test('an added scenario is started by an event, and by its name in metadata', async () => {
  const { tokens, callControl, runs } = await openAccount();
  const trigger = { event: 'deposit.created', match: { booking_reference: 'SCRIPT-*' } };
  await callControl('PUT', '/scenarios/mine', { ...mine, trigger });
  await sim.callService(tokens.full, 'POST', '/deposits', { booking_reference: 'SCRIPT-1', amount: 10 });
  const metadata = { scenario: 'mine' };
  await sim.callService(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-1', amount: 10, metadata });
  await sim.callService(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-2', amount: 10 });
  expect((await runs()).data).toMatchObject([{ subject: { id: 9 } }, { subject: { id: 8 } }]);
});
