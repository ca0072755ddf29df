import type { Clause } from '../engine/clause.js';
import type { Trial } from './trial.js';

/**
 * `killed`: the clause failed on its mutant. `survived`: it did not. `no-effect`: the mutant has changed nothing, which proves
 * nothing. `no mutant`: there is none that could prove it.
 */
type Verdict = 'killed' | 'survived' | 'no-effect' | 'no mutant';

/** A clause, and the verdict on its mutant. */
export interface ClauseProof {
  readonly id: string;
  readonly level: Clause['level'];
  readonly title: string;
  /** The title of its mutant; null if it has none. */
  readonly mutant: string | null;
  readonly verdict: Verdict;
  /** Detail of the clause's result. */
  readonly detail: string;
  /** The other clauses that have seen its mutant. Empty where it was shown to its own alone. */
  readonly alsoSeenBy: readonly string[];
  /** The other mutants that it has seen, of those that were shown to it. */
  readonly alsoSees: readonly string[];
}

/** Clauses by mutants, as plain data. */
export interface KillMatrix {
  readonly clauses: readonly ClauseProof[];
  readonly survivors: readonly string[];
  readonly noEffect: readonly string[];
  readonly withoutMutant: readonly string[];
  /** Those that no mutant of their own, but one that was meant for another, has turned red. */
  readonly byAccident: readonly string[];
  /** The mutants that no clause but their own has seen; empty where they were shown to that alone. */
  readonly seenByOne: readonly string[];
}

/**
 * Builds the kill matrix from trials.
 * @param clauses those to be proven
 * @param trials one for each that has a mutant
 * @param isWhole whether each mutant was shown to the whole suite
 */
export function killMatrixOf(clauses: readonly Clause[], trials: readonly Trial[], isWhole: boolean): KillMatrix {
  const proofs = clauses.map((clause): ClauseProof => {
    const { id, level, title } = clause;
    const trial = trials.find(({ mutant }) => mutant.clause === id);
    return {
      id,
      level,
      title,
      mutant: trial?.mutant.title ?? null,
      verdict: verdictOf(trial),
      detail: trial?.own ?? '',
      alsoSeenBy: trial?.red.filter((other) => other !== id) ?? [],
      alsoSees: trials
        .filter(({ mutant, red }) => mutant.clause !== id && red.includes(id))
        .map(({ mutant }) => mutant.clause),
    };
  });
  const idsOf = (isMeant: (proof: ClauseProof) => boolean): string[] => proofs.filter(isMeant).map(({ id }) => id);
  return {
    clauses: proofs,
    survivors: idsOf(({ verdict }) => verdict === 'survived'),
    noEffect: idsOf(({ verdict }) => verdict === 'no-effect'),
    withoutMutant: idsOf(({ verdict }) => verdict === 'no mutant'),
    byAccident: idsOf(({ verdict, alsoSees }) => verdict !== 'killed' && alsoSees.length > 0),
    seenByOne: idsOf(({ verdict, alsoSeenBy }) => isWhole && verdict === 'killed' && alsoSeenBy.length === 0),
  };
}

function verdictOf(trial: Trial | undefined): Verdict {
  if (!trial) return 'no mutant';
  if (trial.changes === 0) return 'no-effect';
  return trial.red.includes(trial.mutant.clause) ? 'killed' : 'survived';
}

/** 0 if every clause has seen a mutant of its own, 1 if not. */
export function exitCodeOf({ clauses }: Pick<KillMatrix, 'clauses'>): 0 | 1 {
  return clauses.every(({ verdict }) => verdict === 'killed') ? 0 : 1;
}
