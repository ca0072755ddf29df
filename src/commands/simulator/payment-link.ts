import { Command, Option } from 'commander';
import type { components } from '../../generated/control-types.js';
import { readPaymentLinkId, withChoices } from '../support/arguments.js';
import { addAccountOptions } from '../support/control.js';
import { example, notes } from '../support/help-text.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';
import { createReadCommands } from './record-commands.js';

type Outcome = components['schemas']['PaymentOutcome'];

interface PayFlags {
  readonly outcome: Outcome;
  readonly method?: string;
}

const outcomes: readonly Outcome[] = ['paid', 'failed', 'pending'];

export function createCommand(): Command {
  const paymentLinkCommand = addAccountOptions(new Command('payment-link'))
    .description('list and show payment links, and pay one as a guest')
    .addHelpText('after', example('payment-link pay 4'))
    .addHelpText(
      'after',
      notes('To create a payment link, call the service (POST /api/v1/payment-links) or use the dashboard.'),
    );
  return addSubcommands(paymentLinkCommand, [
    ...createReadCommands({
      command: 'payment-link',
      path: '/accounts/{account}/payment-links/{payment_link}',
      readId: readPaymentLinkId,
      exampleId: 4,
      statuses: [],
      fields: ['description', 'url'],
    }),
    new Command('pay')
      .description('pay a payment link')
      .argument('<id>', 'id of the payment link', readPaymentLinkId)
      .addOption(withChoices(new Option('--outcome <outcome>', 'outcome of the payment'), outcomes).default('paid'))
      .option(
        '--method <method>',
        'payment method, for example card (default: the methods that the profile lists, in rotation; card if it lists none)',
      )
      .addHelpText('after', example('payment-link pay 4', 'payment-link pay 4 --outcome failed --method ideal'))
      .action(
        controlAction(async ({ call, nextCommand }, { outcome, method }: PayFlags, id) => {
          const value = await call('post', '/accounts/{account}/payment-links/{payment_link}/pay', {
            path: { payment_link: id },
            body: { outcome, method },
          });
          const { payment } = value;
          const result = `payment ${payment.id} is ${payment.status}`;
          if (outcome !== 'pending') return { value, text: result };
          const [succeed, fail] = [`payment succeed ${payment.id}`, `payment fail ${payment.id}`];
          return {
            value,
            text: `${result}; complete it with ${nextCommand(succeed)} or ${nextCommand(fail)}`,
          };
        }),
      ),
  ]);
}
