import { Argument, Command, Option } from 'commander';
import { eventNames } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { components } from '../../generated/control-types.js';
import { truncate } from '../../lib/messages.js';
import { formatCount, formatTime, subjectName } from '../../text/format.js';
import { formatAttempt } from '../../text/step-text.js';
import { readDeliveryId, readLimit, withChoices } from '../support/arguments.js';
import { addAccountOptions, type Control } from '../support/control.js';
import { example } from '../support/help-text.js';
import { type CommandOutput, columns, listOutput, printable } from '../support/output.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';

type Delivery = components['schemas']['Delivery'];
type Status = components['schemas']['DeliveryStatus'];

interface ListFlags {
  readonly event?: string;
  readonly status?: string;
  readonly limit: number;
}

/** Maximum number of printed characters of the response to an attempt. */
const maxResponseCharacters = 80;

const statuses: readonly Status[] = ['unsent', 'waiting', 'retrying', 'delivered', 'failed'];

export function createCommand(): Command {
  const deliveries = new Command('deliveries')
    .description('show webhook messages and the attempts to deliver them')
    .addHelpText('after', example('deliveries list --status failed'));
  const id = new Argument('<id>', 'id of the delivery, evt_…').argParser(readDeliveryId);
  return addSubcommands(addAccountOptions(deliveries), [
    new Command('list')
      .description('list the deliveries, newest first')
      .addOption(withChoices(new Option('--event <event>', 'only deliveries of this event'), eventNames))
      .addOption(withChoices(new Option('--status <status>', 'only deliveries with this status'), statuses))
      .option('--limit <number>', 'maximum number to show', readLimit, 100)
      .addHelpText('after', example('deliveries list --event deposit.expired --status retrying'))
      .action(controlAction(list)),
    new Command('show')
      .description('show a delivery with its body and every attempt')
      .addArgument(id)
      .addHelpText('after', example('deliveries show evt_5f2b51ca2b0a8b9c1f6f3b6e'))
      .action(
        controlAction(async ({ call }, _flags, delivery) =>
          outputOf(await call('get', '/accounts/{account}/deliveries/{delivery}', { path: { delivery } })),
        ),
      ),
    new Command('resend')
      .description('send a delivery again now, whatever its status; exit with 1 if that fails')
      .addArgument(id)
      .addHelpText('after', example('deliveries resend evt_5f2b51ca2b0a8b9c1f6f3b6e'))
      .action(controlAction(resend)),
  ]);
}

async function list({ call }: Control, { event, status, limit }: ListFlags): Promise<CommandOutput> {
  const value = await call('get', '/accounts/{account}/deliveries', {
    query: { event, status, per_page: limit },
  });
  return listOutput(value, 'No deliveries.', (delivery) => [
    formatTime(delivery.created_at),
    delivery.id,
    delivery.event,
    subjectName(delivery.subject),
    delivery.status,
    formatCount(delivery.attempts, 'attempt'),
    delivery.next_attempt_at === null ? '' : `next at ${formatTime(delivery.next_attempt_at)}`,
    delivery.faults.length === 0 ? '' : `faults: ${delivery.faults.join(', ')}`,
  ]);
}

async function resend({ call }: Control, _flags: object, delivery: string): Promise<CommandOutput> {
  const value = await call('post', '/accounts/{account}/deliveries/{delivery}/resend', { path: { delivery } });
  const last = value.attempts.at(-1);
  if (!isDelivered(last?.status ?? null)) process.exitCode = 1;
  return { value, text: `${value.event} ${value.id}  ${last ? `→ ${formatAttempt(last)}` : value.status}` };
}

/** Descriptions of what started an attempt; empty for the retry schedule. */
const attemptOrigins = { schedule: '', manual: 'manual', fault: 'by a fault' };

function outputOf(delivery: Delivery): CommandOutput {
  const head = columns([
    ['id', delivery.id],
    ['event', delivery.event],
    ['record', subjectName(delivery.subject)],
    ['created', formatTime(delivery.created_at)],
    ['status', delivery.status],
    ['to', delivery.url ?? 'no webhook URL was set'],
    ...(delivery.faults.length === 0 ? [] : [['faults', delivery.faults.join(', ')]]),
  ]);
  const attempts = delivery.attempts.map((attempt) => [
    formatTime(attempt.at),
    `→ ${formatAttempt(attempt)}`,
    `${Math.round(attempt.milliseconds)} ms`,
    attemptOrigins[attempt.by],
    // The webhook URL may have changed since the event; it is empty if it was removed.
    attempt.url === '' || attempt.url === delivery.url ? '' : `to ${attempt.url}`,
    attempt.skipped_faults.map(({ effect, reason }) => `${effect} skipped: ${reason}`).join('; '),
    truncate(attempt.response_body, maxResponseCharacters),
  ]);
  const blocks = [head, ...(attempts.length === 0 ? [] : [columns(attempts)]), printable(delivery.body)];
  return { value: delivery, text: blocks.join('\n\n') };
}
