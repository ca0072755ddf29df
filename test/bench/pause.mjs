// Measures how long requests are held up while db.json is written: by a compaction, a saved snapshot and the stop.
// Prints the longest pause of the event loop in each, in milliseconds, as JSON. node pause.mjs FOLDER
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { loadSource } from '../support/load-source.mjs';

const [folder] = process.argv.slice(2);
const { startServer } = await loadSource('src/app/server.ts');
const { readSeed } = await loadSource('src/files/seed-file.ts');
const { createDeposit, chosenFields } = await loadSource('src/simulation/operations/deposits.ts');
const { saveSnapshot } = await loadSource('src/simulation/seeding/snapshots.ts');

/** Resolution of the measurement, in milliseconds. */
const resolution = 1;

/** Runs an action. @returns the longest delay of the event loop meanwhile, in milliseconds */
async function longestPause(work) {
  const monitor = monitorEventLoopDelay({ resolution });
  monitor.enable();
  await wait(50);
  monitor.reset();
  await work();
  monitor.disable();
  return monitor.max / 1e6 - resolution;
}

const server = await startServer({
  port: 0,
  host: '127.0.0.1',
  allowedHosts: [],
  folder,
  durability: 'os',
  seed: await readSeed('demo'),
  rateLimit: false,
  log: (line) => console.error(line),
  // From the first commit on, the journals are too large.
  journalLimit: 1,
});
const account = server.world.defaultAccount();
const checkpointSeq = () => Number(/"seq": (\d+)/.exec(head(join(folder, 'db.json')))?.[1]);

function head(path) {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(200);
  readSync(file, buffer, 0, 200, 0);
  closeSync(file);
  return buffer.toString();
}

function deposit(reference) {
  createDeposit(account, chosenFields(account, { booking_reference: reference, amount: 300, currency: 'EUR' }));
  return account.whenStored();
}

const idle = await longestPause(() => wait(1_000));
const before = checkpointSeq();
const compaction = await longestPause(async () => {
  await deposit('BK-PAUSE-1');
  while (checkpointSeq() === before) await wait(20);
});
const snapshot = await longestPause(() => saveSnapshot(account, 'pause'));
const began = performance.now();
const stop = await longestPause(async () => {
  await deposit('BK-PAUSE-2');
  await server.close();
});
console.log(JSON.stringify({ idle, compaction, snapshot, stop, stopTook: performance.now() - began }));
process.exit(0);
