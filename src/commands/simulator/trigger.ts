import { Command } from 'commander';
import { eventNames } from '../../domain/records.js';
import { readEvent, readId, readNumber } from '../support/arguments.js';
import { addAccountOptions } from '../support/control.js';
import { subjectName } from '../support/output.js';
import { controlAction, example } from '../support/verb.js';

interface TriggerFlags {
  readonly deposit?: number | string;
  readonly paymentLink?: number;
}

export function triggerCommand(): Command {
  return addAccountOptions(new Command('trigger'))
    .description('trigger an event on a record: the given one, or a new one')
    .argument('<event>', `event to trigger: ${eventNames.join(', ')}`, readEvent)
    .option('--deposit <id>', 'deposit to trigger it on', readId)
    .option('--payment-link <id>', 'payment link to pay', readNumber)
    .addHelpText('after', example('trigger deposit.expired', 'trigger deposit.captured --deposit 8'))
    .action(
      controlAction(async (control, { deposit, paymentLink }: TriggerFlags, name) => {
        const value = await control.call('post', '/accounts/{account}/trigger', {
          body: { event: readEvent(name), deposit, payment_link: paymentLink },
        });
        return { value, text: [`${name} of ${subjectName(value.subject)}`, ...value.deliveries].join('\n  ') };
      }),
    );
}
