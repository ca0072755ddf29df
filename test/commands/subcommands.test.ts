import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { createDeposit } from '../library/create-deposit.js';
import { type CommandResult, runCliWith } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';
import { openRawReceiver, openReceiver } from '../webhooks/receiver.js';

/** Subcommands that talk to a running simulator. Each test has its own account. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Runs a subcommand for an account. */
function runFor(account: SimulatorAccount, ...args: string[]): Promise<CommandResult> {
  return runCliWith({ BILLING_SIM_URL: sim.url, BILLING_SIM_ACCOUNT: account.id }, ...args);
}

/** Runs a subcommand that succeeds, and returns its text output. */
async function readText(account: SimulatorAccount, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runFor(account, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd();
}

/** Runs a subcommand that succeeds with --json, and returns its output, which is one line of JSON. */
async function readJson(account: SimulatorAccount, ...args: string[]) {
  const text = await readText(account, ...args, '--json');
  expect(text).not.toContain('\n');
  return JSON.parse(text);
}

/** Runs a subcommand that fails, and returns its error message. */
async function readError(account: SimulatorAccount, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runFor(account, ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr.trimEnd();
}

const createDemoAccount = (): Promise<SimulatorAccount> => sim.createAccount({ seed: 'demo' });
/** A URL at which nothing listens. */
const unreachableUrl = 'http://127.0.0.1:1/';

describe('snapshot files', () => {
  test('can be exported, and imported into another account', async () => {
    const [account, other] = [await createDemoAccount(), await sim.createAccount()];
    const file = join(tempFolder(), 'bug.json');
    await account.snapshots.save('bug');
    expect(await readText(account, 'snapshot', 'export', 'bug', '--output', file)).toBe(
      `Snapshot bug of 2026-03-01 09:00:00 exported to ${file}`,
    );
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await account.snapshots.export('bug'));
    expect(await readJson(other, 'snapshot', 'import', file)).toEqual({
      name: 'bug',
      created_at: '2026-03-01T09:00:00.000Z',
    });
    expect(await readText(other, 'snapshot', 'import', file, '--name', 'theirs')).toBe(
      `Snapshot theirs of 2026-03-01 09:00:00 imported; restore it with billing-sim snapshot restore theirs --account ${other.id}`,
    );
    await other.snapshots.restore('theirs');
    expect(await other.agenda()).toEqual(await account.agenda());
  });

  test('can begin with a byte order mark', async () => {
    const account = await createDemoAccount();
    await account.snapshots.save('bug');
    const file = join(tempFolder(), 'bug.json');
    writeFileSync(file, `\uFEFF${JSON.stringify(await account.snapshots.export('bug'))}`);
    expect(await readJson(account, 'snapshot', 'import', file, '--name', 'edited')).toMatchObject({ name: 'edited' });
  });

  test('that cannot be read, are damaged or have a newer version are refused', async () => {
    const account = await createDemoAccount();
    const folder = tempFolder();
    const file = join(folder, 'file.json');
    const importText = async (text: string): Promise<string> => {
      writeFileSync(file, text);
      return readError(account, 'snapshot', 'import', file);
    };
    expect(await importText('{"format":"billing-sim-snapshot","version":2,"written_by":"9.0.0"}')).toContain(
      `error: ${file}: version 2 was written by a newer billing-sim (9.0.0); this billing-sim reads only version 1; update billing-sim to import the file`,
    );
    await account.snapshots.save('bug');
    const exported = JSON.stringify(await account.snapshots.export('bug'));
    expect(await importText(exported.replace(/"paid_amount":[\d.]+/, '"paid_amount":"x"'))).toContain(
      `error: ${file}: tables.invoices[0].paid_amount must be number`,
    );
    expect(await importText('PK')).toContain(`cannot read ${file}: `);
    expect(await importText('[]')).toContain(`cannot read ${file}: it must be a JSON object`);
    // The redirection of Windows PowerShell writes UTF-16.
    writeFileSync(file, `\uFEFF${exported}`, 'utf16le');
    expect(await readError(account, 'snapshot', 'import', file)).toContain(
      `cannot read ${file}: the file is not UTF-8`,
    );
    expect(await readError(account, 'snapshot', 'import', join(folder, 'none'))).toContain(
      'no such file; check the path',
    );
    expect(await readError(account, 'snapshot', 'export', 'bug', '--output', folder)).toContain('cannot write');
    expect(await readError(account, 'snapshot', 'export', 'none', '--output', file)).toContain('Snapshot not found');
  });
});

describe('clock', () => {
  test('can be shown, frozen and resumed', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'clock')).toBe('2026-03-01 09:00:00 (frozen)');
    expect(await readText(account, 'clock', 'resume')).toMatch(/^2026-03-01 09:0\d:\d\d \(running\)$/);
    expect(await readJson(account, 'clock', 'freeze')).toEqual(await account.clock.show());
  });

  test('advance prints the transitions, events and attempts, and their totals', async () => {
    const account = await createDemoAccount();
    await account.webhooks.configure({ url: unreachableUrl });
    const lines = (await readText(account, 'clock', 'advance', '3d 5s')).split('\n');
    expect(lines).toEqual([
      '2026-03-04 09:00:00  deposit 3                                     partially_captured → expired (expire)',
      expect.stringMatching(/^2026-03-04 09:00:00 {2}deposit\.expired evt_\w{24} {2}for deposit 3$/),
      expect.stringMatching(/ {2}→ connection refused on attempt 1, retry at 2026-03-04 09:00:05$/),
      expect.stringMatching(
        /^2026-03-04 09:00:05 .* {2}→ connection refused on attempt 2, retry at 2026-03-04 09:05:05$/,
      ),
      '',
      '3 d 5 s from 2026-03-01 09:00:00 to 2026-03-04 09:00:05: 1 transition, 1 event, 2 attempts (2 failed), 0 emails',
    ]);
  });

  test('advance --json prints the report', async () => {
    const account = await createDemoAccount();
    expect(await readJson(account, 'clock', 'advance', 'P3D')).toEqual({
      from: '2026-03-01T09:00:00.000Z',
      to: '2026-03-04T09:00:00.000Z',
      steps: [expect.objectContaining({ kind: 'transition' }), expect.objectContaining({ kind: 'event', sent: false })],
      in_progress: [],
    });
  });

  test('advance waits for receivers up to --timeout', async () => {
    const account = await createDemoAccount();
    const { url } = await openRawReceiver(() => undefined);
    await account.webhooks.configure({ url });
    const report = await readJson(account, 'clock', 'advance', '3d', '--timeout', '100ms');
    expect(report.in_progress).toEqual([expect.stringMatching(/^evt_/)]);
  });

  test('set with a date advances the clock to midnight UTC of that date', async () => {
    const account = await createDemoAccount();
    expect(await readJson(account, 'clock', 'set', '2026-03-02')).toMatchObject({ to: '2026-03-02T00:00:00.000Z' });
  });

  test('set advances the clock to a time, and refuses an earlier time', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'clock', 'set', '2026-03-01T11:30:00+01:00')).toBe(
      '1 h 30 min from 2026-03-01 09:00:00 to 2026-03-01 10:30:00: 0 transitions, 0 events, 0 attempts, 0 emails',
    );
    expect(await readError(account, 'clock', 'set', '2026-03-01T09:00:00Z')).toBe(
      'error: The clock cannot be set back; the clock shows 2026-03-01T10:30:00.000Z and only moves forward; restore a snapshot to go back',
    );
  });
});

