import type { Clause } from '../engine/clause.js';
import { type KillMatrix, killMatrixOf } from './kill-matrix.js';
import type { Mutant } from './mutant.js';
import { checkAll, type SubjectFactory, type Trial, tryMutant } from './trial.js';

export interface Proving {
  /** The whole suite. */
  readonly clauses: readonly Clause[];
  readonly mutants: readonly Mutant[];
  /** Clauses to test; those that no run can check are left out. */
  readonly chosen: readonly Clause[];
  /** Whether each mutant runs against the whole suite, and not only its own clause. */
  readonly isWhole: boolean;
  /** Creates the subject of each run. */
  readonly open: SubjectFactory;
  /** Called when the unchanged target has passed; `onTrial` is called after each trial. */
  readonly onBaseline?: (requests: number) => void;
  readonly onTrial?: (trial: Trial) => void;
}

/** Concurrent mutants: they mostly wait for sockets and timeouts. */
const maxConcurrentTrials = 12;

/** Clauses fail on the unchanged target, so their verdicts on mutants would be worthless. */
export class BaselineFailed extends Error {
  override readonly name = 'RedBaseline';
  /** The failing clauses, each with its detail. */
  readonly failures: readonly string[];

  constructor(complaints: readonly string[]) {
    super(`clauses fail on the unchanged target: ${complaints.join('; ')}`);
    this.failures = complaints;
  }
}

/** Mutation-tests clauses: runs the suite against each mutant, after a green run without one. @throws RedBaseline */
export async function prove(proving: Proving): Promise<KillMatrix> {
  const { mutants, isWhole, open, onBaseline, onTrial } = proving;
  const clauses = proving.clauses.filter(isTestable);
  const chosen = proving.chosen.filter(isTestable);
  const { results, requests } = await checkAll(open, {}, clauses);
  const complaints = results
    .filter(({ status }) => status !== 'passed')
    .map(({ clause, status, detail }) => `${clause.id} ${status}: ${detail}`);
  if (complaints.length > 0) throw new BaselineFailed(complaints);
  onBaseline?.(requests);

  const shown = ({ clause, after }: Mutant): Clause[] =>
    isWhole ? clauses : clauses.filter(({ id }) => id === clause || id === after);
  const selected = mutants.filter(({ clause }) => chosen.some(({ id }) => id === clause));
  const trials = await severalAtOnce(selected, async (mutant) => {
    const trial = await tryMutant(open, mutant, shown(mutant));
    onTrial?.(trial);
    return trial;
  });
  return killMatrixOf(chosen, trials, isWhole);
}

/** Whether a clause can fail: an open one only observes, and an untestable one is never checked. */
export function isTestable({ level, check }: Clause): boolean {
  return level !== 'open' && typeof check === 'function';
}

async function severalAtOnce<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  await Promise.all(
    Array.from({ length: maxConcurrentTrials }, async () => {
      for (const [index, item] of rest) results[index] = await act(item);
    }),
  );
  return results;
}
