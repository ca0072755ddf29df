import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { maxActivities } from '../../src/simulation/activity/activity-log.js';
import { maxRecordedBytes } from '../../src/simulation/activity/request-log.js';
import { breakDisk } from '../support/failing-disk.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { tempFolder } from '../support/temp-folder.js';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, findAccount, requireData, startControlServerForTest } from './control-server.js';
import { type EventStream, openEventStream } from './event-stream.js';

type StartOptions = Parameters<typeof startControlServerForTest>[0];

/** Starts a simulator, creates an account, and returns functions that send requests and read its activity. */
async function openAccount(options: StartOptions = {}) {
  const sim = await startControlServerForTest(options);
  const created = requireData(
    await sim.control.POST('/accounts', { body: { seed: 'demo', now: '2026-03-01T09:00:00Z', rate_limit: false } }),
  );
  const account = created.id;
  const token = created.tokens.full;

  return {
    sim,
    account,
    token,
    callService: (method: string, path: string, body?: unknown) => sim.callService(token, method, path, body),
    /** Creates a deposit. The first one gets the id 8, since the `demo` seed has seven. */
    createDeposit: () => sim.callService(token, 'POST', '/deposits', { booking_reference: 'BK-1', amount: 10 }),
    /**
     * Chains of activity entries, newest first. A chain has a cause, such as a request, and its consequences. Its
     * `is_complete` is false if the log no longer has the cause.
     */
    async listChains(
      query: {
        kind?: 'request' | 'action' | 'due' | 'attempt';
        status?: string;
        record?: string;
        search?: string;
      } = {},
    ) {
      return requireData(
        await sim.control.GET('/accounts/{account}/activity', { params: { path: { account }, query } }),
      ).data;
    },
    async readRequest(id: string) {
      const params = { path: { account, request: id } };
      return requireData(await sim.control.GET('/accounts/{account}/requests/{request}', { params }));
    },
    /** Calls an operation of the control API on this account. `path` is the part after `/accounts/{account}`. */
    callControl: (method: string, path: string, body?: unknown) =>
      sim.callControl(method, `/accounts/${account}${path}`, body),
  };
}

type OpenAccount = Awaited<ReturnType<typeof openAccount>>;

/** @param lastId id of the last entry that the client has received */
function openActivityStream({ url }: ControlServer, account: string, lastId?: string): Promise<EventStream> {
  const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
  return openEventStream(`${url}/_sim/accounts/${account}/activity/stream`, headers);
}

function requestIdOf({ headers }: { readonly headers: Headers }): string {
  return headers.get('x-request-id') ?? '';
}

/** Adds entries to the activity log of an account, as actions that change nothing. */
function addEntries({ sim, account }: OpenAccount, count: number): void {
  const { activity } = findAccount(sim, account).logs;
  const time = Date.parse('2026-03-01T09:00:00Z');
  for (let added = 0; added < count; added++) {
    activity.duringAction({ by: 'library', operation: 'addFault' }, time, () => undefined);
  }
}

/** Kinds of a chain's entries, such as `request created event`. */
function kindsOf({ entries }: { readonly entries: readonly { readonly kind: string }[] }): string {
  return entries.map(({ kind }) => kind).join(' ');
}