describe('agenda', () => {
  test('lists the items that fall due next, with their times', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'agenda', '--limit', '2')).toBe(
      [
        '2026-03-04 09:00:00  in 3 d  deposit 3 expires',
        '2026-03-06 09:00:00  in 5 d  deposit 2 expires',
        '… and 4 more; raise --limit to see them',
      ].join('\n'),
    );
    expect(await readJson(account, 'agenda')).toMatchObject({
      now: '2026-03-01T09:00:00.000Z',
      total: 6,
      in_progress: [],
    });
  });

  test('lists retries, scenario steps, keys and invoices that fall due', async () => {
    const account = await createDemoAccount();
    await account.webhooks.configure({ url: unreachableUrl });
    await account.scenarios.run('no-show', 1);
    await fetch(`${sim.baseUrl}/deposits`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${account.tokens.full}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'booking-1',
      },
      body: JSON.stringify({ booking_reference: 'BK-1', amount: 300 }),
    });
    await expect.poll(async () => (await account.webhooks.all())[0]?.attempts.length).toBe(1);
    const text = await readText(account, 'agenda');
    expect(text).toMatch(/09:00:05 {2}in 5 s +webhook evt_\w{24} is sent$/m);
    expect(text).toMatch(/in 2 min +scenario run 1 continues$/m);
    expect(text).toMatch(/in 1 d +the Idempotency-Key of .*booking-1 expires$/m);
    expect(text).toMatch(/invoice 3 becomes overdue$/m);
  });

  test('says that nothing is due', async () => {
    expect(await readText(await sim.createAccount(), 'agenda')).toBe('Nothing is scheduled.');
  });

  test('names the webhooks that are being sent', async () => {
    // The receiver never responds.
    const receiver = await openReceiver(() => undefined);
    const account = await sim.createAccount({ webhookUrl: receiver.url });
    await account.trigger('deposit.created');
    const [webhook] = await account.webhooks.all();
    expect(await readText(account, 'agenda')).toBe(`Nothing is scheduled.\nIn progress: ${webhook?.id}`);
  });
});

