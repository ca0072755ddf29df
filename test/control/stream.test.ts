import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { defaultProfile } from '../../src/openapi/profile.js';
import type { Account } from '../../src/simulation/account.js';
import { openAppServer } from '../support/app-server.js';
import { breakDisk } from '../support/failing-disk.js';
import { fakeNodeTimers } from '../support/fake-node-timers.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { tempFolder } from '../support/temp-folder.js';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, findAccount, requireData, startControlServerForTest } from './control-server.js';
import { type EventStream, openEventStream } from './event-stream.js';

/** Creates an account, and returns functions that open its streams, send requests and read its lists. */
async function openAccount(sim: ControlServer) {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', rate_limit: false };
  const { id: account, tokens } = requireData(await sim.control.POST('/accounts', { body }));
  const openStream = (
    list: 'activity' | 'mails' | 'requests',
    headers: Record<string, string> = {},
  ): Promise<EventStream> => openEventStream(`${sim.url}/_sim/accounts/${account}/${list}/stream`, headers);
  return {
    account,
    openStream,
    sendReminder: (invoice: number) => sim.callService(tokens.full, 'POST', `/invoices/${invoice}/reminder`),
    createDeposit: () => sim.callService(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-1', amount: 5 }),
    getFromService: (path: string) => sim.callService(tokens.full, 'GET', path),
    /** Reads a list of the account, such as `mails`. */
    readList: async (path: string) => Object((await sim.callControl('GET', `/accounts/${account}/${path}`)).body).data,
  };
}

/** A path of 10,000 characters fills the buffers of a connection quickly. */
const longPath = `/${'x'.repeat(10_000)}`;

function logRequest({ requests, activity }: Account, number: number, path: string): void {
  requests.add({
    sequence: activity.nextSequence(),
    id: `req_${number}`,
    at: 0,
    method: 'GET',
    path,
    operation: null,
    token: null,
    status: 404,
    error: null,
    faults: [],
    milliseconds: 1,
    profile: defaultProfile(),
    errorDetails: null,
    recorded: { target: path, requestHeaders: [], requestBody: null, responseHeaders: {}, responseBody: null },
  });
}

describe('a stream', () => {
  test('of emails sends each email when it is created, with the same data as in the list', async () => {
    const sim = await startControlServerForTest();
    const { openStream, sendReminder, readList } = await openAccount(sim);
    await sendReminder(3);
    const stream = await openStream('mails');
    expect(stream).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^req_\d+$/),
      },
    });
    await sendReminder(7);
    await sendReminder(8);
    const events = await stream.waitForEvents(2);
    const [third, second] = await readList('mails');
    expect(events).toMatchObject([
      { event: 'mail', data: second },
      { event: 'mail', data: third },
    ]);
    expect(stream.comments).toEqual(['open']);
  });

  test('of requests sends each request when it is answered, with the same data as in the list', async () => {
    const sim = await startControlServerForTest();
    const { openStream, getFromService, readList } = await openAccount(sim);
    const stream = await openStream('requests');
    await getFromService('/deposits');
    await getFromService('/nothing');
    const events = await stream.waitForEvents(2);
    const [second, first] = await readList('requests');
    expect(events).toMatchObject([
      { event: 'request', data: first },
      { event: 'request', data: second },
    ]);
  });

  test('begins with the events after Last-Event-ID if the client sends that header', async () => {
    const sim = await startControlServerForTest();
    const { openStream, sendReminder, getFromService } = await openAccount(sim);
    const firstStreams = { mails: await openStream('mails'), requests: await openStream('requests') };
    for (const invoice of [3, 7, 8]) await sendReminder(invoice);
    const [firstMail] = await firstStreams.mails.waitForEvents(1);
    const mails = await openStream('mails', { 'Last-Event-ID': firstMail?.id ?? '' });
    await mails.waitForEvents(2);
    await sendReminder(2);
    expect((await mails.waitForEvents(3)).map(({ data }) => Object(data).id)).toEqual([2, 3, 4]);

    const [first] = await firstStreams.requests.waitForEvents(1);
    expect(first?.data).toMatchObject({ path: '/api/v1/invoices/3/reminder' });
    const requests = await openStream('requests', { 'Last-Event-ID': first?.id ?? '' });
    await getFromService('/deposits');
    expect((await requests.waitForEvents(4)).map(({ data }) => Object(data).path)).toEqual([
      '/api/v1/invoices/7/reminder',
      '/api/v1/invoices/8/reminder',
      '/api/v1/invoices/2/reminder',
      '/api/v1/deposits',
    ]);
  });

  test.each(['x', '1', '__proto__', '99999999999999999999', '-', '-1'])(
    'of emails begins with all emails if the Last-Event-ID is unknown: %j',
    async (lastEventId) => {
      const sim = await startControlServerForTest();
      const { openStream, sendReminder } = await openAccount(sim);
      await sendReminder(3);
      const stream = await openStream('mails', { 'Last-Event-ID': lastEventId });
      await sendReminder(7);
      expect((await stream.waitForEvents(2)).map(({ data }) => Object(data).id)).toEqual([1, 2]);
    },
  );

  test.each([
    ['mails', 1],
    ['requests', 1],
    ['activity', 2],
  ] as const)(
    'of %s begins with all events if the Last-Event-ID is invalid, even if it begins like a valid one',
    async (list, count) => {
      const sim = await startControlServerForTest();
      const { openStream, sendReminder } = await openAccount(sim);
      const stream = await openStream(list);
      await sendReminder(3);
      const sent = await stream.waitForEvents(count);
      const reopened = await openStream(list, { 'Last-Event-ID': sent[0]?.id.replace(/-.*/, '-1abc') ?? '' });
      // A client with an unknown id may have missed activity.
      const gaps = list === 'activity' ? [expect.objectContaining({ data: { kind: 'gap' } })] : [];
      expect(await reopened.waitForEvents(gaps.length + count)).toEqual([...gaps, ...sent]);
    },
  );

  test('of emails begins with new emails if the Last-Event-ID is empty', async () => {
    const sim = await startControlServerForTest();
    const { openStream, sendReminder } = await openAccount(sim);
    await sendReminder(3);
    const stream = await openStream('mails', { 'Last-Event-ID': '' });
    await sendReminder(7);
    expect(await stream.waitForEvents(1)).toMatchObject([{ data: { id: 2 } }]);
  });

  test('sends only the events of its account, to any number of clients', async () => {
    const sim = await startControlServerForTest();
    const { openStream, sendReminder } = await openAccount(sim);
    const other = await openAccount(sim);
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream('mails')));
    const otherStream = await other.openStream('mails');
    await sendReminder(3);
    for (const stream of streams) expect(await stream.waitForEvents(1)).toHaveLength(1);
    await other.sendReminder(7);
    expect(await otherStream.waitForEvents(1)).toMatchObject([{ data: { invoice_id: 7 } }]);
  });

  test.each([
    ['a reset', 'POST', '/reset'],
    ['the restore of a snapshot', 'POST', '/snapshots/saved/restore'],
    ['a change to the profile', 'PATCH', '/settings', { profile: { 'list.order': 'oldest-first' } }],
    ['the deletion of its account', 'DELETE', ''],
  ])('ends after %s', async (_description, method, path, body?: object) => {
    const sim = await startControlServerForTest();
    const { account, openStream } = await openAccount(sim);
    await sim.callControl('POST', `/accounts/${account}/snapshots`, { name: 'saved' });
    const streams = [await openStream('mails'), await openStream('requests')];
    await sim.callControl(method, `/accounts/${account}${path}`, body);
    await Promise.all(streams.map(({ ended }) => ended));
  });

  test('of requests, reopened after a reset, begins with the missed events from before and after the reset', async () => {
    const sim = await startControlServerForTest();
    const { account, openStream, getFromService } = await openAccount(sim);
    const stream = await openStream('requests');
    await getFromService('/deposits');
    const [first] = await stream.waitForEvents(1);
    await getFromService('/invoices');
    await sim.callControl('POST', `/accounts/${account}/reset`);
    await stream.ended;
    await getFromService('/payments');
    const reopened = await openStream('requests', { 'Last-Event-ID': first?.id ?? '' });
    expect((await reopened.waitForEvents(2)).map(({ data }) => Object(data).path)).toEqual([
      '/api/v1/invoices',
      '/api/v1/payments',
    ]);
  });

  test('of emails, reopened after a reset, begins with all emails since the reset', async () => {
    const sim = await startControlServerForTest();
    const { account, openStream, sendReminder } = await openAccount(sim);
    const stream = await openStream('mails');
    await sendReminder(3);
    const [lastBefore] = await stream.waitForEvents(1);
    await sim.callControl('POST', `/accounts/${account}/reset`);
    for (const invoice of [7, 8]) await sendReminder(invoice);
    const reopened = await openStream('mails', { 'Last-Event-ID': lastBefore?.id ?? '' });
    expect((await reopened.waitForEvents(2)).map(({ data }) => Object(data).invoice_id)).toEqual([7, 8]);
  });

  test.each(['mails', 'requests', 'activity'] as const)(
    'of %s, reopened after a restart, begins with all events since the restart',
    async (list) => {
      const beforeRestart = await openAccount(await startControlServerForTest());
      const firstStream = await beforeRestart.openStream(list);
      await beforeRestart.sendReminder(3);
      const lastId = (await firstStream.waitForEvents(1)).at(-1)?.id ?? '';
      const afterRestart = await openAccount(await startControlServerForTest());
      const fromStart = await afterRestart.openStream(list);
      for (const invoice of [7, 8]) await afterRestart.sendReminder(invoice);
      const expectedEvents = await fromStart.waitForEvents(2);
      const reopened = await afterRestart.openStream(list, { 'Last-Event-ID': lastId });
      // Only the stream of activity begins with a `gap` entry if the client may have missed entries.
      const gapCount = list === 'activity' ? 1 : 0;
      const events = await reopened.waitForEvents(gapCount + expectedEvents.length);
      expect(events[0]?.data).toEqual(gapCount > 0 ? { kind: 'gap' } : expectedEvents[0]?.data);
      expect(events.slice(gapCount, gapCount + expectedEvents.length)).toEqual(expectedEvents);
    },
  );

  test('ends when the simulator stops, and does not delay the stop', async () => {
    const sim = await startControlServerForTest();
    const { openStream } = await openAccount(sim);
    const stream = await openStream('mails');
    // With real timers, the simulator would close all connections after some seconds, even if the streams delayed it.
    fakeNodeTimers();
    await sim.server.close();
    await stream.ended;
  });

  test('of activity ends when its account is removed, even while an entry waits to be sent', async () => {
    const sim = await startControlServerForTest();
    const { account: id, openStream } = await openAccount(sim);
    const stream = await openStream('activity');
    const account = findAccount(sim, id);
    // A write to the ended response would be an uncaught exception.
    const uncaught = vi.fn();
    process.on('uncaughtException', uncaught);
    onTestFinished(() => void process.off('uncaughtException', uncaught));
    logRequest(account, 1, '/late');
    sim.server.world.accounts.remove(account);
    await stream.ended;
    expect((await sim.callControl('GET', '/health')).status).toBe(200);
    expect(uncaught).not.toHaveBeenCalled();
  });

  test('no longer waits for events to be stored once the client has disconnected', async () => {
    const sim = await startControlServerForTest();
    const { account, openStream, sendReminder } = await openAccount(sim);
    const stream = await openStream('mails');
    // An open stream waits until an event is stored before it sends the event.
    const whenStored = vi.spyOn(findAccount(sim, account), 'whenStored');
    await sendReminder(3);
    await stream.waitForEvents(1);
    expect(whenStored).toHaveBeenCalledOnce();
    stream.close();
    // The server notices the end of the connection a little later.
    const countWaits = async (): Promise<number> => {
      whenStored.mockClear();
      await sendReminder(7);
      return whenStored.mock.calls.length;
    };
    await expect.poll(countWaits).toBe(0);
  });

  test('sends a keep-alive comment every 15 seconds', async () => {
    const sim = await startControlServerForTest();
    const { openStream } = await openAccount(sim);
    fakeNodeTimers(['setInterval', 'clearInterval']);
    const stream = await openStream('mails');
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(stream.comments).toEqual(['open', 'still here', 'still here']), {
      timeout: hangTimeoutMs,
    });
  });

  test('disconnects a client that does not read', async () => {
    const sim = await startControlServerForTest();
    const { account, openStream } = await openAccount(sim);
    const stream = await openStream('requests');
    stream.pause();
    let eventCount = 0;
    while (eventCount < 2_000) {
      for (let count = 0; count < 100; count++, eventCount++)
        logRequest(findAccount(sim, account), eventCount, longPath);
      await sleep(1);
    }
    stream.resume();
    await stream.ended;
    expect(stream.events.length).toBeLessThan(2_000);
  });

  test.each([
    [1_000, 'req_1'],
    [1_001, 'gap'],
  ])(
    'of activity begins with a `gap` entry only if the log has dropped requests that the client missed (%d requests)',
    async (count, first) => {
      const sim = await startControlServerForTest();
      const { account, openStream, getFromService } = await openAccount(sim);
      const stream = await openStream('activity');
      // The log of activity keeps this action.
      await sim.callControl('DELETE', `/accounts/${account}/faults`);
      await getFromService('/deposits');
      const lastId = (await stream.waitForEvents(2)).at(-1)?.id ?? '';
      for (let number = 1; number <= count; number++) logRequest(findAccount(sim, account), number, '/');
      // The log of requests also drops the request to `/deposits`, but the client has received that one.
      const reopened = await openStream('activity', { 'Last-Event-ID': lastId });
      const events = await reopened.waitForEvents(1_000);
      expect(JSON.stringify(events[0]?.data)).toContain(`"${first}"`);
    },
  );

  test('sends everything that a client has missed, however much that is', async () => {
    const sim = await startControlServerForTest();
    const { account, openStream } = await openAccount(sim);
    for (let number = 1; number <= 500; number++) logRequest(findAccount(sim, account), number, longPath);
    const stream = await openStream('activity', { 'Last-Event-ID': 'from-before-a-restart' });
    const events = await stream.waitForEvents(501);
    expect(events[0]).toMatchObject({ data: { kind: 'gap' } });
    expect(events.at(-1)).toMatchObject({ data: { request: { id: 'req_500' } } });
  });

  test('does not send an email that could not be stored', async () => {
    const sim = await startControlServerForTest({ folder: tempFolder(), log: () => undefined });
    const { openStream, sendReminder } = await openAccount(sim);
    const stream = await openStream('mails');
    const repair = breakDisk('ENOSPC');
    expect((await sendReminder(3)).status).toBe(503);
    repair();
    await sendReminder(7);
    expect(await stream.waitForEvents(1)).toMatchObject([{ data: { id: 1, invoice_id: 7 } }]);
    expect(stream.events).toHaveLength(1);
  });

  test('sends what was stored before a change that could not be stored', async () => {
    const appends: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
    const append = (): Promise<void> => new Promise((resolve, reject) => void appends.push({ resolve, reject }));
    const server = await openAppServer({ seed: 'demo', now: '2026-03-01T09:00:00Z', append });
    onTestFinished(() => server.close());
    const stream = await openEventStream(new URL('/_sim/accounts/demo/activity/stream', server.baseUrl).href);
    const createDeposit = (): Promise<Response> =>
      fetch(`${server.baseUrl}/deposits`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.tokens.full}`, 'Content-Type': 'application/json' },
        body: '{"booking_reference":"BK-1","amount":5}',
      });
    const first = createDeposit();
    await expect.poll(() => appends.length).toBe(1);
    const second = createDeposit();
    await expect.poll(() => appends.length).toBe(2);
    appends[0]?.resolve();
    expect((await first).status).toBe(201);
    appends[1]?.reject(new Error('no space left'));
    expect((await second).status).toBe(503);
    const events = await stream.waitForEvents(4);
    expect(events.map(({ data }) => data)).toMatchObject([
      { kind: 'created', subject: { id: 8 } },
      { kind: 'event' },
      { kind: 'request', request: { status: 201 } },
      { kind: 'request', request: { status: 503 } },
    ]);
  });

  test('of activity gives each attempt to send a webhook the correlation id of the request that caused its event', async () => {
    const sim = await startControlServerForTest();
    const { account, openStream, createDeposit } = await openAccount(sim);
    const receiver = await openReceiver((_request, response) => void response.writeHead(503).end());
    await sim.callControl('PATCH', `/accounts/${account}/settings`, { webhook_url: receiver.url });
    const stream = await openStream('activity');
    await createDeposit();
    await stream.waitForEvents(4);
    await sim.callControl('POST', `/accounts/${account}/clock/advance`, { by: '5s' });
    const entries = (await stream.waitForEvents(6)).map(({ data }) => Object(data));
    const request = entries.find(({ kind }) => kind === 'request')?.request;
    expect(entries.filter(({ kind }) => kind !== 'action')).toMatchObject(
      ['created', 'event', 'request', 'attempt', 'attempt'].map((kind) => ({ kind, correlation_id: request.id })),
    );
  });

  test('of an unknown account is not found', async () => {
    const sim = await startControlServerForTest();
    expect(await sim.callControl('GET', '/accounts/nobody/mails/stream')).toMatchObject({
      status: 404,
      body: { success: false, error: 'Account not found', code: 'account-not-found' },
    });
  });
});
