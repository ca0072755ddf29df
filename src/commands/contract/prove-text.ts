import type { ClauseVerdict, KillMatrix } from '../../contract/mutation/kill-matrix.js';
import { formatCount, formatDuration } from '../../text/format.js';
import { columns, printable, titledTable } from '../support/output.js';

/** Result of a mutation test of the suite. */
export interface ProveResult extends KillMatrix {
  /** Which clauses were run against each mutant. */
  readonly depth: 'whole suite' | 'own clause';
  /** Tested shard of the chosen clauses, such as `3/20`; null for all. */
  readonly shard: string | null;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Total number of requests, in the baseline run and in the run against each mutant. */
  readonly requests: number;
  readonly exitCode: 0 | 1;
}

/** Formats a result: a line for each clause, then the problems, then the summary. */
export function formatProveResult(result: ProveResult): string {
  const { clauses, depth, shard, detectedOnlyByOwnClause } = result;
  const killed = clauses.filter(({ verdict }) => verdict === 'killed').length;
  const runsWholeSuite = depth === 'whole suite';
  const unproven = clauses.filter(({ verdict }) => verdict === 'survived' || verdict === 'no effect');
  const blocks = [
    columns(clauses.map((clause) => lineOf(clause, runsWholeSuite))),
    ...titledTable(
      'Clauses that did not detect their mutants',
      unproven.map(({ id, verdict, detail }) => [
        id,
        verdict === 'no effect' ? 'no effect: the mutant changed nothing' : detail,
      ]),
    ),
    ...titledTable(
      'Clauses without a mutant',
      result.withoutMutant.map((id) => [id]),
    ),
    ...titledTable(
      'Clauses that failed only on mutants of other clauses',
      result.detectedOnlyOtherMutants.map((id) => [id]),
    ),
    ...(runsWholeSuite ? [`Mutants detected only by their own clause: ${detectedOnlyByOwnClause.length}`] : []),
    `${killed} of ${formatCount(clauses.length, 'clause')} detected ${clauses.length === 1 ? 'its mutant' : 'their mutants'}${shard === null ? '' : `, shard ${shard}`}; ` +
      `${formatCount(result.survivors.length, 'survivor')}, ${result.noEffect.length} without effect, ` +
      `${result.withoutMutant.length} without a mutant, ${result.detectedOnlyOtherMutants.length} failed only on other mutants\n` +
      `each mutant was checked by ${runsWholeSuite ? 'the whole suite' : 'its own clause'}, in ${formatCount(result.requests, 'request')} and ${formatDuration(result.durationMs)}\n` +
      `exit code ${result.exitCode}: ${result.exitCode === 0 ? 'every clause detected its mutant' : 'not every clause detected its mutant'}`,
  ];
  return printable(blocks.join('\n\n'));
}

const marks = { killed: '✓', survived: '✗', 'no effect': '○', 'no mutant': '?' };

function lineOf({ id, verdict, mutant, otherDetectingClauses }: ClauseVerdict, runsWholeSuite: boolean): string[] {
  return [
    marks[verdict],
    id,
    verdict,
    ...(runsWholeSuite ? [otherDetectorsText(verdict, otherDetectingClauses.length)] : []),
    mutant ?? '',
  ];
}

/** Formats the number of other clauses that detected the mutant of a clause. */
function otherDetectorsText(verdict: ClauseVerdict['verdict'], count: number): string {
  if (count === 0) return verdict === 'killed' ? 'detected by no other clause' : '';
  return `detected by ${verdict === 'killed' ? `${count} more` : formatCount(count, 'other')}`;
}
