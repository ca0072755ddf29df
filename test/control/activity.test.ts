import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { maxActivities } from '../../src/simulation/activity/activity-log.js';
import { maxCapturedBytes } from '../../src/simulation/activity/body-ring.js';
import { breakDisk } from '../support/failing-disk.js';
import { tempFolder } from '../support/temp-folder.js';
import { type ControlServer, dataOf, startControlServerForTest } from './control-server.js';
import { type EventStream, openEventStream } from './event-stream.js';

type Options = Parameters<typeof startControlServerForTest>[0];

/** Opens a simulator with an account, and returns shortcuts for making requests and reading its activity. */
async function openAccount(options: Options = {}) {
  const sim = await startControlServerForTest(options);
  const created = dataOf(
    await sim.control.POST('/accounts', { body: { seed: 'demo', now: '2026-03-01T09:00:00Z', rate_limit: false } }),
  );
  const account = created.id;
  const token = created.tokens.full;
  const path = { account };
  return {
    sim,
    account,
    token,
    call: (method: string, at: string, body?: unknown) => sim.callService(token, method, at, body),
    createDeposit: () => sim.callService(token, 'POST', '/deposits', { booking_reference: 'BK-1', amount: 10 }),
    async chains(
      query: {
        kind?: 'request' | 'action' | 'due' | 'attempt';
        status?: string;
        record?: string;
        search?: string;
      } = {},
    ) {
      return dataOf(await sim.control.GET('/accounts/{account}/activity', { params: { path, query } })).data;
    },
    async request(id: string) {
      const params = { path: { ...path, request: id } };
      return dataOf(await sim.control.GET('/accounts/{account}/requests/{request}', { params }));
    },
    ask: (method: string, at: string, body?: unknown) => sim.callControl(method, `/accounts/${account}${at}`, body),
  };
}

function follow({ url }: ControlServer, account: string, lastId?: string): Promise<EventStream> {
  const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
  return openEventStream(`${url}/_sim/accounts/${account}/activity/stream`, headers);
}

function idOf({ headers }: { readonly headers: Headers }): string {
  return headers.get('x-request-id') ?? '';
}

/** Lists the kinds of a chain's entries. */
function outline({ entries }: { readonly entries: readonly { readonly kind: string }[] }): string {
  return entries.map(({ kind }) => kind).join(' ');
}

