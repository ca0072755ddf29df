import type { Clause } from '../engine/clause.js';
import type { Trial } from './trial.js';

/**
 * `killed`: the clause failed on its mutant. `survived`: the clause did not fail. `no effect`: the mutant changed
 * nothing, so the trial proves nothing. `no mutant`: the clause has no mutant.
 */
type Verdict = 'killed' | 'survived' | 'no effect' | 'no mutant';

/** A clause, and the verdict on its mutant. */
export interface ClauseVerdict {
  readonly id: string;
  readonly level: Clause['level'];
  readonly title: string;
  /** Title of the clause's mutant; null if there is none. */
  readonly mutant: string | null;
  readonly verdict: Verdict;
  /** Status of the clause on its mutant, with the reason; empty if there is no mutant. */
  readonly detail: string;
  /** Other clauses that failed on its mutant. Empty if no other clause ran. */
  readonly otherDetectingClauses: readonly string[];
  /** Other clauses on whose mutants this one failed. */
  readonly alsoDetects: readonly string[];
}

/**
 * Shows which clauses detected which mutants, as plain data. All lists except `clauses` contain ids of clauses; a
 * mutant has the id of its clause.
 */
export interface KillMatrix {
  readonly clauses: readonly ClauseVerdict[];
  readonly survivors: readonly string[];
  readonly noEffect: readonly string[];
  readonly withoutMutant: readonly string[];
  /** Clauses that failed on the mutant of another clause, but did not detect a mutant of their own. */
  readonly detectedOnlyOtherMutants: readonly string[];
  /** Clauses that were the only ones to detect their mutant; empty unless each mutant ran against the whole suite. */
  readonly detectedOnlyByOwnClause: readonly string[];
}

/**
 * Builds the kill matrix from trials.
 * @param clauses the clauses under test
 * @param trials results of the mutants, one for each clause with a mutant
 * @param runsWholeSuite true if each mutant ran against the whole suite
 */
export function killMatrixOf(
  clauses: readonly Clause[],
  trials: readonly Trial[],
  runsWholeSuite: boolean,
): KillMatrix {
  const clauseVerdicts = clauses.map((clause): ClauseVerdict => {
    const { id, level, title } = clause;
    const trial = trials.find(({ mutant }) => mutant.clause === id);
    return {
      id,
      level,
      title,
      mutant: trial?.mutant.title ?? null,
      verdict: verdictOf(trial),
      detail: trial?.ownOutcome ?? '',
      otherDetectingClauses: trial?.failedClauses.filter((other) => other !== id) ?? [],
      alsoDetects: trials
        .filter(({ mutant, failedClauses }) => mutant.clause !== id && failedClauses.includes(id))
        .map(({ mutant }) => mutant.clause),
    };
  });
  const idsOf = (isSelected: (result: ClauseVerdict) => boolean): string[] =>
    clauseVerdicts.filter(isSelected).map(({ id }) => id);
  return {
    clauses: clauseVerdicts,
    survivors: idsOf(({ verdict }) => verdict === 'survived'),
    noEffect: idsOf(({ verdict }) => verdict === 'no effect'),
    withoutMutant: idsOf(({ verdict }) => verdict === 'no mutant'),
    detectedOnlyOtherMutants: idsOf(({ verdict, alsoDetects }) => verdict !== 'killed' && alsoDetects.length > 0),
    detectedOnlyByOwnClause: idsOf(
      ({ verdict, otherDetectingClauses }) =>
        runsWholeSuite && verdict === 'killed' && otherDetectingClauses.length === 0,
    ),
  };
}

function verdictOf(trial: Trial | undefined): Verdict {
  if (!trial) return 'no mutant';
  if (trial.changes === 0) return 'no effect';
  return trial.failedClauses.includes(trial.mutant.clause) ? 'killed' : 'survived';
}

/** Exit code: 0 if every clause detected its own mutant, 1 if not. */
export function exitCodeOf({ clauses }: Pick<KillMatrix, 'clauses'>): 0 | 1 {
  return clauses.every(({ verdict }) => verdict === 'killed') ? 0 : 1;
}
