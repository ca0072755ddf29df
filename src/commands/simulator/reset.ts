import { Command } from 'commander';
import { formatTime } from '../../text/format.js';
import { addAccountOptions } from '../support/control.js';
import { example } from '../support/help-text.js';
import { controlAction } from '../support/subcommand.js';

export function createCommand(): Command {
  return addAccountOptions(new Command('reset'))
    .description('reset an account to its seed; its tokens, settings and snapshots are kept')
    .addHelpText('after', example('reset'))
    .action(
      controlAction(async ({ call }) => {
        const value = await call('post', '/accounts/{account}/reset');
        return { value, text: `Account ${value.id} reset; its clock shows ${formatTime(value.now)}` };
      }),
    );
}
