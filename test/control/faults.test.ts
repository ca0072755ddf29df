import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentsOf } from '../../src/simulation/world.js';
import { invalidControlFieldBody } from '../support/envelope.js';
import { type ControlServer, requireData, startControlServer } from './control-server.js';

/** Faults that are added through the control API: their effects, their counts, and when they end. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** Creates an account, and returns functions that send requests and manage its faults. */
async function openAccount() {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', random_seed: '42' };
  const { id: account, tokens } = requireData(await sim.control.POST('/accounts', { body }));
  const params = { params: { path: { account } } };
  return {
    account,
    tokens,
    /** Calls an operation of the control API on this account. `path` is the part after `/accounts/{account}`. */
    callControl: (method: string, path: string, content?: unknown) =>
      sim.callControl(method, `/accounts/${account}${path}`, content),
    addFault: async (content: object) => {
      const { status, body: fault } = await sim.callControl('POST', `/accounts/${account}/faults`, content);
      expect(status).toBe(201);
      return fault;
    },
    listFaults: async () => requireData(await sim.control.GET('/accounts/{account}/faults', params)).data,
    /** Sends a GET request. @returns the status of the response; `lost` if there is none */
    get: async (path: string) =>
      sim.callService(tokens.full, 'GET', path).then(
        ({ status }) => status,
        () => 'lost',
      ),
  };
}

type OpenAccount = Awaited<ReturnType<typeof openAccount>>;

/** Returns for each fault how many requests it has matched, how often it has fired, and its status. */
async function countsOf({ listFaults }: OpenAccount) {
  return (await listFaults()).map(({ times_matched, times_fired, status }) => [times_matched, times_fired, status]);
}

