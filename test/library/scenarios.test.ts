import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Scenario, type Simulator, startSimulator } from '../../src/index.js';

/** The library accepts scenarios in the format of scenario files, and also delays in milliseconds. */

let simulator: Simulator;

const minibar: Scenario = {
  name: 'minibar',
  description: 'The guest checks out, and the minibar is charged the next morning.',
  for: 'deposit',
  steps: [
    { after: '1m', do: 'authorize' },
    { after: '18h', do: 'capture', with: { amount: 12.5 } },
    { after: 60_000, do: 'release' },
  ],
};

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', scenarios: [minibar] });
});
afterAll(() => simulator.close());

test.each([
  ['passed to startSimulator', minibar.name],
  ['added to an account', 'own-minibar'],
])('a scenario %s runs its steps after their delays', async (_source, name) => {
  const account = await simulator.createAccount();
  await account.scenarios.add({ ...minibar, name: 'own-minibar' });
  const { id } = await account.trigger('deposit.created');
  await account.scenarios.run(name, id);
  const { steps } = await account.clock.advance('1d');
  expect(steps.flatMap((step) => (step.kind === 'transition' ? [[step.at, step.cause]] : []))).toEqual([
    ['2026-03-01T09:01:00.000Z', 'authorize'],
    ['2026-03-02T03:01:00.000Z', 'capture'],
    ['2026-03-02T03:02:00.000Z', 'release'],
  ]);
});

describe('a scenario is refused by startSimulator and by scenarios.add', () => {
  const invalidDuration = 'is not a duration of up to 1,000 years (for example 2m, 2h 30m, 8d or P8D)';
  const authorize = { do: 'authorize' } as const;
  const invalidScenarios: readonly [reason: string, scenario: unknown, message: string][] = [
    ['if it is not an object', null, 'must be a mapping, not null'],
    ['if it has no steps', { ...minibar, steps: undefined }, '`steps` is missing'],
    ['if a step is not an object', { ...minibar, steps: ['authorize'] }, 'step 1: must be a mapping'],
    ['if it has no description', { ...minibar, description: '' }, 'description: must not be empty'],
    [
      'if a delay is not a duration',
      { ...minibar, steps: [authorize, { after: 'soon', do: 'expire' }] },
      `step 2: after: \`soon\` ${invalidDuration}`,
    ],
    [
      'if a delay is negative',
      { ...minibar, steps: [{ after: -1, do: 'authorize' }] },
      `step 1: after: the number -1 ${invalidDuration}`,
    ],
    [
      'if a delay is not a number',
      { ...minibar, steps: [{ after: Number.NaN, do: 'authorize' }] },
      `step 1: after: the number NaN ${invalidDuration}`,
    ],
    [
      'if a delay is too long',
      { ...minibar, steps: [{ after: 1e15, do: 'authorize' }] },
      `step 1: after: \`1000000000000000ms\` ${invalidDuration}`,
    ],
    [
      'if a verb is unknown',
      { ...minibar, steps: [{ do: 'authorise' }] },
      'step 1: unknown verb `authorise`; did you mean `authorize`?',
    ],
    [
      'if an option is invalid',
      { ...minibar, steps: [{ do: 'capture', with: { amount: '5' } }] },
      'step 1: with.amount: must be a number',
    ],
    [
      'if it would start itself again',
      { ...minibar, for: 'invoice', trigger: { event: 'payment.succeeded' }, steps: [{ do: 'pay' }] },
      'step 1 (pay) causes payment.succeeded, which starts this scenario again',
    ],
  ];

  test.each(invalidScenarios)('%s', async (_reason, invalid, message) => {
    const account = await simulator.createAccount();
    // @ts-expect-error: JavaScript can pass anything
    const scenario: Scenario = invalid;
    await expect(account.scenarios.add(scenario)).rejects.toThrow(message);
    await expect(startSimulator({ scenarios: [scenario] })).rejects.toThrow(message);
  });
});

test('a passed scenario is copied: adding it does not change it, and later changes to it have no effect', async () => {
  const account = await simulator.createAccount();
  const step = { do: 'authorize' as const, after: 60_000 };
  await account.scenarios.add({ ...minibar, steps: [step] });
  expect(step).toEqual({ do: 'authorize', after: 60_000 });
  step.after = 0;
  const { id } = await account.trigger('deposit.created');
  expect(await account.scenarios.run('minibar', id)).toMatchObject({ due_at: '2026-03-01T09:01:00.000Z' });
});