describe('activity', () => {
  test('groups a request with the record and the event that it led to', async () => {
    const { createDeposit, chains } = await openAccount();
    const id = idOf(await createDeposit());
    const [chain] = await chains();
    expect(chain).toMatchObject({ correlation_id: id, is_complete: true, at: '2026-03-01T09:00:00.000Z' });
    expect(chain?.entries).toMatchObject([
      { kind: 'request', request: { id, method: 'POST', status: 201, operation: 'createDeposit' } },
      { kind: 'created', subject: { resource: 'deposit', id: 8 } },
      { kind: 'event', event: 'deposit.created', sent: false },
    ]);
  });

  test('groups the attempts of a webhook, even later ones, with what caused the event', async () => {
    const statuses = [503, 200];
    const receiver = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(statuses.shift() ?? 500).end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    const address = receiver.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { createDeposit, chains, ask } = await openAccount();
    await ask('PATCH', '/settings', { webhook_url: `http://127.0.0.1:${port}/` });
    const id = idOf(await createDeposit());
    await ask('POST', '/clock/advance', { by: '1h' });
    const chain = (await chains()).find(({ correlation_id }) => correlation_id === id);
    expect(chain?.entries.filter(({ kind }) => kind === 'attempt')).toMatchObject([
      { number: 1, status: 503 },
      { number: 2, status: 200 },
    ]);
  });

  test('groups a manual attempt with what caused the event', async () => {
    const { sim, account, createDeposit, chains, ask } = await openAccount();
    const id = idOf(await createDeposit());
    await ask('PATCH', '/settings', { webhook_url: 'http://127.0.0.1:1/' });
    const [delivery] = sim.server.world.accounts.get(account)?.deliveries.rows ?? [];
    await ask('POST', `/deliveries/${delivery?.id}/resend`);
    const chain = (await chains({ kind: 'attempt' }))[0];
    expect(chain).toMatchObject({ correlation_id: id, is_complete: true });
  });

  test('begins a group with the agenda item that fell due', async () => {
    const { createDeposit, chains, ask } = await openAccount();
    await createDeposit();
    await ask('POST', '/deposits/8/authorize');
    await ask('POST', '/clock/advance', { by: '8d' });
    const found = await chains({ record: 'deposit:8', kind: 'due' });
    expect(found.map(outline)).toEqual(['due transition event']);
    expect(found[0]?.entries).toMatchObject([
      { item: 'deposit-expires', id: 8 },
      { cause: 'expire', to: 'expired' },
      { event: 'deposit.expired' },
    ]);
  });

  test('begins a group with an operation of the control API', async () => {
    const { createDeposit, chains, ask } = await openAccount();
    await createDeposit();
    await ask('POST', '/deposits/8/authorize');
    const [chain] = await chains({ kind: 'action' });
    expect(chain?.entries).toMatchObject([
      { kind: 'action', by: 'control-api', operation: 'authorizeDeposit' },
      { kind: 'transition', to: 'authorized' },
      { kind: 'event', event: 'deposit.authorized' },
    ]);
  });

  test('shows actions that change no record, but not refused ones', async () => {
    const { chains, ask } = await openAccount();
    await ask('POST', '/faults', { effect: 'status=503' });
    await ask('POST', '/faults', { effect: 'status=999' });
    const actions = await chains({ kind: 'action' });
    expect(actions.map(({ entries: [first] }) => first)).toMatchObject([{ operation: 'addFault' }]);
  });

  test('is kept by a reset', async () => {
    const { createDeposit, chains, ask } = await openAccount();
    await createDeposit();
    await ask('POST', '/reset');
    expect((await chains()).map(outline)).toEqual(['action', 'request created event']);
  });

  test.each([
    [{ status: '404' }, 'request'],
    [{ record: 'deposit:8' }, 'request created event'],
    [{ search: 'bk-unknown' }, undefined],
    [{ search: 'DEPOSIT.created' }, 'request created event'],
  ])('is filtered by %j', async (query, expected) => {
    const { createDeposit, call, chains } = await openAccount();
    await createDeposit();
    await call('GET', '/deposits/999');
    await call('GET', '/invoices');
    expect((await chains(query)).map(outline)).toEqual(expected === undefined ? [] : [expected]);
  });

  test('does not show what could not be stored', async () => {
    const { createDeposit, chains } = await openAccount({ folder: tempFolder(), log: () => undefined });
    const repair = breakDisk('ENOSPC');
    expect((await createDeposit()).status).toBe(503);
    repair();
    expect((await chains()).map(outline)).toEqual(['request']);
  });

  test('keeps only the latest entries', async () => {
    const { sim, account, chains } = await openAccount();
    const { activity } = sim.server.world.accounts.get(account)?.logs ?? {};
    for (let count = 0; count < maxActivities; count++) {
      activity?.duringAction({ by: 'library', operation: 'addFault' }, 0, () => undefined);
    }
    expect(activity?.entries()).toHaveLength(maxActivities);
    activity?.duringAction({ by: 'library', operation: 'addFault' }, 0, () => undefined);
    expect(activity?.entries()).toHaveLength(maxActivities);
    expect((await chains())[0]?.entries[0]?.sequence).toBe(maxActivities + 1);
  });
});

describe('the stream of activity', () => {
  test('sends every entry, and sends a client that reconnects the entries that it missed', async () => {
    const { sim, account, createDeposit } = await openAccount();
    const stream = await follow(sim, account);
    await createDeposit();
    const events = await stream.atLeast(3);
    expect(events.map(({ data }) => data)).toMatchObject([{ kind: 'created' }, { kind: 'event' }, { kind: 'request' }]);
    stream.close();
    await createDeposit();
    const last = events.at(-1)?.id ?? '';
    const again = await follow(sim, account, last);
    expect((await again.atLeast(3)).map(({ data }) => data)).toMatchObject([
      { kind: 'created', subject: { id: 9 } },
      { kind: 'event' },
      { kind: 'request' },
    ]);
  });

  test('reports a gap when the entries that a client missed are no longer kept', async () => {
    const { sim, account } = await openAccount();
    const { activity } = sim.server.world.accounts.get(account)?.logs ?? {};
    for (let count = 0; count < maxActivities + 2; count++) {
      activity?.duringAction({ by: 'library', operation: 'addFault' }, 0, () => undefined);
    }
    const stream = await follow(sim, account, '1');
    const [first, second] = await stream.atLeast(2);
    expect(first?.data).toEqual({ kind: 'gap' });
    expect(second?.data).toMatchObject({ sequence: 3 });
  });
});

