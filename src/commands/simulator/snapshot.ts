import { Argument, Command } from 'commander';
import { addAccountOptions, wholeList } from '../support/control.js';
import { columns, formatTime } from '../support/output.js';
import { controlAction, example, withDefault } from '../support/verb.js';

export function snapshotCommand(): Command {
  const snapshot = new Command('snapshot')
    .description('save the state of an account, and restore it later')
    .addHelpText('after', example('snapshot save before-expiry', 'snapshot restore before-expiry'));
  const name = new Argument('<name>', 'up to 63 lower-case letters, digits, hyphens and underscores');
  return withDefault(addAccountOptions(snapshot), [
    new Command('list')
      .description('list the snapshots')
      .addHelpText('after', example('snapshot list'))
      .action(
        controlAction(async ({ call }) => {
          const value = await call('get', '/accounts/{account}/snapshots', { query: wholeList });
          const rows = value.data.map((one) => [one.name, formatTime(one.created_at)]);
          return { value, text: rows.length === 0 ? 'No snapshots.' : columns(rows) };
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
