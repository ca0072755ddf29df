import { Command } from 'commander';
import type { components } from '../../generated/control-types.js';
import { formatAgendaItem, timeUntil } from '../../text/agenda-text.js';
import { formatTime } from '../../text/format.js';
import { readLimit } from '../support/arguments.js';
import { addAccountOptions } from '../support/control.js';
import { example } from '../support/help-text.js';
import { columns, moreLines } from '../support/output.js';
import { controlAction } from '../support/subcommand.js';

type Agenda = components['schemas']['Agenda'];

export function createCommand(): Command {
  return addAccountOptions(new Command('agenda'))
    .description('show what falls due next, soonest first')
    .option('--limit <number>', 'maximum number of items to show', readLimit, 100)
    .addHelpText('after', example('agenda --limit 10'))
    .action(
      controlAction(async (control, { limit }: { readonly limit: number }) => {
        const agenda = await control.call('get', '/accounts/{account}/agenda', { query: { per_page: limit } });
        return { value: agenda, text: formatAgenda(agenda) };
      }),
    );
}

function formatAgenda({ now, total, data: items, in_progress }: Agenda): string {
  const lines =
    items.length === 0
      ? ['Nothing is scheduled.']
      : [columns(items.map((item) => [formatTime(item.at), timeUntil(item.at, now), formatAgendaItem(item)]))];
  lines.push(...moreLines(total, items.length));
  if (in_progress.length > 0) lines.push(`In progress: ${in_progress.join(', ')}`);
  return lines.join('\n');
}
