import { instant } from '../../domain/dates.js';
import type { Step } from '../../domain/receipt.js';
import type { AccountState } from '../state/account-state.js';
import type { RowChanges } from '../state/changes.js';
import type { CommitObserver, ObservedCommit } from '../state/commit-observer.js';
import { stepsOf } from './receipt.js';

/** Calls watchers with the steps of each commit. */
export class StepWatchers implements CommitObserver {
  readonly #watchers = new Set<(step: Step) => void>();

  /** Calls back with every step, until the returned function is called. */
  watch(watcher: (step: Step) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  observe(changes: RowChanges, state: AccountState): ObservedCommit | undefined {
    if (this.#watchers.size === 0) return undefined;
    const steps = stepsOf(changes, state, instant(state.now()));
    return {
      committed: () => {
        for (const step of steps) for (const watcher of this.#watchers) watcher(step);
      },
    };
  }
}
