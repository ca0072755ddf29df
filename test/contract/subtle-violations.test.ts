import { afterAll, describe, expect, test } from 'vitest';
import type { Interceptor } from '../../src/contract/mutation/interceptor.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { mutants } from '../../src/contract/sections/mutants.js';
import { checkClauses, closeSimulator, openSimulator } from './support.js';

/** Targets that break a statement of the specification only in some cases. A run must fail, not only warn. */

afterAll(closeSimulator);

/** Creates the interceptor of the mutant of a clause. */
const mutantOf = (id: string) => (): Interceptor =>
  mutants.find(({ clause }) => clause === id)?.createInterceptor() ?? {};

/** For each target: the clauses to check, the last of which fails, and a function that creates its interceptor. */
const brokenTargets: Readonly<Record<string, readonly [ids: string, createInterceptor: () => Interceptor]>> = {
  'concurrent requests with one key create two deposits': ['DEP-IDEM-06', mutantOf('DEP-IDEM-06')],
};

describe.concurrent('a target fails if', () => {
  test.each(Object.entries(brokenTargets))('%s', async (_name, [ids, createInterceptor]) => {
    const target = await startMutatingProxy(await openSimulator(), createInterceptor());
    const checked = ids.split(' ').flatMap((id) => clauses.filter((clause) => clause.id === id));
    const outcome = await checkClauses(target, checked, { eventuallyTimeoutMs: 1_000 });
    expect(outcome.idsWithStatus('failed')).toEqual(ids.split(' ').slice(-1));
  });
});
