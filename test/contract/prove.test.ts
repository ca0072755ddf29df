import { describe, expect, test } from 'vitest';
import { Skip } from '../../src/contract/engine/check-errors.js';
import type { Check, Clause } from '../../src/contract/engine/clause.js';
import { expectValue } from '../../src/contract/engine/expect.js';
import type { Interceptor } from '../../src/contract/mutation/interceptor.js';
import { onSuccess } from '../../src/contract/mutation/interceptors.js';
import { exitCodeOf, type KillMatrix } from '../../src/contract/mutation/kill-matrix.js';
import type { Mutant } from '../../src/contract/mutation/mutant.js';
import type { Implementation } from '../../src/contract/mutation/mutating-proxy.js';
import { BaselineFailed, type ProveOptions, prove } from '../../src/contract/mutation/prove.js';
import { itemsOfShard, parseShard } from '../../src/contract/mutation/shard.js';
import { serveAlways } from './targets.js';

/** Tests `prove` with a few invented clauses and mutants, on a target that always responds with two colors. */

async function openColorService(): Promise<Implementation> {
  const baseUrl = await serveAlways({ body: { sky: 'blue', grass: 'green' } });
  return { baseUrl, tokens: { full: 'a-token' }, driver: {} };
}

function clause(id: string, check: Check, level: Clause['level'] = 'documented'): Clause {
  return { id, level, operation: null, spec: 'Errors', title: `${id} holds.`, check };
}

const expectField =
  (field: string, value: string): Check =>
  async (context) =>
    expectValue(await context.get('/colors'), field, value);

const sky = clause('SKY', expectField('sky', 'blue'));
const grass = clause('GRASS', expectField('grass', 'green'), 'inferred');
/** A clause that passes whatever the response is. */
const blind = clause('BLIND', async (context) => void (await context.get('/colors')));

const mutant = (id: string, createInterceptor: () => Interceptor): Mutant => ({
  clause: id,
  title: `A target that breaks ${id}.`,
  createInterceptor,
});
/** Creates interceptors that overwrite the given fields of responses to `GET /colors`. */
const overwriteFields = (fields: object) => () =>
  onSuccess('GET', '/colors', ({ body }) => void Object.assign(body, fields));

const graySky = mutant('SKY', overwriteFields({ sky: 'gray' }));
const dryGrass = mutant('GRASS', overwriteFields({ grass: 'brown' }));

const proveOnColors = (
  clauses: readonly Clause[],
  mutants: readonly Mutant[],
  overrides: Partial<ProveOptions> = {},
): Promise<KillMatrix> =>
  prove({
    clauses,
    clausesToProve: clauses,
    mutants,
    runsWholeSuite: true,
    createImplementation: openColorService,
    ...overrides,
  });

