import { Command } from 'commander';
import { findsAccount } from '../support/control.js';
import { example, talk } from '../support/verb.js';

const verbs = {
  authorize: "have the guest's card take the hold",
  decline: "have the guest's card be declined",
  expire: 'end a hold, or a link that was not used, before its time',
} as const;

export function depositCommand(): Command {
  return findsAccount(new Command('deposit'))
    .description('do what guests and their cards do to a deposit')
    .addHelpText('after', example('deposit authorize 8'))
    .addCommand(verb('authorize'))
    .addCommand(verb('decline'))
    .addCommand(verb('expire'));
}

function verb(name: keyof typeof verbs): Command {
  return new Command(name)
    .description(verbs[name])
    .argument('<id>', 'id of the deposit')
    .addHelpText('after', example(`deposit ${name} 8`))
    .action(
      talk(async ({ ask }, _flags, id) => {
        const value = await ask('post', `/accounts/{account}/deposits/{deposit}/${name}`, { path: { deposit: id } });
        return { value, text: `deposit ${value.deposit.id} is ${value.deposit.status}` };
      }),
    );
}
