import { selectClauses } from '../../contract/engine/select.js';
import { exitCodeOf } from '../../contract/mutation/kill-matrix.js';
import { canFail, prove } from '../../contract/mutation/prove.js';
import { itemsOfShard, type Shard } from '../../contract/mutation/shard.js';
import { clauses } from '../../contract/sections/clauses.js';
import { mutants } from '../../contract/sections/mutants.js';
import { CommandError } from '../support/command-error.js';
import type { ProveProgress } from './prove-progress.js';
import type { ProveResult } from './prove-text.js';
import { startSimulatorTarget } from './simulator-target.js';

/** Clauses to test, and the depth of the test. */
export interface ProveSuiteOptions {
  /** Ids of clauses, or prefixes of ids; default: all. */
  readonly only?: readonly string[];
  /** Shard of these clauses to test; default: all. */
  readonly shard?: Shard;
  /** Runs each mutant only against its own clause. */
  readonly quick?: true;
}

/**
 * Mutation-tests the suite on a simulator that it starts in this process.
 * @throws CannotRun or CommandError if there is nothing to test
 * @throws BaselineFailed if the clauses do not pass on the original simulator: mutants would then prove nothing
 */
export async function proveSuite(
  { only, shard, quick }: ProveSuiteOptions,
  progress: ProveProgress,
): Promise<ProveResult> {
  const startedAt = new Date();
  const clausesThatCanFail = selectClauses(only).filter(canFail);
  const clausesToProve = shard ? itemsOfShard(clausesThatCanFail, shard) : clausesThatCanFail;
  if (clausesThatCanFail.length === 0)
    throw new CommandError(
      'nothing to test: each of the selected clauses is open or untestable, so no mutant can make it fail',
    );
  if (clausesToProve.length === 0)
    throw new CommandError('nothing to test: this shard has no clauses; divide the selected clauses into fewer parts');
  const simulator = await startSimulatorTarget();
  let requestCount = 0;
  try {
    const matrix = await prove({
      clauses,
      mutants,
      clausesToProve,
      runsWholeSuite: !quick,
      createImplementation: simulator.open,
      onBaseline(baselineRequestCount) {
        requestCount += baselineRequestCount;
        progress.start(clausesToProve.length);
      },
      onTrial(trial) {
        requestCount += trial.requestCount;
        progress.mutantTested();
      },
    });
    return {
      depth: quick ? 'own clause' : 'whole suite',
      shard: shard ? `${shard.part}/${shard.total}` : null,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: requestCount,
      exitCode: exitCodeOf(matrix),
      ...matrix,
    };
  } finally {
    await simulator.close();
  }
}
