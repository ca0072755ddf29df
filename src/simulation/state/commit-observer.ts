import type { AccountState } from './account-state.js';
import type { RowsByTable } from './changes.js';

/** Observes the commits of an account. */
export interface CommitObserver {
  /** Called before a commit is applied. @returns callbacks for later; undefined if the observer needs none */
  observe(changes: RowsByTable, state: AccountState): ObservedCommit | undefined;
}

/** Callbacks of an observer for one commit. */
export interface ObservedCommit {
  /** Called once the commit is applied and queued for storage. */
  readonly committed?: () => void;
  /** Called if the commit cannot be stored, when its changes have been undone. */
  readonly undo?: () => void;
}
