// Measures how long requests are delayed while db.json is rewritten, a snapshot is saved, and the simulator stops.
// Prints as JSON, in milliseconds, the longest pause of the event loop during each and, for comparison, during a second
// without work (`idle`), and how long it takes to stop (`stopDuration`). Usage: node pause.mjs FOLDER
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { loadSource } from '../support/load-source.mjs';

const [folder] = process.argv.slice(2);
const { startServer } = await loadSource('src/app/server.ts');
const { readSeed } = await loadSource('src/files/seed-file.ts');
const { createDeposit, readDepositFields } = await loadSource('src/simulation/operations/deposits.ts');
const { saveSnapshot } = await loadSource('src/simulation/seeding/snapshots.ts');

/** Interval at which the monitor measures the delay of the event loop. */
const resolutionMs = 1;

/** Runs an action. @returns the longest delay of the event loop during it, in milliseconds */
async function measureLongestPause(action) {
  const monitor = monitorEventLoopDelay({ resolution: resolutionMs });
  monitor.enable();
  // Ignore the delay that starting the monitor causes.
  await wait(50);
  monitor.reset();
  await action();
  monitor.disable();
  // The monitor records the times between its measurements, so without any delay it records its interval.
  return monitor.max / 1e6 - resolutionMs;
}

const server = await startServer({
  port: 0,
  host: '127.0.0.1',
  allowedHosts: [],
  folder,
  durability: 'os',
  seed: () => readSeed('demo'),
  rateLimit: false,
  log: (line) => console.error(line),
  // Every commit exceeds this limit, so each one causes a compaction.
  journalLimit: 1,
});
const account = server.world.accounts.default();
/** Returns the sequence number of the last commit in the checkpoint, which changes when db.json is rewritten. */
const checkpointSeq = () => Number(/"seq": (\d+)/.exec(readHead(join(folder, 'db.json')))?.[1]);

/** Reads the first 200 bytes of a file, which contain `seq`. */
function readHead(path) {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(200);
  readSync(file, buffer, 0, 200, 0);
  closeSync(file);
  return buffer.toString();
}

function createAndStoreDeposit(reference) {
  createDeposit(account, readDepositFields(account, { booking_reference: reference, amount: 300, currency: 'EUR' }));
  return account.whenStored();
}

const idle = await measureLongestPause(() => wait(1_000));
const seqBefore = checkpointSeq();
const compaction = await measureLongestPause(async () => {
  await createAndStoreDeposit('BK-PAUSE-1');
  while (checkpointSeq() === seqBefore) await wait(20);
});
const snapshot = await measureLongestPause(() => saveSnapshot(account, 'pause'));
let stopDuration;
const stop = await measureLongestPause(async () => {
  await createAndStoreDeposit('BK-PAUSE-2');
  const startedAt = performance.now();
  await server.close();
  stopDuration = performance.now() - startedAt;
});
console.log(JSON.stringify({ idle, compaction, snapshot, stop, stopDuration }));
process.exit(0);
