import { test } from 'vitest';
import { clauses } from '../../src/contract/clauses/index.js';
import { startSimulator } from '../../src/index.js';
import { check, complaints } from './support.js';

test('100k', async () => {
  const sim = await startSimulator({ data: '/tmp/mine-100k', rateLimit: false, log: () => undefined });
  const { account } = sim;
  console.log(account.tokens);
  const tokens = account.tokens ?? { full: 'demo_full', read: 'demo_read', write: 'demo_write' };
  const outcome = await check(
    {
      baseUrl: sim.baseUrl,
      tokens,
      driver: {
        createCustomer: () => account.customers.create({ name: 'A', email: 'a@example.com' }),
        markInvoicePaid: ({ id }) => account.invoices.pay(Number(id)),
        authorizeDeposit: ({ id }) => account.deposits.authorize(Number(id)),
      },
    },
    clauses,
    { patience: 1000 },
  );
  console.log(outcome.requests, complaints(outcome, 'failed', 'warned', 'broken', 'skipped').join('\n'));
  console.log(
    outcome.results
      .map((r) => [r.clause.id, r.milliseconds] as const)
      .filter(([, ms]) => ms > 300)
      .join('\n'),
  );
  await sim.close();
}, 600000);
