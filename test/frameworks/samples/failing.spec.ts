// ../main.mjs runs these tests with Playwright: the first one must fail, print the log of its account and save a trace.
import { test } from 'billing-sim/playwright';

test('fails', async ({ billing }) => {
  await fetch(`${billing.baseUrl}/deposits/9`, { headers: { authorization: `Bearer ${billing.tokens.full}` } });
  throw new Error('failed');
});

test('passes', async ({ billing }) => {
  await fetch(`${billing.baseUrl}/payments`);
});

test('is expected to fail', async ({ billing }) => {
  test.fail();
  await fetch(`${billing.baseUrl}/payments`);
  throw new Error('expected');
});
