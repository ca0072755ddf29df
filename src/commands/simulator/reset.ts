import { Command } from 'commander';
import { findsAccount } from '../support/control.js';
import { example, talk } from '../support/verb.js';
import { time } from '../support/words.js';

export function resetCommand(): Command {
  return findsAccount(new Command('reset'))
    .description('reset an account to its seed; its tokens, settings and snapshots are kept')
    .addHelpText('after', example('reset'))
    .action(
      talk(async ({ ask }) => {
        const value = await ask('post', '/accounts/{account}/reset');
        return { value, text: `Account ${value.id} reset; its clock shows ${time(value.now)}` };
      }),
    );
}
