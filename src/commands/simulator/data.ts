import { Command } from 'commander';
import type { RowChanges } from '../../simulation/state/changes.js';
import { brokenReferences } from '../../simulation/state/references.js';
import { type Inspection, inspectFolder, writeFolder } from '../../store/inspect-folder.js';
import { describe, type Problem } from '../../store/problem.js';

interface DataFlags {
  readonly data: string;
  readonly json?: true;
}

/** Commands on a data folder that no simulator uses. */
export function dataCommand(): Command {
  return new Command('data')
    .description('check and repair a data folder while the simulator is stopped')
    .addHelpText('after', '\nExample:\n  $ billing-sim data check --data .billing-sim')
    .addCommand(
      folderCommand('check', 'list all problems in a data folder; exit with 1 if there are any')
        .addHelpText('after', '\nExample:\n  $ billing-sim data check')
        .action(check),
    )
    .addCommand(
      folderCommand('repair', 'copy the valid data of a folder into a new folder')
        .requiredOption('--to <folder>', 'new folder to write to')
        .addHelpText('after', '\nExample:\n  $ billing-sim data repair --to repaired')
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
  const inspection = await inspectFolder(data);
  const { problems } = withoutBrokenReferences(inspection, data);
  if (json) console.log(JSON.stringify({ folder: data, ...countsOf(inspection), problems }));
  else console.log(reportOf(data, inspection, problems));
  if (problems.length > 0) process.exitCode = 1;
}

async function repair({ data, to, json }: DataFlags & { readonly to: string }): Promise<void> {
  const whole = withoutBrokenReferences(await inspectFolder(data), data);
  await writeFolder(to, whole);
  if (json) console.log(JSON.stringify({ folder: to, ...countsOf(whole), problems: whole.problems }));
  else {
    const left = whole.problems.map((problem) => `  ${describe(problem)}`);
    console.log([...(left.length > 0 ? ['Skipped:', ...left, ''] : []), `${to} has ${inWords(whole)}`].join('\n'));
  }
}

function reportOf(folder: string, inspection: Inspection, problems: readonly Problem[]): string {
  if (problems.length === 0) return `${folder} is valid: ${inWords(inspection)}`;
  return [
    ...problems.map(describe),
    '',
    `${folder}: ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}; valid are ${inWords(inspection)}`,
    `billing-sim data repair --data ${folder} --to NEW-FOLDER saves the valid data`,
  ].join('\n');
}

/** Leaves out rows that name others which do not exist, and those that name these in turn. */
function withoutBrokenReferences(inspection: Inspection, file: string): Inspection {
  const problems = [...inspection.problems];
  const accounts = new Map(inspection.accounts);
  for (const [id, rows] of inspection.accounts) {
    let changes = rows;
    for (let broken = brokenReferences(changes); broken.length > 0; broken = brokenReferences(changes)) {
      for (const { message } of broken) problems.push({ kind: 'invalid', file, message: `account ${id}: ${message}` });
      const left = broken;
      const isBroken = (table: keyof RowChanges, row: { readonly id: number | string }): boolean =>
        left.some((each) => each.table === table && each.id === row.id);
      changes = {
        ...changes,
        invoices: (changes.invoices ?? []).filter((row) => !isBroken('invoices', row)),
        payments: (changes.payments ?? []).filter((row) => !isBroken('payments', row)),
        mails: (changes.mails ?? []).filter((row) => !isBroken('mails', row)),
        attempts: (changes.attempts ?? []).filter((row) => !isBroken('attempts', row)),
        deliveries: (changes.deliveries ?? []).filter((row) => !isBroken('deliveries', row)),
      };
    }
    accounts.set(id, changes);
  }
  return { ...inspection, problems, accounts };
}

function countsOf({ accounts, snapshots, seq }: Inspection): object {
  return { accounts: accounts.size, rows: rowsIn(accounts), snapshots: snapshots.size, commits: seq };
}

function inWords({ accounts, snapshots, seq }: Inspection): string {
  const counts: readonly [number, string][] = [
    [accounts.size, 'account'],
    [rowsIn(accounts), 'row'],
    [snapshots.size, 'saved snapshot'],
    [seq, 'commit'],
  ];
  return counts.map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(', ');
}

function rowsIn(accounts: Inspection['accounts']): number {
  return [...accounts.values()].reduce(
    (sum, changes) => sum + Object.values(changes).reduce((rows, table) => rows + table.length, 0),
    0,
  );
}