describe('activity', () => {
  test('groups a request with the record and the event that it caused', async () => {
    const { createDeposit, listChains } = await openAccount();
    const id = requestIdOf(await createDeposit());
    const [chain] = await listChains();
    expect(chain).toMatchObject({ correlation_id: id, is_complete: true, at: '2026-03-01T09:00:00.000Z' });
    expect(chain?.entries).toMatchObject([
      { kind: 'request', request: { id, method: 'POST', status: 201, operation: 'createDeposit' } },
      { kind: 'created', subject: { resource: 'deposit', id: 8 } },
      { kind: 'event', event: 'deposit.created', sent: false },
    ]);
  });

  test('groups all attempts of a webhook with the request that caused its event', async () => {
    const responseStatuses = [503, 200];
    const { url: webhook_url } = await openReceiver(
      (_request, response) => void response.writeHead(responseStatuses.shift() ?? 500).end(),
    );
    const { createDeposit, listChains, callControl } = await openAccount();
    await callControl('PATCH', '/settings', { webhook_url });
    const id = requestIdOf(await createDeposit());
    await callControl('POST', '/clock/advance', { by: '1h' });
    const chain = (await listChains()).find(({ correlation_id }) => correlation_id === id);
    expect(chain?.entries.filter(({ kind }) => kind === 'attempt')).toMatchObject([
      { number: 1, status: 503 },
      { number: 2, status: 200 },
    ]);
  });

  test('groups a resent webhook with the request that caused its event', async () => {
    const { sim, account, createDeposit, listChains, callControl } = await openAccount();
    const id = requestIdOf(await createDeposit());
    // No server listens on port 1.
    await callControl('PATCH', '/settings', { webhook_url: 'http://127.0.0.1:1/' });
    const [delivery] = findAccount(sim, account).deliveries.rows;
    await callControl('POST', `/deliveries/${delivery?.id}/resend`);
    const chain = (await listChains({ kind: 'attempt' }))[0];
    expect(chain).toMatchObject({ correlation_id: id, is_complete: true });
  });

  test('begins a chain with the agenda item that fell due', async () => {
    const { createDeposit, listChains, callControl } = await openAccount();
    await createDeposit();
    await callControl('POST', '/deposits/8/authorize');
    // An authorized deposit expires after 7 days.
    await callControl('POST', '/clock/advance', { by: '8d' });
    const dueChains = await listChains({ record: 'deposit:8', kind: 'due' });
    expect(dueChains.map(kindsOf)).toEqual(['due transition event']);
    expect(dueChains[0]?.entries).toMatchObject([
      { item: 'deposit-expires', id: 8 },
      { cause: 'expire', to: 'expired' },
      { event: 'deposit.expired' },
    ]);
  });

  test('lists an advance of the clock before the items that became due, which refer to it', async () => {
    const { createDeposit, listChains, callControl } = await openAccount();
    await createDeposit();
    await callControl('POST', '/deposits/8/authorize');
    await callControl('POST', '/clock/advance', { by: '8d' });
    const entries = (await listChains()).reverse().flatMap((chain) => chain.entries);
    const advance = entries.findIndex((entry) => entry.kind === 'action' && entry.operation === 'advanceClock');
    const dueItems = entries.slice(advance).filter((entry) => entry.kind === 'due');
    expect(dueItems).toContainEqual(expect.objectContaining({ item: 'deposit-expires', id: 8 }));
    expect(new Set(dueItems.map(({ caused_by }) => caused_by))).toEqual(new Set([entries[advance]?.correlation_id]));
  });

  test('does not name an advance of the clock as the cause of an item that was due before it', async () => {
    const { sim, account, createDeposit, listChains, callControl } = await openAccount();
    await createDeposit();
    await callControl('POST', '/deposits/8/authorize');
    const { schedule } = findAccount(sim, account);
    // Moves the clock past the expiry of the deposit, but not by an advance.
    schedule.freezeAt(Date.parse('2026-03-09T09:00:00Z'));
    await callControl('POST', '/clock/advance', { by: '1d' });
    const [chain] = await listChains({ record: 'deposit:8', kind: 'due' });
    expect(chain?.entries[0]).toMatchObject({ caused_by: null });
  });

  test('begins a chain with an operation of the control API', async () => {
    const { createDeposit, listChains, callControl } = await openAccount();
    await createDeposit();
    await callControl('POST', '/deposits/8/authorize');
    const [chain] = await listChains({ kind: 'action' });
    expect(chain?.entries).toMatchObject([
      { kind: 'action', by: 'control-api', operation: 'authorizeDeposit' },
      { kind: 'transition', to: 'authorized' },
      { kind: 'event', event: 'deposit.authorized' },
    ]);
  });

  test('includes operations that change no record, but not refused ones', async () => {
    const { listChains, callControl } = await openAccount();
    await callControl('POST', '/faults', { effect: 'status=503' });
    await callControl('POST', '/faults', { effect: 'status=999' });
    const actions = await listChains({ kind: 'action' });
    expect(actions.map(({ entries: [first] }) => first)).toMatchObject([{ operation: 'addFault' }]);
  });

  test('survives a reset of the account', async () => {
    const { createDeposit, listChains, callControl } = await openAccount();
    await createDeposit();
    await callControl('POST', '/reset');
    expect((await listChains()).map(kindsOf)).toEqual(['action', 'request created event']);
  });

  test('after a restore, does not group the retry of an email with a request that caused another email', async () => {
    // No server listens on port 1.
    const { callService, callControl, listChains } = await openAccount({ smtp: 'smtp://127.0.0.1:1' });
    await callService('POST', '/invoices/2/reminder');
    await callControl('POST', '/clock/advance', { by: '1s' });
    await callControl('POST', '/snapshots', { name: 'first-email' });
    await callControl('POST', '/reset');
    await callService('POST', '/invoices/2/reminder');
    await callControl('POST', '/snapshots/first-email/restore');
    await callControl('POST', '/clock/advance', { by: '1h' });
    const [newestChain] = await listChains();
    expect(newestChain).toMatchObject({ correlation_id: 'mail_1', is_complete: false });
  });

  test.each(['/deposits/8/capture/', '/deposits/8/capture//', '/deposits/%38/capture'])(
    'has the refused request %s among those of the deposit',
    async (path) => {
      const { createDeposit, callControl, callService, listChains } = await openAccount();
      await callControl('PATCH', '/settings', { profile: { 'request.trailing-slash': 'ignored' } });
      await createDeposit();
      expect((await callService('POST', path, {})).status).toBe(409);
      const [chain] = await listChains({ record: 'deposit:8', kind: 'request' });
      expect(chain?.entries).toMatchObject([{ request: { path: `/api/v1${path}`, status: 409 } }]);
    },
  );

  test.each([
    [{ status: '404' }, ['request']],
    [{ record: 'deposit:8' }, ['request created event']],
    [{ search: 'bk-unknown' }, []],
    [{ search: 'DEPOSIT.created' }, ['request created event']],
  ])('is filtered by %j', async (query, expectedChains) => {
    const { createDeposit, callService, listChains } = await openAccount();
    await createDeposit();
    await callService('GET', '/deposits/999');
    await callService('GET', '/invoices');
    expect((await listChains(query)).map(kindsOf)).toEqual(expectedChains);
  });

  test('is filtered by text with quotes and backslashes, which JSON escapes', async () => {
    const { callControl, listChains } = await openAccount();
    await callControl('POST', '/faults', { effect: 'patch=[{"op":"add","path":"/note","value":"a\\\\b"}]' });
    for (const search of ['"op":"ADD"', 'a\\\\b', '"kind":"action"'])
      expect((await listChains({ search })).map(kindsOf)).toEqual(['action']);
    expect(await listChains({ search: '"op":"remove"' })).toEqual([]);
  });

  test.each([
    ['none', ['request', 'request created event attempt']],
    ['authorized', ['action transition event']],
    ['expired', []],
  ])('is filtered by the status %s, of requests, attempts or transitions', async (status, expectedChains) => {
    const { callControl, callService, createDeposit, listChains } = await openAccount();
    // No server listens on port 1.
    await callControl('PATCH', '/settings', { webhook_url: 'http://127.0.0.1:1/' });
    await createDeposit();
    await callControl('POST', '/clock/advance', { by: '0s' });
    await callControl('POST', '/faults', { effect: 'reset' });
    await expect(callService('GET', '/deposits')).rejects.toThrow('fetch failed');
    await callControl('PATCH', '/settings', { webhook_url: null });
    await callControl('POST', '/deposits/8/authorize');
    await expect.poll(async () => (await listChains({ status })).map(kindsOf)).toEqual(expectedChains);
  });

  test.each(['none', '999', 'partially_captured', 'viewed', 'open', 'running', 'stopped'])(
    'can be filtered by status %s, even if no entry has it',
    async (status) => {
      const { listChains } = await openAccount();
      expect(await listChains({ status })).toEqual([]);
    },
  );

  test('includes a refused request, but not the changes that could not be stored', async () => {
    const { createDeposit, listChains } = await openAccount({ folder: tempFolder(), log: () => undefined });
    const repair = breakDisk('ENOSPC');
    expect((await createDeposit()).status).toBe(503);
    repair();
    expect((await listChains()).map(kindsOf)).toEqual(['request']);
  });

  test(`keeps the latest ${maxActivities} entries`, async () => {
    const opened = await openAccount();
    const countEntries = () => findAccount(opened.sim, opened.account).logs.activity.entries().length;
    addEntries(opened, maxActivities);
    expect(countEntries()).toBe(maxActivities);
    addEntries(opened, 1);
    expect(countEntries()).toBe(maxActivities);
    expect((await opened.listChains())[0]?.entries[0]?.sequence).toBe(maxActivities + 1);
  });
});