describe('deliveries', () => {
  test('can be listed, shown and resent', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'deliveries')).toBe('No deliveries.');
    await account.webhooks.configure({ url: unreachableUrl });
    await account.trigger('deposit.failed');
    await expect
      .poll(async () => (await account.webhooks.all()).map(({ attempts }) => attempts.length))
      .toEqual([1, 1]);
    const [created, failed] = await account.webhooks.all();

    expect((await readText(account, 'deliveries', 'list')).split('\n')).toEqual([
      `2026-03-01 09:00:00  ${failed?.id}  deposit.failed   deposit 8  retrying  1 attempt  next at 2026-03-01 09:00:05`,
      `2026-03-01 09:00:00  ${created?.id}  deposit.created  deposit 8  retrying  1 attempt  next at 2026-03-01 09:00:05`,
    ]);
    expect(await readText(account, 'deliveries', '--limit', '1')).toContain('… and 1 more; raise --limit to see them');
    expect(
      await readJson(account, 'deliveries', 'list', '--event', 'deposit.failed', '--status', 'retrying'),
    ).toMatchObject({
      total: 1,
      data: [{ id: failed?.id, attempts: 1 }],
    });
    expect(await readText(account, 'deliveries', 'list', '--status', 'delivered')).toBe('No deliveries.');

    const id = created?.id ?? '';
    expect(await runFor(account, 'deliveries', 'resend', id)).toEqual({
      code: 1,
      stdout: `deposit.created ${id}  → connection refused on attempt 2, retry at 2026-03-01 09:00:05\n`,
      stderr: '',
    });
    const details = await readText(account, 'deliveries', 'show', id);
    expect(details.split('\n\n')).toEqual([
      [
        `id       ${id}`,
        'event    deposit.created',
        'record   deposit 8',
        'created  2026-03-01 09:00:00',
        'status   retrying',
        `to       ${unreachableUrl}`,
      ].join('\n'),
      expect.stringMatching(/attempt 1, retry at 2026-03-01 09:00:05 {2}\d+ ms\n.* {2}\d+ ms {2,}manual$/),
      created?.body,
    ]);
    expect(await readJson(account, 'deliveries', 'show', id)).toMatchObject({
      id,
      body: created?.body,
      attempts: [{}, {}],
    });
  });

  test('of which nothing more will be sent have no next attempt', async () => {
    const receiver = await openReceiver();
    const account = await sim.createAccount();
    await account.trigger('deposit.created');
    const [unsent] = await account.webhooks.all();
    await account.webhooks.configure({ url: receiver.url });
    await account.deposits.authorize(1);
    await account.webhooks.settled();
    const delivered = (await account.webhooks.all()).find(({ event }) => event === 'deposit.authorized');
    expect((await readText(account, 'deliveries', 'list')).split('\n')).toEqual([
      `2026-03-01 09:00:00  ${delivered?.id}  deposit.authorized  deposit 1  delivered  1 attempt`,
      `2026-03-01 09:00:00  ${unsent?.id}  deposit.created     deposit 1  unsent     0 attempts`,
    ]);
    expect((await readText(account, 'deliveries', 'show', unsent?.id ?? '')).split('\n\n')).toEqual([
      expect.stringMatching(/\nstatus +unsent\nto +no webhook URL was set$/),
      unsent?.body,
    ]);
  });

  test('show where an attempt was sent if the webhook URL has changed since the event', async () => {
    const account = await sim.createAccount();
    await account.trigger('deposit.created');
    const [unsent] = await account.webhooks.all();
    const id = unsent?.id ?? '';
    const receiver = await openReceiver();
    await account.webhooks.configure({ url: receiver.url });
    await account.webhooks.resend(id);
    const [head, attempt] = (await readText(account, 'deliveries', 'show', id)).split('\n\n');
    expect(head).toMatch(/\nstatus +delivered\nto +no webhook URL was set$/);
    expect(attempt).toMatch(new RegExp(`manual +to ${receiver.url}`));
  });

  test('show the first 80 characters of a response, without half an emoji', async () => {
    const account = await createDemoAccount();
    const receiver = await openReceiver((_request, response) => void response.end(`${'x'.repeat(79)}😀 and more`));
    await account.webhooks.configure({ url: receiver.url });
    await account.trigger('deposit.created');
    await account.webhooks.settled();
    const [{ id } = { id: '' }] = await account.webhooks.all();
    expect(await readText(account, 'deliveries', 'show', id)).toMatch(/ {2}x{79}…\n/);
  });

  test('show the faults that were applied to them, and why others were not', async () => {
    const account = await createDemoAccount();
    await account.webhooks.configure({ url: unreachableUrl });
    await account.faults.add({ effect: 'duplicate,tamper-body,stale' });
    await account.trigger('deposit.created');
    await expect.poll(async () => (await account.webhooks.all())[0]?.attempts.length).toBe(2);
    const [{ id, faults, attempts } = { id: '' }] = await account.webhooks.all();
    expect({ faults, appliedFaults: attempts?.map(({ by, applied_faults }) => [by, ...applied_faults]) }).toEqual({
      faults: ['duplicate', 'tamper-body', 'stale'],
      appliedFaults: [['schedule'], ['fault', 'duplicate', 'tamper-body']],
    });
    expect(await readText(account, 'deliveries')).toBe(
      `2026-03-01 09:00:00  ${id}  deposit.created  deposit 8  retrying  2 attempts  next at 2026-03-01 09:00:05  faults: duplicate, tamper-body, stale`,
    );
    const [summary = '', attemptLines = ''] = (await readText(account, 'deliveries', 'show', id)).split('\n\n');
    expect(summary.split('\n').at(-1)).toBe('faults   duplicate, tamper-body, stale');
    expect(attemptLines.split('\n')).toEqual([
      expect.stringMatching(/on attempt 1, retry at .* {2}stale skipped: no message has been delivered before$/),
      expect.stringMatching(/on attempt 2 \(duplicate, tamper-body\), retry at .* ms +by a fault$/),
    ]);
  });
});

