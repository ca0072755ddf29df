import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectFolder, writeFolder } from '../../src/store/inspect-folder.js';
import { hashesOf } from '../store/damaged-folder.js';
import { openFolder } from '../store/open-store.js';

export interface DamageReport {
  copies: number;
  /** Number of failed starts. */
  refused: number;
  /** Failures, each with the damage that caused it. */
  readonly failures: string[];
}

/** Seeded random numbers from 0 up to 1, so that a failure can be reproduced. */
function numbersFrom(seed: number): () => number {
  let state = seed + 0x9e3779b9;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) ^ Math.imul(state, 0xc2b2ae35);
    return (state >>> 0) / 2 ** 32;
  };
}

type Damage = readonly [what: string, apply: (folder: string) => void];

function damagesOf(folder: string, random: () => number): Damage[] {
  const names = readdirSync(folder);
  const journal =
    names
      .filter((name) => name.startsWith('journal-'))
      .sort()
      .at(-1) ?? '';
  const { length } = readFileSync(join(folder, journal));
  const at = Math.floor(random() * (length - 1));
  const bit = Math.floor(random() * 8);
  const damages: Damage[] = [
    [
      `bit ${bit} of byte ${at} of ${journal} flipped`,
      (copy) => {
        const bytes = readFileSync(join(copy, journal));
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        writeFileSync(join(copy, journal), bytes);
      },
    ],
  ];
  if (names.includes('db.json')) {
    const size = Math.floor(random() * (readFileSync(join(folder, 'db.json')).length - 8));
    damages.push([`db.json cut to ${size} bytes`, (copy) => truncateSync(join(copy, 'db.json'), size)]);
    damages.push(['db.json deleted', (copy) => rmSync(join(copy, 'db.json'))]);
  }
  return damages;
}

/** Damages copies of a folder, and checks what a start, a check and a repair do with them. */
export async function damageCopies(folder: string, round: number, report: DamageReport): Promise<void> {
  for (const [what, apply] of damagesOf(folder, numbersFrom(round))) {
    const copy = mkdtempSync(join(tmpdir(), 'billing-sim-'));
    const repaired = join(copy, 'repaired');
    try {
      cpSync(folder, join(copy, 'data'), { recursive: true });
      rmSync(join(copy, 'data', 'lock'), { force: true });
      apply(join(copy, 'data'));
      const before = JSON.stringify(hashesOf(join(copy, 'data')));
      const isRefused = await openFolder(join(copy, 'data')).then(
        async ({ store }) => {
          await store.close();
          return false;
        },
        () => true,
      );
      report.copies += 1;
      if (isRefused) report.refused += 1;
      if (!isRefused) report.failures.push(`${what}: not noticed`);
      if (isRefused && JSON.stringify(hashesOf(join(copy, 'data'))) !== before) {
        report.failures.push(`${what}: the refused start changed the folder`);
      }
      await writeFolder(repaired, await inspectFolder(join(copy, 'data')));
      const { problems } = await inspectFolder(repaired);
      if (problems.length > 0) report.failures.push(`${what}: the repaired folder has problems`);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
}
