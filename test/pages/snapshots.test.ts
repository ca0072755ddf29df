import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { createAccountWithDashboard } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The snapshots page of the dashboard. A reset or restore saves an automatic snapshot first: `before-reset-1`. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const countDeposits = async ({ client }: Awaited<ReturnType<typeof createAccountWithDashboard>>): Promise<number> =>
  (await client.GET('/deposits')).data?.data.total ?? 0;

describe('a snapshot', () => {
  test('is saved, restored and removed', async () => {
    const opened = await createAccountWithDashboard(sim);
    const { account, client, dashboard } = opened;
    expect(await dashboard.readText('snapshots')).toContain('No snapshots yet. Save one before you try something');
    const depositCount = await countDeposits(opened);
    const saved = await dashboard.submitForm('snapshots', 'saveSnapshot', { name: 'before' });
    expect(saved.notice).toBe('Snapshot before saved.');
    expect(visibleText(saved.html)).toContain('before 2026-03-01 09:00:00 Restore Export Remove');

    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    await account.clock.advance('8d');
    const restored = await dashboard.submitForm('snapshots', 'restoreSnapshot/before');
    expect(restored.notice).toBe('Snapshot restored. The account is back in its state of 2026-03-01 09:00:00. Undo');
    expect(await countDeposits(opened)).toBe(depositCount);

    const removed = await dashboard.submitForm('snapshots', 'removeSnapshot/before');
    expect(removed.notice).toBe('Snapshot before removed.');
    expect(await account.snapshots.names()).toEqual(['before-restore-1']);
  });

  test('with an invalid name is refused', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const { isRefused } = await dashboard.submitForm('snapshots', 'saveSnapshot', { name: '../etc' });
    expect(isRefused).toBe(true);
    expect(await account.snapshots.names()).toEqual([]);
  });

  test('that does not exist cannot be restored, and no automatic snapshot is saved', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const { isRefused } = await dashboard.postFields('snapshots', 'restoreSnapshot/nothing', {});
    expect(isRefused).toBe(true);
    expect(await account.snapshots.names()).toEqual([]);
  });
});

test('a reset restores the seed of the account', async () => {
  const opened = await createAccountWithDashboard(sim);
  const depositCount = await countDeposits(opened);
  await opened.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
  const { notice } = await opened.dashboard.submitForm('snapshots', 'resetAccount');
  expect(notice).toBe('Account reset. Undo');
  expect(await countDeposits(opened)).toBe(depositCount);
});

describe('undo', () => {
  test('of a reset restores the previous state', async () => {
    const opened = await createAccountWithDashboard(sim);
    await opened.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    await opened.account.clock.advance('2d');
    const depositCount = await countDeposits(opened);
    const { html } = await opened.dashboard.submitForm('snapshots', 'resetAccount');
    expect(await countDeposits(opened)).toBe(depositCount - 1);
    expect(html).toContain('/do/restoreSnapshot/before-reset-1"');
    const undone = await opened.dashboard.submitForm('snapshots', 'restoreSnapshot/before-reset-1');
    expect(undone.notice).toContain('The account is back in its state of 2026-03-03 09:00:00.');
    expect(await countDeposits(opened)).toBe(depositCount);
  });

  test('of a restore restores the state before it', async () => {
    const opened = await createAccountWithDashboard(sim);
    await opened.account.snapshots.save('early');
    await opened.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const depositCount = await countDeposits(opened);
    const { html } = await opened.dashboard.submitForm('snapshots', 'restoreSnapshot/early');
    expect(html).toContain('/do/restoreSnapshot/before-restore-1"');
    await opened.dashboard.submitForm('snapshots', 'restoreSnapshot/before-restore-1');
    expect(await countDeposits(opened)).toBe(depositCount);
  });

  test('works for the last five resets and restores; all snapshots saved by the user are kept', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await account.snapshots.save('mine');
    for (let count = 0; count < 7; count++) await dashboard.submitForm('snapshots', 'resetAccount');
    expect(await account.snapshots.names()).toEqual([
      'mine',
      ...[3, 4, 5, 6, 7].map((number) => `before-reset-${number}`),
    ]);
  });

  test('can restore the oldest of five automatic snapshots, although this saves a sixth one', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    for (let count = 0; count < 5; count++) await dashboard.submitForm('snapshots', 'resetAccount');
    const { notice } = await dashboard.submitForm('snapshots', 'restoreSnapshot/before-reset-1');
    expect(notice).toContain('Snapshot restored.');
    expect(await account.snapshots.names()).toContain('before-restore-6');
  });
});

