import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatActivity } from '../../src/commands/simulator/activity.js';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { runCli } from '../support/cli.js';

let sim: Simulator;
beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z' });
});
afterAll(() => sim.close());

async function readActivity(account: SimulatorAccount, ...flags: string[]): Promise<readonly string[]> {
  const { stdout } = await runCli('activity', ...flags, '--url', sim.url, '--account', account.id);
  return stdout
    .replace(/evt_[0-9a-f]+/g, 'evt_1')
    .trimEnd()
    .split('\n');
}

/** Creates an account in which a deposit was created by a request, authorized, and has expired. */
async function createAccountWithExpiredDeposit(): Promise<SimulatorAccount> {
  const account = await sim.createAccount();
  const headers = { Authorization: `Bearer ${account.tokens.full}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ booking_reference: 'BK-1', amount: 300 });
  await fetch(`${sim.baseUrl}/deposits`, { method: 'POST', headers, body });
  await account.deposits.authorize(1);
  await account.clock.advance('8d');
  return account;
}

const expiry = [
  '2026-03-08 09:00:00  Due: deposit 1 expires',
  '2026-03-08 09:00:00    deposit 1 authorized → expired (expire)',
  '2026-03-08 09:00:00    deposit.expired evt_1 for deposit 1, not sent: no webhook URL was set',
];
const authorization = [
  '2026-03-01 09:00:00  Authorize deposit through the library',
  '2026-03-01 09:00:00    deposit 1 pending → authorized (authorize)',
  '2026-03-01 09:00:00    deposit.authorized evt_1 for deposit 1, not sent: no webhook URL was set',
];
const creation = [
  '2026-03-01 09:00:00  POST /api/v1/deposits → 201, token full',
  '2026-03-01 09:00:00    deposit 1 created',
  '2026-03-01 09:00:00    deposit.created evt_1 for deposit 1, not sent: no webhook URL was set',
];

describe('activity', () => {
  test('shows causes, newest first, each with what it led to', async () => {
    expect(await readActivity(await createAccountWithExpiredDeposit())).toEqual([
      ...expiry,
      '2026-03-01 09:00:00  Advance clock through the library: by 8 d to 2026-03-09 09:00:00',
      ...authorization,
      ...creation,
    ]);
  });

  test('of an account in which nothing has happened says so', async () => {
    expect(await readActivity(await sim.createAccount())).toEqual(['No activity.']);
  });

  test.each([
    { flags: ['--record', 'deposit:1'], lines: [...expiry, ...authorization, ...creation] },
    { flags: ['--kind', 'due'], lines: expiry },
    { flags: ['--status', '201'], lines: creation },
    { flags: ['--search', 'deposit.authorized'], lines: authorization },
    { flags: ['--limit', '1'], lines: [...expiry, '… and 3 more; raise --limit to see them'] },
  ])('shows what $flags selects', async ({ flags, lines }) => {
    expect(await readActivity(await createAccountWithExpiredDeposit(), ...flags)).toEqual(lines);
  });

  test('as JSON is the response of the control API', async () => {
    const account = await createAccountWithExpiredDeposit();
    const [json = ''] = await readActivity(account, '--json', '--kind', 'created');
    const { total, data } = JSON.parse(json);
    expect(total).toBe(1);
    expect(data[0].entries[1]).toMatchObject({ kind: 'created', subject: { resource: 'deposit', id: 1 } });
  });

  test('has a line in place of a cause that the log has dropped', () => {
    const at = '2026-03-01T09:00:00.000Z';
    const created = { sequence: 7, correlation_id: 'req_1', at, kind: 'created' } as const;
    const entries = [{ ...created, subject: { resource: 'payment_link', id: 2 } }] as const;
    expect(formatActivity({ total: 1, data: [{ correlation_id: 'req_1', at, is_complete: false, entries }] })).toBe(
      '2026-03-01 09:00:00  the cause is no longer in the log\n2026-03-01 09:00:00    payment link 2 created',
    );
  });

  test('refuses an unknown kind', async () => {
    const { code, stderr } = await runCli('activity', '--kind', 'requests', '--url', sim.url);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "error: option '--kind <kind>' argument 'requests' is invalid: expected one of request, action, due, created, transition, event, attempt, mail, scenario; did you mean `request`?\n",
    });
  });
});