describe('trigger', () => {
  test('triggers an event on a new record, or on the record that a flag names', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'trigger', 'deposit.captured')).toMatch(
      /^deposit\.captured for deposit 8\n {2}evt_\w+\n {2}evt_\w+\n {2}evt_\w+$/,
    );
    expect(await readJson(account, 'trigger', 'deposit.captured', '--deposit', '2')).toEqual({
      subject: { resource: 'deposit', id: 2 },
      deliveries: [expect.stringMatching(/^evt_/)],
    });
    expect(await readJson(account, 'trigger', 'payment.succeeded', '--payment-link', '1')).toMatchObject({
      subject: { resource: 'payment' },
    });
  });
});

describe('scenario', () => {
  test('can be listed, run and cancelled', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'scenario')).toContain(
      '\nno-show                       deposit  2 steps  The guest authorizes and never arrives',
    );
    expect(await readText(account, 'scenario', 'run', 'no-show', '--deposit', '1')).toBe(
      'run 1  no-show on deposit 1  running  0 of 2 steps  next step at 2026-03-01 09:02:00',
    );
    expect(await readText(account, 'scenario', 'list')).toMatch(
      /\n\n2026-03-01 09:00:00 {2}run 1 {2}no-show on deposit 1 {2}running {2}0 of 2 steps {2}next step at 2026-03-01 09:02:00$/,
    );
    expect(await readJson(account, 'scenario', 'cancel', '1')).toMatchObject({
      id: 1,
      status: 'cancelled',
      completed_steps: 0,
    });
    expect(await readError(account, 'scenario', 'cancel', '1')).toBe(
      'error: The run has ended; its status is cancelled',
    );
  });

  test('in a file is added to the account and run', async () => {
    const account = await createDemoAccount();
    const path = join(tempFolder(), 'late.yaml');
    writeFileSync(
      path,
      [
        'name: late',
        'description: Viewed and then paid.',
        'for: invoice',
        'steps:',
        '  - { after: 1h, do: view }',
        '  - { after: P2D, do: pay, with: { amount: 10.5 } }',
        '  - { do: fault, with: { effect: receiver-fails, times: 2 } }',
      ].join('\n'),
    );
    expect(await readText(account, 'scenario', 'run', path, '--invoice', '2')).toBe(
      'run 1  late on invoice 2  running  0 of 3 steps  next step at 2026-03-01 10:00:00',
    );
    const {
      scenarios: { data: scenarios },
    } = await readJson(account, 'scenario', 'list');
    expect(scenarios.find(({ name }: { name: string }) => name === 'late')).toMatchObject({
      own: true,
      steps: [
        { after: 3_600_000, do: 'view' },
        { after: 172_800_000, do: 'pay', with: { amount: 10.5 } },
        { after: 0, do: 'fault', with: { effect: 'receiver-fails', times: 2 } },
      ],
    });
    expect(await readJson(account, 'scenario', 'run', 'late', '--invoice', '3')).toMatchObject({
      id: 2,
      scenario: 'late',
    });
  });

  test('in a file is not added if the record is of another kind', async () => {
    const account = await createDemoAccount();
    const path = './fixtures/scenarios/no-show.yaml';
    expect(await readError(account, 'scenario', 'run', path, '--invoice', '2', '--json')).toBe(
      JSON.stringify({
        error: { code: 'usage', message: 'the scenario no-show runs on one deposit; give only --deposit ID' },
      }),
    );
    const { scenarios } = await readJson(account, 'scenario', 'list');
    expect(scenarios.data.find(({ name }: { name: string }) => name === 'no-show')).toMatchObject({ own: false });
  });

  test('in a file is not added if the record does not exist', async () => {
    const account = await createDemoAccount();
    const path = './fixtures/scenarios/no-show.yaml';
    expect(await readError(account, 'scenario', 'run', path, '--deposit', '99')).toBe(
      `error: Deposit not found; list the deposits with billing-sim deposit list --account ${account.id}`,
    );
    const { scenarios } = await readJson(account, 'scenario', 'list');
    expect(scenarios.data.find(({ name }: { name: string }) => name === 'no-show')).toMatchObject({ own: false });
  });

  test('that is built in can be run by its name or by the path of its file, with the same result', async () => {
    const account = await createDemoAccount();
    const path = './fixtures/scenarios/partial-capture-then-release.yaml';
    const [byName, fromFile] = await Promise.all([
      readJson(account, 'scenario', 'run', 'partial-capture-then-release', '--deposit', '1'),
      readJson(account, 'scenario', 'run', path, '--deposit', '1'),
    ]);
    expect({ ...fromFile, id: 0 }).toEqual({ ...byName, id: 0 });
  });

  test.each([
    [['nono', '--deposit', '1'], 'unknown scenario `nono`; available: `authorize-then-expire`,'],
    [['no-show', '--invoice', '1'], 'the scenario no-show runs on one deposit; give only --deposit ID'],
    [['no-show', '--deposit', '99'], 'Deposit not found; list the deposits with billing-sim deposit list'],
    [['./package.json', '--deposit', '1'], './package.json:3: unknown key `version`'],
  ])('run %j is refused', async (args, problem) => {
    const message = await readError(await createDemoAccount(), 'scenario', 'run', ...args);
    expect(message).toContain(`error: ${problem}`);
    expect(message).not.toContain('\n');
  });
});

