import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inspectFolder } from '../../src/store/inspect-folder.js';
import { writeFolder } from '../../src/store/write-folder.js';
import { hashFiles, latestJournal } from '../store/damaged-folder.js';
import { openFolder } from '../store/open-store.js';

export interface DamageReport {
  /** Number of copies that were damaged. */
  copies: number;
  /** Number of copies from which a start failed, as it must. */
  failedStarts: number;
  /** Descriptions of failures, such as damage that was not detected. */
  readonly failures: string[];
}

/** Creates a function like `Math.random` whose numbers depend only on the seed, so that failures are reproducible. */
function seededRandom(seed: number): () => number {
  // Odd constants with well-mixed bits, like those in hash functions; the exact values do not matter.
  let state = seed + 0x9e3779b9;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) ^ Math.imul(state, 0xc2b2ae35);
    return (state >>> 0) / 2 ** 32;
  };
}

type Damage = readonly [description: string, apply: (folder: string) => void];

/** Chooses ways to damage the latest journal and the checkpoint (`db.json`) of a folder. */
function chooseDamageCases(folder: string, random: () => number): Damage[] {
  const names = readdirSync(folder);
  const journal = basename(latestJournal(folder));
  const bytes = readFileSync(join(folder, journal));
  // Damages only complete lines, which the store has acknowledged. It drops an incomplete last line without an error.
  const offset = Math.floor(random() * bytes.lastIndexOf('\n'));
  const bit = Math.floor(random() * 8);
  const damageCases: Damage[] = [
    [
      `bit ${bit} of byte ${offset} of ${journal} flipped`,
      (copy) => {
        const flipped = Buffer.from(bytes);
        flipped[offset] = (flipped[offset] ?? 0) ^ (1 << bit);
        writeFileSync(join(copy, journal), flipped);
      },
    ],
  ];
  if (names.includes('db.json')) {
    // Cuts off more than the line break at the end, without which the file is still complete.
    const sizeBytes = Math.floor(random() * (statSync(join(folder, 'db.json')).size - 1));
    damageCases.push([
      `db.json truncated to ${sizeBytes} bytes`,
      (copy) => truncateSync(join(copy, 'db.json'), sizeBytes),
    ]);
    damageCases.push(['db.json deleted', (copy) => rmSync(join(copy, 'db.json'))]);
  }
  return damageCases;
}

/**
 * Damages copies of a data folder, each in a different way. Checks that a start from a copy fails without changing it,
 * and that the copy can be repaired. The random seed determines the damage. Adds the results to the report.
 */
export async function damageCopies(folder: string, randomSeed: number, report: DamageReport): Promise<void> {
  for (const [description, apply] of chooseDamageCases(folder, seededRandom(randomSeed))) {
    const temporary = mkdtempSync(join(tmpdir(), 'billing-sim-'));
    const copy = join(temporary, 'data');
    const repaired = join(temporary, 'repaired');
    try {
      cpSync(folder, copy, { recursive: true });
      rmSync(join(copy, 'lock'), { force: true });
      apply(copy);
      const hashesBefore = JSON.stringify(hashFiles(copy));
      const hasStartFailed = await openFolder(copy).then(
        async ({ store }) => {
          await store.close();
          return false;
        },
        () => true,
      );
      report.copies += 1;
      if (hasStartFailed) report.failedStarts += 1;
      else report.failures.push(`${description}: not detected`);
      if (hasStartFailed && JSON.stringify(hashFiles(copy)) !== hashesBefore) {
        report.failures.push(`${description}: the failed start changed the folder`);
      }
      await writeFolder(repaired, await inspectFolder(copy));
      const { problems } = await inspectFolder(repaired);
      if (problems.length > 0) report.failures.push(`${description}: the repaired folder has problems`);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }
}
