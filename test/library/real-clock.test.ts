import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';

test('on a running clock, agenda items run when they are due, without a request', async () => {
  const delayMs = 50;
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const account = await simulator.createAccount();
  const deposit = await account.trigger('deposit.created');
  await account.scenarios.add({
    name: 'soon',
    description: 'Authorizes after a moment.',
    for: 'deposit',
    steps: [{ after: delayMs, do: 'authorize', with: {} }],
  });
  await account.scenarios.run('soon', deposit.id);
  expect(await account.webhooks.next('deposit.authorized')).toMatchObject({ payload: { data: { id: deposit.id } } });
});