describe('a fault', () => {
  test.each(['2026-03-01T08:59:59Z', '2026-03-01T09:00:00Z'])(
    'cannot end at %s, which is not after the current time of its account',
    async (until) => {
      const { callControl, addFault } = await openAccount();
      const message = "until: must be later than the account's time, which is 2026-03-01T09:00:00.000Z";
      expect(await callControl('POST', '/faults', { effect: 'reset', until })).toMatchObject({
        status: 422,
        body: invalidControlFieldBody('until', message),
      });
      expect(await addFault({ effect: 'reset', until: '2026-03-01T09:00:01Z' })).toMatchObject({ status: 'active' });
    },
  );

  test('can be added, listed and cleared', async () => {
    const { addFault, listFaults, callControl } = await openAccount();
    expect(await listFaults()).toEqual([]);
    const lossFault = {
      id: 1,
      effects: [{ name: 'lose-response' }],
      stage: 'response',
      match: { operation: 'createDeposit' },
      times: 1,
      until: null,
      times_matched: 0,
      times_fired: 0,
      status: 'active',
      created_at: '2026-03-01T09:00:00.000Z',
    };
    const requested = { effect: 'lose-response', match: { operation: 'createDeposit' }, times: 1 };
    expect(await addFault(requested)).toEqual(lossFault);
    const timedFault = {
      ...lossFault,
      id: 2,
      effects: [{ name: 'status', status: 503 }],
      stage: 'request',
      match: {},
      times: null,
      until: '2026-03-01T11:00:00.000Z',
    };
    expect(await addFault({ effect: 'status=503', for: '2h' })).toEqual(timedFault);
    expect(await listFaults()).toEqual([lossFault, timedFault]);
    expect(await callControl('DELETE', '/faults/1')).toMatchObject({ status: 200, body: lossFault });
    expect(await listFaults()).toEqual([timedFault]);
    const clearedAgain = await callControl('DELETE', '/faults/1');
    expect(clearedAgain).toMatchObject({ status: 404, body: { success: false, error: 'Fault not found' } });
    expect(await addFault(requested)).toMatchObject({ id: 3 });
    expect(await callControl('DELETE', '/faults')).toMatchObject({ status: 200, body: { cleared: 2 } });
    expect(await callControl('DELETE', '/faults')).toMatchObject({ status: 200, body: { cleared: 0 } });
    expect(await listFaults()).toEqual([]);
  });

  test.each<[name: string, effect: unknown, parsedEffects: unknown]>([
    ['a string', 'latency=200ms;max=2s', [{ name: 'latency', min: '200ms', max: '2s' }]],
    ['an object', { name: 'latency', min: '1s' }, [{ name: 'latency', min: '1s' }]],
    [
      'an array of both',
      [{ name: 'status', status: 502 }, 'latency=1s'],
      [
        { name: 'status', status: 502 },
        { name: 'latency', min: '1s' },
      ],
    ],
    [
      'a string with several effects',
      'truncate=5, latency=1s',
      [
        { name: 'truncate', bytes: 5 },
        { name: 'latency', min: '1s' },
      ],
    ],
  ])('can have effects that are given as %s', async (_name, effect, parsedEffects) => {
    const { addFault } = await openAccount();
    expect(await addFault({ effect })).toMatchObject({ effects: parsedEffects });
  });

  test('can lose the response to a create request, after which a retry with the same key creates no second deposit', async () => {
    const { tokens, addFault, get, listFaults } = await openAccount();
    await addFault({ effect: 'lose-response', match: { operation: 'createDeposit' }, times: 1 });
    const createDeposit = () =>
      fetch(`${sim.url}/api/v1/deposits`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${tokens.full}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'booking-1',
        },
        body: JSON.stringify({ booking_reference: 'BK-LOST', amount: 300 }),
      });
    expect(await get('/deposits')).toBe(200);
    await expect(createDeposit()).rejects.toThrow();
    expect((await createDeposit()).status).toBe(201);
    const { body } = await sim.callService(tokens.full, 'GET', '/deposits?per_page=100');
    const deposits: { booking_reference: string }[] = Object(body).data.data;
    expect(deposits.filter(({ booking_reference }) => booking_reference === 'BK-LOST')).toHaveLength(1);
    expect(await listFaults()).toMatchObject([{ times_matched: 1, times_fired: 1, status: 'ended' }]);
  });

  test('has a count of matches, which is 0 for a misspelled path and increases for an `nth` that is not reached yet', async () => {
    const account = await openAccount();
    await account.addFault({ effect: 'status=503', match: { path: '/deposit' } });
    await account.addFault({ effect: 'status=503', match: { path: '/deposits', nth: 3 } });
    expect([await account.get('/deposits'), await account.get('/deposits')]).toEqual([200, 200]);
    expect(await countsOf(account)).toEqual([
      [0, 0, 'active'],
      [2, 0, 'active'],
    ]);
    expect([await account.get('/deposits'), await account.get('/deposits')]).toEqual([503, 200]);
    expect(await countsOf(account)).toEqual([
      [0, 0, 'active'],
      [3, 1, 'ended'],
    ]);
  });

  test('ends when the clock of its account reaches its end time', async () => {
    const account = await openAccount();
    await account.addFault({ effect: 'status=503', for: '1h' });
    await account.addFault({ effect: 'status=502', until: '2026-03-01T12:00:00+01:00' });
    expect(await account.get('/deposits')).toBe(503);
    await account.callControl('POST', '/clock/advance', { by: '1h' });
    expect(await account.get('/deposits')).toBe(502);
    await account.callControl('POST', '/clock/advance', { by: '1h' });
    expect(await account.get('/deposits')).toBe(200);
    expect(await countsOf(account)).toEqual([
      [1, 1, 'ended'],
      [1, 1, 'ended'],
    ]);
  });

  test('does not affect other accounts', async () => {
    const [account, otherAccount] = [await openAccount(), await openAccount()];
    await account.addFault({ effect: 'status=503' });
    expect([await account.get('/deposits'), await otherAccount.get('/deposits')]).toEqual([503, 200]);
    expect(await otherAccount.listFaults()).toEqual([]);
  });

  test('and its counts survive a change to the profile', async () => {
    const account = await openAccount();
    await account.addFault({ effect: 'status=503', match: { every: 2 } });
    await account.get('/deposits');
    await account.callControl('PATCH', '/settings', { profile: { 'list.order': 'oldest-first' } });
    expect(await account.get('/deposits')).toBe(503);
    expect(await countsOf(account)).toEqual([[2, 1, 'active']]);
  });

  test('is removed when its account is reset', async () => {
    const account = await openAccount();
    await account.addFault({ effect: 'status=503' });
    await account.callControl('POST', '/reset');
    expect([await account.get('/deposits'), await account.listFaults()]).toEqual([200, []]);
  });

  test('of a deleted account is deleted with it', async () => {
    const { account, addFault, callControl } = await openAccount();
    await addFault({ effect: 'status=503' });
    await callControl('DELETE', '');
    expect((await callControl('GET', '/faults')).status).toBe(404);
    const { tokens } = requireData(await sim.control.POST('/accounts', { body: { id: account } }));
    expect((await sim.callService(tokens.full, 'GET', '/deposits')).status).toBe(200);
  });
});