describe('deliveries resend', () => {
  test.each([
    [204, 0],
    [500, 1],
  ])('to a receiver that responds with %i ends with exit code %i', async (status, code) => {
    const account = await createDemoAccount();
    await account.trigger('deposit.created');
    const [message] = await account.webhooks.all();
    const receiver = await openReceiver((_request, response) => void response.writeHead(status).end());
    await account.webhooks.configure({ url: receiver.url });
    const stdout = expect.stringContaining(`→ ${status} on attempt 1`);
    expect(await runFor(account, 'deliveries', 'resend', String(message?.id))).toEqual({ code, stdout, stderr: '' });
  });

  test('without a webhook URL is refused, with the command that sets one', async () => {
    const account = await createDemoAccount();
    await account.trigger('deposit.created');
    const [message] = await account.webhooks.all();
    expect(await readError(account, 'deliveries', 'resend', String(message?.id))).toBe(
      `error: No webhook URL is set; set one with billing-sim settings set --webhook-url URL --account ${account.id}`,
    );
  });
});

describe('`list` of commands about records', () => {
  test.each([
    ['deposit', ['--status', 'authorized'], 'deposit 2  450.00 EUR  authorized'],
    ['invoice', ['--status', 'partial'], 'invoice 6  600.00 EUR  partial  DEMO-0006'],
    ['payment', ['--status', 'failed'], 'payment 2  149.90 EUR  failed  card  Consulting March'],
    ['payment-link', ['--limit', '1'], "payment link 2  60.00 EUR  Atelier d'été"],
  ])('%s %j', async (command, options, line) => {
    expect(await readText(await createDemoAccount(), command, 'list', ...options)).toMatch(line);
    expect(await readText(await sim.createAccount(), command)).toBe(`No ${command.replace('-', ' ')}s.`);
  });

  test('shows what the profile leaves of a record, and still filters by status', async () => {
    const profile = { 'deposit.fields': { fields: ['id'] } };
    const account = await sim.createAccount({ seed: 'demo', profile });
    expect(await readText(account, 'deposit', 'list', '--status', 'expired')).toBe('deposit 6');
  });
});

describe('`show` of commands about records', () => {
  test.each([
    ['deposit', 'deposits'],
    ['invoice', 'invoices'],
    ['payment', 'payments'],
    ['payment-link', 'paymentLinks'],
  ] as const)('%s prints the record, as indented JSON for people', async (command, records) => {
    const account = await createDemoAccount();
    const record = await account[records].get(2);
    expect(await readText(account, command, 'show', '2')).toBe(JSON.stringify(record, null, 2));
    expect(await readJson(account, command, 'show', '2')).toEqual(record);
  });

  test('prints no control characters', async () => {
    const account = await createDemoAccount();
    const id = await createDeposit(account, { note: '\u009b31mred' });
    expect(await readText(account, 'deposit', 'show', String(id))).toContain('"note": "�31mred"');
  });

  test('of an unknown id says how to list the records', async () => {
    const account = await createDemoAccount();
    expect(await readError(account, 'payment-link', 'show', '99')).toBe(
      `error: Payment link not found; list the payment links with billing-sim payment-link list --account ${account.id}`,
    );
  });
});

