import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';
import { createAccountWithDashboard, type Dashboard, dashboardOf } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

// Contract runs that are started from the dashboard. Such a run checks a service against the clauses of the suite.

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Waits until the contract run has ended. @returns the HTML of the contract page */
async function waitForEnd(dashboard: Dashboard): Promise<string> {
  // While a run is in progress, the page shows the number of running clauses, such as "3 running", and the base URL,
  // which ends in v1, with the status "running".
  await expect.poll(() => dashboard.readText('contract')).not.toMatch(/\d running\b|v1 running/);
  return dashboard.readHtml('contract');
}

describe('this simulator', () => {
  test('is checked with a temporary account, which is removed afterwards', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const accountsBefore = await sendHttpRequest(sim.url, { path: '/_sim/accounts' });
    const { notice } = await dashboard.submitForm('contract', 'checkThisSimulator', { only: 'INV-STATS' });
    expect(notice).toBe('Run started.');
    const text = visibleText(await waitForEnd(dashboard));
    expect(text).toContain(`${sim.url}/api/v1 finished`);
    expect(text).toContain('All verified clauses hold.');
    expect(text).toMatch(/INV-STATS-01 passed/);
    expect((await sendHttpRequest(sim.url, { path: '/_sim/accounts' })).text).toBe(accountsBefore.text);
    const report = await sendHttpRequest(sim.url, { path: `/dashboard/${account.id}/contract/report.html` });
    expect(report.headers['content-disposition']).toBe(`attachment; filename="contract-${account.id}.html"`);
    expect(report.text).toContain('INV-STATS-01');
    const activity = await sendHttpRequest(sim.url, { path: `/dashboard/${account.id}` });
    expect(visibleText(activity.text)).toContain('Check this simulator in the dashboard');
  });

  test('has the form above the clauses, so that it can be checked again, and skipped clauses last', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    await dashboard.submitForm('contract', 'checkThisSimulator', {
      only: 'RATE-EXCESS-01, INV-STATS-01, GAP-DECIMAL-ENCODING',
    });
    expect(visibleText(await waitForEnd(dashboard))).toMatch(
      /Check this simulator.+ finished .+GAP-DECIMAL-ENCODING observed.+INV-STATS-01 passed.+RATE-EXCESS-01 skipped/s,
    );
  });

  test('is checked without some clauses; for each, the page names the option of the command that would include it', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    await dashboard.submitForm('contract', 'checkThisSimulator', { only: 'RATE-EXCESS-01, AUTH-HEADER-02' });
    const text = visibleText(await waitForEnd(dashboard));
    expect(text).toContain(
      'needs the --include rate-limit option of the billing-sim contract command: the limit is exceeded only on request',
    );
    expect(text).toContain(
      'needs the --scopeless-token option of the billing-sim contract command: no such token was given',
    );
  });

  test('is checked by only one run at a time, which can be stopped', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    await dashboard.submitForm('contract', 'checkThisSimulator');
    const secondRun = await dashboard.postFields('contract', 'checkThisSimulator', {});
    expect(secondRun.notice).toContain('A run is in progress. Stop it first.');
    await dashboard.submitForm('contract', 'stopContractRun');
    expect(visibleText(await waitForEnd(dashboard))).toContain('v1 stopped');
  });
});

describe('a contract run whose temporary account is reset in the meantime', () => {
  test('removes the account at its end', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const accountIds = async (): Promise<string[]> => {
      const { text } = await sendHttpRequest(sim.url, { path: '/_sim/accounts' });
      return JSON.parse(text).data.map(({ id }: { id: string }) => id);
    };
    const idsBefore = await accountIds();
    await dashboard.submitForm('contract', 'checkThisSimulator');
    const [temporaryId = ''] = (await accountIds()).filter((id) => !idsBefore.includes(id));
    const reset = await sendHttpRequest(sim.url, { method: 'POST', path: `/_sim/accounts/${temporaryId}/reset` });
    expect(reset.status).toBe(200);
    const activity = await fetch(`${sim.url}/_sim/accounts/${temporaryId}/activity/stream`);
    await dashboard.submitForm('contract', 'stopContractRun');
    await waitForEnd(dashboard);
    expect(await accountIds()).toEqual(idsBefore);
    // This would time out if the account were not removed, since the stream would stay open.
    await activity.text();
  });
});

test('the account of a contract run that a crash has interrupted is removed by the next start', async () => {
  const folder = tempFolder();
  const crashed = await startSimulator({ data: folder });
  onTestFinished(() => crashed.close());
  const idsOf = async ({ url }: Simulator): Promise<string[]> => {
    const { text } = await sendHttpRequest(url, { path: '/_sim/accounts' });
    return JSON.parse(text).data.map(({ id }: { id: string }) => id);
  };
  await dashboardOf(crashed.url).submitForm('contract', 'checkThisSimulator');
  // The copy is made at once, long before the run ends and removes its account.
  expect(await idsOf(crashed)).toEqual(['demo', 'account-1']);
  const restarted = await startSimulator({ data: copyAsIfCrashed(folder) });
  onTestFinished(() => restarted.close());
  expect(await idsOf(restarted)).toEqual(['demo']);
});

describe('another implementation', () => {
  test('is checked with its token, and its clauses can be filtered by status', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    // Another account of the simulator serves as the other implementation.
    const { account: target } = await createAccountWithDashboard(sim);
    const fields = {
      base_url: target.baseUrl,
      target_token: target.tokens.full,
      only: 'INV-STATS, GAP-DECIMAL-ENCODING',
    };
    await dashboard.submitForm('contract', 'checkAnotherImplementation', fields);
    const html = await waitForEnd(dashboard);
    expect(visibleText(html)).toContain('All verified clauses hold.');
    expect(html).not.toContain(target.tokens.full);
    const observedClauses = await dashboard.readText('contract?status=observed');
    expect(observedClauses).toContain('GAP-DECIMAL-ENCODING');
    expect(observedClauses).not.toContain('INV-STATS-01');
  });

  test.each([
    ['cannot be reached', () => 'http://127.0.0.1:1/api/v1', 'nothing listens at this address; check the base URL'],
    ['refuses the token', () => `${sim.url}/api/v1`, 'refuses the token (401, "Unauthenticated."); check the token'],
  ])('that %s makes the run fail, and the page says why, in the terms of the form', async (_name, baseUrl, reason) => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const fields = { base_url: baseUrl(), target_token: 'secret-token', only: 'INV-STATS' };
    await dashboard.submitForm('contract', 'checkAnotherImplementation', fields);
    const text = visibleText(await waitForEnd(dashboard));
    expect(text).toContain('v1 failed');
    expect(text).toContain(reason);
  });

  test.each([
    [{ base_url: 'ftp://billing.example' }, 'must begin with http:// or https://'],
    [{ base_url: 'https://user:pass@billing.example/api/v1' }, 'contains credentials'],
    [{ base_url: '' }, 'Enter the base URL of the service.'],
    [{ target_token: '' }, 'Enter a token for the service.'],
    [{ only: 'INV-STATZ' }, 'Unknown clause INV-STATZ; did you mean INV-STATS?'],
  ])('is not checked if the form has invalid values: %o', async (invalidFields, message) => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const fields = { base_url: 'http://127.0.0.1:1/api/v1', target_token: 'secret-token', only: '', ...invalidFields };
    const { notice, html } = await dashboard.submitForm('contract', 'checkAnotherImplementation', fields);
    expect(notice).toContain(message);
    expect(notice).not.toContain('billing-sim contract');
    expect(html).not.toContain('secret-token');
    expect(html).toContain('Check this service');
  });
});
