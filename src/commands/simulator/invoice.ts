import { Command } from 'commander';
import { invoiceStatuses } from '../../domain/records.js';
import { readAmount, readInvoiceId } from '../support/arguments.js';
import { addAccountOptions } from '../support/control.js';
import { example, notes } from '../support/help-text.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';
import { createReadCommands } from './record-commands.js';

/** Actions with their descriptions. In the demo seed, the invoice `exampleId` is in a status that allows the action. */
const actions = {
  finalize: { description: 'finalize a draft, which then awaits payment', exampleId: 1 },
  send: { description: 'mark the invoice as sent to the customer; no email is written', exampleId: 2 },
  view: { description: 'view the invoice as the customer', exampleId: 2 },
  cancel: { description: 'cancel the invoice', exampleId: 2 },
} as const;

export function createCommand(): Command {
  const invoiceCommand = addAccountOptions(new Command('invoice'))
    .description('list and show invoices, and act on one as the customer or the business')
    .addHelpText('after', example('invoice pay 3 --amount 50'))
    .addHelpText(
      'after',
      notes(
        'To create an invoice or to send a reminder, call the service (POST /api/v1/invoices, POST /api/v1/invoices/ID/reminder) or use the dashboard.',
      ),
    );
  return addSubcommands(invoiceCommand, [
    ...createReadCommands({
      command: 'invoice',
      path: '/accounts/{account}/invoices/{invoice}',
      readId: readInvoiceId,
      exampleId: 3,
      statuses: invoiceStatuses,
      fields: ['status', 'invoice_number', 'due_date'],
    }),
    actionCommand('finalize'),
    actionCommand('send'),
    actionCommand('view'),
    actionCommand('cancel'),
    new Command('pay')
      .description('pay an invoice, or part of it')
      .argument('<id>', 'id of the invoice', readInvoiceId)
      .option('--amount <amount>', 'amount, for example 49.90 (default: the unpaid amount)', readAmount)
      .addHelpText('after', example('invoice pay 3', 'invoice pay 3 --amount 50'))
      .action(
        controlAction(async ({ call }, { amount }: { readonly amount?: number }, id) => {
          const value = await call('post', '/accounts/{account}/invoices/{invoice}/pay', {
            path: { invoice: id },
            body: { amount },
          });
          const { payment, invoice } = value;
          return {
            value,
            text: `payment ${payment.id} is ${payment.status}; invoice ${invoice.id} is ${invoice.status}`,
          };
        }),
      ),
  ]);
}

function actionCommand(name: keyof typeof actions): Command {
  const { description, exampleId } = actions[name];
  return new Command(name)
    .description(description)
    .argument('<id>', 'id of the invoice', readInvoiceId)
    .addHelpText('after', example(`invoice ${name} ${exampleId}`))
    .action(
      controlAction(async ({ call }, _flags, id) => {
        const value = await call('post', `/accounts/{account}/invoices/{invoice}/${name}`, { path: { invoice: id } });
        return { value, text: `invoice ${value.invoice.id} is ${value.invoice.status}` };
      }),
    );
}
