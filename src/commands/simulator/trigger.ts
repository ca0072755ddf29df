import { Argument, Command } from 'commander';
import { eventNames } from '../../domain/records.js';
import { subjectName } from '../../text/format.js';
import { readDepositId, readEvent, readPaymentLinkId } from '../support/arguments.js';
import { addAccountOptions } from '../support/control.js';
import { example } from '../support/help-text.js';
import { controlAction } from '../support/subcommand.js';

interface TriggerFlags {
  readonly deposit?: number | string;
  readonly paymentLink?: number;
}

export function createCommand(): Command {
  return addAccountOptions(new Command('trigger'))
    .description('trigger an event for a new record, or for the given one')
    .addArgument(new Argument('<event>', 'event to trigger').choices(eventNames).argParser(readEvent))
    .option('--deposit <id>', 'deposit to trigger the event for', readDepositId)
    .option('--payment-link <id>', 'payment link to trigger the event for, by paying it', readPaymentLinkId)
    .addHelpText('after', example('trigger deposit.expired', 'trigger deposit.captured --deposit 8'))
    .action(
      controlAction(async (control, { deposit, paymentLink }: TriggerFlags, name) => {
        const value = await control.call('post', '/accounts/{account}/trigger', {
          body: { event: readEvent(name), deposit, payment_link: paymentLink },
        });
        return { value, text: [`${name} for ${subjectName(value.subject)}`, ...value.deliveries].join('\n  ') };
      }),
    );
}
