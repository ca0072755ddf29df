import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInScenarios } from '../../src/generated/scenarios.js';
import { type ControlServer, expectedPage, requireData, startControlServer } from './control-server.js';

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** Creates an account with the `demo` seed, and returns functions that call the control API. */
async function openAccount() {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z' };
  const { id: account, tokens } = requireData(await sim.control.POST('/accounts', { body }));
  /**
   * Calls an operation of the control API on this account. `path` is the part after `/accounts/{account}`.
   * @returns the body of the response
   */
  const callControl = async (method: string, path: string, content?: unknown) =>
    (await sim.callControl(method, `/accounts/${account}${path}`, content)).body;
  const listScenarios = async () =>
    requireData(await sim.control.GET('/accounts/{account}/scenarios', { params: { path: { account } } }));
  const listRuns = async () =>
    requireData(await sim.control.GET('/accounts/{account}/runs', { params: { path: { account } } }));
  return { account, tokens, callControl, listScenarios, listRuns };
}

const authorizeAfterAnHour = { description: 'Mine.', for: 'deposit', steps: [{ after: '1h', do: 'authorize' }] };

test('the built-in scenarios are listed', async () => {
  const { listScenarios } = await openAccount();
  const expected = builtInScenarios.map((scenario) => ({
    ...scenario,
    // True for a scenario that was added to the account.
    own: false,
    // `fault` is the parsed form of `with`, which only the simulator uses.
    steps: scenario.steps.map(({ fault: _fault, ...step }) => step),
  }));
  expect(await listScenarios()).toEqual(expectedPage(expected));
});

test('a run has its next step on the agenda, and is done after its last step', async () => {
  const { callControl, listRuns } = await openAccount();
  const run = {
    id: 1,
    scenario: 'no-show',
    subject: { resource: 'deposit', id: 1 },
    status: 'running',
    reason: null,
    completed_steps: 0,
    steps: 2,
    due_at: '2026-03-01T09:02:00.000Z',
    started_at: '2026-03-01T09:00:00.000Z',
  };
  expect(await callControl('POST', '/scenarios/no-show/run', { deposit: 1 })).toEqual(run);
  expect(await callControl('GET', '/agenda?per_page=1')).toMatchObject({ data: [{ kind: 'scenario-step', id: 1 }] });
  await callControl('POST', '/clock/advance', { by: '2m' });
  const afterFirstStep = { ...run, completed_steps: 1, due_at: '2026-03-02T09:02:00.000Z' };
  expect(await listRuns()).toEqual(expectedPage([afterFirstStep]));
  await callControl('POST', '/clock/advance', { by: '1d' });
  expect((await listRuns()).data).toEqual([{ ...run, status: 'done', completed_steps: 2, due_at: null }]);
});

test('a run can be cancelled, and then executes no further steps', async () => {
  const { callControl, listRuns } = await openAccount();
  await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
  expect(await callControl('DELETE', '/runs/1')).toMatchObject({ id: 1, status: 'cancelled', due_at: null });
  await callControl('POST', '/clock/advance', { by: '3d' });
  expect((await listRuns()).data).toMatchObject([{ status: 'cancelled', completed_steps: 0 }]);
});

test('a run on a record that is in a final state is stopped at its first step, with a reason', async () => {
  const { callControl, listRuns } = await openAccount();
  await callControl('POST', '/scenarios/no-show/run', { deposit: 4 });
  await callControl('POST', '/clock/advance', { by: '3d' });
  const reason = expect.stringContaining("the deposit's status is captured");
  expect((await listRuns()).data).toMatchObject([{ status: 'stopped', completed_steps: 0, reason }]);
});

test.each([
  ['late-payment', { invoice: 2 }, { resource: 'invoice', id: 2 }],
  ['flaky-receiver', { deposit: 1 }, { resource: 'deposit', id: 1 }],
])('the scenario %s can be run on %o', async (name, body, subject) => {
  const { callControl } = await openAccount();
  expect(await callControl('POST', `/scenarios/${name}/run`, body)).toMatchObject({
    scenario: name,
    subject,
    status: 'running',
  });
});

