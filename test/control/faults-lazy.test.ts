import { expect, test, vi } from 'vitest';
import { openControlServer } from './control-server.js';

const loaded = vi.hoisted(() => ({ times: 0 }));

vi.mock('../../src/faults/index.js', (original) => {
  loaded.times += 1;
  return original();
});

test('effects are loaded with the first fault, and not before', async () => {
  const sim = await openControlServer();
  expect((await sim.service('demo_full', 'GET', '/deposits')).status).toBe(200);
  expect((await sim.ask('GET', '/accounts/demo/faults')).status).toBe(200);
  expect(loaded.times).toBe(0);
  expect((await sim.ask('POST', '/accounts/demo/faults', { effect: 'status=503' })).status).toBe(201);
  expect(loaded.times).toBe(1);
});
