import { expect, test, vi } from 'vitest';
import { startSimulator } from '../../src/index.js';

const loaded = vi.hoisted(() => ({ names: new Set<string>() }));

vi.mock('../../src/faults/options.js', (original) => {
  loaded.names.add('options');
  return original();
});
vi.mock('../../src/domain/fault-grammar.js', (original) => {
  loaded.names.add('grammar');
  return original();
});
vi.mock('../../src/http/service/faults/write-faulty-reply.js', (original) => {
  loaded.names.add('http/faults');
  return original();
});

/** Every effect needs `options`, and every rule `grammar`. */
test('effects are loaded with the first fault, not at a start or for requests without faults', async () => {
  const sim = await startSimulator({
    now: '2026-03-01T09:00:00Z',
    webhookUrl: 'http://127.0.0.1:9/',
    log: () => undefined,
  });
  const get = async (headers: Record<string, string> = {}): Promise<number> => {
    const answer = await fetch(`${sim.baseUrl}/invoices`, {
      headers: { Authorization: 'Bearer demo_full', ...headers },
    });
    return answer.status;
  };
  const deposit = { method: 'POST', body: '{"booking_reference":"BK-1","amount":1}' };
  const headers = { Authorization: 'Bearer demo_full', 'Content-Type': 'application/json' };
  expect((await fetch(`${sim.baseUrl}/deposits`, { ...deposit, headers })).status).toBe(201);
  expect(await get()).toBe(200);
  await sim.account.clock.advance('8d');
  await sim.account.trigger('deposit.captured');
  expect((await fetch(`${sim.url}/_sim/accounts`)).status).toBe(200);
  expect([...loaded.names]).toEqual([]);

  expect(await get({ 'X-Sim-Fault': 'status=503' })).toBe(503);
  expect([...loaded.names].sort()).toEqual(['grammar', 'http/faults', 'options']);
  await sim.close();
});
