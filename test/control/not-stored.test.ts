import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentsOf } from '../../src/simulation/world.js';
import { breakDisk } from '../support/failing-disk.js';
import { type ControlServer, createDemoAccount, startControlServer } from './control-server.js';
import { fillPath, operationSamples } from './operation-samples.js';

/** Every operation that stores a change responds with 503 if the change cannot be stored, and then changes nothing. */

let sim: ControlServer;
const folder = mkdtempSync(join(tmpdir(), 'billing-sim-'));

beforeAll(async () => {
  sim = await startControlServer({ folder, log: () => undefined });
});

afterAll(async () => {
  await sim.server.close();
  rmSync(folder, { recursive: true });
});

// Coverage is kept in memory only, and a replay succeeds even if the replayed request fails.
const excludedOperations: readonly string[] = ['resetCoverage', 'replayRequest'];
const writeSamples = operationSamples.filter(
  ({ method, operation }) => method !== 'GET' && method !== 'HEAD' && !excludedOperations.includes(operation),
);

test.each(writeSamples)(
  '$operation fails with 503 while the disk is full, and succeeds afterwards',
  async ({ operation, method, path, status, id, body, prepare }) => {
    const account = await createDemoAccount(sim);
    const preparedId = await prepare?.(sim, account);
    const recordId = id ?? preparedId;
    // The sample freezes the clock. Since it is frozen already, nothing would be stored.
    const requested = operation === 'setClock' ? { mode: 'real' } : body;
    const contentsBefore = contentsOf(sim.server.world);

    const repair = breakDisk('ENOSPC');
    const refused = await sim.callControl(method, fillPath(path, account, recordId), requested);
    repair();
    expect(refused).toMatchObject({ status: 503, body: { success: false, error: 'The change could not be stored' } });
    expect(contentsOf(sim.server.world)).toEqual(contentsBefore);

    const response = await sim.callControl(method, fillPath(path, account, recordId), requested);
    expect(response).toMatchObject({ status });
  },
);