describe('mutation testing', () => {
  test('succeeds if every clause, including an inferred one, detects its own mutant', async () => {
    const matrix = await proveOnColors([sky, grass], [graySky, dryGrass]);
    expect(matrix.clauses.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['SKY', 'killed'],
      ['GRASS', 'killed'],
    ]);
    expect(matrix.clauses[0]?.detail).toBe('failed: expected `sky` to be "blue", got "gray"');
    expect(matrix.detectedOnlyByOwnClause).toEqual(['SKY', 'GRASS']);
    expect(exitCodeOf(matrix)).toBe(0);
  });

  test('reports a mutant that its clause did not detect', async () => {
    const matrix = await proveOnColors([sky, blind], [graySky, mutant('BLIND', overwriteFields({ sea: 'red' }))]);
    expect(matrix.survivors).toEqual(['BLIND']);
    expect(exitCodeOf(matrix)).toBe(1);
  });

  test.each<[what: string, interceptor: Interceptor]>([
    [
      'changes only responses that no clause requests',
      onSuccess('GET', '/other-path', (response) => void Object.assign(response, { status: 500 })),
    ],
    ['replaces a value with the same value', overwriteFields({ sky: 'blue' })()],
    ['intercepts only webhooks, of which none are sent', { webhook: () => [] }],
  ])('counts a mutant that %s neither as killed nor as a survivor', async (_what, interceptor) => {
    const matrix = await proveOnColors([sky], [mutant('SKY', () => interceptor)]);
    expect({ noEffect: matrix.noEffect, survivors: matrix.survivors }).toEqual({ noEffect: ['SKY'], survivors: [] });
    expect(exitCodeOf(matrix)).toBe(1);
  });

  test('counts a mutant as a survivor if only another clause detected it', async () => {
    const blackSky = mutant('GRASS', overwriteFields({ sky: 'black' }));
    const matrix = await proveOnColors([sky, grass], [graySky, blackSky]);
    expect(matrix).toMatchObject({ survivors: ['GRASS'], detectedOnlyOtherMutants: [] });
    expect(matrix.clauses[1]).toMatchObject({ verdict: 'survived', otherDetectingClauses: ['SKY'] });
    expect(exitCodeOf(matrix)).toBe(1);
  });

  test('counts a mutant as a survivor if its clause failed only on the mutant of another clause', async () => {
    const breaksBoth = mutant('SKY', overwriteFields({ sky: 'gray', grass: 'brown' }));
    const matrix = await proveOnColors([sky, grass], [breaksBoth, mutant('GRASS', overwriteFields({ sea: 'red' }))]);
    expect(matrix).toMatchObject({
      survivors: ['GRASS'],
      detectedOnlyOtherMutants: ['GRASS'],
      detectedOnlyByOwnClause: [],
    });
    expect(matrix.clauses[0]).toMatchObject({ verdict: 'killed', otherDetectingClauses: ['GRASS'] });
    expect(exitCodeOf(matrix)).toBe(1);
  });

  test('reports a clause without a mutant, whether or not another mutant made it fail', async () => {
    const breaksBoth = mutant('SKY', overwriteFields({ sky: 'gray', grass: 'brown' }));
    const matrix = await proveOnColors([sky, grass, blind], [breaksBoth]);
    expect(matrix).toMatchObject({ withoutMutant: ['GRASS', 'BLIND'], detectedOnlyOtherMutants: ['GRASS'] });
    expect(exitCodeOf(matrix)).toBe(1);
  });

  test.each([
    ['broken', new TypeError('no blue'), 'broken: the suite failed: TypeError: no blue'],
    ['skipped', new Skip({ missing: 'blue', reason: 'there is none' }), 'skipped: blue: there is none'],
  ])('does not count a mutant as detected if its clause ends as %s', async (_status, error, expectedDetail) => {
    const throwingClause = clause('THROWS', async (context) => {
      const { text } = await context.get('/colors');
      if (!text.includes('blue')) throw error;
    });
    const matrix = await proveOnColors([throwingClause], [mutant('THROWS', overwriteFields({ sky: 'gray' }))]);
    expect(matrix.survivors).toEqual(['THROWS']);
    expect(matrix.clauses[0]?.detail).toContain(expectedDetail);
  });

  test.each<[what: string, check: Check | { untestable: string }, level: Clause['level']]>([
    ['no run can check', { untestable: 'only people can judge it' }, 'documented'],
    ['is only observed', async () => 'blue', 'open'],
  ])('requires no mutant for a clause that %s', async (_what, check, level) => {
    const matrix = await proveOnColors([sky, { ...clause('OTHER', async () => undefined, level), check }], [graySky]);
    expect(matrix.clauses.map(({ id }) => id)).toEqual(['SKY']);
  });

  test('does not start if a clause fails on the unchanged target', async () => {
    const redSky = clause('RED', expectField('sky', 'red'));
    const triedMutants: string[] = [];
    const run = proveOnColors([sky, redSky], [graySky], { onTrial: (trial) => triedMutants.push(trial.mutant.clause) });
    await expect(run).rejects.toThrow(BaselineFailed);
    await expect(run).rejects.toThrow('RED failed: expected `sky` to be "red", got "blue"');
    expect(triedMutants).toEqual([]);
  });

  test('without `runsWholeSuite`, checks only the clause of a mutant and the one in its `runsAfter`, in each run', async () => {
    const checkedIds: string[] = [];
    const recordingCheck = (original: Clause): Clause => {
      const { check } = original;
      if (typeof check === 'object') throw new Error('the clause has no check');
      return { ...original, check: (context) => check(context).then(() => checkedIds.push(original.id)) };
    };
    const clauses = [recordingCheck(grass), recordingCheck(blind), recordingCheck(sky)];
    const mutantWithEarlierClause = { ...mutant('SKY', overwriteFields({ sea: 'red' })), runsAfter: 'GRASS' };
    await proveOnColors(clauses, [mutantWithEarlierClause], {
      runsWholeSuite: false,
      clausesToProve: [sky],
      onBaseline: () => expect(checkedIds.splice(0)).toEqual(['GRASS', 'SKY']),
    });
    expect(checkedIds).toEqual(['GRASS', 'SKY']);
  });

  test('creates a new interceptor for each run, so that no state leaks between runs', async () => {
    const oneTimeMutant = mutant('SKY', () => {
      let count = 0;
      return onSuccess('GET', '/colors', ({ body }) => {
        count += 1;
        if (count === 1) body['sky'] = 'gray';
      });
    });
    expect(exitCodeOf(await proveOnColors([sky], [oneTimeMutant]))).toBe(0);
    expect(exitCodeOf(await proveOnColors([sky], [oneTimeMutant]))).toBe(0);
  });
});

describe('the --shard option', () => {
  test.each([
    [10, 1],
    [10, 3],
    [10, 10],
    [3, 7],
  ])('assigns each of %i items to exactly one of %i shards', (count, total) => {
    const items = Array.from({ length: count }, (_item, index) => index);
    const shards = Array.from({ length: total }, (_item, index) => itemsOfShard(items, { part: index + 1, total }));
    expect(shards.flat().sort((a, b) => a - b)).toEqual(items);
  });

  test('selects a different shard each day for the value today/20, until every shard has been used', () => {
    const start = Date.parse('2026-03-01T09:00:00Z');
    const parts = Array.from({ length: 20 }, (_day, index) => parseShard('today/20', start + index * 86_400_000)?.part);
    expect(new Set(parts)).toEqual(new Set(Array.from({ length: 20 }, (_part, index) => index + 1)));
  });

  test.each(['0/3', '4/3', '3', '1.5/3', 'today/0', 'tomorrow/3', ''])('rejects the value %j', (text) => {
    expect(parseShard(text)).toBeUndefined();
  });
});
