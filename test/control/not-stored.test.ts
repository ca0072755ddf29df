import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentsOf } from '../../src/simulation/world.js';
import { breakDisk } from '../support/failing-disk.js';
import { type ControlServer, startControlServer } from './control-server.js';
import { addressOf, cases } from './every-operation.js';

/** Every operation reports a change that cannot be stored, and changes nothing. */

let sim: ControlServer;
const folder = mkdtempSync(join(tmpdir(), 'billing-sim-'));
const log: string[] = [];

beforeAll(async () => {
  sim = await startControlServer({ folder, log: (line) => log.push(line) });
});

afterAll(async () => {
  await sim.server.close();
  rmSync(folder, { recursive: true });
});

// Coverage is kept in memory only, and a replay succeeds whatever the response of the service is.
const unaffected: readonly string[] = ['forgetCoverage', 'replayRequest'];
const changing = cases.filter(
  ({ method, operation }) => method !== 'GET' && method !== 'HEAD' && !unaffected.includes(operation),
);

test.each(changing)('$operation', async ({ operation, method, path, status, id, body, prepare }) => {
  const made = await sim.callControl('POST', '/accounts', { seed: 'demo', now: '2026-03-01T09:00:00Z' });
  const account = String(Reflect.get(Object(made.body), 'id'));
  const preparedId = await prepare?.(sim, account);
  const recordId = id ?? preparedId;
  // The clock is frozen already, so the sample's body would leave nothing to store.
  const requested = operation === 'setClock' ? { mode: 'real' } : body;
  const before = contentsOf(sim.server.world);

  const repair = breakDisk('ENOSPC');
  const refused = await sim.callControl(method, addressOf(path, account, recordId), requested);
  repair();
  expect(refused).toMatchObject({ status: 503, body: { success: false, error: 'The change could not be stored' } });
  expect(contentsOf(sim.server.world)).toEqual(before);

  const answer = await sim.callControl(method, addressOf(path, account, recordId), requested);
  expect(answer).toMatchObject({ status });
});
