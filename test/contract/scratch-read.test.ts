import { afterAll, test } from 'vitest';
import { clauses } from '../../src/contract/clauses/index.js';
import { check, closeSimulator, complaints, openSecond, openSimulator } from './support.js';

afterAll(closeSimulator);
const bad = ['failed', 'warned', 'broken', 'skipped'] as const;
test('read', async () => {
  const subjects = {
    demo: await openSimulator({}, 'demo'),
    empty: await openSimulator({}, 'empty'),
    second: await openSecond({}),
    secondEmpty: await openSecond({ seeded: false }),
    busy: await openSecond({ othersAtWork: true }),
    shuffled: await openSecond({ order: 'shuffled', decimals: 'text' }),
  };
  for (const [name, subject] of Object.entries(subjects)) {
    const outcome = await check({ ...subject, driver: { ...subject.driver } }, clauses, {
      patience: 1000,
      mayWrite: false,
    });
    console.log(
      name,
      outcome.requests,
      outcome.ids('passed').length,
      complaints(outcome, 'failed', 'warned', 'broken').join('\n'),
      complaints(outcome, 'skipped')
        .filter((l) => !l.includes('--write'))
        .join('\n'),
    );
  }
  for (const [name, subject] of Object.entries({
    demo: await openSimulator({}, 'demo'),
    empty: await openSimulator({}, 'empty'),
    second: await openSecond({}),
  })) {
    const outcome = await check({ ...subject, driver: {}, tokens: { full: subject.tokens.full } }, clauses, {
      patience: 1000,
    });
    console.log(
      'no driver',
      name,
      outcome.requests,
      outcome.ids('passed').length,
      complaints(outcome, ...bad).join('\n'),
    );
  }
}, 600000);
