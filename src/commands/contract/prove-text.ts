import type { ClauseProof, KillMatrix } from '../../contract/mutation/kill-matrix.js';
import { columns, countOf, formatDuration, printable } from '../support/output.js';

/** Result of a mutation test of the suite. */
export interface Proof extends KillMatrix {
  /** Clauses that each mutant ran against. */
  readonly depth: 'whole suite' | 'own clause';
  /** Tested share of the chosen clauses, such as `3/20`; null for all. */
  readonly share: string | null;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Number of requests of all trials, and of the baseline run before them. */
  readonly requests: number;
  readonly exitCode: 0 | 1;
}

/** Formats a proof: a line for each clause, then the problems, then the summary. */
export function formatProof(proof: Proof): string {
  const { clauses, depth, share, detectedByOne } = proof;
  const killed = clauses.filter(({ verdict }) => verdict === 'killed').length;
  const usesWholeSuite = depth === 'whole suite';
  const unproven = clauses.filter(({ verdict }) => verdict === 'survived' || verdict === 'no-effect');
  const blocks = [
    columns(clauses.map((clause) => lineOf(clause, usesWholeSuite))),
    ...titledTable(
      'Not caught by their clauses',
      unproven.map(({ id, verdict, detail }) => [
        id,
        verdict === 'no-effect' ? 'no effect: the mutant changed nothing' : detail,
      ]),
    ),
    ...titledTable(
      'Clauses without a mutant',
      proof.withoutMutant.map((id) => [id]),
    ),
    ...titledTable(
      'Clauses whose mutant was detected only by other clauses',
      proof.detectedOnlyElsewhere.map((id) => [id]),
    ),
    ...(usesWholeSuite ? [`Caught only by their own clause: ${countOf(detectedByOne.length, 'mutant')}`] : []),
    `${killed} of ${countOf(clauses.length, 'clause')} caught their mutants${share === null ? '' : `, share ${share}`}; ` +
      `${countOf(proof.survivors.length, 'survivor')}, ${proof.noEffect.length} without effect, ` +
      `${proof.withoutMutant.length} without a mutant, ${proof.detectedOnlyElsewhere.length} detected only by other clauses\n` +
      `each mutant run against ${usesWholeSuite ? 'the whole suite' : 'its own clause'}, in ${countOf(proof.requests, 'request')} and ${formatDuration(proof.durationMs)}\n` +
      `exit code ${proof.exitCode}: ${proof.exitCode === 0 ? 'every clause caught its mutant' : 'not every clause caught a mutant of its own'}`,
  ];
  return printable(blocks.join('\n\n'));
}

const marks = { killed: '✓', survived: '✗', 'no-effect': '○', 'no mutant': '?' };

function lineOf({ id, verdict, mutant, alsoDetectedBy }: ClauseProof, usesWholeSuite: boolean): string[] {
  return [
    marks[verdict],
    id,
    verdict,
    ...(usesWholeSuite ? [detectedByOthers(verdict, alsoDetectedBy.length)] : []),
    mutant ?? '',
  ];
}

/** Formats the number of other clauses that detected the mutant of a clause. */
function detectedByOthers(verdict: ClauseProof['verdict'], count: number): string {
  if (count === 0) return verdict === 'killed' ? 'caught by no other clause' : '';
  return `caught by ${count} ${verdict === 'killed' ? 'more' : 'others'}`;
}

function titledTable(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : [`${title}:\n${columns(rows).replace(/^/gm, '  ')}`];
}
