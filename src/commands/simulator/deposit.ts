import { Command } from 'commander';
import { depositStatuses } from '../../domain/records.js';
import { readDepositId } from '../support/arguments.js';
import { addAccountOptions } from '../support/control.js';
import { example, notes } from '../support/help-text.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';
import { createReadCommands } from './record-commands.js';

const actions = {
  authorize: "authorize the deposit with the guest's card",
  decline: "decline the guest's card",
  expire: 'expire the hold, or the unused authorization link, now',
} as const;

export function createCommand(): Command {
  const depositCommand = addAccountOptions(new Command('deposit'))
    .description('list and show deposits, and act on one as the guest or the card issuer would')
    .addHelpText('after', example('deposit authorize 8'))
    .addHelpText(
      'after',
      notes(
        'To create, capture or release a deposit, call the service (POST /api/v1/deposits, POST /api/v1/deposits/ID/capture, POST /api/v1/deposits/ID/release) or use the dashboard. Without either, `billing-sim trigger deposit.created` creates a deposit, and `billing-sim trigger deposit.captured --deposit ID` captures one.',
      ),
    );
  return addSubcommands(depositCommand, [
    ...createReadCommands({
      command: 'deposit',
      path: '/accounts/{account}/deposits/{deposit}',
      readId: readDepositId,
      exampleId: 1,
      statuses: depositStatuses,
      fields: ['status', 'booking_reference', 'expires_at'],
    }),
    actionCommand('authorize'),
    actionCommand('decline'),
    actionCommand('expire'),
  ]);
}

function actionCommand(name: keyof typeof actions): Command {
  return new Command(name)
    .description(actions[name])
    .argument('<id>', 'id of the deposit', readDepositId)
    .addHelpText('after', example(`deposit ${name} 8`))
    .action(
      controlAction(async ({ call }, _flags, id) => {
        const value = await call('post', `/accounts/{account}/deposits/{deposit}/${name}`, { path: { deposit: id } });
        const { id: depositId, status } = value.deposit;
        // The profile may leave out the status (gap deposit.fields).
        return {
          value,
          text: status === undefined ? `deposit ${depositId} changed` : `deposit ${depositId} is ${status}`,
        };
      }),
    );
}
