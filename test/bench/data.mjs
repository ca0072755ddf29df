import { cpSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './servers.mjs';

/** A new data folder, which the simulator fills with its demo seed. */
export function newFolder({ work }) {
  return mkdtempSync(join(work, 'data-'));
}

const seeded = new Map();

/** Seeds that many invoices, once in a run. @returns the folder, to be copied, and the seconds it took */
export function seed(bench, invoices) {
  if (!seeded.has(invoices)) seeded.set(invoices, seedNow(bench, invoices));
  return seeded.get(invoices);
}

/** A folder with that many invoices, for one server to write to. */
export async function folderOf(bench, invoices) {
  const folder = newFolder(bench);
  cpSync((await seed(bench, invoices)).folder, folder, { recursive: true });
  return folder;
}

/** The bytes of the journal, and of the snapshot. */
export function sizeOf(folder) {
  const files = readdirSync(folder).map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
  const sum = (selected) => selected.reduce((total, { bytes }) => total + bytes, 0);
  return {
    journal: sum(files.filter(({ name }) => name.startsWith('journal'))),
    all: sum(files),
  };
}

async function seedNow(bench, invoices) {
  const folder = newFolder(bench);
  const began = performance.now();
  await run('seed', [bench.cli, 'seed', '--invoices', String(invoices), '--data', folder], bench.work);
  return { folder, seconds: (performance.now() - began) / 1000 };
}