describe('a logged request', () => {
  test('has the headers and bodies of the request and its response', async () => {
    const { createDeposit, request } = await openAccount();
    const response = await createDeposit();
    const { sent, received, refusal } = await request(idOf(response));
    expect(JSON.parse(sent.body?.text ?? '')).toEqual({ booking_reference: 'BK-1', amount: 10 });
    expect(JSON.parse(received?.body?.text ?? '')).toEqual(response.body);
    expect(received?.headers).toContainEqual({ name: 'X-Request-Id', value: idOf(response) });
    expect(refusal).toBeNull();
  });

  test('shows no token, neither in headers nor in a body', async () => {
    const { sim, account, token, call, request } = await openAccount();
    const response = await call('POST', '/deposits', { booking_reference: token, amount: 10 });
    const { sent } = await request(idOf(response));
    const authorization = sent.headers.find(({ name }) => name.toLowerCase() === 'authorization');
    expect(authorization?.value).toBe('Bearer ****');
    expect(sent.body?.text).toContain('"booking_reference":"****"');
    const { body } = await sim.callControl('GET', `/accounts/${account}/requests/${idOf(response)}`);
    expect(JSON.stringify(body).replace(JSON.stringify(response.body).slice(1, -1), '')).not.toContain(
      `Bearer ${token}`,
    );
  });

  test('lists for each invalid field what was sent, and which rules it breaks', async () => {
    const { call, request } = await openAccount();
    const response = await call('POST', '/deposits', { amount: -5, customer: { email: 'nobody' } });
    const { refusal } = await request(idOf(response));
    expect(refusal).toMatchObject({
      code: 'invalid',
      fields: [
        { field: 'booking_reference', rules: ['required'] },
        { field: 'amount', sent: -5 },
        { field: 'customer.email', sent: 'nobody' },
      ],
    });
    expect(refusal?.fields[0]).not.toHaveProperty('sent');
  });

  test('lists the invalid value of a query parameter', async () => {
    const { call, request } = await openAccount();
    const { refusal } = await request(idOf(await call('GET', '/invoices?per_page=0')));
    expect(refusal?.fields).toMatchObject([{ field: 'per_page', sent: '0' }]);
  });

  test('has the response as a fault changed it', async () => {
    const { call, ask, request, sim, account } = await openAccount();
    await ask('POST', '/faults', { effect: 'status=503', match: { operation: 'listInvoices' } });
    const response = await call('GET', '/invoices');
    expect(response.status).toBe(503);
    const logged = await request(idOf(response));
    expect(logged).toMatchObject({ status: 503, faults: ['status'] });
    expect(JSON.parse(logged.received?.body?.text ?? '')).toEqual(response.body);
    expect(sim.server.world.accounts.get(account)).toBeDefined();
  });

  test('has the beginning of a body that is too long, and its size', async () => {
    const { call, request } = await openAccount();
    const notes = randomBytes(40_000).toString('hex');
    const response = await call('POST', '/deposits', { booking_reference: 'BK-1', amount: 10, metadata: { notes } });
    const { sent } = await request(idOf(response));
    expect(sent.body).toMatchObject({ is_truncated: true });
    expect(sent.body?.size).toBeGreaterThan(80_000);
    expect(sent.body?.text).toHaveLength(maxCapturedBytes);
  });

  test('lists what the request led to', async () => {
    const { createDeposit, request } = await openAccount();
    const { activity } = await request(idOf(await createDeposit()));
    expect(activity).toMatchObject([{ kind: 'created' }, { kind: 'event' }]);
  });
});

describe('a replay', () => {
  const replayOf = async (
    { ask }: { ask: (method: string, at: string, body?: unknown) => ReturnType<ControlServer['callControl']> },
    id: string,
    body = {},
  ) => ask('POST', `/requests/${id}/replay`, body);

  test('sends the same request with a new Idempotency-Key, so that it takes effect again', async () => {
    const account = await openAccount();
    const response = await fetch(`${account.sim.url}/api/v1/deposits`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${account.token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k1',
      },
      body: JSON.stringify({ booking_reference: 'BK-1', amount: 10 }),
    });
    const id = response.headers.get('x-request-id') ?? '';
    expect(await replayOf(account, id)).toMatchObject({
      status: 200,
      body: { status: 201, activity: [{ kind: 'created', subject: { id: 9 } }, { kind: 'event' }] },
    });
  });

  test('with the same key gets the stored response', async () => {
    const account = await openAccount();
    const response = await fetch(`${account.sim.url}/api/v1/deposits`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${account.token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k1',
      },
      body: JSON.stringify({ booking_reference: 'BK-1', amount: 10 }),
    });
    const id = response.headers.get('x-request-id') ?? '';
    expect(await replayOf(account, id, { same_key: true })).toMatchObject({ status: 200, body: { activity: [] } });
  });

  test('gets a response even if a fault leaves the replayed request without one', async () => {
    const account = await openAccount();
    const id = idOf(await account.call('GET', '/invoices'));
    await account.ask('POST', '/faults', { effect: 'hang', match: { operation: 'listInvoices' } });
    expect(await replayOf(account, id)).toMatchObject({ status: 200, body: { status: null, faults: ['hang'] } });
  });

  test('is refused if the body was truncated in the log', async () => {
    const account = await openAccount();
    const notes = 'n'.repeat(80_000);
    const id = idOf(
      await account.call('POST', '/deposits', { booking_reference: 'BK-1', amount: 10, metadata: { notes } }),
    );
    expect(await replayOf(account, id)).toMatchObject({ status: 409 });
  });
});
