// Starts with authorized deposits, and lets all of them expire in one advance of the clock. Prints as JSON how many
// milliseconds that took, in real time and in processor time. The data are in FOLDER, or in memory if it is `-`.
// Usage: node expire.mjs DIST COUNT FOLDER|- [WEBHOOK-URL]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

const [dist, count, folder, webhookUrl] = process.argv.slice(2);
const { startSimulator } = await import(pathToFileURL(join(dist, 'index.js')).href);

const workFolder = mkdtempSync(join(tmpdir(), 'billing-sim-expire-'));
const seed = join(workFolder, 'seed.json');
const deposits = Array.from({ length: Number(count) }, (_, index) => ({
  id: index + 1,
  booking_reference: `BK-${index + 1}`,
  amount: 300,
  customer: { name: 'Ada Lovelace', email: 'ada@hotel.example' },
  check_in_date: '10d',
  check_out_date: '14d',
  metadata: { room: '204', channel: 'direct' },
  status: 'authorized',
  created: '-1h',
  authorized: '0',
}));
const emptyLists = { customers: [], invoices: [], payment_links: [], payments: [] };
writeFileSync(seed, JSON.stringify({ currency: 'EUR', time_zone: 'UTC', ...emptyLists, deposits }));

const simulator = await startSimulator({
  seed,
  now: '2026-03-01T09:00:00Z',
  ...(folder === '-' ? {} : { data: folder }),
  ...(webhookUrl === undefined ? {} : { webhookUrl }),
});
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
const { steps, in_progress } = await simulator.account.clock.advance('8d', { timeout: 120_000 });
const milliseconds = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpuBefore);
const expired = steps.filter(({ kind, to }) => kind === 'transition' && to === 'expired').length;
const delivered = steps.filter(({ kind, status }) => kind === 'attempt' && status === 200).length;
if (expired !== Number(count) || in_progress.length > 0) throw new Error(`${expired} of ${count} expired`);
if (webhookUrl !== undefined && delivered !== expired) throw new Error(`${delivered} of ${expired} delivered`);
console.log(JSON.stringify({ milliseconds, processorTime: (user + system) / 1000 }));
await simulator.close();
rmSync(workFolder, { recursive: true });
