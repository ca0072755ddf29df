import type { Commit } from '../simulation/state/changes.js';

/**
 * A commit as journals hold it. The words are those of the first version of the format, so that data folders of every
 * version can be read: `put` are the changes, and `before` says what became of the rows that the account had.
 */
export interface StoredCommit {
  readonly account: string;
  readonly put: Commit['changes'];
  /** Left out for a merge. */
  readonly before?: 'replaced' | 'removed' | undefined;
}

const storedModes = { merge: undefined, replace: 'replaced', remove: 'removed' } as const;

export function storedCommit({ account, changes, mode }: Commit): StoredCommit {
  return { account, put: changes, before: storedModes[mode] };
}

/** @returns undefined for a value that stands for no mode */
export function modeOf(before: unknown): Commit['mode'] | undefined {
  if (before === undefined) return 'merge';
  if (before === 'replaced') return 'replace';
  return before === 'removed' ? 'remove' : undefined;
}
