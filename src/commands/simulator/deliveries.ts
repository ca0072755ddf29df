import { Argument, Command, Option } from 'commander';
import { eventNames } from '../../domain/records.js';
import type { components } from '../../generated/control-types.js';
import { formatAttempt } from '../../text/receipt-text.js';
import { readCount } from '../support/arguments.js';
import { addAccountOptions, type Control } from '../support/control.js';
import { columns, countOf, formatTime, moreLine, printable, type Shown, subjectName } from '../support/output.js';
import { controlAction, example, withDefault } from '../support/verb.js';

type Delivery = components['schemas']['Delivery'];
type Status = components['schemas']['DeliveryStatus'];

interface ListFlags {
  readonly event?: string;
  readonly status?: string;
  readonly limit: number;
}

const statuses: readonly Status[] = ['unsent', 'waiting', 'retrying', 'delivered', 'failed'];

export function deliveriesCommand(): Command {
  const deliveries = new Command('deliveries')
    .description('show webhook messages and the attempts to deliver them')
    .addHelpText('after', example('deliveries list --status failed'));
  const id = new Argument('<id>', 'id of the delivery, evt_…');
  return withDefault(addAccountOptions(deliveries), [
    new Command('list')
      .description('list the deliveries, newest first')
      .addOption(new Option('--event <event>', 'only deliveries of this event').choices(eventNames))
      .addOption(new Option('--status <status>', 'only deliveries with this status').choices(statuses))
      .option('--limit <number>', 'maximum number to show', readCount, 100)
      .addHelpText('after', example('deliveries list --event deposit.expired --status retrying'))
      .action(controlAction(list)),
    new Command('show')
      .description('show a delivery with its body and every attempt')
      .addArgument(id)
      .addHelpText('after', example('deliveries show evt_5f2b51ca2b0a8b9c1f6f3b6e'))
      .action(
        controlAction(async ({ call }, _flags, delivery) =>
          shown(await call('get', '/accounts/{account}/deliveries/{delivery}', { path: { delivery } })),
        ),
      ),
    new Command('resend')
      .description('send a delivery again now, whatever its status')
      .addArgument(id)
      .addHelpText('after', example('deliveries resend evt_5f2b51ca2b0a8b9c1f6f3b6e'))
      .action(controlAction(resend)),
  ]);
}

async function list({ call }: Control, { event, status, limit }: ListFlags): Promise<Shown> {
  const value = await call('get', '/accounts/{account}/deliveries', {
    query: { event, status, per_page: limit },
  });
  const { total, data: deliveries } = value;
  if (total === 0) return { value, text: 'No deliveries.' };
  const rows = deliveries.map((delivery) => [
    formatTime(delivery.created_at),
    delivery.id,
    delivery.event,
    subjectName(delivery.subject),
    delivery.status,
    countOf(delivery.attempts, 'attempt'),
    delivery.next_attempt_at === null ? '' : `next at ${formatTime(delivery.next_attempt_at)}`,
    delivery.faults.length === 0 ? '' : `faults: ${delivery.faults.join(', ')}`,
  ]);
  return { value, text: [columns(rows), ...moreLine(total, deliveries.length)].join('\n') };
}

async function resend({ call }: Control, _flags: object, delivery: string): Promise<Shown> {
  const value = await call('post', '/accounts/{account}/deliveries/{delivery}/resend', { path: { delivery } });
  const last = value.attempts.at(-1);
  return { value, text: `${value.event} ${value.id}  ${last ? `→ ${formatAttempt(last)}` : value.status}` };
}

const origins = { schedule: '', hand: 'by hand', fault: 'by a fault' };

function shown(delivery: Delivery): Shown {
  const head = columns([
    ['id', delivery.id],
    ['event', delivery.event],
    ['record', subjectName(delivery.subject)],
    ['created', formatTime(delivery.created_at)],
    ['status', delivery.status],
    ['to', delivery.url ?? 'none: no webhook URL was set'],
    ...(delivery.faults.length === 0 ? [] : [['faults', delivery.faults.join(', ')]]),
  ]);
  const attempts = delivery.attempts.map((attempt) => [
    formatTime(attempt.at),
    `→ ${formatAttempt(attempt)}`,
    `${Math.round(attempt.milliseconds)} ms`,
    origins[attempt.by],
    attempt.skipped_faults.map(({ effect, reason }) => `${effect} skipped: ${reason}`).join('; '),
    attempt.answer.slice(0, 80),
  ]);
  const blocks = [head, ...(attempts.length === 0 ? [] : [columns(attempts)]), printable(delivery.body)];
  return { value: delivery, text: blocks.join('\n\n') };
}
