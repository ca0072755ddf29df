import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stageOf } from '../../../src/domain/faults.js';
import { type NewFault, readFault } from '../../../src/faults/rule.js';
import { Exchange } from '../../../src/http/exchange.js';
import { contextOf } from '../../../src/http/service/faults/fault-context.js';
import { addFault } from '../../../src/simulation/faults/faults.js';
import { openAppServer } from '../../support/app-server.js';
import { breakDisk } from '../../support/failing-disk.js';
import { untilSettled } from '../../support/fake-machine.js';
import { copyAsIfCrashed, tempFolder } from '../../support/temp-folder.js';
import { deposit, errorCodeOf, eventually, headers, startTestService, type TestService } from './test-service.js';

/** How often a fault matches requests (`times_matched`) and fires (`times_fired`). */

async function sendRequests(service: TestService, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let number = 0; number < count; number++) statuses.push((await service.fetch('/invoices/stats')).status);
  return statuses;
}

describe('probability', () => {
  const statusesForSeed = async (randomSeed: string): Promise<number[]> => {
    const service = await startTestService({ randomSeed });
    service.addFault({ effect: 'status=503', match: { probability: 0.4 } });
    return sendRequests(service, 40);
  };

  test('selects the same requests for the same random seed, and different ones for another seed', async () => {
    const [first, sameSeed, otherSeed] = await Promise.all([
      statusesForSeed('42'),
      statusesForSeed('42'),
      statusesForSeed('43'),
    ]);
    expect(first).toContain(200);
    expect(first).toContain(503);
    expect(sameSeed).toEqual(first);
    expect(otherSeed).not.toEqual(first);
  });
});

test('the random numbers of an effect depend on the random seed, and differ each time its fault fires', async () => {
  const numbersForSeed = async (randomSeed: string): Promise<number[]> => {
    const { server } = await startTestService({ randomSeed });
    const exchange = new Exchange('req_1', express.request, express.response, {
      world: server.world,
      onFailure: () => undefined,
      stopping: new AbortController().signal,
    });
    const fault = { id: 1, stage: 'response' as const, effects: [], until: null };
    return [1, 2].flatMap((times_fired) => {
      const { random } = contextOf(exchange, { ...fault, times_fired });
      return [random(), random()];
    });
  };
  const numbers = await numbersForSeed('42');
  expect(new Set(numbers).size).toBe(4);
  expect(numbers.filter((number) => number < 0 || number >= 1)).toEqual([]);
  expect(await numbersForSeed('42')).toEqual(numbers);
  expect(await numbersForSeed('43')).not.toEqual(numbers);
});

