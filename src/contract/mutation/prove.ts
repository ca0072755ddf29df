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
  readonly runsWholeSuite: boolean;
  /** Creates the subject of each run. */
  readonly open: SubjectFactory;
  /** Called when all clauses have passed on the unchanged target. */
  readonly onBaseline?: (requests: number) => void;
  /** Called after each trial. */
  readonly onTrial?: (trial: Trial) => void;
}

/** Mutants that run at the same time. Many can, since they mostly wait for sockets and timeouts. */
const maxConcurrentTrials = 12;

/** Clauses fail on the unchanged target, so their verdicts on mutants would be worthless. */
export class BaselineFailed extends Error {
  override readonly name = 'BaselineFailed';
  /** The failing clauses, each with its detail. */
  readonly failures: readonly string[];

  constructor(messages: readonly string[]) {
    super(`clauses fail on the unchanged target: ${messages.join('; ')}`);
    this.failures = messages;
  }
}

/**
 * Mutation-tests clauses: runs them against each mutant, after all have passed on the unchanged target.
 * @throws BaselineFailed
 */
export async function prove(proving: Proving): Promise<KillMatrix> {
  const { mutants, runsWholeSuite, open, onBaseline, onTrial } = proving;
  const clauses = proving.clauses.filter(isTestable);
  const chosen = proving.chosen.filter(isTestable);
  const { results, requests } = await checkAll(open, {}, clauses);
  const messages = results
    .filter(({ status }) => status !== 'passed')
    .map(({ clause, status, detail }) => `${clause.id} ${status}: ${detail}`);
  if (messages.length > 0) throw new BaselineFailed(messages);
  onBaseline?.(requests);

  const clausesFor = ({ clause, after }: Mutant): Clause[] =>
    runsWholeSuite ? clauses : clauses.filter(({ id }) => id === clause || id === after);
  const selected = mutants.filter(({ clause }) => chosen.some(({ id }) => id === clause));
  const trials = await mapConcurrently(selected, async (mutant) => {
    const trial = await tryMutant(open, mutant, clausesFor(mutant));
    onTrial?.(trial);
    return trial;
  });
  return killMatrixOf(chosen, trials, runsWholeSuite);
}

/** Whether a clause can fail: an open one only observes, and an untestable one is never checked. */
export function isTestable({ level, check }: Clause): boolean {
  return level !== 'open' && typeof check === 'function';
}

async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  await Promise.all(
    Array.from({ length: maxConcurrentTrials }, async () => {
      for (const [index, item] of remaining) results[index] = await act(item);
    }),
  );
  return results;
}
