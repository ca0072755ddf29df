import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sample } from '../support/sample.js';
import { accessFaults } from './faults/access.js';
import { depositFaults } from './faults/deposits.js';
import { envelopeFaults } from './faults/envelope.js';
import { eventFaults } from './faults/events.js';
import { type FaultId, faults } from './faults/index.js';
import { readingFaults } from './faults/invoice-reading.js';
import { writingFaults } from './faults/invoice-writing.js';
import { limitFaults } from './faults/limits.js';
import { linkFaults } from './faults/links.js';
import { paymentFaults } from './faults/payments.js';
import { record } from './support/recorder.js';
import { sequences } from './support/sequences.js';

/** The faults of each section. The sequence with the same name makes all of them visible. */
const sections = [
  ['envelope', envelopeFaults],
  ['reading', readingFaults],
  ['writing', writingFaults],
  ['links', linkFaults],
  ['payments', paymentFaults],
  ['deposits', depositFaults],
  ['access', accessFaults],
  ['limits', limitFaults],
  ['events', eventFaults],
] as const;

const isFaultId = (id: string): id is FaultId => id in faults;

beforeAll(() => {
  // Fakes only the date: requests and timers still run in real time.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

test('every fault belongs to exactly one section', () => {
  const ids = sections.flatMap(([, sectionFaults]) => Object.keys(sectionFaults));
  expect(ids.sort()).toEqual(Object.keys(faults).sort());
});

describe.each(sections)('the section %s:', (name, sectionFaults) => {
  let withoutFault: string[];

  beforeAll(async () => {
    withoutFault = await record(sequences[name]);
  });

  test('two recordings without a fault are equal, and contain no status 500', async () => {
    expect(await record(sequences[name])).toEqual(withoutFault);
    expect(withoutFault.join('\n')).not.toMatch(/^500$/m);
  });

  test.each(sample(Object.keys(sectionFaults).filter(isFaultId), 8))(
    'the fault %s is visible to a client',
    async (fault) => {
      const withFault = await record(sequences[name], fault);
      expect(withFault).not.toEqual(withoutFault);
      expect(withFault.join('\n')).not.toMatch(/^500$/m);
    },
  );
});
