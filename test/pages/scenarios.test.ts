import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createAccountWithDashboard, dashboardOf } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The page of scenarios (scripts of what guests and customers do) and their runs. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

describe('a scenario', () => {
  test('is shown with its steps, and marked if the account added it', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const step = { after: 3_600_000, do: 'capture' as const, with: { amount: 5 } };
    await account.scenarios.add({ name: 'mine', description: 'Late.', for: 'deposit', steps: [step] });
    const text = await dashboard.readText('scenarios');
    expect(text).toContain('no-show The guest authorizes and never arrives');
    expect(text).toContain('2 min later: authorize 1 d later: capture {"description":"No-show"}');
    expect(text).toContain('2 min later: authorize 6 d 23 h 59 min later: capture');
    expect(text).toContain('mine added to this account Late. 1 h later: capture {"amount":5}');
  });

  test('that the account added is deleted after a confirmation; a built-in one has no button for it', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const step = { after: 0, do: 'capture' as const, with: {} };
    await account.scenarios.add({ name: 'mine', description: 'Late.', for: 'deposit', steps: [step] });
    expect(await dashboard.readHtml('scenarios')).not.toContain('/confirm/deleteScenario/no-show');
    const { notice, html } = await dashboard.submitForm('scenarios', 'deleteScenario/mine');
    expect(notice).toBe('Scenario mine deleted.');
    expect(html).not.toContain('id="scenario-mine"');
    const path = `/dashboard/${account.id}/confirm/deleteScenario/no-show`;
    expect((await sendHttpRequest(sim.url, { path })).status).toBe(409);
  });

  test('is run on a record, and its progress is shown step by step', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    expect(await dashboard.readText('scenarios')).toContain('No runs yet. Run one of the scenarios below');
    const { notice, html } = await dashboard.submitForm('scenarios', 'runScenario/no-show', { 'deposit:id': ' 1 ' });
    expect(notice).toBe('Run 1 of no-show started. Advance the clock to continue.');
    expect(visibleText(html)).toContain('1, no-show deposit 1 running 0 of 2 2026-03-01 09:02:00 Cancel');
    await account.clock.advance('2m');
    expect(await dashboard.readText('scenarios')).toContain('1, no-show deposit 1 running 1 of 2');
    await account.clock.advance('1d');
    expect(await dashboard.readText('scenarios')).toContain('1, no-show deposit 1 done 2 of 2');
  });

  /** The ids of the records that the page offers for a scenario. */
  function offeredRecordIds(html: string, scenario: string): string[] {
    const [, list = ''] = new RegExp(`<datalist id="records-${scenario}">(.*?)</datalist>`, 's').exec(html) ?? [];
    return [...list.matchAll(/value="([^"]*)"/g)].map(([, id = '']) => id);
  }

  test('is offered only for records that its first step, not counting faults, can act on', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const description = 'An example.';
    const effect = 'status=503';
    await account.scenarios.add({ name: 'take', description, for: 'deposit', steps: [{ do: 'capture' }] });
    await account.scenarios.add({ name: 'give-up', description, for: 'invoice', steps: [{ do: 'cancel' }] });
    await account.scenarios.add({ name: 'buy', description, for: 'payment_link', steps: [{ do: 'pay' }] });
    await account.scenarios.add({
      name: 'break',
      description,
      for: 'payment_link',
      steps: [{ do: 'fault', with: { effect } }],
    });
    const html = await dashboard.readHtml('scenarios');
    const offeredIds = Object.fromEntries(
      ['no-show', 'decline', 'flaky-receiver', 'late-payment', 'take', 'give-up', 'buy', 'break'].map((name) => [
        name,
        offeredRecordIds(html, name),
      ]),
    );
    expect(offeredIds).toEqual({
      // Pending deposits.
      'no-show': ['1'],
      decline: ['1'],
      // A fault is injected at once, and then the deposit is authorized.
      'flaky-receiver': ['1'],
      // Pending invoices.
      'late-payment': ['2'],
      // Deposits that hold money.
      take: ['2', '3'],
      // Neither paid nor cancelled.
      'give-up': ['1', '2', '3', '4', '6', '8', '7'],
      // Active links.
      buy: ['2', '1'],
      // All links, because a fault does not act on the link.
      break: ['2', '1', '3'],
    });
  });

  test('is cancelled, and runs no further step', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    await account.scenarios.run('no-show', 1);
    const { notice, html } = await dashboard.submitForm('scenarios', 'cancelRun/1');
    expect(notice).toBe('Scenario cancelled.');
    expect(visibleText(html)).toContain('1, no-show deposit 1 cancelled 0 of 2');
    expect(html).not.toContain('/do/cancelRun/');
    // Both steps would have run by then.
    await account.clock.advance('2d');
    expect(await dashboard.readText('scenarios')).toContain('1, no-show deposit 1 cancelled 0 of 2');
    const deposits = (await client.GET('/deposits')).data?.data.data ?? [];
    expect(deposits.find(({ id }) => id === 1)?.status).toBe('pending');
  });

  test('is not run on a nonexistent record', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const fields = { 'invoice:number': '999' };
    const { isRefused } = await dashboard.submitForm('scenarios', 'runScenario/late-payment', fields);
    expect(isRefused).toBe(true);
    expect(await account.scenarios.runs()).toEqual([]);
  });

  test('links to the form for a new record if none is suitable', async () => {
    const empty = await sim.createAccount({ id: 'no-records', seed: 'empty' });
    const html = await dashboardOf(sim.url, empty.id).readHtml('scenarios');
    expect(html).toContain(
      'No invoice is in a status that the first step can act on. <a href="/dashboard/no-records/invoices">Create one</a>',
    );
    expect(html).not.toContain('/do/runScenario/');
  });
});
