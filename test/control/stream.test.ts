import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { breakDisk } from '../support/failing-disk.js';
import { limitMs } from '../support/limits.js';
import { tempFolder } from '../support/temp-folder.js';
import { type ControlServer, dataOf, openControlServer } from './control-server.js';
import { type EventStream, openEventStream } from './event-stream.js';

async function openAccount(sim: ControlServer) {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', rate_limit: false };
  const { id: account, tokens } = dataOf(await sim.control.POST('/accounts', { body }));
  const follow = (what: string, headers: Record<string, string> = {}): Promise<EventStream> =>
    openEventStream(`${sim.url}/_sim/accounts/${account}/${what}/stream`, headers);
  return {
    account,
    follow,
    remind: (invoice: number) => sim.service(tokens.full, 'POST', `/invoices/${invoice}/reminder`),
    request: (path: string) => sim.service(tokens.full, 'GET', path),
    list: async (what: string) => Object((await sim.ask('GET', `/accounts/${account}/${what}`)).body).data,
  };
}

function accountOf(sim: ControlServer, id: string): Account {
  const account = sim.server.world.accounts.get(id);
  if (!account) throw new Error(`there is no account ${id}`);
  return account;
}

describe('a stream', () => {
  test('of mails tells of each as it is written, as the list has it', async () => {
    const sim = await openControlServer();
    const { follow, remind, list } = await openAccount(sim);
    await remind(3);
    const stream = await follow('mails');
    expect(stream).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^req_\d+$/),
      },
    });
    await remind(7);
    await remind(8);
    const events = await stream.atLeast(2);
    const [third, second] = await list('mails');
    expect(events).toEqual([
      { id: '2', event: 'mail', data: second },
      { id: '3', event: 'mail', data: third },
    ]);
    expect(stream.comments).toEqual(['open']);
  });

  test('of requests tells of each once it is answered, as the list has it', async () => {
    const sim = await openControlServer();
    const { follow, request, list } = await openAccount(sim);
    const stream = await follow('requests');
    await request('/deposits');
    await request('/nothing');
    const events = await stream.atLeast(2);
    const [second, first] = await list('requests');
    expect(events).toEqual([
      { id: first.id, event: 'request', data: first },
      { id: second.id, event: 'request', data: second },
    ]);
  });

  test('tells what was missed first, where the client says what it has had', async () => {
    const sim = await openControlServer();
    const { follow, remind, request } = await openAccount(sim);
    for (const invoice of [3, 7, 8]) await remind(invoice);
    const mails = await follow('mails', { 'Last-Event-ID': '1' });
    await mails.atLeast(2);
    await remind(2);
    expect((await mails.atLeast(3)).map(({ id }) => id)).toEqual(['2', '3', '4']);

    const [first] = await (await follow('requests', { 'Last-Event-ID': 'req_0' })).atLeast(4);
    expect(first?.data).toMatchObject({ path: '/api/v1/invoices/3/reminder' });
    const requests = await follow('requests', { 'Last-Event-ID': first?.id ?? '' });
    await request('/deposits');
    expect((await requests.atLeast(4)).map(({ data }) => Object(data).path)).toEqual([
      '/api/v1/invoices/7/reminder',
      '/api/v1/invoices/8/reminder',
      '/api/v1/invoices/2/reminder',
      '/api/v1/deposits',
    ]);
  });

  test.each(['', 'x', '__proto__', '99999999999999999999'])('takes %j for the last id of mails', async (last) => {
    const sim = await openControlServer();
    const { follow, remind } = await openAccount(sim);
    await remind(3);
    const stream = await follow('mails', { 'Last-Event-ID': last });
    await remind(7);
    expect((await stream.atLeast(1)).map(({ id }) => id)).toEqual(['2']);
  });

  test('is of one account, and may be followed by many', async () => {
    const sim = await openControlServer();
    const { follow, remind } = await openAccount(sim);
    const other = await openAccount(sim);
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow('mails')));
    const strange = await other.follow('mails');
    await remind(3);
    for (const stream of streams) expect(await stream.atLeast(1)).toHaveLength(1);
    await other.remind(7);
    expect(await strange.atLeast(1)).toMatchObject([{ data: { invoice_id: 7 } }]);
  });

  test.each(['reset', 'snapshots/then/restore', 'settings', 'delete'])('ends with the account: %s', async (how) => {
    const sim = await openControlServer();
    const { account, follow } = await openAccount(sim);
    await sim.ask('POST', `/accounts/${account}/snapshots`, { name: 'then' });
    const streams = [await follow('mails'), await follow('requests')];
    if (how === 'delete') await sim.ask('DELETE', `/accounts/${account}`);
    else if (how === 'settings') {
      await sim.ask('PATCH', `/accounts/${account}/settings`, { profile: { 'list.order': 'oldest-first' } });
    } else await sim.ask('POST', `/accounts/${account}/${how}`);
    await Promise.all(streams.map(({ ended }) => ended));
  });

  test('of requests tells what was missed over a reset', async () => {
    const sim = await openControlServer();
    const { account, follow, request } = await openAccount(sim);
    const stream = await follow('requests');
    await request('/deposits');
    const [first] = await stream.atLeast(1);
    await request('/invoices');
    await sim.ask('POST', `/accounts/${account}/reset`);
    await stream.ended;
    await request('/payments');
    const again = await follow('requests', { 'Last-Event-ID': first?.id ?? '' });
    expect((await again.atLeast(2)).map(({ data }) => Object(data).path)).toEqual([
      '/api/v1/invoices',
      '/api/v1/payments',
    ]);
  });

  test('ends when the simulator stops, which does not wait for it', async () => {
    const sim = await openControlServer();
    const { follow } = await openAccount(sim);
    const stream = await follow('mails');
    // After a time it would close all connections, which is not to come.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await sim.server.close();
    await stream.ended;
  });

  test('that the client has left costs nothing any more', async () => {
    const sim = await openControlServer();
    const { account, follow, remind } = await openAccount(sim);
    const stream = await follow('mails');
    // Events are not sent before they are stored.
    const waited = vi.spyOn(accountOf(sim, account), 'stored');
    await remind(3);
    await stream.atLeast(1);
    expect(waited).toHaveBeenCalledOnce();
    stream.close();
    await sleep(50);
    await remind(7);
    expect(waited).toHaveBeenCalledOnce();
  });

  test('says now and then that it is still there', async () => {
    const sim = await openControlServer();
    const { follow } = await openAccount(sim);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const stream = await follow('mails');
    await sleep(20);
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(stream.comments).toEqual(['open', 'still here', 'still here']), { timeout: limitMs });
  });

  test('lets a client go that does not read', async () => {
    const sim = await openControlServer();
    const { account, follow } = await openAccount(sim);
    const { requests } = accountOf(sim, account);
    const stream = await follow('requests');
    stream.pause();
    const path = `/${'x'.repeat(10_000)}`;
    let written = 0;
    while (written < 2_000) {
      for (let count = 0; count < 100; count++, written++) {
        const common = { method: 'GET', path, operation: null, token: null, status: 404, faults: [], milliseconds: 1 };
        requests.add({ id: `req_${written}`, at: 0, ...common });
      }
      await sleep(1);
    }
    stream.resume();
    await stream.ended;
    expect(stream.events.length).toBeLessThan(2_000);
  });

  test('does not tell what could not be stored', async () => {
    const sim = await openControlServer({ folder: tempFolder(), log: () => undefined });
    const { follow, remind } = await openAccount(sim);
    const stream = await follow('mails');
    const repair = breakDisk('ENOSPC');
    expect((await remind(3)).status).toBe(503);
    repair();
    await remind(7);
    expect(await stream.atLeast(1)).toMatchObject([{ id: '1', data: { invoice_id: 7 } }]);
    expect(stream.events).toHaveLength(1);
  });

  test('of nobody is not found', async () => {
    const sim = await openControlServer();
    expect(await sim.ask('GET', '/accounts/nobody/mails/stream')).toMatchObject({
      status: 404,
      body: { success: false, error: 'Account not found' },
    });
  });
});
