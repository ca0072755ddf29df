import type { Step } from '../../domain/advance-report.js';
import { formatInstant } from '../../domain/dates.js';
import type { CommitObserver } from '../state/commit-observer.js';
import { stepsOf } from './steps.js';

/** Creates an observer that calls `onStep` after each commit, with each step that the commit contains, such as a transition. */
export function observeSteps(onStep: (step: Step) => void): CommitObserver {
  return {
    observe(changes, state) {
      const steps = stepsOf(changes, state, formatInstant(state.now()));
      return {
        committed() {
          for (const step of steps) onStep(step);
        },
      };
    },
  };
}
