// Measures messages that wait because their receiver does not respond: prints how much memory they take, and the size of
// their bodies, as JSON.
// node --expose-gc wait.mjs COUNT WEBHOOK-URL
import { loadSource } from '../support/load-source.mjs';

const [count, webhookUrl] = process.argv.slice(2);
const { startServer } = await loadSource('src/app/server.ts');
const { readSeed } = await loadSource('src/files/seed-file.ts');
const { createDeposit, chosenFields, depositId } = await loadSource('src/simulation/operations/deposits.ts');

/** Memory after so many deposits, with their messages waiting or without any. */
async function sizeWith(url) {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    durability: 'os',
    seed: await readSeed('empty'),
    now: '2026-03-01T09:00:00Z',
    rateLimit: false,
    log: () => undefined,
    webhookUrl: url,
  });
  const account = server.world.defaultAccount();
  globalThis.gc();
  const before = process.memoryUsage();
  let bytes = 0;
  let first;
  for (let number = 1; number <= Number(count); number++) {
    const input = { booking_reference: `BK-${number}`, amount: 300, currency: 'EUR', metadata: { room: '204' } };
    const chosen = chosenFields(account, input);
    if (url === undefined && first) {
      // Without a receiver only the deposit is kept, so that the difference is what the messages take.
      const id = depositId(account, account.deposits.nextId());
      account.transaction((tx) => tx.put({ deposits: [{ ...first, ...chosen, id }] }));
    } else {
      first = createDeposit(account, chosen);
      bytes += url === undefined ? 0 : Buffer.byteLength(account.deliveries.rows.at(-1)?.body ?? '');
    }
    if (number % 100 === 0) await account.whenStored();
  }
  account.schedule.runDueItems();
  await new Promise((resolve) => setTimeout(resolve, 200));
  globalThis.gc();
  const after = process.memoryUsage();
  await server.close();
  return { grown: after.heapUsed + after.external - before.heapUsed - before.external, bytes };
}

const without = await sizeWith(undefined);
const waiting = await sizeWith(webhookUrl);
console.log(JSON.stringify({ grown: waiting.grown - without.grown, bytes: waiting.bytes }));
process.exit(0);
