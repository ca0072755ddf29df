import { Command } from 'commander';
import { paymentStatuses } from '../../domain/records.js';
import { readPaymentId } from '../support/arguments.js';
import { addAccountOptions } from '../support/control.js';
import { example } from '../support/help-text.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';
import { createReadCommands } from './record-commands.js';

const actions = {
  succeed: 'make an open or pending payment succeed',
  fail: 'make an open or pending payment fail',
} as const;

export function createCommand(): Command {
  const paymentCommand = addAccountOptions(new Command('payment'))
    .description('list and show payments, and complete one that is open or pending')
    .addHelpText('after', example('payment succeed 3'));
  return addSubcommands(paymentCommand, [
    ...createReadCommands({
      command: 'payment',
      path: '/accounts/{account}/payments/{payment}',
      readId: readPaymentId,
      exampleId: 3,
      statuses: paymentStatuses,
      fields: ['status', 'payment_method', 'description'],
    }),
    actionCommand('succeed'),
    actionCommand('fail'),
  ]);
}

function actionCommand(name: keyof typeof actions): Command {
  return new Command(name)
    .description(actions[name])
    .argument('<id>', 'id of the payment', readPaymentId)
    .addHelpText('after', example(`payment ${name} 3`))
    .action(
      controlAction(async ({ call }, _flags, id) => {
        const value = await call('post', `/accounts/{account}/payments/{payment}/${name}`, { path: { payment: id } });
        return { value, text: `payment ${value.payment.id} is ${value.payment.status}` };
      }),
    );
}