describe('commands that act for guests and customers:', () => {
  test('`deposit` authorizes, expires and declines a deposit', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'deposit', 'authorize', '1')).toBe('deposit 1 is authorized');
    expect(await readText(account, 'deposit', 'expire', '1')).toBe('deposit 1 is expired');
    expect(await readError(account, 'deposit', 'decline', '1')).toBe(
      "error: The current status does not allow this; the deposit's status is expired, which is final",
    );
    expect(await readJson(account, 'trigger', 'deposit.created')).toMatchObject({ subject: { id: 8 } });
    expect(await readJson(account, 'deposit', 'decline', '8')).toMatchObject({ deposit: { id: 8, status: 'failed' } });
    const withoutStatus = await sim.createAccount({ seed: 'demo', profile: { 'deposit.fields': { fields: ['id'] } } });
    expect(await readText(withoutStatus, 'deposit', 'authorize', '1')).toBe('deposit 1 changed');
  });

  test('`payment-link pay` pays a link, with an outcome and a method if they are given', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'payment-link', 'pay', '1')).toBe('payment 9 is paid');
    expect(
      await readJson(account, 'payment-link', 'pay', '1', '--outcome', 'failed', '--method', 'ideal'),
    ).toMatchObject({
      payment: { id: 10, status: 'failed', payment_method: 'ideal' },
    });
  });

  test('`payment-link pay --outcome pending` says how to complete the payment', async () => {
    const account = await createDemoAccount();
    const option = `--account ${account.id}`;
    expect(await readText(account, 'payment-link', 'pay', '1', '--outcome', 'pending')).toBe(
      `payment 9 is pending; complete it with billing-sim payment succeed 9 ${option} or billing-sim payment fail 9 ${option}`,
    );
  });

  test('`payment` makes payments that are pending or open succeed and fail, and refuses others', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'payment', 'succeed', '3')).toBe('payment 3 is paid');
    expect(await readJson(account, 'payment', 'fail', '4')).toMatchObject({ payment: { id: 4, status: 'failed' } });
    expect(await readError(account, 'payment', 'fail', '3')).toBe(
      "error: The current status does not allow this; the payment's status is paid, which is final",
    );
    expect(await readError(account, 'payment', 'succeed', '99')).toBe(
      `error: Payment not found; list the payments with billing-sim payment list --account ${account.id}`,
    );
  });

  test('`invoice` finalizes a draft, pays another invoice in part, and cancels a third', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'invoice', 'finalize', '1')).toBe('invoice 1 is pending');
    expect(await readText(account, 'invoice', 'pay', '2', '--amount', '10.50')).toBe(
      'payment 9 is paid; invoice 2 is partial',
    );
    expect(await readJson(account, 'invoice', 'cancel', '3')).toMatchObject({
      invoice: { id: 3, status: 'cancelled' },
    });
  });
});

