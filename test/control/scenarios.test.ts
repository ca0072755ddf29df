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
  const ask = async (method: string, path: string, content?: unknown) =>
    (await sim.ask(method, `/accounts/${account}${path}`, content)).body;
  const list = async () =>
    dataOf(await sim.control.GET('/accounts/{account}/scenarios', { params: { path: { account } } }));
  const runs = async () => dataOf(await sim.control.GET('/accounts/{account}/runs', { params: { path: { account } } }));
  return { account, tokens, ask, list, runs };
}

const mine = { description: 'Mine.', for: 'deposit', steps: [{ after: '1h', do: 'authorize' }] };

test('those that are shipped are listed', async () => {
  const { list } = await openAccount();
  const shown = shippedScenarios.map((scenario) => ({
    ...scenario,
    own: false,
    steps: scenario.steps.map(({ fault: _fault, ...step }) => step),
  }));
  expect(await list()).toEqual(pageOf(shown));
});

test('one is run, shows on the agenda, and is done', async () => {
  const { ask, runs } = await openAccount();
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
  expect(await ask('POST', '/scenarios/no-show/run', { deposit: 1 })).toEqual(run);
  expect(await ask('GET', '/agenda?per_page=1')).toMatchObject({ data: [{ kind: 'scenario-step', id: 1 }] });
  await ask('POST', '/clock/advance', { by: '2m' });
  const next = { ...run, played: 1, due_at: '2026-03-02T09:02:00.000Z' };
  expect(await runs()).toEqual(pageOf([next]));
  await ask('POST', '/clock/advance', { by: '1d' });
  expect((await runs()).data).toEqual([{ ...run, status: 'done', played: 2, due_at: null }]);
});

test('one is cancelled', async () => {
  const { ask, runs } = await openAccount();
  await ask('POST', '/scenarios/no-show/run', { deposit: 1 });
  expect(await ask('DELETE', '/runs/1')).toMatchObject({ id: 1, status: 'cancelled', due_at: null });
  await ask('POST', '/clock/advance', { by: '3d' });
  expect((await runs()).data).toMatchObject([{ status: 'cancelled', played: 0 }]);
});

test('one that comes to a state without a way on is stopped, and says why', async () => {
  const { ask, runs } = await openAccount();
  await ask('POST', '/scenarios/no-show/run', { deposit: 4 });
  await ask('POST', '/clock/advance', { by: '3d' });
  const reason = expect.stringContaining('the deposit is captured');
  expect((await runs()).data).toMatchObject([{ status: 'stopped', played: 0, reason }]);
});

test.each([
  ['late-payment', { invoice: 2 }, { resource: 'invoice', id: 2 }],
  ['flaky-receiver', { deposit: 1 }, { resource: 'deposit', id: 1 }],
])('%s is run on %o', async (name, body, subject) => {
  const { ask } = await openAccount();
  expect(await ask('POST', `/scenarios/${name}/run`, body)).toMatchObject({
    scenario: name,
    subject,
    status: 'running',
  });
});

test('one of the account itself is put, run, and stands before the shipped one of its name', async () => {
  const { ask, list, runs } = await openAccount();
  const put = { name: 'mine', ...mine, own: true, steps: [{ after: 3_600_000, do: 'authorize', with: {} }] };
  expect(await ask('PUT', '/scenarios/mine', mine)).toEqual(put);
  expect(await ask('PUT', '/scenarios/no-show', { ...mine, name: 'no-show' })).toEqual({ ...put, name: 'no-show' });
  const { data: scenarios } = await list();
  expect(scenarios.filter(({ own }) => own).map(({ name }) => name)).toEqual(['mine', 'no-show']);
  expect(scenarios.filter(({ name }) => name === 'no-show')).toHaveLength(1);

  await ask('POST', '/scenarios/no-show/run', { deposit: 1 });
  // A run continues as it began.
  await ask('PUT', '/scenarios/no-show', { ...mine, steps: [{ do: 'decline' }] });
  await ask('POST', '/clock/advance', { by: '1h' });
  expect((await runs()).data).toMatchObject([{ scenario: 'no-show', status: 'done', steps: 1 }]);
  const other = await openAccount();
  expect((await other.list()).data.some(({ own }) => own)).toBe(false);
});

test('one of the account itself is deleted, what it stood before is there again, and its runs go on', async () => {
  const { ask, list, runs } = await openAccount();
  const before = await list();
  const shipped = await ask('GET', '/scenarios/no-show');
  await ask('PUT', '/scenarios/no-show', mine);
  await ask('PUT', '/scenarios/mine', mine);
  await ask('POST', '/scenarios/no-show/run', { deposit: 1 });
  expect(await ask('DELETE', '/scenarios/no-show')).toMatchObject({ name: 'no-show', own: true, description: 'Mine.' });
  expect(await ask('GET', '/scenarios/no-show')).toEqual(shipped);
  await ask('DELETE', '/scenarios/mine');
  expect(await ask('GET', '/scenarios/mine')).toMatchObject({ error: 'Scenario not found' });
  expect(await list()).toEqual(before);
  await ask('POST', '/clock/advance', { by: '1h' });
  expect(await runs()).toMatchObject({ data: [{ scenario: 'no-show', status: 'done' }] });
});

test('a shipped one cannot be deleted', async () => {
  const { ask, list } = await openAccount();
  expect(await ask('DELETE', '/scenarios/no-show')).toMatchObject({ error: 'A shipped scenario cannot be deleted' });
  expect((await list()).data).toContainEqual(expect.objectContaining({ name: 'no-show' }));
});

test('one whose step begins a fault is shown as it was written, and begins it', async () => {
  const { tokens, ask } = await openAccount();
  const given = { effect: 'status=503', match: { operation: 'listDeposits' }, times: 1, for: '1h' };
  const steps = [{ do: 'fault', with: given }];
  const shown = { name: 'failing', steps: [{ after: 0, do: 'fault', with: given }] };
  expect(await ask('PUT', '/scenarios/failing', { ...mine, steps })).toEqual({ ...mine, ...shown, own: true });
  await ask('POST', '/scenarios/failing/run', { deposit: 1 });
  expect(await ask('GET', '/faults')).toMatchObject({
    data: [{ effects: [{ name: 'status', status: 503 }], times: 1, until: '2026-03-01T10:00:00.000Z' }],
  });
  const statuses = [];
  for (let number = 0; number < 2; number++) {
    statuses.push((await sim.service(tokens.full, 'GET', '/deposits')).status);
  }
  expect(statuses).toEqual([503, 200]);
});

test('one of the account itself is started by what happens, and by name in metadata', async () => {
  const { tokens, ask, runs } = await openAccount();
  const trigger = { event: 'deposit.created', match: { booking_reference: 'SCRIPT-*' } };
  await ask('PUT', '/scenarios/mine', { ...mine, trigger });
  await sim.service(tokens.full, 'POST', '/deposits', { booking_reference: 'SCRIPT-1', amount: 10 });
  const metadata = { scenario: 'mine' };
  await sim.service(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-1', amount: 10, metadata });
  await sim.service(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-2', amount: 10 });
  expect((await runs()).data).toMatchObject([{ subject: { id: 9 } }, { subject: { id: 8 } }]);
});