test('resets of an account are only remembered while entries from before them are kept', async () => {
  const opened = await openAccount();
  const { activity } = findAccount(opened.sim, opened.account).logs;
  for (let count = 0; count < 3; count++) await opened.callControl('POST', '/reset');
  addEntries(opened, maxActivities);
  await opened.callControl('POST', '/reset');
  expect(activity.replacements).toEqual([activity.outdatedUpTo]);
});

describe('the stream of activity', () => {
  test('sends every entry, and after a reconnection the entries that the client missed', async () => {
    const { sim, account, createDeposit } = await openAccount();
    const stream = await openActivityStream(sim, account);
    await createDeposit();
    const events = await stream.waitForEvents(3);
    expect(events.map(({ data }) => data)).toMatchObject([{ kind: 'created' }, { kind: 'event' }, { kind: 'request' }]);
    stream.close();
    await createDeposit();
    const lastId = events.at(-1)?.id ?? '';
    const reopened = await openActivityStream(sim, account, lastId);
    expect((await reopened.waitForEvents(3)).map(({ data }) => data)).toMatchObject([
      { kind: 'created', subject: { id: 9 } },
      { kind: 'event' },
      { kind: 'request' },
    ]);
  });

  test('begins with an entry of the kind `gap` if entries that the client missed are no longer kept', async () => {
    const opened = await openAccount();
    const firstStream = await openActivityStream(opened.sim, opened.account);
    addEntries(opened, 1);
    const [lastReceived] = await firstStream.waitForEvents(1);
    addEntries(opened, maxActivities + 1);
    const stream = await openActivityStream(opened.sim, opened.account, lastReceived?.id);
    // The oldest kept entry has the sequence number 3, so the client has missed entry 2.
    const [first, second] = await stream.waitForEvents(2);
    expect(first?.data).toEqual({ kind: 'gap' });
    expect(second?.data).toMatchObject({ sequence: 3 });
  });
});