describe('during concurrent requests', () => {
  test('a fault fires no more often than its `times`', async () => {
    const account = await openAccount();
    await account.addFault({ effect: 'status=503', times: 7 });
    const statuses = await Promise.all(Array.from({ length: 40 }, () => account.get('/deposits')));
    expect(statuses.filter((status) => status === 503)).toHaveLength(7);
    expect(await countsOf(account)).toEqual([[7, 7, 'ended']]);
  });

  test.each(['/faults', '/faults/1'])('DELETE %s removes a fault, so that later requests succeed', async (path) => {
    const account = await openAccount();
    await account.addFault({ effect: 'status=503' });
    const earlierRequests = Array.from({ length: 20 }, () => account.get('/deposits'));
    const cleared = await account.callControl('DELETE', path);
    expect(cleared.status).toBe(200);
    const laterStatuses = await Promise.all(Array.from({ length: 20 }, () => account.get('/deposits')));
    expect(new Set(laterStatuses)).toEqual(new Set([200]));
    await Promise.all(earlierRequests);
    expect(await account.listFaults()).toEqual([]);
  });
});

describe('snapshots', () => {
  test('restore faults with their counts, and remove faults that were added later', async () => {
    const account = await openAccount();
    await account.addFault({ effect: 'status=503', match: { every: 2 }, times: 2 });
    await account.addFault({ effect: 'lose-response', match: { operation: 'createDeposit' } });
    await account.get('/deposits');
    await account.callControl('POST', '/snapshots', { name: 'saved' });
    const savedFaults = await account.listFaults();
    expect(savedFaults).toMatchObject([{ times_matched: 1, times_fired: 0 }, { times_matched: 0 }]);

    for (let sent = 0; sent < 5; sent++) await account.get('/deposits');
    await account.callControl('DELETE', '/faults/2');
    await account.addFault({ effect: 'reset' });
    expect(await countsOf(account)).toEqual([
      [4, 2, 'ended'],
      [0, 0, 'active'],
    ]);
    await account.callControl('POST', '/snapshots/saved/restore');
    expect(await account.listFaults()).toEqual(savedFaults);
    expect([await account.get('/deposits'), await account.get('/deposits')]).toEqual([503, 200]);
  });

  test('restore the random sequence in which a fault fires', async () => {
    const account = await openAccount();
    await account.addFault({ effect: 'status=503', match: { probability: 0.5 } });
    const sendSixteenRequests = async () => {
      const statuses: unknown[] = [];
      for (let sent = 0; sent < 16; sent++) statuses.push(await account.get('/deposits'));
      return statuses;
    };
    await account.callControl('POST', '/snapshots', { name: 'saved' });
    const first = await sendSixteenRequests();
    expect(new Set(first)).toEqual(new Set([200, 503]));
    await account.callControl('POST', '/snapshots/saved/restore');
    expect(await sendSixteenRequests()).toEqual(first);
  });
});

