import { selectClauses } from '../../contract/engine/select.js';
import { exitCodeOf } from '../../contract/mutation/kill-matrix.js';
import { isTestable, prove } from '../../contract/mutation/prove.js';
import { itemsOfShare, type Share } from '../../contract/mutation/share.js';
import { clauses } from '../../contract/sections/clauses.js';
import { mutants } from '../../contract/sections/mutants.js';
import { CommandError } from '../support/command-error.js';
import { startProofSubjects } from './proof-subjects.js';
import type { ProofProgress } from './prove-progress.js';
import type { Proof } from './prove-text.js';

/** Clauses to test, and the depth of the test. */
export interface ProofOptions {
  /** Ids of clauses, or prefixes of ids; default: all. */
  readonly only?: readonly string[];
  /** Share of these clauses to test; default: all. */
  readonly share?: Share;
  /** Runs each mutant only against its own clause. */
  readonly quick?: true;
}

/**
 * Mutation-tests the suite on a simulator that it starts in this process.
 * @throws CannotRun or CommandError if there is nothing to test; BaselineFailed
 */
export async function proveSimulator({ only, share, quick }: ProofOptions, progress: ProofProgress): Promise<Proof> {
  const startedAt = new Date();
  const testable = selectClauses(only).filter(isTestable);
  const chosen = share ? itemsOfShare(testable, share) : testable;
  if (chosen.length === 0)
    throw new CommandError('nothing to test: none of the selected clauses can be checked by a run');
  const subjects = await startProofSubjects();
  let requests = 0;
  try {
    const matrix = await prove({
      clauses,
      mutants,
      chosen,
      runsWholeSuite: !quick,
      createSubject: subjects.open,
      onBaseline(count) {
        requests += count;
        progress.begin(chosen.length);
      },
      onTrial(trial) {
        requests += trial.requests;
        progress.onTrial();
      },
    });
    return {
      depth: quick ? 'own clause' : 'whole suite',
      share: share ? `${share.part}/${share.total}` : null,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests,
      exitCode: exitCodeOf(matrix),
      ...matrix,
    };
  } finally {
    await subjects.close();
  }
}
