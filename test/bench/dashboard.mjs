// Measures what pages of the dashboard take at many invoices, and what a browser loads for the first of them.
import { folderOf } from './data.mjs';
import { compare, median } from './load.mjs';
import { launch, simulator } from './servers.mjs';
import { atMost } from './table.mjs';

const many = 100_000;

/** Limits: milliseconds for a page, and bytes for everything that the first one loads. */
const targets = { page: 50, view: 150_000 };

/** Number of sequential requests for a page in each round. */
const maxLoads = 10;

const pages = [
  ['activity', ''],
  ['overview', '/overview'],
  ['list of invoices', '/invoices'],
  ['its last page', `/invoices?page=${many / 25}`],
  ['sorted by amount', '/invoices?sort=amount&order=desc'],
  ['sorted by customer, in the middle', `/invoices?sort=customer&order=asc&page=${many / 50}`],
  ['search that finds one', '/invoices?q=GEN-0042000'],
  ['search that finds many', '/invoices?q=GEN'],
  ['invoice', '/invoices/500'],
  ['clock', '/clock'],
  ['requests', '/requests'],
  ['profile', '/profile'],
];

export async function dashboard(bench) {
  const running = await launch(simulator(bench.cli, await folderOf(bench, many)), bench.work);
  const { origin } = new URL(running.page.url);
  const rows = [];
  for (const [name, path] of pages) {
    const url = `${origin}/dashboard/demo${path}`;
    const times = [];
    for (let round = 0; round <= bench.fewRounds; round++) times.push(await timeOf(url));
    // The first round is before the page was ever rendered.
    const warm = times.slice(1);
    rows.push({
      figure: `dashboard at ${many.toLocaleString('en')} invoices: ${name}, of ${targets.page} ms wanted`,
      ...compare(
        warm,
        warm.map(() => targets.page),
      ),
      target: atMost(1),
      measured: `${median(warm).toFixed(1)} ms`,
    });
  }
  const loaded = await viewSize(`${origin}/dashboard/demo`);
  await running.stop();
  return [
    ...rows,
    {
      figure: `dashboard: bytes of the first view, of ${targets.view.toLocaleString('en')} wanted`,
      ratio: loaded / targets.view,
      target: atMost(1),
      measured: `${Math.round(loaded / 1_000)} kB`,
    },
  ];
}

/** Milliseconds for a page, as the median of some. */
async function timeOf(url) {
  const times = [];
  for (let load = 0; load < maxLoads; load++) {
    const began = performance.now();
    const answer = await fetch(url);
    await answer.text();
    times.push(performance.now() - began);
    if (answer.status !== 200) throw new Error(`${url} was answered with ${answer.status}`);
  }
  return median(times);
}

/** Size of a page and everything that it loads, uncompressed. */
async function viewSize(url) {
  const html = await (await fetch(url)).text();
  const parts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => new URL(path, url));
  const sizes = await Promise.all(parts.map(async (part) => (await (await fetch(part)).arrayBuffer()).byteLength));
  return sizes.reduce((sum, size) => sum + size, Buffer.byteLength(html));
}
