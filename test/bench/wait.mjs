// Measures webhooks that wait because their receiver does not respond. Prints, as JSON, the memory they take and the
// size of their bodies.
// Usage: node --expose-gc wait.mjs COUNT WEBHOOK-URL
import { loadSource } from '../support/load-source.mjs';

const [count, webhookUrl] = process.argv.slice(2);
const { startServer } = await loadSource('src/app/server.ts');
const { readSeed } = await loadSource('src/files/seed-file.ts');
const { createDeposit, readDepositFields, depositId } = await loadSource('src/simulation/operations/deposits.ts');

/**
 * Creates the deposits, with waiting messages if there is a URL.
 * @returns the memory growth and the size of the bodies, in bytes
 */
async function measureGrowth(url) {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    durability: 'os',
    seed: () => readSeed('empty'),
    now: '2026-03-01T09:00:00Z',
    rateLimit: false,
    log: () => undefined,
    webhookUrl: url,
  });
  const account = server.world.accounts.default();
  globalThis.gc();
  const before = process.memoryUsage();
  let bodyBytes = 0;
  let template;
  for (let number = 1; number <= Number(count); number++) {
    const input = { booking_reference: `BK-${number}`, amount: 300, currency: 'EUR', metadata: { room: '204' } };
    const fields = readDepositFields(account, input);
    if (url === undefined && template) {
      // Adds only the deposit, without a message, so that the difference in memory is due to the messages alone.
      const id = depositId(account, account.deposits.nextId());
      account.transaction((tx) => tx.put({ deposits: [{ ...template, ...fields, id }] }));
    } else {
      template = createDeposit(account, fields);
      bodyBytes += url === undefined ? 0 : Buffer.byteLength(account.deliveries.rows.at(-1)?.body ?? '');
    }
    if (number % 100 === 0) await account.whenStored();
  }
  account.schedule.runDueItems();
  // Leaves time for the due attempts to start.
  await new Promise((resolve) => setTimeout(resolve, 200));
  globalThis.gc();
  const after = process.memoryUsage();
  await server.close();
  return { growthBytes: after.heapUsed + after.external - before.heapUsed - before.external, bodyBytes };
}

const withoutMessages = await measureGrowth(undefined);
const withMessages = await measureGrowth(webhookUrl);
console.log(
  JSON.stringify({
    growthBytes: withMessages.growthBytes - withoutMessages.growthBytes,
    bodyBytes: withMessages.bodyBytes,
  }),
);
process.exit(0);
