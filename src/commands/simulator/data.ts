import { Command } from 'commander';
import { checkFolder, describeProblem, type Inspection, writeRepairedCopy } from '../../app/data-folder.js';
import { shellWord } from '../../lib/messages.js';
import { formatCount } from '../../text/format.js';
import { example } from '../support/help-text.js';
import { printText } from '../support/style.js';

interface DataFlags {
  readonly data: string;
  readonly json?: true;
}

/** Commands for a data folder that no simulator is using. */
export function createCommand(): Command {
  return new Command('data')
    .description('check and repair a data folder while the simulator is stopped')
    .addHelpText('after', example('data check --data .billing-sim'))
    .addCommand(
      folderCommand('check', 'list all problems in a data folder; exit with 1 if there are any')
        .addHelpText('after', example('data check'))
        .action(check),
    )
    .addCommand(
      folderCommand(
        'repair',
        'copy the valid data of a folder into a new folder; exit with 1 if no account could be recovered',
      )
        .requiredOption('--to <folder>', 'new folder to write to')
        .addHelpText('after', example('data repair --to repaired'))
        .action(repair),
    );
}

function folderCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--data <folder>', 'data folder', '.billing-sim')
    .option('--json', 'print JSON');
}

async function check({ data, json }: DataFlags): Promise<void> {
  const inspection = await checkFolder(data);
  const { problems } = inspection;
  if (json) console.log(JSON.stringify({ folder: data, ...countsOf(inspection), problems }));
  else printText(reportOf(data, inspection));
  if (problems.length > 0) process.exitCode = 1;
}

async function repair({ data, to, json }: DataFlags & { readonly to: string }): Promise<void> {
  const repaired = await writeRepairedCopy(data, to);
  const hasRecoveredNothing = hasLostAllAccounts(repaired);
  if (json) console.log(JSON.stringify({ folder: to, ...countsOf(repaired), problems: repaired.problems }));
  else {
    const skipped = repaired.problems.map((problem) => `  ${describeProblem(problem)}`);
    printText(
      [
        ...(skipped.length > 0 ? ['Skipped:', ...skipped, ''] : []),
        `${to} has ${formatCounts(repaired)}`,
        ...(hasRecoveredNothing ? ['No account could be recovered.'] : []),
      ].join('\n'),
    );
  }
  if (hasRecoveredNothing) process.exitCode = 1;
}

function reportOf(folder: string, inspection: Inspection): string {
  const { problems } = inspection;
  if (problems.length === 0) return `${folder} is valid: ${formatCounts(inspection)}`;
  return [
    ...problems.map(describeProblem),
    '',
    `${folder}: ${formatCount(problems.length, 'problem')}; valid data: ${formatCounts(inspection)}`,
    hasLostAllAccounts(inspection)
      ? 'billing-sim data repair cannot recover any account; restore the files from a backup'
      : `billing-sim data repair --data ${shellWord(folder)} --to NEW-FOLDER copies the valid data`,
  ].join('\n');
}

/** True if problems have left no valid account. A folder whose accounts were all deleted has no problems. */
function hasLostAllAccounts({ accounts, problems }: Inspection): boolean {
  return accounts.size === 0 && problems.length > 0;
}

/** @param inspection its `seq`, the number of the last commit, is also the count, because numbers start at 1 */
function countsOf({ accounts, snapshots, seq }: Inspection): object {
  return { accounts: accounts.size, rows: rowsIn(accounts), snapshots: snapshots.size, commits: seq };
}

function formatCounts({ accounts, snapshots, seq }: Inspection): string {
  const counts: readonly [number, string][] = [
    [accounts.size, 'account'],
    [rowsIn(accounts), 'row'],
    [snapshots.size, 'saved snapshot'],
    [seq, 'commit'],
  ];
  return counts.map(([count, noun]) => formatCount(count, noun)).join(', ');
}

function rowsIn(accounts: Inspection['accounts']): number {
  return [...accounts.values()].reduce(
    (sum, tables) => sum + Object.values(tables).reduce((rowCount, rows) => rowCount + rows.length, 0),
    0,
  );
}
