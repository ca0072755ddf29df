import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type NewFault, type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});
afterAll(() => simulator.close());

/** Sends a GET request with the token of an account. @returns the HTTP status */
async function requestStatus(
  { tokens }: SimulatorAccount,
  path = '/deposits',
  baseUrl = simulator.baseUrl,
): Promise<number> {
  const { status } = await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${tokens.full}` } });
  return status;
}

const unavailable: NewFault = { effect: { name: 'status', status: 503 } };

test('faults are added, listed with how often they have fired, and cleared', async () => {
  const account = await simulator.createAccount();
  expect(await account.faults.list()).toEqual([]);
  const match = { operation: 'listDeposits', method: 'GET', token: 'full' };
  const added = await account.faults.add({ ...unavailable, match, times: 1, for: '1h' });
  expect(added).toEqual({
    id: 1,
    effects: [{ name: 'status', status: 503 }],
    stage: 'request',
    match,
    times: 1,
    until: '2026-03-01T10:00:00.000Z',
    times_matched: 0,
    times_fired: 0,
    status: 'active',
    created_at: '2026-03-01T09:00:00.000Z',
  });
  expect([await requestStatus(account), await requestStatus(account)]).toEqual([503, 200]);
  expect(await account.faults.list()).toEqual([{ ...added, times_matched: 1, times_fired: 1, status: 'ended' }]);
  await account.faults.add({ effect: ['reset', 'latency=1ms'] });
  await account.faults.add({ effect: 'lose-response', match: { body: { amount: 1 } } });
  expect(await account.faults.clear(1)).toBe(1);
  await expect(account.faults.clear(1)).rejects.toThrow('fault-not-found');
  expect(await account.faults.clear()).toBe(2);
  expect([await requestStatus(account), await account.faults.list()]).toEqual([200, []]);
});

test.each<[fault: NewFault, message: string]>([
  [{ effect: 'lose-respons' }, 'unknown effect `lose-respons`; did you mean `lose-response`?'],
  [
    { effect: 'reset', match: { operation: 'createDepost' } },
    'match: unknown operation `createDepost`; did you mean `createDeposit`?',
  ],
  [{ effect: 'reset', match: { token: 'ful' } }, 'match: unknown token `ful`; did you mean `full`?'],
  [{ effect: { name: 'latency', min: 5 } }, 'latency.min: the number 5 is not a duration of up to 10m'],
  [
    { effect: 'status=50;type=' },
    'status.status: must be 200 or more; status.type: `` is not a content type (for example text/html)',
  ],
])('the fault %j is refused: %s', async (fault, message) => {
  const account = await simulator.createAccount();
  await expect(account.faults.add(fault)).rejects.toThrow(message);
  expect(await account.faults.list()).toEqual([]);
});

test.each([
  ['latncy', 'unknown effect `latncy`; did you mean `latency`?'],
  ['reset', 'must be a mapping (for example {"effect":"reset"}), not a string'],
])('an effect in place of a fault is refused: %s', async (effect, message) => {
  const account = await simulator.createAccount();
  // @ts-expect-error: the effect must be in a mapping
  await expect(account.faults.add(effect)).rejects.toThrow(message);
});

test('faults of one simulator do not apply to another', async () => {
  const otherSimulator = await startSimulator();
  onTestFinished(() => otherSimulator.close());
  await simulator.account.faults.add(unavailable);
  onTestFinished(async () => void (await simulator.account.faults.clear()));
  const [account, otherAccount] = [await simulator.createAccount(), await otherSimulator.createAccount()];
  await account.faults.add(unavailable);
  expect(await requestStatus(otherAccount, '/deposits', otherSimulator.baseUrl)).toBe(200);
  expect(await otherSimulator.account.faults.list()).toEqual([]);
  expect(await requestStatus(account)).toBe(503);
});

test('a snapshot restores the faults of an account, and a reset removes them', async () => {
  const account = await simulator.createAccount();
  await account.faults.add(unavailable);
  await requestStatus(account);
  await account.snapshots.save('with-fault');
  await account.faults.clear();
  await account.snapshots.restore('with-fault');
  expect(await account.faults.list()).toMatchObject([{ times_matched: 1, times_fired: 1 }]);
  await account.reset();
  expect(await account.faults.list()).toEqual([]);
});

test('a removed account refuses new faults', async () => {
  const account = await simulator.createAccount();
  await account.remove();
  await expect(account.faults.add(unavailable)).rejects.toThrow(`the account ${account.id} has been removed`);
});

describe('a scenario step that adds a fault', () => {
  const scenario = {
    name: 'failing',
    description: 'Lists fail with 503.',
    for: 'deposit',
    steps: [{ after: 0, do: 'fault', with: { effect: 'status=503', match: { operation: 'listDeposits' } } }],
  } as const;

  test('adds that fault when it runs', async () => {
    const account = await simulator.createAccount({ seed: 'demo' });
    await account.scenarios.add(scenario);
    await account.scenarios.run('failing', 1);
    await account.webhooks.settled();
    expect(await account.faults.list()).toMatchObject([{ match: { operation: 'listDeposits' } }]);
    expect(await requestStatus(account)).toBe(503);
  });

  test('may be in a scenario that is passed to startSimulator', async () => {
    const { account, close } = await startSimulator({ scenarios: [scenario] });
    onTestFinished(() => close());
    await account.scenarios.run('failing', 1);
    expect(await account.faults.list()).toMatchObject([{ effects: [{ name: 'status', status: 503 }] }]);
  });

  test('is refused with the number of the step if the fault is invalid', async () => {
    const broken = { ...scenario, steps: [{ after: 0, do: 'fault', with: { effect: 'statsu=503' } }] } as const;
    const message = 'step 1: with: unknown effect `statsu`; did you mean `status`?';
    const account = await simulator.createAccount();
    await expect(account.scenarios.add(broken)).rejects.toThrow(message);
    await expect(startSimulator({ scenarios: [broken] })).rejects.toThrow(message);
  });

  test('is refused if the fault can never fire in the account', async () => {
    const fault = { effect: 'status=503', match: { token: 'ful' } };
    const broken = { ...scenario, steps: [{ after: 0, do: 'fault', with: fault }] } as const;
    const account = await simulator.createAccount();
    await expect(account.scenarios.add(broken)).rejects.toThrow(
      'step 1: with: match: unknown token `ful`; did you mean `full`?',
    );
  });
});
