import { Command, Option } from 'commander';
import type { components } from '../../generated/control-validated-types.js';
import { activityText } from '../../text/activity-text.js';
import { formatTime } from '../../text/format.js';
import { readLimit, withChoices } from '../support/arguments.js';
import { addAccountOptions, type Control } from '../support/control.js';
import { example, notes } from '../support/help-text.js';
import { type CommandOutput, columns, moreLines } from '../support/output.js';
import { controlAction } from '../support/subcommand.js';

type Chain = components['schemas']['ActivityChain'];
type Kind = components['schemas']['Activity']['kind'];

interface Flags {
  readonly record?: string;
  readonly kind?: Kind;
  readonly status?: string;
  readonly search?: string;
  readonly limit: number;
}

const kinds: Readonly<Record<Kind, true>> = {
  request: true,
  action: true,
  due: true,
  created: true,
  transition: true,
  event: true,
  attempt: true,
  mail: true,
  scenario: true,
};

export function createCommand(): Command {
  return addAccountOptions(new Command('activity'))
    .description('show what happened in an account, and what it led to, newest first')
    .option('--record <record>', 'only what concerns this record, such as deposit:8 or mail:3')
    .addOption(
      withChoices(
        new Option('--kind <kind>', 'only causes that are, or led to, an entry of this kind'),
        Object.keys(kinds),
      ),
    )
    .option(
      '--status <status>',
      'only causes with an entry that has this status of a response, receiver, record or run',
    )
    .option('--search <text>', 'only causes that contain this text')
    .option('--limit <number>', 'maximum number of causes to show', readLimit, 100)
    .addHelpText('after', example('activity --record deposit:8', 'activity --kind request --status 422'))
    .addHelpText(
      'after',
      notes(
        'A cause is a request, an action or something that fell due. The lines below it, which are indented, are what it led to, oldest first.',
      ),
    )
    .action(controlAction(show));
}

async function show({ call }: Control, { record, kind, status, search, limit }: Flags): Promise<CommandOutput> {
  const value = await call('get', '/accounts/{account}/activity', {
    query: { record, kind, status, search, per_page: limit },
  });
  return { value, text: formatActivity(value) };
}

/** Formats a page of the activity log: the time and the text of each entry, those with a cause indented. */
export function formatActivity({ total, data }: { readonly total: number; readonly data: readonly Chain[] }): string {
  if (total === 0) return 'No activity.';
  return [columns(data.flatMap(rowsOf)), ...moreLines(total, data.length)].join('\n');
}

function rowsOf({ at, is_complete, entries }: Chain): string[][] {
  const droppedCause = is_complete ? [] : [[formatTime(at), 'the cause is no longer in the log']];
  const rows = entries.map((entry, index) => [
    formatTime(entry.at),
    `${index === 0 && is_complete ? '' : '  '}${activityText(entry)}`,
  ]);
  return [...droppedCause, ...rows];
}