describe('counts', () => {
  test.each<{ name: string; fault: NewFault; statuses: number[]; times_matched: number; times_fired: number }>([
    {
      name: 'nth: 3 fires on the third request',
      fault: { effect: 'status=503', match: { nth: 3 } },
      statuses: [200, 200, 503, 200],
      times_matched: 3,
      times_fired: 1,
    },
    {
      name: 'every: 2 fires on every second request',
      fault: { effect: 'status=503', match: { every: 2 } },
      statuses: [200, 503, 200, 503],
      times_matched: 4,
      times_fired: 2,
    },
    {
      name: 'times: 3 fires three times',
      fault: { effect: 'status=503', times: 3 },
      statuses: [503, 503, 503, 200],
      times_matched: 3,
      times_fired: 3,
    },
  ])('$name', async ({ fault, statuses, times_matched, times_fired }) => {
    const service = await startTestService();
    const { id } = service.addFault(fault);
    expect(await sendRequests(service, 4)).toEqual(statuses);
    expect(service.account.faults.get(id)).toMatchObject({ times_matched, times_fired });
  });

  test('of later faults stay the same if an earlier fault responds to the request', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'status=501', times: 2 });
    service.addFault({ effect: 'status=502', match: { every: 2 } });
    service.addFault({ effect: 'status=503', for: '1m' });
    service.addFault({ effect: 'status=504', match: { operation: 'getInvoiceStats' }, times: 1 });
    expect(await sendRequests(service, 5)).toEqual([501, 501, 503, 502, 503]);
    await service.advanceMs(60_000);
    expect(await sendRequests(service, 3)).toEqual([502, 504, 502]);
    expect(service.account.faults.rows.map(({ times_matched, times_fired }) => [times_matched, times_fired])).toEqual([
      [2, 2],
      [6, 3],
      [2, 2],
      [1, 1],
    ]);
  });

  test.each(['os', 'disk'] as const)('survive a crash with --durability %s, and continue', async (durability) => {
    const folder = tempFolder();
    const service = await startTestService({ folder, durability });
    service.addFault({ effect: 'status=503', match: { path: '/invoices/*', every: 3 }, times: 2 });
    service.addFault({ effect: 'lose-response', match: { operation: 'createDeposit' }, times: 1 });
    expect(await sendRequests(service, 4)).toEqual([200, 200, 503, 200]);
    expect(await errorCodeOf(service.post('/deposits', deposit, 'key'))).toBe('ECONNRESET');

    const restarted = await startTestService({ folder: copyAsIfCrashed(folder), durability });
    expect(restarted.account.faults.rows).toMatchObject([
      { id: 1, times_matched: 4, times_fired: 1 },
      { id: 2, times_matched: 1, times_fired: 1 },
    ]);
    const retried = await restarted.post('/deposits', deposit, 'key');
    expect([retried.status, await retried.json()]).toMatchObject([201, { data: { id: 1 } }]);
    expect(restarted.bookingReferences()).toEqual(['BK-1']);
    expect(await sendRequests(restarted, 6)).toEqual([200, 503, 200, 200, 200, 200]);
  });

  test.each<{ name: string; effect: string; match: NewFault['match'] }>([
    { name: 'a fault that short-circuits the request', effect: 'status=418', match: {} },
    { name: 'a fault on the response', effect: 'wrong-content-type', match: {} },
    { name: 'a fault on the response of another fault', effect: 'wrong-content-type', match: { status: 418 } },
  ])('that cannot be stored are undone, and the fault does not fire: $name', async ({ effect, match = {} }) => {
    const service = await startTestService({ folder: tempFolder() });
    if (match.status !== undefined) service.addFault({ effect: 'status=418' });
    const fault = service.addFault({ effect, match });
    await service.account.whenStored();
    const repair = breakDisk('ENOSPC');
    const refused = await service.fetch('/invoices');
    expect([refused.status, refused.headers.get('content-type'), refused.headers.get('x-sim-fault')]).toEqual([
      503,
      'application/json; charset=utf-8',
      null,
    ]);
    expect(service.account.faults.rows.map(({ times_matched, times_fired }) => [times_matched, times_fired])).toEqual(
      service.account.faults.rows.map(() => [0, 0]),
    );
    repair();
    expect((await service.fetch('/invoices')).headers.get('x-sim-fault')).toContain(`(fault ${fault.id})`);
  });

  test('of a short-circuited request are stored before it is answered', async () => {
    const pendingWrites: (() => void)[] = [];
    const service = await openAppServer({
      seed: 'demo',
      now: '2026-03-01T09:00:00Z',
      append: () => new Promise((resolve) => pendingWrites.push(resolve)),
    });
    onTestFinished(() => service.close());
    const account = service.world.accounts.default();
    addFault(account, readFault({ effect: 'status=418' }));
    const send = () =>
      fetch(`${service.baseUrl}/invoices`, { headers: { Authorization: `Bearer ${service.tokens.full}` } });
    /** Waits until this number of requests is logged, which happens when their responses are sent. */
    const untilAnswered = (count: number) =>
      eventually(() => {
        for (const finishWrite of pendingWrites.splice(0)) finishWrite();
        expect(account.requests.newestFirst()).toHaveLength(count);
      });
    // The first response loads the modules that the second one needs, which so needs only a few turns.
    await Promise.all([send(), untilAnswered(1)]);
    const pendingResponse = send();
    await eventually(() => expect(account.faults.rows[0]?.times_fired).toBe(2));
    await untilSettled();
    expect(account.requests.newestFirst()).toHaveLength(1);
    await untilAnswered(2);
    expect((await pendingResponse).status).toBe(418);
  });
});

describe('an effect that throws', () => {
  /** A fault that the API would refuse, since the effect lacks its status. */
  const brokenFault = { effects: [{ name: 'status' as const }], match: {}, times: null, until: null, for: null };

  test.each([
    { name: 'on a successful response', path: '/invoices', match: { status: 200 }, stage: 'response' },
    { name: 'on an error', path: '/nothing', match: { status: 404 }, stage: 'response' },
    { name: 'before the handler', path: '/invoices', match: { operation: 'listInvoices' }, stage: 'request' },
  ])('$name is reported, and the response is a 500', async ({ path, match, stage }) => {
    const service = await startTestService();
    const fault = { ...brokenFault, match };
    expect(stageOf(fault)).toBe(stage);
    addFault(service.account, fault);
    const response = await service.fetch(path);
    expect([response.status, await response.json()]).toEqual([
      500,
      { success: false, error: 'Internal simulator error. Please report this bug.' },
    ]);
    expect(service.internalErrors).toEqual([expect.stringContaining('the options of the effect status are not valid')]);
    expect((await fetch(`${service.server.url}/_sim/health`, { headers })).status).toBe(200);
  });
});
