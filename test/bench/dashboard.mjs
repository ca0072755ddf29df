// Measures how long dashboard pages take to load with many invoices, and how much a browser loads for the start page.
import { createSeededFolder } from './data.mjs';
import { compare, median } from './load.mjs';
import { launch, simulator } from './servers.mjs';
import { atMost } from './table.mjs';

const invoiceCount = 100_000;
const rowsPerPage = 25;

/** Upper limits for the load time of a page, and for the bytes that a browser loads for the start page. */
const targets = { pageMs: 50, startPageBytes: 150_000 };

/** Number of sequential requests for a page in each round. */
const loadsPerRound = 10;

const pages = [
  ['activity', ''],
  ['overview', '/overview'],
  ['list of invoices', '/invoices'],
  ['last page of the list', `/invoices?page=${invoiceCount / rowsPerPage}`],
  ['list sorted by amount', '/invoices?sort=amount&order=desc'],
  [
    'page in the middle of the list sorted by customer',
    `/invoices?sort=customer&order=asc&page=${invoiceCount / rowsPerPage / 2}`,
  ],
  ['search with one result', '/invoices?q=GEN-0042000'],
  ['search with many results', '/invoices?q=GEN'],
  ['invoice', '/invoices/500'],
  ['clock', '/clock'],
  ['requests', '/requests'],
  ['profile', '/profile'],
];

export async function dashboard(bench) {
  const running = await launch(simulator(bench.cli, await createSeededFolder(bench, invoiceCount)), bench.workFolder);
  const { origin } = new URL(running.page.url);
  const rows = [];
  for (const [name, path] of pages) {
    const url = `${origin}/dashboard/demo${path}`;
    const times = [];
    // One more round, which does not count, since it renders the page for the first time.
    for (let round = 0; round <= bench.fewRounds; round++) times.push(await measurePageMs(url));
    const warmTimes = times.slice(1);
    rows.push({
      figure: `dashboard at ${invoiceCount.toLocaleString('en')} invoices: ${name} vs ${targets.pageMs} ms`,
      ...compare(
        warmTimes,
        warmTimes.map(() => targets.pageMs),
      ),
      target: atMost(1),
      measured: `${median(warmTimes).toFixed(1)} ms`,
    });
  }
  const startPageBytes = await measureBytes(`${origin}/dashboard/demo`);
  await running.stop();
  return [
    ...rows,
    {
      figure: `dashboard: bytes of the start page vs ${targets.startPageBytes.toLocaleString('en')}`,
      ratio: startPageBytes / targets.startPageBytes,
      target: atMost(1),
      measured: `${Math.round(startPageBytes / 1_000)} kB`,
    },
  ];
}

/** Loads a page several times. @returns the median time in milliseconds */
async function measurePageMs(url) {
  const times = [];
  for (let load = 0; load < loadsPerRound; load++) {
    const startedAt = performance.now();
    const response = await fetch(url);
    await response.text();
    times.push(performance.now() - startedAt);
    if (response.status !== 200) throw new Error(`${url} returned ${response.status}`);
  }
  return median(times);
}

/** Returns the uncompressed size of a page and of the assets that its HTML refers to, in bytes. */
async function measureBytes(url) {
  const html = await (await fetch(url)).text();
  const parts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => new URL(path, url));
  const sizes = await Promise.all(parts.map(measureAssetBytes));
  return sizes.reduce((sum, size) => sum + size, Buffer.byteLength(html));
}

async function measureAssetBytes(url) {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}