describe('a logged request', () => {
  test('has the headers and bodies of the request and its response', async () => {
    const { createDeposit, readRequest } = await openAccount();
    const response = await createDeposit();
    const { sent, received, error_details: details } = await readRequest(requestIdOf(response));
    expect(JSON.parse(sent.body?.text ?? '')).toEqual({ booking_reference: 'BK-1', amount: 10 });
    expect(JSON.parse(received?.body?.text ?? '')).toEqual(response.body);
    expect(received?.headers).toContainEqual({ name: 'X-Request-Id', value: requestIdOf(response) });
    expect(details).toBeNull();
  });

  test('masks its token in the headers and bodies of the request and its response', async () => {
    const { sim, account, token, callService, readRequest } = await openAccount();
    const response = await callService('POST', '/deposits', { booking_reference: token, amount: 10 });
    const { sent } = await readRequest(requestIdOf(response));
    const authorization = sent.headers.find(({ name }) => name.toLowerCase() === 'authorization');
    expect(authorization?.value).toBe('Bearer ****');
    expect(sent.body?.text).toContain('"booking_reference":"****"');
    const { body } = await sim.callControl('GET', `/accounts/${account}/requests/${requestIdOf(response)}`);
    expect(response.body).toMatchObject({ data: { booking_reference: token } });
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test.each(['e', 'false', 'error'])(
    'masks the unknown token `%s` in the Authorization header, but not the same text in the response',
    async (text) => {
      const sim = await startControlServerForTest();
      const response = await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token: text });
      // A request with an unknown token is in the log of the default account.
      const { body } = await sim.callControl('GET', `/accounts/demo/requests/${response.headers['x-request-id']}`);
      expect(body).toMatchObject({ received: { body: { text: response.text } } });
      expect(JSON.stringify(body)).toContain('"Bearer ****"');
    },
  );

  test.each([
    { description: 'a list', body: [1, 'x'] },
    { description: 'a number', body: 5 },
  ])('has the whole body as the invalid value if it is $description', async ({ body: sent }) => {
    const { sim, account, callService } = await openAccount();
    const response = await callService('POST', '/deposits?page=1', sent);
    const { body } = await sim.callControl('GET', `/accounts/${account}/requests/${requestIdOf(response)}`);
    expect(body).toMatchObject({ error_details: { fields: [{ field: 'body', sent, rules: ['type'] }] } });
  });

  test('masks its token in an invalid value, at any depth', async () => {
    const { sim, account, token, callService } = await openAccount();
    const response = await callService('POST', '/deposits', {
      booking_reference: [[`of ${token}`]],
      amount: 10,
    });
    const { body } = await sim.callControl('GET', `/accounts/${account}/requests/${requestIdOf(response)}`);
    expect(body).toMatchObject({ error_details: { fields: [{ sent: [['of ****']] }] } });
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test('shows an invalid value of 30,000 levels only down to its 100th level', async () => {
    const { sim, account, token } = await openAccount();
    const booking = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const sentBody = `{"booking_reference":${booking},"amount":10}`;
    const toSend = { method: 'POST', path: '/api/v1/deposits', token, body: sentBody };
    const response = await sendHttpRequest(sim.url, toSend);
    const { body } = await sim.callControl('GET', `/accounts/${account}/requests/${response.headers['x-request-id']}`);
    expect(JSON.stringify(body)).toContain(`"sent":${'['.repeat(100)}"…"${']'.repeat(100)},`);
  });

  test('does not show its token in the hint about an invalid value', async () => {
    const { sim, account, token, callService } = await openAccount();
    const response = await callService('POST', '/deposits', { booking_reference: 'BK-1', amount: token });
    const { body } = await sim.callControl('GET', `/accounts/${account}/requests/${requestIdOf(response)}`);
    const hint = `amount must be a number, not a string of ${token.length} characters`;
    expect(body).toMatchObject({
      error_details: { hint },
      received: { headers: expect.arrayContaining([{ name: 'X-Sim-Hint', value: hint }]) },
    });
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test('masks cookies and other credentials as a whole, except the scheme of the Authorization header', async () => {
    const { sim, token, readRequest } = await openAccount();
    const response = await sendHttpRequest(sim.url, {
      path: '/api/v1/invoices',
      headers: [
        ...['Authorization', `Bearer ${token}`],
        ...['Cookie', 'session=secret; theme=dark'],
        ...['X-Api-Key', 'first second'],
      ],
    });
    const { sent } = await readRequest(String(response.headers['x-request-id']));
    const values = new Map(sent.headers.map(({ name, value }) => [name, value]));
    expect(values.get('Authorization')).toBe('Bearer ****');
    expect(values.get('Cookie')).toBe('****');
    expect(values.get('X-Api-Key')).toBe('****');
  });

  test('lists each invalid field with the value that was sent and the rules that it violates', async () => {
    const { callService, readRequest } = await openAccount();
    const response = await callService('POST', '/deposits', { amount: -5, customer: { email: 'nobody' } });
    const { error_details: details } = await readRequest(requestIdOf(response));
    expect(details).toMatchObject({
      code: 'invalid',
      fields: [
        { field: 'booking_reference', rules: ['required'] },
        { field: 'amount', sent: -5 },
        { field: 'customer.email', sent: 'nobody' },
      ],
    });
    expect(details?.fields[0]).not.toHaveProperty('sent');
  });

  test('lists the invalid value of a query parameter', async () => {
    const { callService, readRequest } = await openAccount();
    const { error_details: details } = await readRequest(requestIdOf(await callService('GET', '/invoices?per_page=0')));
    expect(details?.fields).toMatchObject([{ field: 'per_page', sent: '0' }]);
  });

  test.each([
    {
      profile: { 'deposit.key-required': 'yes' },
      path: '/deposits',
      body: { booking_reference: 'BK-1', amount: 5 },
      details: { code: 'key-required', fields: [] },
    },
    {
      profile: { 'validation.nested-keys': 'brackets', 'validation.messages': 'json-schema' },
      path: '/invoices',
      body: { customer_id: 1, date: '2026-03-01', due_date: '2026-03-01', items: [7] },
      details: { code: 'invalid', fields: [{ field: 'items[0]', sent: 7, messages: ['must be object'] }] },
    },
  ])('has the error that was sent, whatever the profile is now: $details.code on $path', async (refused) => {
    const { callService, callControl, readRequest } = await openAccount();
    await callControl('PATCH', '/settings', { profile: refused.profile });
    const response = await callService('POST', refused.path, refused.body);
    await callControl('PATCH', '/settings', { profile: {} });
    const { error, error_details: details } = await readRequest(requestIdOf(response));
    expect(details).toMatchObject(refused.details);
    expect(error).toContain(details?.message);
    expect(await callControl('GET', '/trace')).toMatchObject({ status: 200 });
  });

  test('has the response that a fault sent', async () => {
    const { callService, callControl, readRequest } = await openAccount();
    await callControl('POST', '/faults', { effect: 'status=503', match: { operation: 'listInvoices' } });
    const response = await callService('GET', '/invoices');
    expect(response.status).toBe(503);
    const logged = await readRequest(requestIdOf(response));
    expect(logged).toMatchObject({ status: 503, faults: ['status'] });
    expect(JSON.parse(logged.received?.body?.text ?? '')).toEqual(response.body);
  });

  test('has the beginning of a long body, and its full size', async () => {
    const { callService, readRequest } = await openAccount();
    const notes = randomBytes(40_000).toString('hex');
    const response = await callService('POST', '/deposits', {
      booking_reference: 'BK-1',
      amount: 10,
      metadata: { notes },
    });
    const { sent } = await readRequest(requestIdOf(response));
    expect(sent.body).toMatchObject({ is_truncated: true });
    expect(sent.body?.size).toBeGreaterThan(80_000);
    expect(sent.body?.text).toHaveLength(maxRecordedBytes);
  });

  test('lists the activity that the request caused', async () => {
    const { createDeposit, readRequest } = await openAccount();
    const { activity } = await readRequest(requestIdOf(await createDeposit()));
    expect(activity).toMatchObject([{ kind: 'created' }, { kind: 'event' }]);
  });
});

describe('a replay', () => {
  const replay = ({ callControl }: OpenAccount, id: string, body = {}) =>
    callControl('POST', `/requests/${id}/replay`, body);

  /** Creates deposit 8 with an `Idempotency-Key`. @returns the id of the request */
  async function createDepositWithKey({ sim, token }: OpenAccount): Promise<string> {
    const response = await fetch(`${sim.url}/api/v1/deposits`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'key-1' },
      body: JSON.stringify({ booking_reference: 'BK-1', amount: 10 }),
    });
    return response.headers.get('x-request-id') ?? '';
  }

  test('sends the same request with a new Idempotency-Key, so that it takes effect again', async () => {
    const account = await openAccount();
    const id = await createDepositWithKey(account);
    expect(await replay(account, id)).toMatchObject({
      status: 200,
      body: { status: 201, activity: [{ kind: 'created', subject: { id: 9 } }, { kind: 'event' }] },
    });
  });

  test('with the same key gets the stored response', async () => {
    const account = await openAccount();
    const id = await createDepositWithKey(account);
    expect(await replay(account, id, { same_key: true })).toMatchObject({
      status: 200,
      body: { status: 201, activity: [] },
    });
  });

  test('reports that the replayed request got no response because of a fault', async () => {
    const account = await openAccount();
    const id = requestIdOf(await account.callService('GET', '/invoices'));
    await account.callControl('POST', '/faults', { effect: 'hang', match: { operation: 'listInvoices' } });
    expect(await replay(account, id)).toMatchObject({ status: 200, body: { status: null, faults: ['hang'] } });
  });

  test('reports that the token of the request has been revoked since', async () => {
    const account = await openAccount();
    const id = requestIdOf(await account.callService('GET', '/invoices'));
    await account.callControl('DELETE', '/tokens/1');
    expect(await replay(account, id)).toMatchObject({
      status: 200,
      body: { status: 401, error: 'Unauthenticated.', error_details: { hint: expect.stringContaining('was revoked') } },
    });
  });

  test('is refused if the token of the request belongs to another account now', async () => {
    const { sim } = await openAccount();
    const createHotel = async (): Promise<string> =>
      requireData(await sim.control.POST('/accounts', { body: { id: 'hotel', random_seed: 'seven' } })).tokens.full;
    const token = await createHotel();
    await sim.callControl('DELETE', '/accounts/hotel');
    // Requests with an unknown token are in the log of the default account.
    const id = requestIdOf(await sim.callService(token, 'GET', '/invoices'));
    expect(await createHotel()).toBe(token);
    const response = await sim.callControl('POST', `/accounts/demo/requests/${id}/replay`, {});
    const error = 'The request was sent again, but not logged for this account';
    expect(response).toMatchObject({ status: 409, body: { error } });
    expect(response.headers.get('x-sim-hint')).toBe('its token may belong to another account now');
  });

  test('is refused if the body was truncated in the log', async () => {
    const account = await openAccount();
    const notes = 'n'.repeat(80_000);
    const id = requestIdOf(
      await account.callService('POST', '/deposits', { booking_reference: 'BK-1', amount: 10, metadata: { notes } }),
    );
    const error = 'The log does not have the whole body of the request';
    expect(await replay(account, id)).toMatchObject({ status: 409, body: { error } });
  });
});
