import { Command, Option } from 'commander';
import type { components } from '../../generated/control-types.js';
import { formatTime } from '../../text/format.js';
import { plainAmount } from '../../text/format-money.js';
import { readLimit, withChoices } from '../support/arguments.js';
import { example } from '../support/help-text.js';
import { listOutput } from '../support/output.js';
import { controlAction } from '../support/subcommand.js';

type ServiceRecord = components['schemas']['ServiceRecord'];

interface RecordKind {
  /** Name of the command, such as `payment-link`. Its plural is the list in the control API. */
  readonly command: 'deposit' | 'invoice' | 'payment' | 'payment-link';
  /** Statuses to filter by; empty if the records have none. */
  readonly statuses: readonly string[];
  /** Fields to show after the amount. The profile may leave out any of them. */
  readonly fields: readonly string[];
}

interface Flags {
  readonly status?: string;
  readonly limit: number;
}

/** Creates the subcommand `list` of a command about records. */
export function createListCommand({ command, statuses, fields }: RecordKind): Command {
  const noun = command.replace('-', ' ');
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
      controlAction(async ({ call }, flags: Flags) => {
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