test.each([
  { problem: 'has no parts', type: 'multipart/form-data; boundary=a', body: 'garbage' },
  { problem: 'is empty', type: 'multipart/form-data; boundary=a', body: '\r\n' },
  {
    problem: 'has no end',
    type: 'multipart/form-data; boundary=a',
    body: '--a\r\nContent-Disposition: form-data; name="return_to"\r\n\r\n/',
  },
  { problem: 'has no boundary', type: 'multipart/form-data', body: '--a--\r\n' },
])('a multipart form that $problem is refused, and its action is not performed', async ({ type, body }) => {
  const { account, client } = await createAccountWithDashboard(sim);
  await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
  const sent = await fetch(`${sim.url}/dashboard/${account.id}/do/resetAccount`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  });
  expect(sent.status).toBe(400);
  expect(visibleText(await sent.text())).toContain('The form is not valid multipart/form-data.');
  expect(await account.webhooks.all()).toHaveLength(1);
});

describe('a snapshot file', () => {
  /** Sends the form with a file, as a browser without JavaScript does. */
  async function upload(account: string, fields: Readonly<Record<string, string | Buffer>>): Promise<string> {
    const page = `/dashboard/${account}/snapshots`;
    const form = new FormData();
    form.append('return_to', page);
    for (const [name, value] of Object.entries({ 'form-key': 'importSnapshot', ...fields })) {
      // The `:json` suffix makes the dashboard parse the content of the file.
      if (name === 'file:json') form.append(name, new Blob([value], { type: 'application/json' }), 'bug "1".json');
      else form.append(name, String(value));
    }
    const sent = await fetch(`${sim.url}/dashboard/${account}/do/importSnapshot`, { method: 'POST', body: form });
    expect([200, 422]).toContain(sent.status);
    return visibleText(await sent.text());
  }

  test('is downloaded, and imported into another account', async () => {
    const [source, target] = [await createAccountWithDashboard(sim), await createAccountWithDashboard(sim)];
    await source.client.POST('/deposits', { body: { booking_reference: 'Zimmer „12“\r\n', amount: 5 } });
    await source.account.snapshots.save('bug');
    expect(await source.dashboard.readHtml('snapshots')).toContain(
      `/dashboard/${source.account.id}/snapshots/bug/export`,
    );
    const response = await fetch(`${sim.url}/dashboard/${source.account.id}/snapshots/bug/export`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="bug.snapshot.json"');

    const text = await upload(target.account.id, { 'file:json': await response.text(), name: 'theirs' });
    expect(text).toContain('Snapshot theirs imported.');
    await target.account.snapshots.restore('theirs');
    expect(await countDeposits(target)).toBe(await countDeposits(source));
    expect(
      (await target.client.GET('/deposits')).data?.data.data.map((deposit) => deposit.booking_reference),
    ).toContain('Zimmer „12“\r\n');
  });

  test.each([
    ['is not JSON', 'PK\u0003', 'The File field is not valid JSON.'],
    [
      'is of a newer version',
      '{"format":"billing-sim-snapshot","version":7}',
      'Version 7 was written by a newer billing-sim',
    ],
    ['is missing', '', 'The File field is required.'],
    ['is encoded as Latin-1', Buffer.from('{"format":"Müller"}', 'latin1'), 'The file is not UTF-8.'],
    ['is encoded as UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'The file is not UTF-8.'],
  ])('that %s is refused', async (_problem, content, message) => {
    const { account } = await createAccountWithDashboard(sim);
    expect(await upload(account.id, { 'file:json': content })).toContain(message);
    expect(await account.snapshots.names()).toEqual([]);
  });
});
