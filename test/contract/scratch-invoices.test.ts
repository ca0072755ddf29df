import { afterAll, test } from 'vitest';
import { clauses } from '../../src/contract/clauses/index.js';
import { variants } from '../second/variants.js';
import { check, closeSimulator, complaints, openSecond, openSimulator } from './support.js';

afterAll(closeSimulator);
const bad = ['failed', 'warned', 'broken', 'skipped'] as const;
test('simulator', async () => {
  for (const seed of ['empty', 'demo'] as const) {
    const start = Date.now();
    const outcome = await check(await openSimulator({}, seed), clauses, { patience: 1000 });
    console.log(
      seed,
      outcome.requests,
      Date.now() - start,
      outcome.results.length,
      complaints(outcome, ...bad).join('\n'),
    );
  }
}, 600000);
test('variants', async () => {
  for (const [name, options] of Object.entries(variants)) {
    const start = Date.now();
    const outcome = await check(await openSecond(options), clauses, { patience: 1000 });
    console.log(name, outcome.requests, Date.now() - start, complaints(outcome, ...bad).join('\n'));
  }
}, 600000);
