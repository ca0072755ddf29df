import { Command } from 'commander';
import type { components } from '../../generated/control-types.js';
import { countsOf, scopeOf } from '../../text/fault-text.js';
import { addPair, readDuration, readId, readMoment, readNumber, readPortion } from '../support/arguments.js';
import { addAccountOptions, type Control, wholeList } from '../support/control.js';
import { type DescribedEffect, formatEffects } from '../support/fault-text.js';
import { columns, countOf, type Shown } from '../support/output.js';
import { controlAction, example, withDefault } from '../support/verb.js';

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

export function faultCommand(): Command {
  const fault = new Command('fault')
    .description('inject faults into requests and webhooks')
    .addHelpText('after', example('fault add lose-response --operation createDeposit --times 1', 'fault effects'));
  return withDefault(addAccountOptions(fault), [
    new Command('list')
      .description('list the faults and how often each has fired')
      .addHelpText('after', example('fault list'))
      .action(controlAction(list)),
    addCommand(),
    new Command('clear')
      .description('remove one fault, or all of them')
      .argument('[id]', 'number of the fault, see fault list (default: all)')
      .addHelpText('after', example('fault clear', 'fault clear 1'))
      .action(controlAction(clear)),
    new Command('effects')
      .description('list the effects that can be injected')
      .addHelpText('after', example('fault effects'))
      .action(
        controlAction(async ({ call }) => {
          const value = await call('get', '/effects', { query: wholeList });
          return { value, text: formatEffects(value.data) };
        }),
      ),
  ]);
}

function addCommand(): Command {
  return new Command('add')
    .description('inject a fault from now on; all matchers must match, and * matches anything')
    .argument('<effect...>', "effects to inject, see fault effects: lose-response, 'latency=200ms;max=2s'")
    .option('--operation <id>', 'on requests of this operation, for example createDeposit')
    .option('--method <method>', 'on requests with this method, for example POST')
    .option('--path <path>', 'on requests to this path below /api/v1')
    .option('--status <status>', 'on responses with this status: 201, 4xx', readId)
    .option('--token <name>', 'on requests with the token of this name')
    .option('--event <event>', 'on webhooks of this event')
    .option('--body <key=value>', 'on bodies with this value at a dotted path; may be repeated', addPair)
    .option('--nth <number>', 'only on the nth match', readNumber)
    .option('--every <number>', 'on every nth match', readNumber)
    .option('--probability <number>', 'on a random share of the matches, from the random seed: 0.2', readPortion)
    .option('--times <number>', 'maximum number of times', readNumber)
    .option('--for <duration>', "for this duration on the account's clock: 30s, 2h", readDuration)
    .option('--until <time>', "until this ISO 8601 time on the account's clock", readMoment)
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

async function list({ call }: Control): Promise<Shown> {
  const value = await call('get', '/accounts/{account}/faults', { query: wholeList });
  if (value.data.length === 0) return { value, text: 'No faults.' };
  const { data: effects } = await call('get', '/effects', { query: wholeList });
  const short = await shortForms(effects);
  const rows = value.data.map((fault) => [
    `fault ${fault.id}`,
    fault.effects.map(short).join(' '),
    scopeOf(fault),
    countsOf(fault),
    fault.status,
  ]);
  return { value, text: columns(rows) };
}

async function add({ call }: Control, flags: AddFlags, ...effect: string[]): Promise<Shown> {
  const match = pick(flags, matchKeys);
  const body = { effect, match, times: flags.times, for: flags.for, until: flags.until };
  const value = await call('post', '/accounts/{account}/faults', { body });
  const { data: effects } = await call('get', '/effects', { query: wholeList });
  const short = await shortForms(effects);
  const rows = value.effects.map((one) => [
    `  ${short(one)}`,
    effects.find(({ name }) => name === one.name)?.summary ?? '',
  ]);
  const lines = [
    `Fault ${value.id} injected: ${scopeOf(value)}`,
    columns(rows),
    `Remove it with: billing-sim fault clear ${value.id}`,
  ];
  return { value, text: lines.join('\n') };
}

async function clear({ call }: Control, _flags: object, fault?: string): Promise<Shown> {
  if (fault === undefined) {
    const value = await call('delete', '/accounts/{account}/faults');
    const words = `Cleared ${countOf(value.cleared, 'fault')}.`;
    return { value, text: value.cleared === 0 ? 'No faults.' : words };
  }
  const value = await call('delete', '/accounts/{account}/faults/{fault}', { path: { fault } });
  return { value, text: `Fault ${value.id} cleared: ${countsOf(value)}` };
}

/** Returns a function that writes an effect in the short form. */
async function shortForms(effects: readonly DescribedEffect[]): Promise<(effect: Fault['effects'][number]) => string> {
  const { writeShort } = await import('../../domain/fault-grammar.js');
  return (effect) => writeShort(effect, effects.find(({ name }) => name === effect.name)?.value ?? null);
}

/** Picks properties of an object by name. */
function pick<Value extends object, Key extends keyof Value>(value: Value, keys: readonly Key[]) {
  const found: Partial<Pick<Value, Key>> = {};
  for (const key of keys) if (Object.hasOwn(value, key)) found[key] = value[key];
  return found;
}