describe('mails', () => {
  test('can be listed and shown', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'mails')).toBe('No emails.');
    await fetch(`${sim.baseUrl}/invoices/3/reminder`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${account.tokens.full}` },
    });
    const [mail] = await account.mails.all();
    expect(await readText(account, 'mails', 'list')).toBe(
      `2026-03-01 09:00:00  email 1  ${mail?.to}  ${mail?.subject}  stored`,
    );
    const details = await readText(account, 'mails', 'show', '1');
    expect(details).toContain(
      `subject  ${mail?.subject}\ncreated  2026-03-01 09:00:00\nstatus   stored\n\n${mail?.text.trimEnd()}`,
    );
    expect(await readJson(account, 'mails', 'show', '1')).toMatchObject({ id: 1, html: mail?.html });
  });
});

describe('snapshot and reset', () => {
  test('restore an account to an earlier state', async () => {
    const account = await createDemoAccount();
    expect(await readText(account, 'snapshot')).toBe('No snapshots.');
    expect(await readText(account, 'snapshot', 'save', 'before')).toBe('Snapshot before saved at 2026-03-01 09:00:00');
    expect(await readText(account, 'snapshot', 'list')).toBe('before  2026-03-01 09:00:00');
    await account.clock.advance('8d');
    expect(await readText(account, 'snapshot', 'restore', 'before')).toBe(
      `Account ${account.id} restored from before; its clock shows 2026-03-01 09:00:00`,
    );
    expect(await readJson(account, 'snapshot', 'remove', 'before')).toMatchObject({ name: 'before' });
    expect(await readError(account, 'snapshot', 'restore', 'before')).toBe(
      `error: Snapshot not found; list the snapshots with billing-sim snapshot list --account ${account.id}`,
    );
    await account.clock.advance('8d');
    expect(await readText(account, 'reset')).toBe(`Account ${account.id} reset; its clock shows 2026-03-01 09:00:00`);
    expect(await readError(account, 'snapshot', 'save', 'Before Expiry')).toMatch(
      /invalid for argument 'name': expected 1 to 63 lowercase letters/,
    );
  });
});

describe('account', () => {
  test('can be created, listed and removed', async () => {
    const account = await sim.createAccount();
    expect(
      (
        await readText(account, 'account', 'create', 'hotel', '--now', '2026-05-01T00:00:00Z', '--random-seed', '1')
      ).split('\n'),
    ).toEqual([
      'account         hotel',
      `service         ${sim.baseUrl}`,
      expect.stringMatching(/^tokens {10}hotel_full_\w+ \(all scopes\)$/),
      expect.stringMatching(/^ {16}hotel_read_\w+ \(billing\.read\)$/),
      expect.stringMatching(/^ {16}hotel_write_\w+ \(billing\.write\)$/),
      expect.stringMatching(/^webhook secret {2}whsec_\w+$/),
    ]);
    expect(await readText(account, 'account')).toMatch(/^hotel +2026-05-01 00:00:00 {2}\(frozen\)$/m);
    expect(await readError(account, 'account', 'create', 'hotel')).toBe('error: Account already exists');
    expect(await readJson(account, 'account', 'remove', 'hotel')).toMatchObject({ id: 'hotel' });
    expect(await readError(account, 'account', 'remove', 'hotel')).toBe(
      'error: Account not found; list the accounts with billing-sim account list',
    );
  });

  test('can be created with a clock that is frozen at a date: at midnight UTC of that date', async () => {
    const account = await sim.createAccount();
    await readText(account, 'account', 'create', 'inn', '--now', '2026-05-01');
    expect(await readText(account, 'account')).toMatch(/^inn +2026-05-01 00:00:00 {2}\(frozen\)$/m);
    await readText(account, 'account', 'remove', 'inn');
  });

  test('can be created with a seed file, a webhook URL and no rate limit', async () => {
    const account = await sim.createAccount();
    const path = './fixtures/accounts/demo.json';
    const flags = ['--seed', path, '--rate-limit', 'off', '--webhook-url', unreachableUrl];
    const { id, tokens } = await readJson(account, 'account', 'create', ...flags);
    const response = await fetch(`${sim.baseUrl}/invoices`, { headers: { Authorization: `Bearer ${tokens.read}` } });
    expect(await response.json()).toMatchObject({ data: { total: 9 } });
    expect(await readJson(account, 'settings', '--account', id)).toMatchObject({
      rate_limit: false,
      webhook_url: unreachableUrl,
    });
  });

  test('is not created with a seed file whose records are larger than 1 MB', async () => {
    const account = await sim.createAccount();
    const seed = join(tempFolder(), 'seed.json');
    const deposit = {
      booking_reference: 'A'.repeat(60),
      amount: 300,
      check_in_date: '1d',
      check_out_date: '3d',
      status: 'pending',
      created: '-2h',
    };
    const deposits = Array.from({ length: 6_000 }, (_, index) => ({ id: index + 1, ...deposit }));
    writeFileSync(seed, JSON.stringify({ currency: 'EUR', time_zone: 'Europe/Berlin', deposits }));
    expect(await readError(account, 'account', 'create', '--seed', seed)).toBe(
      `error: ${seed}: the records are larger than 1 MB as JSON; remove some, or start a simulator with the file: billing-sim start --seed ${seed}`,
    );
  });

  test('can be created with a profile file, and a seed that only its profile accepts', async () => {
    const account = await sim.createAccount();
    const [profile, seed] = [join(tempFolder(), 'profile.yaml'), join(tempFolder(), 'seed.yaml')];
    writeFileSync(profile, 'decimal.encoding: string\namount.maximum: unbounded\n');
    writeFileSync(
      seed,
      'currency: EUR\ntime_zone: Europe/Berlin\ndeposits: [{ id: 1, booking_reference: A, amount: 1000000, check_in_date: 1d, check_out_date: 3d, status: pending, created: -2h }]\n',
    );
    expect(await readError(account, 'account', 'create', '--seed', seed)).toContain('deposits[0].amount');
    const { id, tokens } = await readJson(account, 'account', 'create', '--seed', seed, '--profile', profile);
    const response = await fetch(`${sim.baseUrl}/deposits/1`, { headers: { Authorization: `Bearer ${tokens.read}` } });
    expect(await response.json()).toMatchObject({ data: { amount: '1000000.00' } });
    expect(await readJson(account, 'settings', '--account', id)).toMatchObject({
      profile: { 'decimal.encoding': 'string', 'amount.maximum': 'unbounded' },
    });
  });

  test('is not created with a profile that has a misspelled gap', async () => {
    const profile = join(tempFolder(), 'profile.yaml');
    writeFileSync(profile, 'list.ordr: oldest-first\n');
    const account = await sim.createAccount();
    expect(await readError(account, 'account', 'create', 'lodge', '--profile', profile)).toBe(
      `error: ${profile}:1: unknown gap \`list.ordr\`; did you mean \`list.order\`?`,
    );
    expect(await readText(account, 'account')).not.toContain('lodge');
  });

  test('with a misspelled id is not found, and the most similar one is suggested', async () => {
    const account = await sim.createAccount();
    expect(await readError(account, 'clock', '--account', 'dmo')).toBe(
      'error: Account not found; did you mean `demo`?',
    );
  });
});

describe('token', () => {
  const sendRequest = async (token: string): Promise<number> => {
    const response = await fetch(`${sim.baseUrl}/invoices`, { headers: { Authorization: `Bearer ${token}` } });
    return response.status;
  };

  test('create prints a token with all scopes, which works until it is revoked', async () => {
    const account = await sim.createAccount({ id: 'tokens' });
    const [, token = ''] =
      /^id {6}4\nname {4}reporting\nscopes {2}billing\.read, billing\.write\ntoken {3}(\S+)$/.exec(
        await readText(account, 'token', 'create', 'reporting'),
      ) ?? [];
    expect(await sendRequest(token)).toBe(200);
    expect(await readText(account, 'token', 'list')).toContain(
      'token 4  reporting  billing.read, billing.write  2026-03-01 09:00:00',
    );
    expect(await readText(account, 'token', 'revoke', '4')).toBe('Token 4 revoked.');
    expect(await sendRequest(token)).toBe(401);
    expect(await readJson(account, 'token')).toMatchObject({ total: 3 });
  });

  test('create takes the scopes of the token', async () => {
    const account = await sim.createAccount();
    const scopes = ['billing.write', 'billing.read'];
    for (const chosen of [scopes.slice(0, 1), scopes]) {
      const flags = chosen.flatMap((scope) => ['--scope', scope]);
      const name = `app-${chosen.length}`;
      expect(await readJson(account, 'token', 'create', name, ...flags)).toMatchObject({ name, scopes: chosen });
    }
  });

  test('list prints a message for an account without tokens', async () => {
    const account = await sim.createAccount();
    for (const id of [1, 2, 3]) await account.apiTokens.revoke(id);
    expect(await readText(account, 'token', 'list')).toBe('No tokens.');
  });

  test.each([
    [
      ['create', 'app', '--scope', 'billing.raed'],
      /expected one of billing\.read, billing\.write; did you mean `billing\.read`\?/,
    ],
    [['create', 'app', '--scope', 'billing.read', '--scope', 'billing.read'], /scopes/],
    [['create', ''], /name must not be empty/],
    [['revoke', '9'], /^error: Token not found; list the tokens with billing-sim token list --account \S+$/],
  ])('%j is refused', async (args, problem) => {
    expect(await readError(await sim.createAccount(), 'token', ...args)).toMatch(problem);
  });
});

