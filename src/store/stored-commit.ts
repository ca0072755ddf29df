import type { Commit } from '../simulation/state/changes.js';

/**
 * A commit as stored in journals. The field names are those of the first format version, so that all data folders can
 * be read: `put` are the changes, and `before` is the mode.
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

/** @returns undefined for an unknown mode */
export function modeOf(before: unknown): Commit['mode'] | undefined {
  if (before === undefined) return 'merge';
  if (before === 'replaced') return 'replace';
  return before === 'removed' ? 'remove' : undefined;
}
