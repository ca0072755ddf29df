import { describe, expect, test } from 'vitest';
import { controlDocument } from '../../src/generated/control-document.js';
import { openReceiver } from '../webhooks/receiver.js';
import { readAccountState } from './account-state.js';
import { type ControlServer, findAccount, requireData, startControlServerForTest } from './control-server.js';

/** Snapshot files: one simulator exports a snapshot, and another one imports it. */

/** Creates an account, and returns functions that call the control API and read the state of the account. */
async function openAccount(sim: ControlServer, options: { seed?: 'demo' | 'empty'; webhook_url?: string } = {}) {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', ...options };
  const { id: account, tokens } = requireData(await sim.control.POST('/accounts', { body }));
  /**
   * Calls an operation of the control API on this account. `path` is the part after `/accounts/{account}`.
   * @returns the body of the response
   */
  const callControl = async (method: string, path: string, content?: unknown) =>
    (await sim.callControl(method, `/accounts/${account}${path}`, content)).body;
  /** Reads the state of the account, without the address of the simulator, which URLs of pages contain. */
  const readState = async (): Promise<unknown> => {
    const state = await readAccountState(sim, account, tokens.full);
    return JSON.parse(JSON.stringify(state).replaceAll(sim.url, 'SIMULATOR'));
  };
  return { account, tokens, callControl, readState };
}

