import { Command } from 'commander';
import { readInteger } from '../support/arguments.js';
import { addAccountOptions } from '../support/control.js';
import { example } from '../support/help-text.js';
import { controlAction } from '../support/subcommand.js';

const actions = {
  succeed: 'make an open or pending payment succeed',
  fail: 'make an open or pending payment fail',
} as const;

export function createCommand(): Command {
  return addAccountOptions(new Command('payment'))
    .description('complete a payment that is open or pending')
    .addHelpText('after', example('payment succeed 3'))
    .addCommand(actionCommand('succeed'))
    .addCommand(actionCommand('fail'));
}

function actionCommand(name: keyof typeof actions): Command {
  return new Command(name)
    .description(actions[name])
    .argument('<id>', 'id of the payment', readInteger)
    .addHelpText('after', example(`payment ${name} 3`))
    .action(
      controlAction(async ({ call }, _flags, id) => {
        const value = await call('post', `/accounts/{account}/payments/{payment}/${name}`, { path: { payment: id } });
        return { value, text: `payment ${value.payment.id} is ${value.payment.status}` };
      }),
    );
}
