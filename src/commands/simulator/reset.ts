import { Command } from 'commander';
import { findsAccount } from '../support/control.js';
import { example, talk } from '../support/verb.js';
import { time } from '../support/words.js';

export function resetCommand(): Command {
  return findsAccount(new Command('reset'))
    .description('take an account back to what it began with; its tokens, settings and snapshots stay')
    .addHelpText('after', example('reset'))
    .action(
      talk(async ({ ask }) => {
        const value = await ask('post', '/accounts/{account}/reset');
        return { value, text: `${value.id} is as it began; its clock shows ${time(value.now)}` };
      }),
    );
}
