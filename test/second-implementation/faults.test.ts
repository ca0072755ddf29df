import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sampleUnlessFull } from '../support/sample.js';
import { accessFaults } from './faults/access.js';
import { depositFaults } from './faults/deposits.js';
import { envelopeFaults } from './faults/envelope.js';
import { eventFaults } from './faults/events.js';
import { type FaultId, faults } from './faults/index.js';
import { invoiceReadingFaults } from './faults/invoice-reading.js';
import { invoiceWritingFaults } from './faults/invoice-writing.js';
import { limitFaults } from './faults/limits.js';
import { linkFaults } from './faults/links.js';
import { paymentFaults } from './faults/payments.js';
import { recordSequence } from './support/recorder.js';
import { sequences } from './support/sequences.js';

/**
 * The faults by group. For each group, `sequences` has a sequence of requests that makes all its faults visible.
 */
const groups = [
  ['envelope', envelopeFaults],
  ['invoiceReading', invoiceReadingFaults],
  ['invoiceWriting', invoiceWritingFaults],
  ['links', linkFaults],
  ['payments', paymentFaults],
  ['deposits', depositFaults],
  ['access', accessFaults],
  ['limits', limitFaults],
  ['events', eventFaults],
] as const;

const isFaultId = (id: string): id is FaultId => id in faults;

beforeAll(() => {
  // Freezes only the date, so that recordings can be compared; timers still run in real time.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

test('every fault belongs to exactly one group', () => {
  const ids = groups.flatMap(([, groupFaults]) => Object.keys(groupFaults));
  expect(ids.sort()).toEqual(Object.keys(faults).sort());
});

describe.each(groups)('the fault group %s:', (name, groupFaults) => {
  let withoutFault: string[];

  beforeAll(async () => {
    withoutFault = await recordSequence(sequences[name]);
  });

  test('two recordings without a fault are equal, and contain no status 500', async () => {
    expect(await recordSequence(sequences[name])).toEqual(withoutFault);
    expect(withoutFault.join('\n')).toMatch(/^20\d$/m);
    expect(withoutFault.join('\n')).not.toMatch(/^500$/m);
  });

  test.each(sampleUnlessFull(Object.keys(groupFaults).filter(isFaultId), { oneIn: 48 }))(
    'the fault %s is visible to a client',
    async (fault) => {
      const withFault = await recordSequence(sequences[name], fault);
      expect(withFault).not.toEqual(withoutFault);
      expect(withFault.join('\n')).not.toMatch(/^500$/m);
    },
  );
});
