import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../../src/index.js';
import { formatAccountLog } from '../../../src/library/test-frameworks/account-log.js';
import { freePort } from '../../support/free-port.js';

test('the log of an account shows the last 20 of many requests, in order', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const account = await simulator.createAccount({ rateLimit: false });
  const headers = { authorization: `Bearer ${account.tokens.full}` };
  for (let page = 1; page <= 23; page += 1) await fetch(`${account.baseUrl}/invoices?page=${page}`, { headers });
  const lines = (await formatAccountLog(account)).split('\n');
  expect(lines[1]).toBe('The last 20 of 23 requests:');
  expect(lines.slice(2, 22)).toEqual(
    Array.from({ length: 20 }, (_, index) => `  200 GET /api/v1/invoices?page=${index + 4}`),
  );
  expect(lines[22]).toBe('No webhooks.');
});

test('the log of an account shows the outcome of an attempt to send a webhook, and a request without a response', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const webhookUrl = `http://127.0.0.1:${await freePort()}/`;
  const account = await simulator.createAccount({ webhookUrl, now: '2026-03-01T09:00:00Z' });
  await account.faults.add({ effect: 'reset', times: 1 });
  const headers = { authorization: `Bearer ${account.tokens.full}` };
  await expect(fetch(`${account.baseUrl}/invoices`, { headers })).rejects.toThrow();
  await account.trigger('deposit.created');
  // Long enough for all eight attempts of the retry schedule.
  await account.clock.advance('2d');
  const log = await formatAccountLog(account);
  expect(log).toContain('\n  no response GET /api/v1/invoices (reset)\n');
  expect(log).toMatch(/\n {2}deposit\.created evt_\w+: failed, connection refused on attempt 8$/m);
});