describe('an invalid fault', () => {
  const effect = 'lose-response';

  test.each<[field: string, message: string, requested: object]>([
    ['body', '`effect` is missing', {}],
    ['tmes', 'unknown key `tmes`; did you mean `times`?', { effect, tmes: 1 }],
    ['effect', 'unknown effect `lose-respons`; did you mean `lose-response`?', { effect: 'lose-respons' }],
    ['effect', 'unknown effect `Status`; did you mean `status`?', { effect: { name: 'Status', status: 503 } }],
    ['effect.1', 'unknown effect `lose-respons`; did you mean `lose-response`?', { effect: ['reset', 'lose-respons'] }],
    ['effect', 'effect: `name` is missing', { effect: { status: 503 } }],
    ['effect', 'effect: must be a string (for example status=503) or a mapping, not the number 503', { effect: 503 }],
    ['effect', 'effect: must contain 1 to 10 effects, not 0', { effect: [] }],
    ['effect.max', 'latency.max: `2 bananas` is not a duration…', { effect: 'latency=1s;max=2 bananas' }],
    ['effect.mx', 'latency: unknown key `mx`…', { effect: { name: 'latency', min: '1s', mx: '2s' } }],
    ['effect.0.status', 'status.status: must be 599 or less', { effect: [{ name: 'status', status: 700 }] }],
    [
      'match.operation',
      'match: unknown operation `createDepost`; did you mean `createDeposit`?',
      {
        effect,
        match: { operation: 'createDepost' },
      },
    ],
    [
      'match.opration',
      'match: unknown key `opration`; did you mean `operation`?',
      { effect, match: { opration: 'x' } },
    ],
    ['match.method', 'match: unknown method `post`; did you mean `POST`?', { effect, match: { method: 'post' } }],
    [
      'match.path',
      'match.path: `deposits` is not a path (for example /deposits/8/capture or /invoices*)',
      {
        effect,
        match: { path: 'deposits' },
      },
    ],
    [
      'match.status',
      'match.status: the string `6xx` is not a status (for example the number 503 or the string 5xx)',
      {
        effect,
        match: { status: '6xx' },
      },
    ],
    [
      'match.event',
      'match.event: lose-response applies to requests, which have no event',
      {
        effect,
        match: { event: 'deposit.created' },
      },
    ],
    ['match.body', 'match.body: must not be empty', { effect, match: { body: {} } }],
    [
      'match.body.a',
      'match.body.a: null is not a string, number, true or false',
      { effect, match: { body: { a: null } } },
    ],
    ['match.nth', 'match.nth: must be 1 or more', { effect, match: { nth: 0 } }],
    ['match.probability', 'match.probability: must be 1 or less', { effect, match: { probability: 2 } }],
    ['times', 'times: must be a whole number, not a string', { effect, times: '1' }],
    [
      'until',
      'until: `soon` is not a date or time (for example 2026-03-01 or 2026-03-01T09:00:00Z)',
      { effect, until: 'soon' },
    ],
    ['for', 'for: `soon` is not a duration (for example 30s, 2h or 8d)', { effect, for: 'soon' }],
    ['for', 'for: cannot be combined with `until`', { effect, for: '1h', until: '2026-03-01T09:00:00Z' }],
    ['effect', 'unknown effect `latensy`; did you mean `latency`?', { effect: 'latensy=2s' }],
  ])('is refused with an error for %s: %s', async (field, message, requested) => {
    const contentsBefore = contentsOf(sim.server.world);
    const response = await sim.callControl('POST', '/accounts/demo/faults', requested);
    const expectedMessage = message.endsWith('…') ? expect.stringContaining(message.slice(0, -1)) : message;
    const errors = { [field]: [expectedMessage] };
    expect(response).toMatchObject({ status: 422, body: { success: false, error: expectedMessage, errors } });
    expect(contentsOf(sim.server.world)).toEqual(contentsBefore);
  });

  test('is refused with an error for each invalid option of an effect', async () => {
    const { status, body } = await sim.callControl('POST', '/accounts/demo/faults', { effect: 'status=50;type=' });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: {
        errors: {
          'effect.status': ['status.status: must be 200 or more'],
          'effect.type': ['status.type: `` is not a content type (for example text/html)'],
        },
      },
    });
  });

  test('is refused if it matches an unknown event', async () => {
    const requested = { effect: 'receiver-fails', match: { event: 'deposit.creatd' } };
    const message = 'match: unknown event `deposit.creatd`; did you mean `deposit.created`?';
    const { body } = await sim.callControl('POST', '/accounts/demo/faults', requested);
    expect(body).toEqual(invalidControlFieldBody('match.event', message));
  });
});
