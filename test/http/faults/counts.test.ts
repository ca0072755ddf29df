import { describe, expect, onTestFinished, test } from 'vitest';
import { stageOf } from '../../../src/domain/faults.js';
import { type NewFault, readFault } from '../../../src/faults/rule.js';
import { Exchange } from '../../../src/http/exchange.js';
import { contextOf } from '../../../src/http/service/faults/fault-context.js';
import { addFault } from '../../../src/simulation/faults/faults.js';
import { openAppServer } from '../../support/app-server.js';
import { breakDisk } from '../../support/failing-disk.js';
import { copyAsAfterCrash, tempFolder } from '../../support/temp-folder.js';
import { codeOf, deposit, eventually, type FaultyService, headers, startFaulty } from './faulty-service.js';

/** Counts of how often a fault matches and fires. */

async function statusesOf(sim: FaultyService, count: number, path = '/invoices/stats'): Promise<number[]> {
  const statuses: number[] = [];
  for (let number = 0; number < count; number++) statuses.push((await sim.fetch(path)).status);
  return statuses;
}

describe('probability', () => {
  const hitsUnder = async (randomSeed: string): Promise<number[]> => {
    const sim = await startFaulty({ randomSeed });
    sim.add({ effect: 'status=503', match: { probability: 0.4 } });
    return statusesOf(sim, 40);
  };

  test('hits the same requests in two simulators of one random seed, and others under another', async () => {
    const [one, other, another] = await Promise.all([hitsUnder('42'), hitsUnder('42'), hitsUnder('43')]);
    expect(one).toContain(200);
    expect(one).toContain(503);
    expect(other).toEqual(one);
    expect(another).not.toEqual(one);
  });

  test('randomizes other options of an effect from the same seed, again for every hit', async () => {
    const drawsUnder = async (randomSeed: string): Promise<number[]> => {
      const { server } = await startFaulty({ randomSeed });
      const exchange = new Exchange(server.world, () => undefined);
      const fault = { id: 1, stage: 'answer' as const, effects: [], until: null };
      return [1, 2].flatMap((hits) => {
        const { chance } = contextOf(exchange, { ...fault, hits });
        return [chance(), chance()];
      });
    };
    const draws = await drawsUnder('42');
    expect(new Set(draws).size).toBe(4);
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
    expect(await drawsUnder('42')).toEqual(draws);
    expect(await drawsUnder('43')).not.toEqual(draws);
  });
});

