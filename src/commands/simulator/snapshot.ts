import { readFileSync } from 'node:fs';
import { Argument, Command } from 'commander';
import { unreadableReason } from '../../lib/errors.js';
import { decodeText, isRecord, parseJson } from '../../lib/json.js';
import { formatTime } from '../../text/format.js';
import { readName, readOutputFile } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { addAccountOptions, RejectedError, singlePageQuery } from '../support/control.js';
import { example } from '../support/help-text.js';
import { listOutput } from '../support/output.js';
import { writeOutputFile } from '../support/output-file.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';

export function createCommand(): Command {
  const snapshotCommand = new Command('snapshot')
    .description('save the state of an account, and restore it later')
    .addHelpText('after', example('snapshot save before-expiry', 'snapshot restore before-expiry'));
  const name = new Argument('<name>', '1 to 63 lowercase letters, digits, hyphens and underscores').argParser(readName);
  return addSubcommands(addAccountOptions(snapshotCommand), [
    new Command('list')
      .description('list the snapshots')
      .addHelpText('after', example('snapshot list'))
      .action(
        controlAction(async ({ call }) => {
          const value = await call('get', '/accounts/{account}/snapshots', { query: singlePageQuery });
          return listOutput(value, 'No snapshots.', ({ name, created_at }) => [name, formatTime(created_at)]);
        }),
      ),
    new Command('save')
      .description('save the account as it is now; replaces a snapshot of the same name')
      .addArgument(name)
      .addHelpText('after', example('snapshot save before-expiry'))
      .action(
        controlAction(async ({ call }, _flags, name) => {
          const value = await call('post', '/accounts/{account}/snapshots', { body: { name } });
          return { value, text: `Snapshot ${value.name} saved at ${formatTime(value.created_at)}` };
        }),
      ),
    new Command('restore')
      .description('restore records, clock, agenda and deliveries from a snapshot')
      .addArgument(name)
      .addHelpText('after', example('snapshot restore before-expiry'))
      .action(
        controlAction(async ({ call }, _flags, snapshot) => {
          const value = await call('post', '/accounts/{account}/snapshots/{snapshot}/restore', { path: { snapshot } });
          return {
            value,
            text: `Account ${value.id} restored from ${snapshot}; its clock shows ${formatTime(value.now)}`,
          };
        }),
      ),
    new Command('export')
      .description('write a snapshot to a file, for another simulator; without tokens or secrets')
      .addArgument(name)
      .option('--output <file>', 'file to write (default: NAME.snapshot.json)', readOutputFile)
      .addHelpText('after', example('snapshot export before-expiry --output bug.json'))
      .action(
        controlAction(async ({ call }, { output }: { readonly output?: string }, snapshot) => {
          const file = await call('get', '/accounts/{account}/snapshots/{snapshot}/export', { path: { snapshot } });
          const path = output ?? `${snapshot}.snapshot.json`;
          await writeOutputFile(path, `${JSON.stringify(file)}\n`);
          return {
            value: { file: path, name: file.name, created_at: file.created_at },
            text: `Snapshot ${file.name} of ${formatTime(file.created_at)} exported to ${path}`,
          };
        }),
      ),
    new Command('import')
      .description('add a snapshot from a file; replaces a snapshot of the same name')
      .argument('<file>', 'file that `snapshot export` has written')
      .option('--name <name>', 'name of the snapshot (default: the name in the file)', readName)
      .addHelpText('after', example('snapshot import bug.json --name theirs'))
      .action(
        controlAction(async ({ call, nextCommand }, { name: newName }: { readonly name?: string }, path) => {
          const body = { name: newName, file: readJsonObject(path) };
          const value = await call('post', '/accounts/{account}/snapshots/import', { body }).catch((error: unknown) => {
            const isAboutFile = error instanceof RejectedError && error.fields.includes('file');
            throw isAboutFile ? new CommandError(`${path}: ${error.message}`, error.code) : error;
          });
          return {
            value,
            text: `Snapshot ${value.name} of ${formatTime(value.created_at)} imported; restore it with ${nextCommand(`snapshot restore ${value.name}`)}`,
          };
        }),
      ),
    new Command('remove')
      .description('remove a snapshot')
      .addArgument(name)
      .addHelpText('after', example('snapshot remove before-expiry'))
      .action(
        controlAction(async ({ call }, _flags, snapshot) => {
          const value = await call('delete', '/accounts/{account}/snapshots/{snapshot}', { path: { snapshot } });
          return { value, text: `Snapshot ${value.name} removed.` };
        }),
      ),
  ]);
}

/** @throws CommandError */
function readJsonObject(path: string): { [field: string]: unknown } {
  try {
    const value = parseJson(decodeText(readFileSync(path)));
    if (isRecord(value)) return value;
  } catch (error) {
    throw new CommandError(`cannot read ${path}: ${unreadableReason(error)}`);
  }
  throw new CommandError(`cannot read ${path}: it must be a JSON object`);
}
