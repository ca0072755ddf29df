import { test } from 'vitest';
import { clauses } from '../../src/contract/clauses/index.js';
import { accessFaults } from '../second/faults/access.js';
import { envelopeFaults } from '../second/faults/envelope.js';
import { type FaultId, faults } from '../second/faults/index.js';
import { readingFaults } from '../second/faults/invoice-reading.js';
import { writingFaults } from '../second/faults/invoice-writing.js';
import { limitFaults } from '../second/faults/limits.js';
import { check, openSecond } from './support.js';

const isFaultId = (id: string): id is FaultId => id in faults;
const mine = Object.keys({
  ...envelopeFaults,
  ...readingFaults,
  ...writingFaults,
  ...accessFaults,
  ...limitFaults,
}).filter(isFaultId);
test('faults', async () => {
  for (const seeded of [true]) {
    const lines: string[] = [];
    const one = async (fault: FaultId) => {
      const start = Date.now();
      const outcome = await check(await openSecond({ fault, seeded }), clauses, { patience: 300 });
      const failed = outcome.ids('failed'),
        warned = outcome.ids('warned'),
        broken = outcome.ids('broken');
      const inferred = 'inferred' in faults[fault];
      lines.push(
        `${failed.length > 0 || (inferred && warned.length > 0) ? '  ' : '!!'} ${fault}${inferred ? ' (inferred)' : ''}: ${failed.slice(0, 8).join(' ')} (${failed.length}) | ${warned.slice(0, 6).join(' ')} | ${broken.join(' ')} ${Date.now() - start}ms ${outcome.requests}`,
      );
    };
    const queue = [...mine];
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        for (let f = queue.shift(); f; f = queue.shift()) await one(f);
      }),
    );
    console.log(`seeded ${seeded}\n` + lines.join('\n'));
  }
}, 900000);
