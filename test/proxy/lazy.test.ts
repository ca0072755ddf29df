import { expect, test, vi } from 'vitest';
import { startSimulator } from '../../src/index.js';

// prism-http takes seconds to load where many tests run at once.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const loaded = vi.hoisted(() => ({ times: 0 }));

vi.mock('@stoplight/prism-http', (original) => {
  loaded.times += 1;
  return original();
});

test('a simulator loads prism-http only for a client that prefers a generated response', async () => {
  const sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
  const ask = async (path: string, more: Record<string, string> = {}, body?: string) => {
    const headers = { Authorization: 'Bearer demo_full', 'Content-Type': 'application/json', ...more };
    const method = body === undefined ? 'GET' : 'POST';
    return (await fetch(`${sim.baseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })).status;
  };
  const prefer = (preference: string) => ask('/invoices', { Prefer: preference });
  expect(await ask('/invoices')).toBe(200);
  expect(await ask('/invoices/999')).toBe(404);
  expect(await ask('/payment-links', {}, '{"description":"d","amount":5}')).toBe(201);
  expect(await ask('/payment-links', {}, '{}')).toBe(422);
  expect([await prefer('return=minimal'), await prefer('code=299'), loaded.times]).toEqual([200, 400, 0]);
  expect([await prefer('code=404'), await prefer('code=404'), loaded.times]).toEqual([404, 404, 1]);
  await sim.close();
});
