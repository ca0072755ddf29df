import { Command } from 'commander';
import { example } from '../support/help-text.js';
import { printable } from '../support/output.js';
import { controlAction } from '../support/subcommand.js';

interface RecordKind {
  /** Name of the command, such as `payment-link`. */
  readonly command: 'deposit' | 'invoice' | 'payment' | 'payment-link';
  readonly path:
    | '/accounts/{account}/deposits/{deposit}'
    | '/accounts/{account}/invoices/{invoice}'
    | '/accounts/{account}/payments/{payment}'
    | '/accounts/{account}/payment-links/{payment_link}';
  readonly readId: (text: string) => number | string;
  /** An id in the demo seed, or of the first record that is created after it. */
  readonly exampleId: number;
}

/** Creates the subcommand `show` of a command about records. It prints JSON, since the profile decides the fields. */
export function createShowCommand({ command, path, readId, exampleId }: RecordKind): Command {
  const noun = command.replace('-', ' ');
  return new Command('show')
    .description(`show ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} as the service returns it`)
    .argument('<id>', `id of the ${noun}`, readId)
    .addHelpText('after', example(`${command} show ${exampleId}`))
    .action(
      controlAction(async ({ call }, _flags, id) => {
        const value = await call('get', path, { path: { [noun.replace(' ', '_')]: id } });
        return { value, text: printable(JSON.stringify(value, undefined, 2)) };
      }),
    );
}