describe('counts', () => {
  test.each<{ name: string; rule: NewFault; statuses: number[]; seen: number; hits: number }>([
    {
      name: 'nth',
      rule: { effect: 'status=503', match: { nth: 3 } },
      statuses: [200, 200, 503, 200],
      seen: 3,
      hits: 1,
    },
    {
      name: 'every',
      rule: { effect: 'status=503', match: { every: 2 } },
      statuses: [200, 503, 200, 503],
      seen: 4,
      hits: 2,
    },
    { name: 'times', rule: { effect: 'status=503', times: 3 }, statuses: [503, 503, 503, 200], seen: 3, hits: 3 },
  ])('$name', async ({ rule, statuses, seen, hits }) => {
    const sim = await startFaulty();
    const { id } = sim.add(rule);
    expect(await statusesOf(sim, 4)).toEqual(statuses);
    expect(sim.account.faults.get(id)).toMatchObject({ seen, hits });
  });

  test('are those of the fault that was added first, while it is active', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'status=501', times: 2 });
    sim.add({ effect: 'status=502', match: { every: 2 } });
    sim.add({ effect: 'status=503', for: '1m' });
    sim.add({ effect: 'status=504', match: { operation: 'getInvoiceStats' }, times: 1 });
    expect(await statusesOf(sim, 5)).toEqual([501, 501, 503, 502, 503]);
    await sim.advance(60_000);
    expect(await statusesOf(sim, 3)).toEqual([502, 504, 502]);
    expect(sim.account.faults.rows.map(({ seen, hits }) => [seen, hits])).toEqual([
      [2, 2],
      [6, 3],
      [2, 2],
      [1, 1],
    ]);
  });

  test.each(['os', 'disk'] as const)('survive a restart with --durability %s, and continue', async (durability) => {
    const folder = tempFolder();
    const sim = await startFaulty({ folder, durability });
    sim.add({ effect: 'status=503', match: { path: '/invoices/*', every: 3 }, times: 2 });
    sim.add({ effect: 'lose-response', match: { operation: 'createDeposit' }, times: 1 });
    expect(await statusesOf(sim, 4)).toEqual([200, 200, 503, 200]);
    expect(await codeOf(sim.post('/deposits', deposit, 'key'))).toBe('ECONNRESET');

    const restarted = await startFaulty({ folder: copyAsAfterCrash(folder), durability });
    expect(restarted.account.faults.rows).toMatchObject([
      { id: 1, seen: 4, hits: 1 },
      { id: 2, seen: 1, hits: 1 },
    ]);
    const retried = await restarted.post('/deposits', deposit, 'key');
    expect([retried.status, await retried.json()]).toMatchObject([201, { data: { id: 1 } }]);
    expect(await restarted.deposits()).toEqual(['BK-1']);
    expect(await statusesOf(restarted, 6)).toEqual([200, 503, 200, 200, 200, 200]);
  });

  test.each<{ name: string; effect: string; match: NewFault['match'] }>([
    { name: 'in place of the answer', effect: 'status=418', match: {} },
    { name: 'on the answer', effect: 'wrong-content-type', match: {} },
    { name: 'on the answer in place of it', effect: 'wrong-content-type', match: { status: 418 } },
  ])('that cannot be stored are taken back, and the effect has not fired: $name', async ({ effect, match = {} }) => {
    const sim = await startFaulty({ folder: tempFolder() });
    if (match.status !== undefined) sim.add({ effect: 'status=418' });
    const fault = sim.add({ effect, match });
    await sim.account.whenStored();
    const repair = breakDisk('ENOSPC');
    const refused = await sim.fetch('/invoices');
    expect([refused.status, refused.headers.get('content-type'), refused.headers.get('x-sim-fault')]).toEqual([
      503,
      'application/json; charset=utf-8',
      null,
    ]);
    expect(sim.account.faults.rows.map(({ seen, hits }) => [seen, hits])).toEqual(
      sim.account.faults.rows.map(() => [0, 0]),
    );
    repair();
    expect((await sim.fetch('/invoices')).headers.get('x-sim-fault')).toContain(`(fault ${fault.id})`);
  });

  test('of a short-circuited request count once they are stored', async () => {
    const waiting: (() => void)[] = [];
    const sim = await openAppServer({
      seed: 'demo',
      now: '2026-03-01T09:00:00Z',
      append: () => new Promise((resolve) => waiting.push(resolve)),
    });
    onTestFinished(() => sim.close());
    const account = sim.world.defaultAccount();
    addFault(account, readFault({ effect: 'status=418' }));
    let isAnswered = false;
    const requested = fetch(`${sim.baseUrl}/invoices`, { headers: { Authorization: `Bearer ${sim.tokens.full}` } });
    void requested.then(() => {
      isAnswered = true;
    });
    await eventually(() => expect(account.faults.rows[0]?.hits).toBe(1));
    expect(isAnswered).toBe(false);
    await eventually(() => {
      for (const store of waiting.splice(0)) store();
      expect(isAnswered).toBe(true);
    });
    expect((await requested).status).toBe(418);
  });
});

describe('a failure of an effect', () => {
  /** A fault that cannot be added through the API. */
  const broken = { effects: [{ name: 'status' as const }], match: {}, times: null, until: null, for: null };

  test.each([
    ['an answer', '/invoices', {}],
    ['a refusal', '/nothing', {}],
    ['a stand-in', '/invoices', { operation: 'listInvoices' }],
  ])('on %s is reported, and answered with 500', async (_what, path, own) => {
    const sim = await startFaulty();
    const match = Object.keys(own).length > 0 ? own : { status: path === '/nothing' ? 404 : 200 };
    const rule = { ...broken, match };
    expect(stageOf(rule)).toBe(Object.keys(own).length > 0 ? 'call' : 'answer');
    addFault(sim.account, rule);
    const answer = await sim.fetch(path);
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { success: false, error: 'Internal simulator error. Please report this bug.' },
    ]);
    expect(sim.failures).toEqual([expect.stringContaining('the options of the effect status are not valid')]);
    expect((await fetch(`${sim.server.url}/_sim/health`, { headers })).status).toBe(200);
  });
});
