import { Command, Option } from 'commander';
import type { components } from '../../generated/control-types.js';
import { formatTime } from '../../text/format.js';
import { plainAmount } from '../../text/format-money.js';
import { readLimit, withChoices } from '../support/arguments.js';
import { example } from '../support/help-text.js';
import { listOutput, printable } from '../support/output.js';
import { controlAction } from '../support/subcommand.js';

type ServiceRecord = components['schemas']['ServiceRecord'];

interface RecordKind {
  /** Name of the command, such as `payment-link`. Its plural is the list in the control API. */
  readonly command: 'deposit' | 'invoice' | 'payment' | 'payment-link';
  /** Path of one record in the control API. */
  readonly path:
    | '/accounts/{account}/deposits/{deposit}'
    | '/accounts/{account}/invoices/{invoice}'
    | '/accounts/{account}/payments/{payment}'
    | '/accounts/{account}/payment-links/{payment_link}';
  readonly readId: (text: string) => number | string;
  /** An id in the demo seed, or of the first record that is created after it. */
  readonly exampleId: number;
  /** Statuses to filter lists by; empty if the records have none. */
  readonly statuses: readonly string[];
  /** Fields that lists show after the amount. The profile may leave out any of them. */
  readonly fields: readonly string[];
}

/** Creates the subcommands `list` and `show` of a command about records. */
export function createReadCommands(kind: RecordKind): [list: Command, show: Command] {
  return [createListCommand(kind), createShowCommand(kind)];
}

function createListCommand({ command, statuses, fields }: RecordKind): Command {
  const noun = nounOf(command);
  const list = new Command('list')
    .description(`list the ${noun}s, newest first`)
    .option('--limit <number>', 'maximum number to show', readLimit, 100);
  const [status] = statuses;
  if (status !== undefined) {
    list.addOption(withChoices(new Option('--status <status>', `only ${noun}s in this status`), statuses));
  }
  return list
    .addHelpText('after', example(`${command} list ${status === undefined ? '--limit 10' : `--status ${status}`}`))
    .action(
      controlAction(async ({ call }, flags: { readonly status?: string; readonly limit: number }) => {
        const query = { status: flags.status, per_page: flags.limit };
        const value = await call('get', `/accounts/{account}/${command}s`, { query });
        return listOutput(value, `No ${noun}s.`, (record) => [
          `${noun} ${record.id}`,
          amountText(record),
          ...fields.map((field) => text(record, field)),
        ]);
      }),
    );
}

/** The command prints JSON, since the profile decides the fields. */
function createShowCommand({ command, path, readId, exampleId }: RecordKind): Command {
  const noun = nounOf(command);
  return new Command('show')
    .description(`show ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} as the service returns it`)
    .argument('<id>', `id of the ${noun}`, readId)
    .addHelpText('after', example(`${command} show ${exampleId}`))
    .action(
      controlAction(async ({ call }, _flags, id) => {
        const value = await call('get', path, { path: { [command.replace('-', '_')]: id } });
        return { value, text: printable(JSON.stringify(value, undefined, 2)) };
      }),
    );
}

function nounOf(command: RecordKind['command']): string {
  return command.replace('-', ' ');
}

/** Returns the amount with its currency; the profile may make the amount a string. */
function amountText(record: ServiceRecord): string {
  const { amount } = record;
  const currency = text(record, 'currency');
  return `${typeof amount === 'number' ? plainAmount(amount, currency) : text(record, 'amount')} ${currency}`.trim();
}

/** Returns a field of a record as text; an empty string if the record does not have it. */
function text(record: ServiceRecord, field: string): string {
  const value = record[field];
  if (typeof value === 'string' && field.endsWith('_at')) return formatTime(value);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
