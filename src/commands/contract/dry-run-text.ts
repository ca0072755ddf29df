import { headingsOf } from '../../contract/report/headings.js';
import { formatCount } from '../../text/format.js';
import { columns, printable } from '../support/output.js';
import { formatEstimate } from './contract-estimate-text.js';
import { skippedTable } from './contract-text.js';
import type { DryRun } from './dry-run.js';

/** Returns the JSON form of a dry run. */
export function dryRunJson({ target, mayWrite, results, estimatedRequests, requestsPerMinute }: DryRun): object {
  return {
    target,
    mayWrite,
    requests: estimatedRequests,
    /** Null if the run would not wait between requests. */
    requestsPerMinute: requestsPerMinute ?? null,
    clauses: results.map(({ clause: { id, level, spec, title }, status, missing, detail }) => {
      const isChecked = status !== 'skipped';
      return { id, level, spec, title, isChecked, ...(isChecked ? {} : { missing, detail }) };
    }),
  };
}

/** Formats a dry run as text. */
export function formatDryRun({ target, mayWrite, results, estimatedRequests, requestsPerMinute }: DryRun): string {
  const skipped = results.filter(({ status }) => status === 'skipped');
  const documented = results.filter(({ clause }) => clause.level === 'documented');
  const verified = documented.filter(({ status }) => status !== 'skipped').length;
  const row = (name: string, isIn: (spec: string) => boolean): string[] => {
    const resultsInRow = results.filter(({ clause }) => isIn(clause.spec));
    const skippedCount = resultsInRow.filter(({ status }) => status === 'skipped').length;
    const checkedCount = resultsInRow.length - skippedCount;
    return [name, String(checkedCount).padStart(11), skippedCount === 0 ? '' : String(skippedCount).padStart(10)];
  };
  const blocks = [
    `${target} responds. Nothing was changed: the suite sent only GET requests.\n` +
      'Judging by a run against a simulator with the same kinds of tokens and driver methods, a run against this target would check:',
    columns([
      ['section', 'would check', 'would skip'],
      ...headingsOf(results.map(({ clause }) => clause)).map((section) => row(section, (spec) => spec === section)),
      row('all', () => true),
    ]),
    ...skippedTable(skipped.map(({ clause, missing, detail }) => ({ id: clause.id, missing: missing ?? '', detail }))),
    `would verify ${verified} of ${formatCount(documented.length, 'documented clause')}\n` +
      `${formatEstimate({ requests: estimatedRequests, requestsPerMinute })}\n` +
      (mayWrite
        ? 'Records that the run creates would remain; most have a description or reference that begins with contract-.'
        : 'It would only read; use --write to let it create records.'),
  ];
  return printable(blocks.join('\n\n'));
}
