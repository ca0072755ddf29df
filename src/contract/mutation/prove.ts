import type { Clause } from '../engine/clause.js';
import { type KillMatrix, killMatrixOf } from './kill-matrix.js';
import type { Mutant } from './mutant.js';
import { checkThroughProxy, type ImplementationFactory, type Trial, tryMutant } from './trial.js';

/** Options and callbacks of a mutation test. */
export interface ProveOptions {
  /** The whole suite. */
  readonly clauses: readonly Clause[];
  readonly mutants: readonly Mutant[];
  /** Clauses whose mutants are tried; those that cannot fail are left out. */
  readonly clausesToProve: readonly Clause[];
  /**
   * True to run each mutant against the whole suite, and not only against its own clause and the one that it names in
   * `runsAfter`.
   */
  readonly runsWholeSuite: boolean;
  /** Creates the implementation for each run: every mutant gets a new one. */
  readonly createImplementation: ImplementationFactory;
  /** Called with the number of requests when the clauses have passed on the unchanged target. */
  readonly onBaseline?: (requestCount: number) => void;
  /** Called after each trial, which is a run against one mutant. */
  readonly onTrial?: (trial: Trial) => void;
}

/** Maximum number of mutants tried at the same time. It is high because trials mostly wait for sockets and timeouts. */
const maxConcurrentTrials = 12;

/** Some clauses do not pass on the unchanged target, so their failures on mutants would prove nothing. */
export class BaselineFailed extends Error {
  override readonly name = 'BaselineFailed';
  /** The clauses that do not pass, each with its status and the reason. */
  readonly failures: readonly string[];

  constructor(failures: readonly string[]) {
    super(`clauses do not pass on the unchanged target: ${failures.join('; ')}`);
    this.failures = failures;
  }
}

/**
 * Mutation-tests clauses: runs the clauses against the unchanged target, where they must pass, and then against each
 * mutant.
 * @throws BaselineFailed
 */
export async function prove(options: ProveOptions): Promise<KillMatrix> {
  const { mutants, runsWholeSuite, createImplementation, onBaseline, onTrial } = options;
  const clauses = options.clauses.filter(canFail);
  const clausesToProve = options.clausesToProve.filter(canFail);
  const selected = mutants.filter(({ clause }) => clausesToProve.some(({ id }) => id === clause));
  const clausesOf = (tested: readonly Mutant[]): Clause[] =>
    runsWholeSuite
      ? clauses
      : clauses.filter(({ id }) => tested.some(({ clause, runsAfter }) => id === clause || id === runsAfter));
  const { results, requestCount } = await checkThroughProxy(createImplementation, {}, clausesOf(selected));
  const failures = results
    .filter(({ status }) => status !== 'passed')
    .map(({ clause, status, detail }) => `${clause.id} ${status}: ${detail}`);
  if (failures.length > 0) throw new BaselineFailed(failures);
  onBaseline?.(requestCount);

  const trials = await mapConcurrently(selected, async (mutant) => {
    const trial = await tryMutant(createImplementation, mutant, clausesOf([mutant]));
    onTrial?.(trial);
    return trial;
  });
  return killMatrixOf(clausesToProve, trials, runsWholeSuite);
}

/** True if a clause can fail: an open one only observes, and an untestable one is never checked. */
export function canFail({ level, check }: Clause): boolean {
  return level !== 'open' && typeof check === 'function';
}

async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // The loops below share this iterator, so that each item is taken once.
  const remaining = items.entries();
  await Promise.all(
    Array.from({ length: maxConcurrentTrials }, async () => {
      for (const [index, item] of remaining) results[index] = await act(item);
    }),
  );
  return results;
}
