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
import { sequences } from './support/sequences.js';
import { record } from './support/tape.js';

/** The sequence in which every fault of a section shows. */
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
  // The clock alone: what is sent and waited for continues in real time.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

test('every fault is of one section', () => {
  const ids = sections.flatMap(([, planted]) => Object.keys(planted));
  expect(ids.sort()).toEqual(Object.keys(faults).sort());
});

describe.each(sections)('%s', (name, planted) => {
  let honest: string[];

  beforeAll(async () => {
    honest = await record(sequences[name]);
  });

  test('gives the same result twice without a fault, and no failures', async () => {
    expect(await record(sequences[name])).toEqual(honest);
    expect(honest.join('\n')).not.toMatch(/^500$/m);
  });

  test.each(sample(Object.keys(planted).filter(isFaultId), 8))('%s shows', async (fault) => {
    const seen = await record(sequences[name], fault);
    expect(seen).not.toEqual(honest);
    expect(seen.join('\n')).not.toMatch(/^500$/m);
  });
});
