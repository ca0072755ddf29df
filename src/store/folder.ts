import { constants } from 'node:fs';
import { access, open, readdir, rename, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, errorMessage } from '../lib/errors.js';
import { makeFolder } from '../lib/make-folder.js';
import { DataFolderError } from './problem.js';

/** Format version of a data folder. Folders of version 1 can be read, too, and are rewritten in this version. */
export const dataFolderFormat = 'billing-sim/2';

/** Path of the checkpoint: everything as of one commit. */
export function checkpointPath(folder: string): string {
  return join(folder, 'db.json');
}

/** A journal: commits from `first` on, all written by one process. */
export interface JournalFile {
  readonly path: string;
  /** Number of its first commit. */
  readonly first: number;
  /**
   * Number of the lease under which it was written; 0 in version 1. A lease is the time in which one process may write
   * to the folder. Each process that opens the folder takes the next number, so that what the previous process writes
   * later can be recognized and ignored.
   */
  readonly lease: number;
}

/** Number of the first commit, and the lease; version 1 had no lease. */
const journalNamePattern = /^journal-(\d+)(?:-(\d+))?\.ndjson$/;
const snapshotNamePattern = /^snapshot-(\d+)\.(?:json|json\.tmp)$/;
/** The other files that a simulator creates in its data folder. */
const otherNamePattern = /^(db\.json|db\.json\.tmp|lock|lock\.[\w.-]+|.*\.set-aside)$/;

export function journalPath(folder: string, first: number, lease: number): string {
  return join(folder, `journal-${String(first).padStart(12, '0')}-${String(lease).padStart(6, '0')}.ndjson`);
}

/** Journals of a folder, oldest first. */
export async function journalsIn(folder: string): Promise<JournalFile[]> {
  const journals = (await namesIn(folder)).flatMap((name) => {
    const [, first, lease = '0'] = journalNamePattern.exec(name) ?? [];
    return first === undefined ? [] : [{ path: join(folder, name), first: Number(first), lease: Number(lease) }];
  });
  return journals.sort((a, b) => a.first - b.first || a.lease - b.lease);
}

/** Names of snapshot files, including unfinished ones after a crash (`.tmp`). */
export async function snapshotFilesIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => snapshotNamePattern.test(name)).sort();
}

export function snapshotFileName(number: number): string {
  return `snapshot-${String(number).padStart(6, '0')}.json`;
}

export function snapshotNumber(name: string): number {
  return Number(snapshotNamePattern.exec(name)?.[1] ?? 0);
}

/**
 * Creates a folder and its parents, unless they exist. Checks that an existing one is empty or a data folder.
 * @param advice what to do if it is neither; part of the error message
 * @returns a function that removes the created folders if they are empty
 * @throws DataFolderError
 */
export async function ensureDataFolder(
  folder: string,
  advice = 'choose an empty one with --data',
): Promise<() => Promise<void>> {
  const createdFolders: string[] = [];
  const removeCreated = async (): Promise<void> => {
    for (const path of createdFolders.toReversed()) await removeEmpty(path);
  };
  try {
    await makeFolder(folder, { mode: 0o700, created: createdFolders });
    const names = await readdir(folder);
    const foreignName = names.find((name) => !isOwnName(name));
    const isOurs = names.some((name) => name === 'db.json' || journalNamePattern.test(name));
    if (foreignName !== undefined && !isOurs) {
      throw new DataFolderError(
        `${folder} is not a data folder of billing-sim (it contains ${foreignName}); ${advice}`,
      );
    }
    await access(folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    await removeCreated();
    throw toDataFolderError(folder, error);
  }
  return removeCreated;
}

/**
 * Converts an error of the operating system, such as a missing permission, to an error that names the data folder.
 * Returns other errors unchanged.
 */
export function toDataFolderError(folder: string, error: unknown): unknown {
  if (errorCode(error) === undefined) return error;
  return new DataFolderError(`cannot use the data folder ${folder} (${errorMessage(error)}); choose another folder`);
}

/** Makes the creation or renaming of a file durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some file systems cannot sync folders.
    if (errorCode(error) !== 'EINVAL' && errorCode(error) !== 'EPERM') throw error;
  } finally {
    await folder.close();
  }
}

/** Keeps an unused file under the first free name, such as `snapshot-000001.json.set-aside`, instead of deleting it. */
export async function setAside(path: string): Promise<void> {
  const names = await namesIn(dirname(path));
  let target = `${path}.set-aside`;
  for (let number = 2; names.includes(basename(target)); number += 1) target = `${path}.${number}.set-aside`;
  await rename(path, target);
}

function isOwnName(name: string): boolean {
  return otherNamePattern.test(name) || journalNamePattern.test(name) || snapshotNamePattern.test(name);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function removeEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'ENOENT') throw error;
  }
}
