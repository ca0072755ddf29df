import { test } from 'billing-sim/vitest';
import { expect } from 'vitest';

test.override({ simulatorOptions: { now: '2026-05-01T00:00:00Z' } });

test('options of the simulator apply to its accounts', async ({ billing }) => {
  expect(await billing.clock.show()).toMatchObject({ now: '2026-05-01T00:00:00.000Z' });
});