describe('customer', () => {
  test('create adds a customer, whom list shows', async () => {
    const account = await sim.createAccount();
    expect(await readText(account, 'customer', 'list')).toBe('No customers.');
    expect(await readText(account, 'customer', 'create', 'Ada', 'ada@example.com', '--company', 'Engines')).toBe(
      'Customer 1 created.',
    );
    const address = ['--phone', '1', '--address', 'St James 1', '--city', 'London', '--postal-code', 'SW1'];
    const flags = [...address, '--country', 'GB', '--currency', 'GBP'];
    expect(await readJson(account, 'customer', 'create', 'Bo', 'bo@example.com', ...flags)).toEqual({
      id: 2,
      name: 'Bo',
      email: 'bo@example.com',
      company: null,
      phone: '1',
      address: 'St James 1',
      city: 'London',
      postal_code: 'SW1',
      country: 'GB',
      currency: 'GBP',
    });
    expect(await readText(account, 'customer')).toBe(
      ['customer 2  Bo   bo@example.com', 'customer 1  Ada  ada@example.com  Engines'].join('\n'),
    );
    expect(await readText(account, 'customer', 'list', '--limit', '1')).toContain('… and 1 more');
  });

  test.each([
    [['Ada', 'ada'], /email/],
    [['Ada', 'ada@example.com', '--currency', 'eur'], /currency must be the code of a currency in use, such as EUR/],
  ])('create %j is refused', async (args, problem) => {
    expect(await readError(await sim.createAccount(), 'customer', 'create', ...args)).toMatch(problem);
  });
});

describe('settings', () => {
  test('set without options is a usage error', async () => {
    const { stderr } = await runFor(await createDemoAccount(), 'settings', 'set', '--json');
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage' } });
  });

  test('can be shown and changed', async () => {
    const account = await createDemoAccount();
    const profile = join(tempFolder(), 'profile.yaml');
    writeFileSync(profile, 'list.order: oldest-first\ndeposit.window: { for: 30d }\n');
    const flags = ['--webhook-url', unreachableUrl, '--webhook-secret', 'a secret', '--rate-limit', 'on'];
    expect(await readText(account, 'settings', 'set', ...flags, '--profile', profile)).toBe(
      [
        `webhook URL              ${unreachableUrl}`,
        'webhook secret           a secret',
        'rate limit               on',
        'profile  list.order      oldest-first',
        'profile  deposit.window  {"for":"30d"}',
      ].join('\n'),
    );
    expect(await readJson(account, 'settings', 'set', '--webhook-url', 'none')).toMatchObject({
      webhook_url: null,
      webhook_secret: 'a secret',
      rate_limit: true,
    });
    expect(await readText(account, 'settings')).toContain('webhook URL              none\n');
  });

  test('rotate-secret replaces the webhook secret, and prints the new one', async () => {
    const account = await sim.createAccount();
    const { webhookSecret } = account;
    const printed = await readText(account, 'settings', 'rotate-secret');
    expect(printed).toBe(account.webhookSecret);
    expect(printed).not.toBe(webhookSecret);
    expect(await readJson(account, 'settings', 'rotate-secret')).toEqual({ webhook_secret: account.webhookSecret });
  });

  test.each([
    [[], 'no setting given; see billing-sim settings set --help'],
    [
      ['--webhook-url', 'ftp://a/'],
      'Webhooks cannot be sent to this URL; the webhook URL must begin with http:// or https://',
    ],
  ])('set %j is refused', async (args, problem) => {
    expect(await readError(await createDemoAccount(), 'settings', 'set', ...args)).toBe(`error: ${problem}`);
  });

  test('set with a profile that has a misspelled gap is refused', async () => {
    const profile = join(tempFolder(), 'profile.yaml');
    writeFileSync(profile, 'list.ordr: oldest-first\n');
    expect(await readError(await createDemoAccount(), 'settings', 'set', '--profile', profile)).toBe(
      `error: ${profile}:1: unknown gap \`list.ordr\`; did you mean \`list.order\`?`,
    );
  });
});