test('a scenario that is added to an account replaces the built-in one of the same name, and can be run', async () => {
  const { callControl, listScenarios, listRuns } = await openAccount();
  const stored = {
    name: 'mine',
    ...authorizeAfterAnHour,
    own: true,
    steps: [{ after: 3_600_000, do: 'authorize', with: {} }],
  };
  expect(await callControl('PUT', '/scenarios/mine', authorizeAfterAnHour)).toEqual(stored);
  expect(await callControl('PUT', '/scenarios/no-show', { ...authorizeAfterAnHour, name: 'no-show' })).toEqual({
    ...stored,
    name: 'no-show',
  });
  const { data: scenarios } = await listScenarios();
  expect(scenarios.filter(({ own }) => own).map(({ name }) => name)).toEqual(['mine', 'no-show']);
  expect(scenarios.filter(({ name }) => name === 'no-show')).toHaveLength(1);

  await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
  // A run that has started is not affected by a change to its scenario.
  await callControl('PUT', '/scenarios/no-show', { ...authorizeAfterAnHour, steps: [{ do: 'decline' }] });
  await callControl('POST', '/clock/advance', { by: '1h' });
  expect((await listRuns()).data).toMatchObject([{ scenario: 'no-show', status: 'done', steps: 1 }]);
  const other = await openAccount();
  expect((await other.listScenarios()).data.filter(({ own }) => own)).toEqual([]);
});

test('deleting an added scenario restores the built-in one of the same name, and runs of the deleted one continue', async () => {
  const { callControl, listScenarios, listRuns } = await openAccount();
  const scenariosBefore = await listScenarios();
  const builtIn = await callControl('GET', '/scenarios/no-show');
  await callControl('PUT', '/scenarios/no-show', authorizeAfterAnHour);
  await callControl('PUT', '/scenarios/mine', authorizeAfterAnHour);
  await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
  expect(await callControl('DELETE', '/scenarios/no-show')).toMatchObject({
    name: 'no-show',
    own: true,
    description: 'Mine.',
  });
  expect(await callControl('GET', '/scenarios/no-show')).toEqual(builtIn);
  await callControl('DELETE', '/scenarios/mine');
  expect(await callControl('GET', '/scenarios/mine')).toMatchObject({ error: 'Scenario not found' });
  expect(await listScenarios()).toEqual(scenariosBefore);
  await callControl('POST', '/clock/advance', { by: '1h' });
  expect(await listRuns()).toMatchObject({ data: [{ scenario: 'no-show', status: 'done' }] });
});

test('a built-in scenario cannot be deleted', async () => {
  const { callControl, listScenarios } = await openAccount();
  expect(await callControl('DELETE', '/scenarios/no-show')).toMatchObject({
    error: 'A built-in scenario cannot be deleted',
  });
  expect((await listScenarios()).data).toContainEqual(expect.objectContaining({ name: 'no-show' }));
});

test('a scenario with a fault step is returned as it was sent, and its run adds the fault', async () => {
  const { tokens, callControl } = await openAccount();
  const newFault = { effect: 'status=503', match: { operation: 'listDeposits' }, times: 1, for: '1h' };
  const steps = [{ do: 'fault', with: newFault }];
  const expected = { name: 'failing', steps: [{ after: 0, do: 'fault', with: newFault }] };
  expect(await callControl('PUT', '/scenarios/failing', { ...authorizeAfterAnHour, steps })).toEqual({
    ...authorizeAfterAnHour,
    ...expected,
    own: true,
  });
  await callControl('POST', '/scenarios/failing/run', { deposit: 1 });
  expect(await callControl('GET', '/faults')).toMatchObject({
    data: [{ effects: [{ name: 'status', status: 503 }], times: 1, until: '2026-03-01T10:00:00.000Z' }],
  });
  const statuses = [];
  for (let sent = 0; sent < 2; sent++) {
    statuses.push((await sim.callService(tokens.full, 'GET', '/deposits')).status);
  }
  expect(statuses).toEqual([503, 200]);
});

test('an added scenario is started by its trigger event, and by its name in the metadata of a deposit', async () => {
  const { tokens, callControl, listRuns } = await openAccount();
  const trigger = { event: 'deposit.created', match: { booking_reference: 'SCRIPT-*' } };
  await callControl('PUT', '/scenarios/mine', { ...authorizeAfterAnHour, trigger });
  await sim.callService(tokens.full, 'POST', '/deposits', { booking_reference: 'SCRIPT-1', amount: 10 });
  const metadata = { scenario: 'mine' };
  await sim.callService(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-1', amount: 10, metadata });
  await sim.callService(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-2', amount: 10 });
  expect((await listRuns()).data).toMatchObject([{ subject: { id: 9 } }, { subject: { id: 8 } }]);
});
