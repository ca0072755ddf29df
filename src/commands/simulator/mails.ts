import { Command } from 'commander';
import type { components } from '../../generated/control-types.js';
import { formatTime } from '../../text/format.js';
import { readInteger, readLimit } from '../support/arguments.js';
import { addAccountOptions, type Control } from '../support/control.js';
import { example } from '../support/help-text.js';
import { type CommandOutput, columns, listOutput, printable } from '../support/output.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';

type Mail = components['schemas']['Mail'];

export function createCommand(): Command {
  const mails = new Command('mails')
    .description('show the emails of the service')
    .addHelpText('after', example('mails list', 'mails show 1'));
  return addSubcommands(addAccountOptions(mails), [
    new Command('list')
      .description('list the emails, newest first')
      .option('--limit <number>', 'maximum number to show', readLimit, 100)
      .addHelpText('after', example('mails list --limit 10'))
      .action(controlAction(list)),
    new Command('show')
      .description('show an email as text')
      .argument('<id>', 'number of the email', readInteger)
      .addHelpText('after', example('mails show 1'))
      .action(
        controlAction(async ({ call }, _flags, mail) =>
          outputOf(await call('get', '/accounts/{account}/mails/{mail}', { path: { mail } })),
        ),
      ),
  ]);
}

async function list({ call }: Control, { limit }: { readonly limit: number }): Promise<CommandOutput> {
  const value = await call('get', '/accounts/{account}/mails', { query: { per_page: limit } });
  return listOutput(value, 'No emails.', ({ id, created_at, to, subject, status }) => [
    formatTime(created_at),
    `email ${id}`,
    to,
    subject,
    status,
  ]);
}

function outputOf(mail: Mail): CommandOutput {
  const lastError = mail.attempts.at(-1)?.error ?? null;
  const head = columns([
    ['to', mail.to],
    ['subject', mail.subject],
    ['created', formatTime(mail.created_at)],
    ['status', lastError === null ? mail.status : `${mail.status}: ${lastError}`],
  ]);
  return { value: mail, text: `${head}\n\n${printable(mail.text)}` };
}
