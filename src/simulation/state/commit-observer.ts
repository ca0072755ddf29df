import type { AccountState } from './account-state.js';
import type { RowChanges } from './changes.js';

/** Follows the commits of an account. */
export interface CommitObserver {
  /** Called before the rows of a commit are applied. @returns undefined where it has nothing to do about this one */
  observe(changes: RowChanges, state: AccountState): ObservedCommit | undefined;
}

export interface ObservedCommit {
  /** Called once the commit is applied and on its way to the store. */
  readonly committed?: () => void;
  /** Called if the commit cannot be stored. */
  readonly undo?: () => void;
}
