import { Command, Option } from 'commander';
import type { components } from '../../generated/control-types.js';
import { describeFaultCounts, describeFaultScope } from '../../text/fault-text.js';
import { formatCount } from '../../text/format.js';
import {
  addPair,
  markRepeatable,
  readDateOrTime,
  readDuration,
  readFaultCount,
  readFaultStatus,
  readInteger,
  readMethod,
  readProbability,
} from '../support/arguments.js';
import { addAccountOptions, type Control, singlePageQuery } from '../support/control.js';
import { example } from '../support/help-text.js';
import { type CommandOutput, columns, listOutput } from '../support/output.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';
import { type DescribedEffect, formatEffects } from './effects-text.js';

type Fault = components['schemas']['Fault'];
type NewFault = components['schemas']['NewFault'];
type Match = components['schemas']['FaultMatch'];

interface AddFlags extends Match, Pick<NewFault, 'times' | 'for' | 'until'> {}

const matchKeys = [
  'operation',
  'method',
  'path',
  'status',
  'token',
  'event',
  'body',
  'nth',
  'every',
  'probability',
] as const satisfies (keyof Match)[];

export function createCommand(): Command {
  const fault = new Command('fault')
    .description('inject faults into requests and webhooks')
    .addHelpText('after', example('fault add lose-response --operation createDeposit --times 1', 'fault effects'));
  return addSubcommands(addAccountOptions(fault), [
    new Command('list')
      .description('list the faults and how often each has fired')
      .addHelpText('after', example('fault list'))
      .action(controlAction(list)),
    addCommand(),
    new Command('clear')
      .description('clear one fault, or all of them')
      .argument('[id]', 'number of the fault, as `billing-sim fault list` shows it (default: all)', readInteger)
      .addHelpText('after', example('fault clear', 'fault clear 1'))
      .action(controlAction(clear)),
    new Command('effects')
      .description('list the effects that a fault can have')
      .addHelpText('after', example('fault effects'))
      .action(
        controlAction(async ({ call }) => {
          const value = await call('get', '/effects', { query: singlePageQuery });
          return { value, text: formatEffects(value.data) };
        }),
      ),
  ]);
}

function addCommand(): Command {
  return new Command('add')
    .description(
      'add a fault, active from now on; all matchers must match, and * in a path, token, event or body matches any characters',
    )
    .argument(
      '<effect...>',
      "effects of the fault, such as lose-response or 'latency=200ms;max=2s'; `billing-sim fault effects` lists them",
    )
    .option('--operation <id>', 'on requests for this operation, for example createDeposit')
    .option('--method <method>', 'on requests with this method, for example POST', readMethod)
    .option('--path <path>', 'on requests to this path below /api/v1')
    .option('--status <status>', 'on responses with this status: 201, 4xx', readFaultStatus)
    .option('--token <name>', 'on requests with the token of this name')
    .option('--event <event>', 'on webhooks for this event')
    .addOption(
      markRepeatable(
        new Option('--body <key=value>', 'on bodies with this value at a dotted path; may be repeated').argParser(
          addPair,
        ),
      ),
    )
    .option('--nth <number>', 'only on the nth match', readFaultCount)
    .option('--every <number>', 'on every nth match', readFaultCount)
    .option(
      '--probability <number>',
      'on a share of the matches, for example 0.2; the random seed of the account decides which',
      readProbability,
    )
    .option('--times <number>', 'maximum number of times that it fires', readFaultCount)
    .option('--for <duration>', "for this duration on the account's clock: 30s, 2h", readDuration)
    .option(
      '--until <time>',
      "until this ISO 8601 time on the account's clock, or midnight UTC of a date",
      readDateOrTime,
    )
    .addHelpText(
      'after',
      example(
        'fault add lose-response --operation createDeposit --times 1',
        "fault add status=503 --path '/invoices*' --every 3 --for 1h",
        'fault add duplicate reorder tamper-body',
      ),
    )
    .action(controlAction(add));
}

async function list({ call }: Control): Promise<CommandOutput> {
  const value = await call('get', '/accounts/{account}/faults', { query: singlePageQuery });
  const effects = value.total === 0 ? [] : (await call('get', '/effects', { query: singlePageQuery })).data;
  const formatEffect = await createEffectFormatter(effects);
  return listOutput(value, 'No faults.', (fault) => [
    `fault ${fault.id}`,
    fault.effects.map(formatEffect).join(' '),
    describeFaultScope(fault),
    describeFaultCounts(fault),
    fault.status,
  ]);
}

async function add({ call, nextCommand }: Control, flags: AddFlags, ...effect: string[]): Promise<CommandOutput> {
  const match = pick(flags, matchKeys);
  const body = { effect, match, times: flags.times, for: flags.for, until: flags.until };
  const value = await call('post', '/accounts/{account}/faults', { body });
  const { data: effects } = await call('get', '/effects', { query: singlePageQuery });
  const formatEffect = await createEffectFormatter(effects);
  const rows = value.effects.map((added) => [
    `  ${formatEffect(added)}`,
    effects.find(({ name }) => name === added.name)?.summary ?? '',
  ]);
  const lines = [
    `Fault ${value.id} added: ${describeFaultScope(value)}`,
    columns(rows),
    `Clear it with: ${nextCommand(`fault clear ${value.id}`)}`,
  ];
  return { value, text: lines.join('\n') };
}

async function clear({ call }: Control, _flags: object, fault?: string): Promise<CommandOutput> {
  if (fault === undefined) {
    const value = await call('delete', '/accounts/{account}/faults');
    const message = `Cleared ${formatCount(value.cleared, 'fault')}.`;
    return { value, text: value.cleared === 0 ? 'No faults.' : message };
  }
  const value = await call('delete', '/accounts/{account}/faults/{fault}', { path: { fault } });
  return { value, text: `Fault ${value.id} cleared (${describeFaultCounts(value)}).` };
}

/** Creates a function that formats an effect in its short form: `latency=200ms`. */
async function createEffectFormatter(
  effects: readonly DescribedEffect[],
): Promise<(effect: Fault['effects'][number]) => string> {
  const { formatShortForm } = await import('../../domain/fault-grammar.js');
  return (effect) => formatShortForm(effect, effects.find(({ name }) => name === effect.name)?.value ?? null);
}

/** Picks properties of an object by name. */
function pick<Value extends object, Key extends keyof Value>(value: Value, keys: readonly Key[]) {
  const picked: Partial<Pick<Value, Key>> = {};
  for (const key of keys) if (Object.hasOwn(value, key)) picked[key] = value[key];
  return picked;
}
