import { Command } from 'commander';
import { addAccountOptions } from '../support/control.js';
import { controlAction, example } from '../support/verb.js';

const verbs = {
  authorize: "authorize the deposit with the guest's card",
  decline: "decline the guest's card",
  expire: 'expire the hold, or the unused link, now',
} as const;

export function depositCommand(): Command {
  return addAccountOptions(new Command('deposit'))
    .description('act on a deposit as the guest and the card issuer')
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
      controlAction(async ({ call }, _flags, id) => {
        const value = await call('post', `/accounts/{account}/deposits/{deposit}/${name}`, { path: { deposit: id } });
        return { value, text: `deposit ${value.deposit.id} is ${value.deposit.status}` };
      }),
    );
}
