import { instant } from '../../domain/dates.js';
import type { Step } from '../../domain/receipt.js';
import type { CommitObserver } from '../state/commit-observer.js';
import { stepsOf } from './receipt.js';

/** Creates an observer that calls back with every step of every commit. */
export function observeSteps(onStep: (step: Step) => void): CommitObserver {
  return {
    observe(changes, state) {
      const steps = stepsOf(changes, state, instant(state.now()));
      return {
        committed() {
          for (const step of steps) onStep(step);
        },
      };
    },
  };
}
