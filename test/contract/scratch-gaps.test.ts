import { afterAll, test } from 'vitest';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { clauses } from '../../src/contract/clauses/index.js';
import { choicesOf } from '../gaps/choices-of.js';
import { gapCases as cases } from '../gaps/cases/index.js';
import { check, closeSimulator, complaints, openSimulator } from './support.js';
afterAll(closeSimulator);
test('gaps', async () => {
  const all = choicesOf(gapRegistry);
  const queue = [...all];
  await Promise.all([1, 2, 3, 4].map(async () => {
    for (let c = queue.shift(); c; c = queue.shift()) {
      const values = Reflect.get(Object(Reflect.get(cases, c.id)), 'values');
      const value = values?.[c.name];
      const choice: any = c.choice.takes === undefined ? c.name : { [c.name]: value };
      try {
        const outcome = await check(await openSimulator({ [c.id]: choice } as any, 'empty'), clauses, { patience: 300 });
        console.log(c.id, JSON.stringify(choice), outcome.requests, complaints(outcome, 'failed', 'warned', 'broken').join('\n'));
      } catch (e) { console.log(c.id, JSON.stringify(choice), String(e)); }
    }
  }));
}, 1000000);