/** Creates an account with deliveries, an email, a fault and a hold that will expire. Exports its snapshot `bug`. */
async function exportSampleAccount(sim: ControlServer) {
  const receiver = await openReceiver((_request, response) => void response.writeHead(500).end());
  const opened = await openAccount(sim, { webhook_url: `${receiver.url}/hook` });
  const { callControl, tokens } = opened;
  await sim.callService(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-1', amount: 300 });
  await sim.callService(tokens.full, 'POST', '/invoices/3/reminder');
  await callControl('POST', '/deposits/1/authorize');
  await callControl('POST', '/faults', { effect: 'lose-response', match: { operation: 'createDeposit' } });
  await callControl('POST', '/clock/advance', { by: '1d' });
  await callControl('POST', '/snapshots', { name: 'bug' });
  const file = Object(await callControl('GET', '/snapshots/bug/export'));
  return { ...opened, file };
}

test('importing and restoring a file gives another simulator the same state', async () => {
  const [source, target] = [await startControlServerForTest(), await startControlServerForTest()];
  const { readState, file } = await exportSampleAccount(source);
  const other = await openAccount(target, { seed: 'empty' });
  const stateBefore = await other.readState();
  expect(await other.callControl('POST', '/snapshots/import', { file })).toEqual({
    name: 'bug',
    created_at: '2026-03-02T09:00:00.000Z',
  });
  expect(await other.readState()).toEqual(stateBefore);
  expect(await other.callControl('POST', '/snapshots/bug/restore')).toMatchObject({ id: other.account });
  expect(await other.readState()).toEqual(await readState());
});

test('a file that was written before fields were renamed can be imported and restored', async () => {
  const [source, target] = [await startControlServerForTest(), await startControlServerForTest()];
  const { readState, file } = await exportSampleAccount(source);
  const other = await openAccount(target, { seed: 'empty' });
  const olderFile = JSON.parse(
    JSON.stringify(file)
      .replaceAll('"response_body":', '"answer":')
      .replaceAll('"stage":"response"', '"stage":"answer"'),
  );
  expect(olderFile).not.toEqual(file);
  await other.callControl('POST', '/snapshots/import', { file: olderFile });
  await other.callControl('POST', '/snapshots/bug/restore');
  expect(await other.readState()).toEqual(await readState());
});

test('after a restore from a file, both simulators make the same transitions when their clocks advance', async () => {
  const [source, target] = [await startControlServerForTest(), await startControlServerForTest()];
  const { callControl, file } = await exportSampleAccount(source);
  const other = await openAccount(target, { seed: 'empty' });
  await other.callControl('POST', '/snapshots/import', { file, name: 'other-name' });
  await other.callControl('POST', '/snapshots/other-name/restore');
  const transitionsOf = (report: unknown): unknown[] =>
    Object(report).steps.filter(({ kind }: { kind: string }) => kind === 'transition');
  const transitions = transitionsOf(await callControl('POST', '/clock/advance', { by: '9d' }));
  expect(transitions).toContainEqual(expect.objectContaining({ to: 'expired' }));
  expect(transitionsOf(await other.callControl('POST', '/clock/advance', { by: '9d' }))).toEqual(transitions);
});

test('a file contains no tokens, no webhook secrets or URL, and no random seed', async () => {
  const sim = await startControlServerForTest({ randomSeed: 'a-random-seed' });
  const { callControl, tokens, file, account } = await exportSampleAccount(sim);
  await callControl('POST', '/webhook-secret/rotate');
  const text = JSON.stringify(file);
  const { record, tokens: storedTokens } = findAccount(sim, account);
  const tokenHashes = storedTokens.rows.map(({ hash }) => hash);
  expect(tokenHashes).toHaveLength(3);
  // The rotation has retired the secret that was in use when the file was exported.
  const secrets = [...Object.values(tokens), ...tokenHashes, record.retired_secret, record.random_seed];
  for (const secret of secrets) expect(text).not.toContain(secret ?? expect.unreachable());
  expect(file.tables.account).toMatchObject([{ webhook_url: null, webhook_secret: '', random_seed: '' }]);
});

test('an account keeps its tokens, webhook settings and random seed when it is restored from a file', async () => {
  const [source, target] = [
    await startControlServerForTest(),
    await startControlServerForTest({ randomSeed: 'of-the-target' }),
  ];
  const { file } = await exportSampleAccount(source);
  const other = await openAccount(target, { seed: 'empty', webhook_url: 'http://127.0.0.1:9/target' });
  const readRecord = () => findAccount(target, other.account).record;
  const recordBefore = readRecord();
  await other.callControl('POST', '/snapshots/import', { file });
  await other.callControl('POST', '/snapshots/bug/restore');
  const { webhook_url, webhook_secret, random_seed, has_chosen_seed, id } = recordBefore;
  expect(readRecord()).toMatchObject({ webhook_url, webhook_secret, random_seed, has_chosen_seed, id });
  expect(await other.callControl('GET', '/tokens')).toMatchObject({ total: 3 });
});

test('an account that is restored from a file of a temporary account is not temporary', async () => {
  const sim = await startControlServerForTest();
  const { file } = await exportSampleAccount(sim);
  const { account, callControl } = await openAccount(sim, { seed: 'empty' });
  const [record] = file.tables.account;
  await callControl('POST', '/snapshots/import', {
    file: { ...file, tables: { ...file.tables, account: [{ ...record, is_temporary: true }] } },
  });
  await callControl('POST', '/snapshots/bug/restore');
  expect(findAccount(sim, account).deposits.rows).not.toEqual([]);
  expect(findAccount(sim, account).record).not.toHaveProperty('is_temporary');
});

/** A row of a scenario whose only step adds a fault. */
function scenarioWithFault(changes: object) {
  const fault = { effects: [{ name: 'reset' }], match: {}, times: null, until: null, for: null, ...changes };
  const step = { after: 0, do: 'fault', with: {}, fault };
  return { name: 'failing', description: '', for: 'deposit', steps: [step] };
}

describe('an import is refused with an error that names the invalid part of the file:', () => {
  type SnapshotFile = Record<string, unknown> & { tables: Record<string, Record<string, unknown>[]> };
  /** Returns a function that changes the first row of a table in a file. */
  const withChangedRow =
    (table: string, changes: object) =>
    (file: SnapshotFile): SnapshotFile => {
      const [first, ...others] = file.tables[table] ?? [];
      return { ...file, tables: { ...file.tables, [table]: [{ ...first, ...changes }, ...others] } };
    };
  test.each<[string, (file: SnapshotFile) => unknown, string | RegExp]>([
    ['another format', (file) => ({ ...file, format: 'zip' }), /format must be billing-sim-snapshot/],
    [
      'a newer version',
      (file) => ({ ...file, version: 2, written_by: '9.1.0' }),
      'version 2 was written by a newer billing-sim (9.1.0); this billing-sim reads only version 1; update billing-sim to import the file',
    ],
    ['no version', (file) => ({ ...file, version: undefined }), 'version must be 1'],
    ['no version of billing-sim', (file) => ({ ...file, written_by: null }), 'written_by must be a string'],
    ['a name with a path', (file) => ({ ...file, name: '../x' }), /^name must have/],
    [
      'a time that no clock can show',
      (file) => ({ ...file, created_at: '9999-12-31T23:59:59.999Z' }),
      /^created_at must be/,
    ],
    ['an invalid time', (file) => ({ ...file, created_at: '2026-99-01T00:00:00.000Z' }), /^created_at must be/],
    [
      'a day that does not exist',
      (file) => ({ ...file, created_at: '2026-02-30T00:00:00.000Z' }),
      /^created_at must be/,
    ],
    ['no tables', (file) => ({ ...file, tables: undefined }), 'tables must be an object'],
    [
      'an amount that is a string',
      (file) => ({
        ...file,
        tables: { ...file.tables, invoices: [{ ...file.tables['invoices']?.[0], paid_amount: 'one' }] },
      }),
      'tables.invoices[0].paid_amount must be number',
    ],
    [
      'two rows of another type',
      (file) => ({ ...file, tables: { ...file.tables, invoices: ['one', 'two'] } }),
      'tables.invoices[0] must be object (and 1 more)',
    ],
    [
      'no row for the origin',
      (file) => ({ ...file, tables: { ...file.tables, origin: [] } }),
      'tables.origin must have exactly one row',
    ],
    [
      'an amount that cannot be added up',
      (file) => ({
        ...file,
        tables: { ...file.tables, invoices: [{ ...file.tables['invoices']?.[0], paid_amount: 1e308 }] },
      }),
      'tables.invoices[0].paid_amount must be <= 1000000000000000000',
    ],
    [
      'an unknown table',
      (file) => ({ ...file, tables: { ...file.tables, gnus: [] } }),
      'tables.gnus is not a known table',
    ],
    [
      'a table of tokens',
      (file) => ({ ...file, tables: { ...file.tables, tokens: [] } }),
      'tables.tokens is not allowed in a snapshot file',
    ],
    [
      'no row for the account',
      (file) => ({ ...file, tables: { ...file.tables, account: [] } }),
      'tables.account must have exactly one row',
    ],
    [
      'an unknown time zone',
      (file) => ({
        ...file,
        tables: { ...file.tables, account: [{ ...file.tables['account']?.[0], time_zone: 'Mars/Base' }] },
      }),
      'tables.account[0].time_zone must be a known time zone',
    ],
    [
      'a check-in on a date that does not exist',
      (file) => ({
        ...file,
        tables: { ...file.tables, deposits: [{ ...file.tables['deposits']?.[0], check_in_date: '2026-02-31' }] },
      }),
      'tables.deposits[0].check_in_date must be a date that exists',
    ],
    [
      'an unknown choice',
      (file) => ({
        ...file,
        tables: {
          ...file.tables,
          account: [{ ...file.tables['account']?.[0], profile: { 'list.order': 'sideways' } }],
        },
      }),
      /list\.order/,
    ],
    [
      'two rows with the same id',
      (file) => ({
        ...file,
        tables: { ...file.tables, customers: [...(file.tables['customers'] ?? []), file.tables['customers']?.[0]] },
      }),
      'tables.customers has two rows with the id 1',
    ],
    [
      'a fault that ends at an invalid time',
      (file) => ({
        ...file,
        tables: { ...file.tables, faults: [{ ...file.tables['faults']?.[0], until: 'tomorrow' }] },
      }),
      /^tables\.faults\[0\]\.until must match pattern/,
    ],
    [
      'a scenario with a fault that ends at an invalid time',
      (file) => ({
        ...file,
        tables: { ...file.tables, scenarios: [scenarioWithFault({ until: '2026-02-01' })] },
      }),
      /^tables\.scenarios\[0\]\.steps\[0\]\.fault\.until must match pattern/,
    ],
    [
      'a fault without a required option of its effect',
      (file) => ({
        ...file,
        tables: { ...file.tables, faults: [{ ...file.tables['faults']?.[0], effects: [{ name: 'latency' }] }] },
      }),
      'tables.faults[0].effects: latency: `min` is missing',
    ],
    [
      'a scenario whose second step adds a fault with an invalid option',
      (file) => {
        const scenario = scenarioWithFault({ effects: [{ name: 'maintenance', for: 'x' }] });
        const steps = [{ after: 0, do: 'cancel', with: {} }, ...scenario.steps];
        return { ...file, tables: { ...file.tables, scenarios: [{ ...scenario, steps }] } };
      },
      /^tables\.scenarios\[0\]\.steps\[1\]\.fault\.effects: maintenance\.for: /,
    ],
    [
      'a delivery with an invalid option of an effect',
      (file) => {
        const faults = [{ id: 1, effects: [{ name: 'stale' }, { name: 'duplicate', count: 'many' }] }];
        return {
          ...file,
          tables: { ...file.tables, deliveries: [{ ...file.tables['deliveries']?.[0], faults }] },
        };
      },
      /^tables\.deliveries\[0\]\.faults\[0\]\.effects: duplicate\.count: /,
    ],
    [
      'a reference to a missing row',
      (file) => ({ ...file, tables: { ...file.tables, customers: [] } }),
      /^tables\.invoices: row \d+ refers to customer \d+, which does not exist$/,
    ],
    [
      'a payment of a missing invoice',
      withChangedRow('payments', { invoice_id: 999 }),
      /^tables\.payments: row \d+ refers to invoice 999, which does not exist$/,
    ],
    [
      'a payment of a missing payment link',
      withChangedRow('payments', { payment_link_id: 999 }),
      /^tables\.payments: row \d+ refers to payment link 999, which does not exist$/,
    ],
    [
      'a delivery that overtakes a missing one',
      withChangedRow('deliveries', { overtakes: ['evt_missing'] }),
      /^tables\.deliveries: row \S+ refers to delivery evt_missing, which does not exist$/,
    ],
  ])('%s', async (_description, damage, message) => {
    const sim = await startControlServerForTest();
    const { account, file } = await exportSampleAccount(sim);
    const { status, body } = await sim.callControl('POST', `/accounts/${account}/snapshots/import`, {
      name: 'damaged',
      file: damage(file),
    });
    expect([status, Object(body).errors]).toEqual([
      422,
      { file: [typeof message === 'string' ? message : expect.stringMatching(message)] },
    ]);
    expect(await sim.callControl('GET', `/accounts/${account}/snapshots/damaged`)).toMatchObject({ status: 404 });
  });
});

test('the example in the OpenAPI document can be imported and restored', async () => {
  const sim = await startControlServerForTest();
  const { callControl } = await openAccount(sim);
  const request = controlDocument.components?.requestBodies?.['SnapshotImport'];
  const [example] =
    request && 'content' in request ? Object.values(request.content['application/json']?.examples ?? {}) : [];
  expect(await callControl('POST', '/snapshots/import', Object(example).value)).toMatchObject({
    name: 'from-a-colleague',
  });
  expect(await callControl('POST', '/snapshots/from-a-colleague/restore')).toMatchObject({
    now: '2026-03-07T09:00:00.000Z',
  });
});
