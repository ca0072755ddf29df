import { cpSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './servers.mjs';

/** Creates an empty data folder, which the simulator fills with its demo seed. */
export function newFolder({ workFolder }) {
  return mkdtempSync(join(workFolder, 'data-'));
}

const seeded = new Map();

/**
 * Seeds a folder with this many invoices; later calls return the same folder, so copy it for a server.
 * @returns the folder, and the seconds that seeding took
 */
export function seed(bench, invoices) {
  if (!seeded.has(invoices)) seeded.set(invoices, seedFolder(bench, invoices));
  return seeded.get(invoices);
}

/** Creates a data folder with this many invoices, for one server. */
export async function createSeededFolder(bench, invoices) {
  const folder = newFolder(bench);
  cpSync((await seed(bench, invoices)).folder, folder, { recursive: true });
  return folder;
}

/** Returns the size of the journals, and of all files, in bytes. */
export function sizeOf(folder) {
  const files = readdirSync(folder).map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
  const sum = (selectedFiles) => selectedFiles.reduce((total, { bytes }) => total + bytes, 0);
  return {
    journal: sum(files.filter(({ name }) => name.startsWith('journal'))),
    all: sum(files),
  };
}

async function seedFolder(bench, invoices) {
  const folder = newFolder(bench);
  const startedAt = performance.now();
  await run('seed', [bench.cli, 'seed', '--invoices', String(invoices), '--data', folder], bench.workFolder);
  return { folder, seconds: (performance.now() - startedAt) / 1000 };
}
