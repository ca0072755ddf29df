import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { breakDisk } from '../support/failing-disk.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { tempFolder } from '../support/temp-folder.js';
import { type ControlServer, dataOf, startControlServerForTest } from './control-server.js';
import { type EventStream, openEventStream } from './event-stream.js';

async function openAccount(sim: ControlServer) {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', rate_limit: false };
  const { id: account, tokens } = dataOf(await sim.control.POST('/accounts', { body }));
  const follow = (what: string, headers: Record<string, string> = {}): Promise<EventStream> =>
    openEventStream(`${sim.url}/_sim/accounts/${account}/${what}/stream`, headers);
  return {
    account,
    follow,
    remind: (invoice: number) => sim.callService(tokens.full, 'POST', `/invoices/${invoice}/reminder`),
    request: (path: string) => sim.callService(tokens.full, 'GET', path),
    list: async (what: string) => Object((await sim.callControl('GET', `/accounts/${account}/${what}`)).body).data,
  };
}

function accountOf(sim: ControlServer, id: string): Account {
  const account = sim.server.world.accounts.get(id);
  if (!account) throw new Error(`there is no account ${id}`);
  return account;
}

describe('a stream', () => {
  test('of mails sends each one when it is created, as in the list', async () => {
    const sim = await startControlServerForTest();
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

  test('of requests sends each one once it is answered, as in the list', async () => {
    const sim = await startControlServerForTest();
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

  test('sends missed events first if the client sends Last-Event-ID', async () => {
    const sim = await startControlServerForTest();
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

  test.each(['', 'x', '__proto__', '99999999999999999999'])(
    'of mails ignores the unknown Last-Event-ID %j',
    async (last) => {
      const sim = await startControlServerForTest();
      const { follow, remind } = await openAccount(sim);
      await remind(3);
      const stream = await follow('mails', { 'Last-Event-ID': last });
      await remind(7);
      expect((await stream.atLeast(1)).map(({ id }) => id)).toEqual(['2']);
    },
  );

  test('has the events of one account only, and may have many clients', async () => {
    const sim = await startControlServerForTest();
    const { follow, remind } = await openAccount(sim);
    const other = await openAccount(sim);
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow('mails')));
    const otherStream = await other.follow('mails');
    await remind(3);
    for (const stream of streams) expect(await stream.atLeast(1)).toHaveLength(1);
    await other.remind(7);
    expect(await otherStream.atLeast(1)).toMatchObject([{ data: { invoice_id: 7 } }]);
  });

  test.each(['reset', 'snapshots/then/restore', 'settings', 'delete'])(
    'ends when the account is replaced: %s',
    async (how) => {
      const sim = await startControlServerForTest();
      const { account, follow } = await openAccount(sim);
      await sim.callControl('POST', `/accounts/${account}/snapshots`, { name: 'then' });
      const streams = [await follow('mails'), await follow('requests')];
      if (how === 'delete') await sim.callControl('DELETE', `/accounts/${account}`);
      else if (how === 'settings') {
        await sim.callControl('PATCH', `/accounts/${account}/settings`, { profile: { 'list.order': 'oldest-first' } });
      } else await sim.callControl('POST', `/accounts/${account}/${how}`);
      await Promise.all(streams.map(({ ended }) => ended));
    },
  );

  test('of requests sends missed events after a reset', async () => {
    const sim = await startControlServerForTest();
    const { account, follow, request } = await openAccount(sim);
    const stream = await follow('requests');
    await request('/deposits');
    const [first] = await stream.atLeast(1);
    await request('/invoices');
    await sim.callControl('POST', `/accounts/${account}/reset`);
    await stream.ended;
    await request('/payments');
    const again = await follow('requests', { 'Last-Event-ID': first?.id ?? '' });
    expect((await again.atLeast(2)).map(({ data }) => Object(data).path)).toEqual([
      '/api/v1/invoices',
      '/api/v1/payments',
    ]);
  });

  test('ends when the simulator stops, which does not wait for it', async () => {
    const sim = await startControlServerForTest();
    const { follow } = await openAccount(sim);
    const stream = await follow('mails');
    // With real timers, the simulator would close all connections after some seconds, and the test would prove nothing.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await sim.server.close();
    await stream.ended;
  });

  test('does no more work after the client has disconnected', async () => {
    const sim = await startControlServerForTest();
    const { account, follow, remind } = await openAccount(sim);
    const stream = await follow('mails');
    // Events are not sent before they are stored.
    const waited = vi.spyOn(accountOf(sim, account), 'whenStored');
    await remind(3);
    await stream.atLeast(1);
    expect(waited).toHaveBeenCalledOnce();
    stream.close();
    await sleep(50);
    await remind(7);
    expect(waited).toHaveBeenCalledOnce();
  });

  test('sends keep-alive comments', async () => {
    const sim = await startControlServerForTest();
    const { follow } = await openAccount(sim);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const stream = await follow('mails');
    await sleep(20);
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(stream.comments).toEqual(['open', 'still here', 'still here']), {
      timeout: hangTimeoutMs,
    });
  });

  test('disconnects a client that does not read', async () => {
    const sim = await startControlServerForTest();
    const { account, follow } = await openAccount(sim);
    const { requests } = accountOf(sim, account);
    const stream = await follow('requests');
    stream.pause();
    const path = `/${'x'.repeat(10_000)}`;
    let written = 0;
    const captured = { target: path, requestHeaders: [], requestBody: null, responseHeaders: {}, responseBody: null };
    while (written < 2_000) {
      for (let count = 0; count < 100; count++, written++) {
        const common = {
          method: 'GET',
          path,
          operation: null,
          token: null,
          status: 404,
          error: null,
          faults: [],
          milliseconds: 1,
        };
        requests.add({ sequence: written, id: `req_${written}`, at: 0, refusal: null, captured, ...common });
      }
      await sleep(1);
    }
    stream.resume();
    await stream.ended;
    expect(stream.events.length).toBeLessThan(2_000);
  });

  test('does not send what could not be stored', async () => {
    const sim = await startControlServerForTest({ folder: tempFolder(), log: () => undefined });
    const { follow, remind } = await openAccount(sim);
    const stream = await follow('mails');
    const repair = breakDisk('ENOSPC');
    expect((await remind(3)).status).toBe(503);
    repair();
    await remind(7);
    expect(await stream.atLeast(1)).toMatchObject([{ id: '1', data: { invoice_id: 7 } }]);
    expect(stream.events).toHaveLength(1);
  });

  test('of an unknown account is not found', async () => {
    const sim = await startControlServerForTest();
    expect(await sim.callControl('GET', '/accounts/nobody/mails/stream')).toMatchObject({
      status: 404,
      body: { success: false, error: 'Account not found' },
    });
  });
});
